/* The smallest useful submission: adds the numbers of its input. */
#include <stdio.h>

int main(void) {
	long sum = 0, x;
	while (scanf("%ld", &x) == 1) sum += x;
	printf("%ld\n", sum);
	return 0;
}
