// As testlib's checkers are called: input output answer. The output is what the
// interactor wrote.
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc < 4) return 3;
    FILE *out = fopen(argv[2], "r"), *ans = fopen(argv[3], "r");
    int got, want;
    if (!out || !ans || fscanf(ans, "%d", &want) != 1) return 3;
    if (fscanf(out, "%d", &got) != 1) return 2;
    fprintf(stderr, "%d where %d is right\n", got, want);
    return got == want ? 0 : 1;
}
