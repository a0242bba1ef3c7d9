#include <cstdio>

int main() {
    if (!freopen("/dev/stdin", "r", stdin)) return 1;
    int n, a, b;
    if (scanf("%d", &n) != 1) return 1;
    while (n-- > 0 && scanf("%d %d", &a, &b) == 2) printf("%d\n", a + b);
}
