/* What a program can reach of the agent, the engine and the machine. */
#include "probe.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* peek says "path ok" when one byte or one entry of it can be had. */
static void peek(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return;
	DIR *dir = fdopendir(fd);
	if (dir) {
		for (struct dirent *d; (d = readdir(dir));)
			if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0) {
				say("%s is open", path);
				break;
			}
		closedir(dir);
		return;
	}
	if (read(fd, &byte, 1) > 0)
		say("%s is readable", path);
	close(fd);
}

/* others: prints everything private of other processes that can be read or written. */
static int others(int argc, char **argv)
{
	(void)argc, (void)argv;
	static const char *secrets[] = {"root", "cwd", "fd", "fdinfo", "environ", "mem", "maps", "smaps", "exe", "auxv",
					"io", "stack", "syscall", "pagemap", "map_files", "ns/mnt", "personality", "numa_maps"};
	static const char *controls[] = {"mem", "oom_score_adj", "oom_adj", "clear_refs", "coredump_filter", "comm",
					 "timerslack_ns", "autogroup", "uid_map", "attr/current", "setgroups", "sched",
					 "timens_offsets", "make-it-fail"};
	char path[300], link[300];
	DIR *proc = opendir("/proc");
	for (struct dirent *p; proc && (p = readdir(proc));) {
		if (!isdigit(p->d_name[0]) || atoi(p->d_name) == getpid())
			continue;
		for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
			snprintf(path, sizeof path, "/proc/%s/%s", p->d_name, secrets[i]);
			peek(path);
			if (readlink(path, link, sizeof link) >= 0)
				say("%s is a readable link", path);
		}
		for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
			snprintf(path, sizeof path, "/proc/%s/%s", p->d_name, controls[i]);
			int fd = open(path, O_WRONLY);
			if (fd >= 0 && write(fd, "0", 1) == 1)
				say("%s is writable", path);
			if (fd >= 0)
				close(fd);
		}
		snprintf(path, sizeof path, "/proc/%s/root/etc", p->d_name);
		peek(path);
	}
	return 0;
}

/* read PATH...: prints those of which a byte can be read. */
static int read_any(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		peek(argv[i]);
	return 0;
}

/* write-any PATH...: prints those that take a write. */
static int write_any(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int fd = open(argv[i], O_WRONLY | O_NONBLOCK);
		if (fd >= 0 && write(fd, "1", 1) >= 0)
			say("%s is writable", argv[i]);
	}
	return 0;
}

static void call_up(const char *path)
{
	static const int kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		int s = must(socket(AF_UNIX, kinds[i], 0), "socket");
		if (connect(s, (struct sockaddr *)&at, sizeof at) == 0)
			say("%s answers", path);
		close(s);
	}
}

static const char *harmless[] = {"null", "zero", "full", "random", "urandom", "tty", "ptmx"};

static void use_device(const char *path, const struct stat *st)
{
	const char *name = strrchr(path, '/') + 1;
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (S_ISCHR(st->st_mode) && strcmp(name, harmless[i]) == 0)
			return;
	if (open(path, O_RDONLY | O_NONBLOCK) >= 0 || open(path, O_WRONLY | O_NONBLOCK) >= 0)
		say("%s is a device that opens", path);
}

static int look(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	const char *name = path + at->base;
	if (strcmp(path, "/proc") == 0)
		return FTW_SKIP_SUBTREE;
	if (kind == FTW_DNR || kind == FTW_NS)
		return FTW_CONTINUE;
	int control = strncmp(name, "cgroup.", 7) == 0 || strncmp(name, "memory.", 7) == 0 || strcmp(name, "tasks") == 0 ||
		      strncmp(name, "pids.", 5) == 0;
	if (S_ISSOCK(st->st_mode))
		call_up(path);
	else if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode))
		use_device(path, st);
	else if (kind == FTW_F && control && open(path, O_WRONLY) >= 0)
		say("%s is a control file that opens", path);
	else if (kind == FTW_F && control && strncmp(path, "/sys/", 5) != 0 && open(path, O_RDONLY) >= 0)
		say("%s is the agent's and opens", path);
	else if (kind == FTW_F && strncmp(path, "/sys/", 5) == 0 && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0)
		say("%s is writable", path);
	return FTW_CONTINUE;
}

/* reach walks over the whole box, /sys included, and prints what ought not to be within reach. */
static int reach(int argc, char **argv)
{
	(void)argc, (void)argv;
	must(nftw("/", look, 64, FTW_PHYS | FTW_ACTIONRETVAL), "nftw");
	return 0;
}

/* setuid-copy PATH: an executable of one's own with set-user-ID. */
static int setuid_copy(int argc, char **argv)
{
	if (argc < 2)
		return BROKEN;
	outcome("chmod", chmod(argv[1], 06755));
	char *next[] = {argv[1], "ids", NULL};
	execv(argv[1], next);
	return errno;
}

/* copy-and-raise FROM TO: the same with a copy that is one's own. */
static int copy_and_raise(int argc, char **argv)
{
	char block[65536];
	ssize_t n;
	if (argc < 3)
		return BROKEN;
	int from = must(open(argv[1], O_RDONLY), argv[1]);
	int to = must(open(argv[2], O_CREAT | O_WRONLY, 0755), argv[2]);
	while ((n = read(from, block, sizeof block)) > 0)
		must(write(to, block, n), argv[2]);
	close(to);
	return setuid_copy(2, argv + 1);
}

const struct command escape_commands[] = {
	{"others", others}, {"read-any", read_any}, {"write-any", write_any}, {"reach", reach}, 
	{"setuid-copy", setuid_copy}, {"copy-and-raise", copy_and_raise}, {0},
};
