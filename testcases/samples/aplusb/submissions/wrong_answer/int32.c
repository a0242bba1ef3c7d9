/* Wraps around at 32 bits. */
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    int64_t a, b;
    if (scanf("%" SCNd64 " %" SCNd64, &a, &b) != 2) return 1;
    printf("%" PRId32 "\n", (int32_t)(uint32_t)(a + b));
    return 0;
}
