#include <stdio.h>

#include "helper.h"

int main(void) {
    long long n;
    scanf("%lld", &n);
    printf("%lld\n", twice(n));
}
