// As testlib's interactors are called: input output answer. It asks for twice the
// number of the input, writes down what it hears, and leaves it to the checker
// whether that is right. 0 accepts, 1 rejects, 3 is a fault of the jury.
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc < 4) return 3;
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    int n, heard;
    if (!in || !out || fscanf(in, "%d", &n) != 1) return 3;
    if (n < 0) return 3;
    printf("%d\n", n);
    fflush(stdout);
    if (scanf("%d", &heard) != 1) {
        fprintf(stderr, "no number was said\n");
        return 1;
    }
    fprintf(out, "%d\n", heard);
    fprintf(stderr, "heard %d\n", heard);
    return 0;
}
