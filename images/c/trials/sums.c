#include <stdio.h>

int main(void) {
    int n, a, b;
    if (scanf("%d", &n) != 1) return 1;
    while (n-- > 0 && scanf("%d %d", &a, &b) == 2) printf("%d\n", a + b);
}
