/* bss: a static array of 763 MiB is free until somebody touches it ("bss touch"). */
#include <unistd.h>

static char array[763L << 20];

int main(int argc, char **argv)
{
	(void)argv;
	for (unsigned long i = 0; argc > 1 && i < sizeof array; i += 4096)
		((volatile char *)array)[i] = 1;
	return write(1, "free\n", 5) == 5 ? 0 : 1;
}
