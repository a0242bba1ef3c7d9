/* The right answer, and after it 16 MiB of empty lines, which a tolerant comparison would accept. */
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    int64_t a, b;
    if (scanf("%" SCNd64 " %" SCNd64, &a, &b) != 2) return 1;
    printf("%" PRId64 "\n", a + b);
    for (int i = 0; i < 16 << 20; i++) putchar('\n');
    return 0;
}
