#include <stdio.h>

static int depth(int n) {
    volatile int here = n;
    return here == 0 ? 0 : 1 + depth(here - 1);
}

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    printf("%d\n", depth(n));
}
