#include "probe.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	int number;
	const char *name;
} errors[] = {
	{EPERM, "EPERM"}, {ENOENT, "ENOENT"}, {ESRCH, "ESRCH"}, {EIO, "EIO"}, {E2BIG, "E2BIG"}, {EBADF, "EBADF"},
	{EAGAIN, "EAGAIN"}, {ENOMEM, "ENOMEM"}, {EACCES, "EACCES"}, {EFAULT, "EFAULT"}, {EBUSY, "EBUSY"},
	{EEXIST, "EEXIST"}, {EXDEV, "EXDEV"}, {ENODEV, "ENODEV"}, {ENOTDIR, "ENOTDIR"}, {EISDIR, "EISDIR"},
	{EINVAL, "EINVAL"}, {EMFILE, "EMFILE"}, {ETXTBSY, "ETXTBSY"}, {ENOSPC, "ENOSPC"}, {EROFS, "EROFS"},
	{EPIPE, "EPIPE"}, {ENOSYS, "ENOSYS"}, {ENOTSUP, "ENOTSUP"}, {EAFNOSUPPORT, "EAFNOSUPPORT"},
	{ECONNREFUSED, "ECONNREFUSED"}, {ENAMETOOLONG, "ENAMETOOLONG"}, {ENXIO, "ENXIO"},
};

long must(long rc, const char *what)
{
	if (rc < 0) {
		perror(what);
		exit(BROKEN);
	}
	return rc;
}

long number(int argc, char **argv, int n, long fallback)
{
	return n < argc ? atol(argv[n]) : fallback;
}

void say(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

static void told(const char *name, int err)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		if (errors[i].number == err) {
			say("%s %s", name, errors[i].name);
			return;
		}
	}
	say("%s errno %d", name, err);
}

void outcome(const char *name, long rc)
{
	if (rc >= 0)
		say("%s ok", name);
	else
		told(name, errno);
}

void attempt(const char *name, long (*fn)(void))
{
	pid_t child = must(fork(), "fork");
	if (child == 0) {
		errno = 0;
		_exit(fn() >= 0 ? 0 : errno ? errno : BROKEN);
	}
	int status;
	must(waitpid(child, &status, 0), "waitpid");
	if (WIFSIGNALED(status))
		say("%s signal %d", name, WTERMSIG(status));
	else if (WEXITSTATUS(status) == 0)
		say("%s ok", name);
	else
		told(name, WEXITSTATUS(status));
}

void spin(void)
{
	for (volatile unsigned long n = 0;; n++)
		;
}

void touch(char *from, long bytes)
{
	for (long at = 0; at < bytes; at += 4096)
		((volatile char *)from)[at] = 1;
}

int main(int argc, char **argv)
{
	const struct command *tables[] = {
		start_commands, stream_commands, burn_commands, memory_commands, process_commands,
		file_commands, litter_commands, ipc_commands, syscall_commands, escape_commands,
	};
	if (argc > 2 && strcmp(argv[1], "announced") == 0) { /* says that it runs, then goes on as usual */
		say("started");
		argc--, argv++;
	}
	for (size_t i = 0; argc > 1 && i < sizeof tables / sizeof *tables; i++)
		for (const struct command *c = tables[i]; c->name; c++)
			if (strcmp(c->name, argv[1]) == 0)
				return c->run(argc - 1, argv + 1);
	fprintf(stderr, "probe: no such command\n");
	return BROKEN;
}
