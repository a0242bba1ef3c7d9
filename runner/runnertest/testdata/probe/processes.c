/* Processes: too many, outliving their parent, and at each other's throats. */
#include "probe.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* forks: prints how many children it may have at once, then what the kernel says to one more. */
static int forks(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (int n = 0;; n++) {
		pid_t child = fork();
		if (child == 0) {
			pause();
			_exit(0);
		}
		if (child < 0) {
			say("%d", n);
			outcome("fork", -1);
			return 0;
		}
	}
}

static void *wait_thread(void *arg)
{
	pause();
	return arg;
}

static int threads(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (int n = 0;; n++) {
		pthread_t t;
		errno = pthread_create(&t, NULL, wait_thread, NULL);
		if (errno != 0) {
			int err = errno;
			say("%d", n);
			errno = err;
			outcome("thread", -1);
			return 0;
		}
	}
}

/* bomb: every process forks for ever. Bounded by the sandbox alone. */
static int bomb(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;)
		fork();
	return 0;
}

static void *thread_bomb(void *arg)
{
	pthread_t t;
	for (;;)
		pthread_create(&t, NULL, thread_bomb, arg);
	return NULL;
}

static int bomb_threads(int argc, char **argv)
{
	(void)argc, (void)argv;
	thread_bomb(NULL);
	return 0;
}

static void leave_all(void)
{
	for (int s = 1; s < 65; s++)
		signal(s, SIG_IGN);
	must(setsid(), "setsid");
}

/* detach returns 0 in a grandchild that nobody waits for and that ignores all signals. */
static pid_t detach(void)
{
	int ready[2];
	char c;
	must(pipe(ready), "pipe");
	pid_t child = must(fork(), "fork");
	if (child == 0) {
		leave_all();
		if (must(fork(), "fork") > 0)
			_exit(0);
		must(write(ready[1], "r", 1), "write");
		close(ready[0]), close(ready[1]);
		return 0;
	}
	must(waitpid(child, NULL, 0), "waitpid");
	must(read(ready[0], &c, 1), "read");
	return child;
}

/* daemon [HOW]: the parent is gone at once; the daemon idles, burns, or keeps the output open. */
static int daemon_how(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	say("parent");
	if (detach() > 0)
		return 0;
	if (strcmp(how, "burns") == 0)
		spin();
	if (strcmp(how, "writes") == 0)
		for (;;)
			if (write(1, "daemon\n", 7) < 0)
				pause();
	if (strcmp(how, "silent") == 0)
		close(0), close(1), close(2);
	if (strcmp(how, "forks") == 0) /* always a younger one than the one that is looked at */
		for (;;)
			if (fork() > 0)
				_exit(0);
	for (;;)
		pause();
}

/* signal SIGNAL PID: PID may be -1, all. */
static int send(int argc, char **argv)
{
	outcome("kill", kill(number(argc, argv, 2, -1), number(argc, argv, 1, SIGKILL)));
	return 0;
}

/* each_process calls fn for every thread that /proc shows, but for this process. */
static void each_process(void (*fn)(pid_t pid, pid_t tid))
{
	DIR *proc = opendir("/proc");
	for (struct dirent *p; proc && (p = readdir(proc));) {
		char path[300];
		if (!isdigit(p->d_name[0]) || atoi(p->d_name) == getpid())
			continue;
		snprintf(path, sizeof path, "/proc/%s/task", p->d_name);
		DIR *tasks = opendir(path);
		for (struct dirent *t; tasks && (t = readdir(tasks));)
			if (isdigit(t->d_name[0]))
				fn(atoi(p->d_name), atoi(t->d_name));
		if (tasks)
			closedir(tasks);
	}
	if (proc)
		closedir(proc);
}

static int hits;

static void hurt(pid_t pid, pid_t tid)
{
	cpu_set_t one;
	struct sched_param p = {0};
	struct rlimit none = {0, 0};
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	hits += tgkill(pid, tid, SIGSTOP) == 0;
	hits += tgkill(pid, tid, SIGKILL) == 0;
	hits += kill(pid, SIGKILL) == 0;
	hits += setpriority(PRIO_PROCESS, tid, 19) == 0;
	hits += sched_setaffinity(tid, sizeof one, &one) == 0;
	hits += sched_setscheduler(tid, SCHED_IDLE, &p) == 0;
	hits += prlimit(pid, RLIMIT_NOFILE, &none, NULL) == 0;
}

/* hurt: does to every other process what one's own would have to bear. */
static int hurt_all(int argc, char **argv)
{
	(void)argc, (void)argv;
	each_process(hurt);
	say("%d", hits);
	return 0;
}

/* kill-and-answer: first all that it sees, then everybody, then it plays on. */
static int kill_and_answer(int argc, char **argv)
{
	char line[256];
	(void)argc, (void)argv;
	each_process(hurt);
	kill(-1, SIGKILL), kill(1, SIGKILL), kill(0, 0);
	while (fgets(line, sizeof line, stdin))
		say("%ld", atol(line));
	return 0;
}

/*
 * race: detached processes hunt whatever was there before them, while the
 * sandbox changes its uid to sweep them up.
 */
static int race(int argc, char **argv)
{
	(void)argc, (void)argv;
	pid_t first = getpid();
	for (int i = 0; i < 8; i++)
		if (detach() == 0)
			for (;;) {
				for (pid_t pid = 1; pid < first && pid < 64; pid++)
					kill(pid, SIGSTOP), setpriority(PRIO_PROCESS, pid, 19);
				for (pid_t tid = 1; tid < first + 64; tid++)
					tgkill(1, tid, SIGSTOP), tgkill(1, tid, SIGKILL);
			}
	return 0;
}

/* stopped: the main process stops itself, which is no way to outlive a limit. */
static int stopped(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;)
		raise(SIGSTOP);
	return 0;
}

const struct command process_commands[] = {
	{"forks", forks}, {"threads", threads}, {"bomb", bomb}, {"thread-bomb", bomb_threads},
	{"daemon", daemon_how}, {"signal", send}, {"hurt", hurt_all}, {"kill-and-answer", kill_and_answer},
	{"race", race}, {"stopped", stopped}, {0},
};
