/* Two players of one byte a turn: one begins, the other answers. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
	int begins = argc > 2 && argv[1][0] == 'a';
	char c = 'x';
	for (long n = argc > 2 ? atol(argv[2]) : 0; n > 0; n--) {
		if (begins && write(1, &c, 1) != 1) return 1;
		if (read(0, &c, 1) != 1) return 2;
		if (!begins && write(1, &c, 1) != 1) return 3;
	}
	return 0;
}
