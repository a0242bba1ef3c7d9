#include <pthread.h>
#include <stdio.h>

static long n, sums[4];

static void *add(void *arg) {
    long k = (long)arg;
    for (long i = k + 1; i <= n; i += 4) sums[k] += i;
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    if (scanf("%ld", &n) != 1) return 1;
    for (long k = 0; k < 4; k++) if (pthread_create(&threads[k], NULL, add, (void *)k)) return 2;
    long sum = 0;
    for (int k = 0; k < 4; k++) {
        pthread_join(threads[k], NULL);
        sum += sums[k];
    }
    printf("%ld\n", sum);
}
