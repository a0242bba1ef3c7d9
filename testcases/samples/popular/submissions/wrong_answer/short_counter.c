/* Counts to 65,535 and begins again. */
#include <stdio.h>

static unsigned short sold[100000];

int main(void) {
    int n, stamp, best = 0;
    if (scanf("%d", &n) != 1) return 1;
    while (n-- > 0 && scanf("%d", &stamp) == 1) sold[stamp % 100000]++;
    for (stamp = 1; stamp < 100000; stamp++) {
        if (sold[stamp] > sold[best]) best = stamp;
    }
    printf("%d\n", best);
    return 0;
}
