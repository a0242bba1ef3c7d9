/* Reading and writing of descriptors 0, 1 and 2, and of files by name. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int pump(int from, int to)
{
	char buffer[65536];
	for (;;) {
		ssize_t n = read(from, buffer, sizeof buffer);
		if (n <= 0)
			return n < 0 ? errno : 0;
		for (ssize_t done = 0; done < n;) {
			ssize_t w = write(to, buffer + done, n - done);
			if (w < 0)
				return errno;
			done += w;
		}
	}
}

/* copy FROM TO: both opened by name. */
static int copy(int argc, char **argv)
{
	if (argc < 3)
		return BROKEN;
	int from = open(argv[1], O_RDONLY);
	if (from < 0)
		return errno;
	int to = open(argv[2], O_WRONLY);
	if (to < 0)
		return errno;
	return pump(from, to);
}

/* cat [PATH]: stdin where there is none. */
static int cat(int argc, char **argv)
{
	int from = argc > 1 ? open(argv[1], O_RDONLY) : 0;
	return from < 0 ? errno : pump(from, 1);
}

/* open FLAGS PATH...: r, w or a (read and write); no O_CREAT. */
static int try_open(int argc, char **argv)
{
	int flags = argc > 1 && argv[1][0] == 'w' ? O_WRONLY : argc > 1 && argv[1][0] == 'a' ? O_RDWR : O_RDONLY;
	for (int i = 2; i < argc; i++)
		outcome(argv[i], open(argv[i], flags | O_NONBLOCK));
	return 0;
}

/* fill FD BYTES [CHUNK]: 0 bytes is without end. */
static int fill(int argc, char **argv)
{
	static char block[65536];
	int fd = number(argc, argv, 1, 1);
	long left = number(argc, argv, 2, 0), chunk = number(argc, argv, 3, sizeof block);
	int endless = left == 0;
	memset(block, 'x', sizeof block);
	while (endless || left > 0) {
		ssize_t n = write(fd, block, endless || left > chunk ? chunk : left);
		if (n < 0)
			return errno;
		left -= n;
	}
	return 0;
}

/* bytes writes all 256 of them: NUL and invalid UTF-8 are bytes like others. */
static int bytes(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (int i = 0; i < 256; i++)
		putchar(i);
	return fflush(stdout);
}

/* answer sends each line back: the side of an interaction that waits. */
static int answer(int argc, char **argv)
{
	(void)argc, (void)argv;
	char line[256];
	while (fgets(line, sizeof line, stdin)) {
		fputs(line, stdout);
		fflush(stdout);
	}
	return 0;
}

/* ask N: the side that begins; it wants every number back. */
static int ask(int argc, char **argv)
{
	long got;
	for (long i = 0; i < number(argc, argv, 1, 1); i++) {
		say("%ld", i);
		if (scanf("%ld", &got) != 1 || got != i)
			return 1;
	}
	return 0;
}

/* deaf ignores SIGPIPE and writes until that is refused. */
static int deaf(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	return fill(argc, argv);
}

/* closed waits until stdout has no reader, then writes: SIGPIPE must end it. */
static int closed(int argc, char **argv)
{
	struct pollfd p = {.fd = 1};
	must(poll(&p, 1, -1), "poll");
	return fill(argc, argv);
}

const struct command stream_commands[] = {
	{"copy", copy}, {"cat", cat}, {"open", try_open}, {"fill", fill}, {"bytes", bytes}, {"answer", answer},
	{"ask", ask}, {"deaf", deaf}, {"closed", closed}, {0},
};
