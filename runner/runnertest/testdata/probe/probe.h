/*
 * probe: the programs that the sandbox's suite runs, one sub-command each.
 *
 * Every sub-command is one idea. It exits 0 when it came to its end, with the
 * errno where the kernel refused what it wanted to do, and with BROKEN when it
 * could not even set the scene (the suite then fails with its stderr). What it
 * saw is printed line by line; what ought to be seen stands in the suite's
 * tables, never here.
 */
#ifndef PROBE_H
#define PROBE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <sys/types.h>

#define BROKEN 99
#define MIB (1024 * 1024L)

struct command {
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] is the command's name */
};

/* One table per file, each ended by a null name. */
extern const struct command start_commands[], stream_commands[], burn_commands[], memory_commands[],
	process_commands[], file_commands[], litter_commands[], ipc_commands[], syscall_commands[],
	escape_commands[];

/* must ends the probe as BROKEN when rc is negative. */
long must(long rc, const char *what);
/* number is the n-th argument, or fallback where there is none. */
long number(int argc, char **argv, int n, long fallback);
/* say prints one line and flushes it, so that a fork does not print it twice. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* outcome prints "name ok" or "name EPERM". */
void outcome(const char *name, long rc);
/* attempt runs fn in a child and prints "name ok", "name EPERM" or "name signal 31". */
void attempt(const char *name, long (*fn)(void));
/* spin burns CPU time for ever. */
void spin(void) __attribute__((noreturn));
/* touch writes to every page. */
void touch(char *from, long bytes);

#endif
