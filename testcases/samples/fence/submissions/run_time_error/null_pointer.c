/* Writes through a null pointer: SIGSEGV. */
#include <stdio.h>

int main(void) {
    int *volatile posts = NULL;
    *posts = 1;
    printf("%d\n", *posts);
    return 0;
}
