#include <stdio.h>

int main(int argc, char **argv) {
    long long want, got;
    FILE *answer = argc > 2 ? fopen(argv[2], "r") : NULL;
    if (answer == NULL || fscanf(answer, "%lld", &want) != 1) return 1;
    return scanf("%lld", &got) == 1 && got == want ? 42 : 43;
}
