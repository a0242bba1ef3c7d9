/* A pragma that names a program for the compiler to load. */
#include <stdio.h>
#pragma GCC plugin "/box/w/plugin.so"
#pragma clang plugin "/box/w/plugin.so"

int main(void) {
    puts("Hello, world!");
}
