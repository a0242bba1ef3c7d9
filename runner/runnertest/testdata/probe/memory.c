/* Memory, taken in every way that a count might miss. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char *map(long bytes, int flags, int fd)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (at == MAP_FAILED) {
		perror("mmap");
		exit(errno);
	}
	return at;
}

static int heap(long bytes)
{
	char *at = malloc(bytes);
	if (!at)
		return ENOMEM;
	touch(at, bytes);
	return 0;
}

static int shared(long bytes)
{
	touch(map(bytes, MAP_SHARED | MAP_ANONYMOUS, -1), bytes);
	return 0;
}

static int locked(long bytes)
{
	char *at = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	mlock(at, bytes); /* refused or not: the limit must hold */
	touch(at, bytes);
	return 0;
}

static int write_out(int fd, long bytes)
{
	static char block[65536];
	if (fd < 0)
		return errno;
	memset(block, 'x', sizeof block);
	for (; bytes > 0; bytes -= sizeof block)
		if (write(fd, block, sizeof block) < 0)
			return errno;
	return 0;
}

static int memfd(long bytes)
{
	return write_out(memfd_create("memory", 0), bytes);
}

static int work_file(long bytes)
{
	return write_out(open("file", O_CREAT | O_WRONLY, 0600), bytes);
}

static int tmp_file(long bytes)
{
	return write_out(open("/tmp/file", O_CREAT | O_WRONLY, 0600), bytes);
}

static int shm_file(long bytes)
{
	return write_out(open("/dev/shm/file", O_CREAT | O_WRONLY, 0600), bytes);
}

/* stack recurses; the result is used after the call so that it stays a call. */
static long __attribute__((noinline)) deeper(long bytes)
{
	volatile char frame[16384];
	if (bytes <= 0)
		return 0;
	for (size_t i = 0; i < sizeof frame; i += 4096)
		frame[i] = 1;
	return deeper(bytes - (long)sizeof frame) + frame[0];
}

static int stack(long bytes)
{
	return deeper(bytes) < 0;
}

/* children share bytes among four processes that are alive together. */
static int children(long bytes)
{
	int ready[2], done[2], status, lost = 0;
	char c;
	must(pipe(ready), "pipe"), must(pipe(done), "pipe");
	for (int i = 0; i < 4; i++) {
		if (must(fork(), "fork") == 0) {
			close(ready[0]), close(done[1]);
			touch(map(bytes / 4, MAP_PRIVATE | MAP_ANONYMOUS, -1), bytes / 4);
			must(write(ready[1], "r", 1), "write");
			must(read(done[0], &c, 1), "read");
			_exit(0);
		}
	}
	close(ready[1]);
	for (int i = 0; i < 4 && read(ready[0], &c, 1) == 1; i++)
		;
	close(done[1]);
	for (int i = 0; i < 4; i++) {
		must(wait(&status), "wait");
		lost += WIFSIGNALED(status);
	}
	return lost;
}

/* A child is killed, and nobody tells: only the cgroup knows. */
static int child(long bytes)
{
	if (must(fork(), "fork") == 0)
		_exit(heap(bytes));
	wait(NULL);
	return 0;
}

/* page_tables costs one page of tables for each 2 MiB that are looked at; no page of its own. */
static int page_tables(long bytes)
{
	const long reach = 1L << 30;
	for (long tables = bytes / 4096; tables > 0; tables -= reach >> 21) {
		char *at = map(reach, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
		madvise(at, reach, MADV_NOHUGEPAGE);
		for (long i = 0; i < reach; i += 2 * MIB)
			(void)*(volatile char *)(at + i);
	}
	return 0;
}

static long stuff(int fd)
{
	static char block[65536];
	long put = 0, n;
	must(fcntl(fd, F_SETFL, O_NONBLOCK), "fcntl");
	while ((n = write(fd, block, sizeof block)) > 0)
		put += n;
	return put;
}

static int pipes(long bytes)
{
	int ends[2];
	while (bytes > 0) {
		if (pipe(ends) < 0)
			return errno;
		fcntl(ends[1], F_SETPIPE_SZ, 1 * MIB);
		bytes -= stuff(ends[1]);
	}
	return 0;
}

static int sockets(long bytes)
{
	int ends[2];
	while (bytes > 0) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
			return errno;
		bytes -= stuff(ends[0]);
	}
	return 0;
}

/* threads: many stacks of one process. */
static void *thread(void *arg)
{
	touch(map((long)arg, MAP_PRIVATE | MAP_ANONYMOUS, -1), (long)arg);
	pause();
	return NULL;
}

static int threads(long bytes)
{
	pthread_t t;
	for (int i = 0; i < 8; i++)
		if (pthread_create(&t, NULL, thread, (void *)(bytes / 8)) != 0)
			return BROKEN;
	pthread_join(t, NULL);
	return 0;
}

static const struct {
	const char *name;
	int (*take)(long bytes);
} ways[] = {
	{"heap", heap}, {"shared", shared}, {"locked", locked}, {"memfd", memfd}, {"work", work_file},
	{"tmp", tmp_file}, {"shm", shm_file}, {"stack", stack}, {"children", children}, {"child", child},
	{"page-tables", page_tables}, {"pipes", pipes}, {"sockets", sockets}, {"threads", threads},
};

/* take HOW MIB */
static int take(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].name, argv[1]) == 0)
			return ways[i].take(number(argc, argv, 2, 0) * MIB);
	return BROKEN;
}

/*
 * in-flight MIB: a file in memory whose last reference travels through a
 * socket that itself travels through itself, so that only the kernel's garbage
 * collector can free it after the process is dead.
 */
static int in_flight(int argc, char **argv)
{
	int ends[2], file = memfd_create("flying", 0);
	char byte = 0, control[CMSG_SPACE(3 * sizeof(int))];
	struct iovec iov = {&byte, 1};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
	must(file, "memfd_create");
	must(-write_out(file, number(argc, argv, 1, 1) * MIB), "write");
	must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), "socketpair");
	int fds[3] = {ends[0], ends[1], file};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof fds);
	memcpy(CMSG_DATA(c), fds, sizeof fds);
	must(sendmsg(ends[0], &m, 0), "sendmsg");
	return 0;
}

/* core MIB: dies with that much to dump. */
static int core(int argc, char **argv)
{
	if (heap(number(argc, argv, 1, 1) * MIB) != 0)
		return BROKEN;
	abort();
}

/* reread N: maps stdin and walks over it N times; its pages can be taken and must come back. */
static int reread(int argc, char **argv)
{
	off_t size = must(lseek(0, 0, SEEK_END), "lseek");
	char *at = mmap(NULL, size, PROT_READ, MAP_SHARED, 0, 0);
	long sum = 0;
	if (at == MAP_FAILED)
		return errno;
	for (long n = number(argc, argv, 1, 1); n > 0; n--)
		for (off_t i = 0; i < size; i += 4096)
			sum += ((volatile char *)at)[i];
	say("%ld", sum);
	return 0;
}

const struct command memory_commands[] = {
	{"take", take}, {"in-flight", in_flight}, {"core", core}, {"reread", reread}, {0},
};
