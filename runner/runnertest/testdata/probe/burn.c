/* Time: burned in every way that a clock might miss, and waited away. */
#include "probe.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static long cpu_ns(void)
{
	struct timespec t;
	must(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), "clock_gettime");
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void burn_ms(long ms)
{
	for (volatile long n = 0; n >= 0 && cpu_ns() < ms * 1000000; n++)
		;
}

/* burn MS: prints the CPU time that the kernel counted for it, in nanoseconds. */
static int burn(int argc, char **argv)
{
	struct rusage u;
	burn_ms(number(argc, argv, 1, 100));
	must(getrusage(RUSAGE_SELF, &u), "getrusage");
	say("%ld", (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000L + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000L);
	return 0;
}

static void nothing(int sig)
{
	(void)sig;
}

static void *spin_thread(void *arg)
{
	(void)arg;
	spin();
}

/* spin [HOW]: for ever, while playing a game with the clock or the scheduler. */
static int spin_how(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	if (strcmp(how, "closed") == 0) {
		close(0), close(1), close(2);
	} else if (strcmp(how, "nice") == 0) {
		must(setpriority(PRIO_PROCESS, 0, 19), "setpriority");
	} else if (strcmp(how, "idle") == 0) {
		struct sched_param p = {0};
		must(sched_setscheduler(0, SCHED_IDLE, &p), "sched_setscheduler");
	} else if (strcmp(how, "deaf") == 0) {
		for (int s = 1; s < 65; s++)
			signal(s, SIG_IGN);
	} else if (strcmp(how, "storm") == 0) {
		struct itimerval often = {{0, 1}, {0, 1}};
		signal(SIGALRM, nothing);
		must(setitimer(ITIMER_REAL, &often, NULL), "setitimer");
	} else if (strcmp(how, "yield") == 0) {
		for (;;)
			sched_yield();
	} else if (strcmp(how, "naps") == 0) {
		/* never on the processor when a tick samples it */
		for (;;) {
			for (volatile int n = 0; n < 20000; n++)
				;
			usleep(1);
		}
	} else if (strcmp(how, "threads") == 0) {
		pthread_t t;
		for (int i = 0; i < 4; i++)
			if (pthread_create(&t, NULL, spin_thread, NULL) != 0)
				return BROKEN;
	}
	spin();
}

/* family DEPTH: each generation waits for the next, the last one burns. */
static int family(int argc, char **argv)
{
	for (long depth = number(argc, argv, 1, 1); depth > 0; depth--) {
		if (must(fork(), "fork") > 0) {
			wait(NULL);
			return 0;
		}
	}
	spin();
}

/* mayflies: processes too short-lived for anybody who samples. */
static int mayflies(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;) {
		pid_t child = must(fork(), "fork");
		if (child == 0) {
			burn_ms(1);
			_exit(0);
		}
		must(waitpid(child, NULL, 0), "waitpid");
	}
}

/* orphans: as mayflies, but nobody waits for them and PID 1 must. */
static int orphans(int argc, char **argv)
{
	(void)argc, (void)argv;
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		pid_t child = fork();
		if (child == 0) {
			if (fork() == 0)
				burn_ms(1);
			_exit(0);
		}
	}
}

/* chain: becomes another program again and again. */
static int chain(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct timespec t;
	must(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), "clock_gettime");
	burn_ms(t.tv_sec * 1000 + t.tv_nsec / 1000000 + 2);
	char *next[] = {"probe", "chain", NULL};
	execv("/proc/self/exe", next);
	return errno;
}

static int nap(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;)
		pause();
	return 0;
}

static int futex(int argc, char **argv)
{
	(void)argc, (void)argv;
	static uint32_t word;
	for (;;)
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
	return 0;
}

/* starve waits for data that never come: an empty FIFO, or a pipe where FIFOs are denied. */
static int starve(int argc, char **argv)
{
	(void)argc, (void)argv;
	char c;
	int ends[2];
	if (mkfifo("fifo", 0600) == 0) {
		ends[0] = open("fifo", O_RDWR);
	} else {
		must(pipe(ends), "pipe");
	}
	return read(ends[0], &c, 1) < 0 ? errno : 0;
}

/* vforked waits where no signal reaches it, for a child that sleeps. */
static int vforked(int argc, char **argv)
{
	(void)argc, (void)argv;
	if (vfork() == 0) {
		sleep(1000);
		_exit(0);
	}
	return 0;
}

const struct command burn_commands[] = {
	{"burn", burn}, {"spin", spin_how}, {"family", family}, {"mayflies", mayflies}, {"orphans", orphans},
	{"chain", chain}, {"nap", nap}, {"futex", futex}, {"starve", starve}, {"vforked", vforked}, {0},
};
