#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n;
    if (scanf("%d", &n) != 1) return 0;
    switch (argc > 1 ? argv[1][0] : 'r') {
    case 'w': printf("%d\n", n + 1); return 0; // wrong
    case 's': return 0;                        // silent
    case 'c': printf("%d\n", 2 * n); fflush(stdout); abort();
    }
    printf("%d\n", 2 * n);
}
