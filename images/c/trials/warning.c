#include <stdio.h>

int main(void) {
    int unused;
    puts("Hello, world!");
}
