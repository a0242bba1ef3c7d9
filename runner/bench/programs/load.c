/* Loads one resource at a time, by the amount that its arguments say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char block[64 << 10];

/* A chain of dependent multiplications: the same work on every machine. */
static int work(long millions) {
	unsigned long x = 1;
	for (long i = 0; i < millions * 1000000; i++) x = x * 6364136223846793005UL + 1442695040888963407UL;
	return x == 0;
}

static int touch(long mib) {
	char *p = malloc((size_t)mib << 20);
	if (!p) return 3;
	memset(p, 1, (size_t)mib << 20);
	return p[((size_t)mib << 20) - 1] != 1;
}

/* All children hold their memory at the same time. */
static int children(int n, long mib) {
	int up[2], down[2];
	char c = 0;
	if (pipe(up) || pipe(down)) return 3;
	for (int i = 0; i < n; i++) {
		if (fork() == 0) {
			if (touch(mib) || write(up[1], &c, 1) != 1) _exit(3);
			close(down[1]);
			_exit(read(down[0], &c, 1) != 0);
		}
	}
	for (int i = 0; i < n; i++) {
		if (read(up[0], &c, 1) != 1) return 3;
	}
	close(down[1]);
	int failed = 0, status;
	while (wait(&status) > 0) failed |= status;
	return failed != 0;
}

static int put(long mib) {
	for (long i = 0; i < mib * 16; i++) {
		for (size_t done = 0; done < sizeof block;) {
			ssize_t n = write(1, block + done, sizeof block - done);
			if (n < 0) return 3;
			done += (size_t)n;
		}
	}
	return 0;
}

static int take(void) {
	ssize_t n;
	while ((n = read(0, block, sizeof block)) > 0) {
	}
	return n != 0;
}

int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0;
	if (!strcmp(what, "work")) return work(n);
	if (!strcmp(what, "touch")) return touch(n);
	if (!strcmp(what, "children")) return children(4, n);
	if (!strcmp(what, "put")) return put(n);
	if (!strcmp(what, "take")) return take();
	fprintf(stderr, "usage: load work|touch|children|put|take [N]\n");
	return 2;
}
