#include <stdio.h>

int main(void) {
    int n = "text".length; /* MISTAKE */
    printf("%d\n", n);
}
