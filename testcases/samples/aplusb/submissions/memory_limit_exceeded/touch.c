/* Touches every page of 1 GiB, block by block, and never gives one back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4 << 20, BLOCKS = 256 };

static char *volatile kept[BLOCKS];

int main(void) {
    int64_t a, b;
    for (int i = 0; i < BLOCKS; i++) {
        char *block = malloc(BLOCK);
        if (block == NULL) abort();
        memset(block, 1, BLOCK);
        kept[i] = block;
    }
    if (scanf("%" SCNd64 " %" SCNd64, &a, &b) != 2) return 1;
    printf("%" PRId64 "\n", a + b);
    return 0;
}
