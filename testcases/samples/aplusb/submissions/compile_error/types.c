/* A structure is not a number. */
#include <stdio.h>

struct snails { long long a, b; };

int main(void) {
    struct snails race = {0, 0};
    printf("%d\n", race + 1);
    return 0;
}
