#include <stdio.h>

int main(void) {
    FILE *in = fopen("/dev/stdin", "r");
    if (!in) return 1;
    int n, a, b;
    if (fscanf(in, "%d", &n) != 1) return 1;
    while (n-- > 0 && fscanf(in, "%d %d", &a, &b) == 2) printf("%d\n", a + b);
}
