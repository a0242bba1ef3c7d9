#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *all[4096];

int main(void) {
    for (int i = 0; i < 4096; i++) {
        all[i] = malloc(1 << 20);
        if (!all[i]) return 1;
        memset(all[i], 1, 1 << 20);
    }
    printf("Hello, world! %d\n", all[getchar() & 1][7]);
}
