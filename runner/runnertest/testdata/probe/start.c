/* What a program finds when it starts, and how it ends. */
#include "probe.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int sum(int argc, char **argv)
{
	(void)argc, (void)argv;
	long a, b;
	if (scanf("%ld %ld", &a, &b) != 2)
		return BROKEN;
	say("%ld", a + b);
	return 0;
}

/* strings_out writes each string with its NUL, so that no content can confuse. */
static int strings_out(char **from)
{
	for (; *from; from++)
		fwrite(*from, 1, strlen(*from) + 1, stdout);
	return fflush(stdout);
}

static int args(int argc, char **argv)
{
	(void)argc;
	return strings_out(argv);
}

static int env(int argc, char **argv)
{
	(void)argc, (void)argv;
	return strings_out(environ);
}

static int leave(int argc, char **argv)
{
	return number(argc, argv, 1, 0);
}

static int die(int argc, char **argv)
{
	must(raise(number(argc, argv, 1, SIGABRT)), "raise");
	return BROKEN;
}

static int ids(int argc, char **argv)
{
	(void)argc, (void)argv;
	uid_t r, e, s;
	gid_t gr, ge, gs;
	must(getresuid(&r, &e, &s), "getresuid");
	must(getresgid(&gr, &ge, &gs), "getresgid");
	say("uid %d %d %d", (int)r, (int)e, (int)s);
	say("gid %d %d %d", (int)gr, (int)ge, (int)gs);
	say("groups %d", getgroups(0, NULL));
	return 0;
}

static int descriptors(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (int fd = 0; fd < 4096; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			say("%d", fd);
	return 0;
}

static int session(int argc, char **argv)
{
	(void)argc, (void)argv;
	say("session %s", getsid(0) == getpid() ? "own" : "shared");
	say("group %s", getpgrp() == getpid() ? "own" : "shared");
	say("terminal %s", open("/dev/tty", O_RDWR) < 0 ? "none" : "open");
	return 0;
}

static void limit(const char *name, int which)
{
	struct rlimit l;
	must(getrlimit(which, &l), "getrlimit");
	say("%s %ld %ld", name, l.rlim_cur == RLIM_INFINITY ? -1 : (long)l.rlim_cur,
	    l.rlim_max == RLIM_INFINITY ? -1 : (long)l.rlim_max);
}

static int rlimits(int argc, char **argv)
{
	(void)argc, (void)argv;
	limit("core", RLIMIT_CORE);
	limit("stack", RLIMIT_STACK);
	limit("nofile", RLIMIT_NOFILE);
	limit("fsize", RLIMIT_FSIZE);
	limit("as", RLIMIT_AS);
	return 0;
}

static void cpus(void)
{
	cpu_set_t set;
	must(sched_getaffinity(0, sizeof set, &set), "sched_getaffinity");
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			say("%d", i);
}

/* affinity prints the cores before and after the program asked for all of them. */
static int affinity(int argc, char **argv)
{
	(void)argc, (void)argv;
	cpu_set_t all;
	cpus();
	memset(&all, 0xff, sizeof all);
	sched_setaffinity(0, sizeof all, &all);
	cpus();
	return 0;
}

/* identity prints what tells one container from all others on the machine. */
static int identity(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct stat st;
	char line[1024];
	must(stat("/proc/self/ns/mnt", &st), "stat ns/mnt");
	FILE *f = fopen("/proc/1/stat", "r");
	if (!f || !fgets(line, sizeof line, f))
		return BROKEN;
	char *field = strrchr(line, ')'); /* the 22nd field is the start time of PID 1 */
	for (int i = 2; field && i < 22; i++)
		field = strchr(field + 1, ' ');
	if (!field)
		return BROKEN;
	say("%lu %lu", (unsigned long)st.st_ino, strtoul(field, NULL, 10));
	return 0;
}

const struct command start_commands[] = {
	{"sum", sum}, {"args", args}, {"env", env}, {"exit", leave}, {"raise", die}, {"ids", ids},
	{"descriptors", descriptors}, {"session", session}, {"rlimits", rlimits}, {"affinity", affinity},
	{"identity", identity}, {0},
};
