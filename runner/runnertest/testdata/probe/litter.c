/* What a run can leave in the file systems, and what the next one finds there. */
#include "probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static char work[4096];
static dev_t root;

static int outside(const char *path)
{
	return strcmp(path, "/proc") == 0 || strcmp(path, "/sys") == 0;
}

/* walk calls fn for everything below / but /proc and /sys, never through a link. */
static int walk(int (*fn)(const char *, const struct stat *, int, struct FTW *))
{
	struct stat st;
	must(stat("/", &st), "stat /");
	root = st.st_dev;
	if (!getcwd(work, sizeof work))
		return BROKEN;
	must(nftw("/", fn, 64, FTW_PHYS | FTW_ACTIONRETVAL), "nftw");
	return 0;
}

static int drop(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	char name[4200];
	(void)st, (void)at;
	if (outside(path))
		return FTW_SKIP_SUBTREE;
	if (kind != FTW_D || strstr(path, "litter"))
		return FTW_CONTINUE;
	snprintf(name, sizeof name, "%s/litter", path);
	int fd = open(name, O_CREAT | O_RDWR, 0666);
	if (fd >= 0 && write(fd, "litter", 6) == 6)
		close(fd);
	snprintf(name, sizeof name, "%s/litter.d", path);
	mkdir(name, 0777);
	setxattr(path, "user.litter", "x", 1, 0);
	chmod(path, 0700);
	return FTW_CONTINUE;
}

/* litter leaves a file in every folder of the box that lets it. */
static int litter(int argc, char **argv)
{
	(void)argc, (void)argv;
	return walk(drop);
}

static int show(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)kind, (void)at;
	if (outside(path))
		return FTW_SKIP_SUBTREE;
	if (strcmp(path, work) == 0)
		return FTW_CONTINUE;
	if (st->st_uid == getuid() || st->st_gid == getgid() || strstr(path, "litter"))
		say("left %s", path);
	return FTW_CONTINUE;
}

static void describe(const char *path)
{
	struct stat st;
	struct statvfs fs;
	char names[256];
	if (stat(path, &st) < 0 || statvfs(path, &fs) < 0) {
		outcome(path, -1);
		return;
	}
	say("%s mode %o uid %d links %d xattrs %ld blocks %lu inodes %lu", path, st.st_mode, (int)st.st_uid,
	    (int)st.st_nlink, (long)listxattr(path, names, sizeof names), fs.f_bfree, fs.f_ffree);
}

/*
 * residue prints everything that a run could have changed: entries that are
 * its user's, and the folders in which it may write, with what is free there.
 */
static int residue(int argc, char **argv)
{
	(void)argc, (void)argv;
	describe("."), describe("/tmp"), describe("/dev/shm"), describe("/box/p");
	return walk(show);
}

static int may_write(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)at;
	if (outside(path))
		return FTW_SKIP_SUBTREE;
	if (kind == FTW_D && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0)
		say("%s", strcmp(path, work) == 0 ? "." : path);
	return FTW_CONTINUE;
}

/* writable prints the folders in which the program may create; "." is its own. */
static int writable(int argc, char **argv)
{
	(void)argc, (void)argv;
	return walk(may_write);
}

static int from_image(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)at;
	if (outside(path))
		return FTW_SKIP_SUBTREE;
	if (kind != FTW_F || !S_ISREG(st->st_mode) || st->st_dev != root || access(path, R_OK) < 0)
		return FTW_CONTINUE;
	say("%s", path);
	return FTW_STOP;
}

/* image-file prints a file of the image that everybody may read. */
static int image_file(int argc, char **argv)
{
	(void)argc, (void)argv;
	return walk(from_image);
}

/* ls PATH */
static int ls(int argc, char **argv)
{
	DIR *dir = opendir(argc > 1 ? argv[1] : ".");
	if (!dir)
		return errno;
	for (struct dirent *d; (d = readdir(dir));)
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
			say("%s", d->d_name);
	return 0;
}

static int pwd(int argc, char **argv)
{
	(void)argc, (void)argv;
	if (!getcwd(work, sizeof work))
		return errno;
	say("%s", work);
	return 0;
}

static int lock_all(int fd)
{
	struct flock l = {.l_type = F_RDLCK};
	int own = open("own", O_CREAT | O_RDWR, 0600);
	outcome("flock", flock(fd, LOCK_EX | LOCK_NB));
	outcome("setlk", fcntl(fd, F_SETLK, &l));
	outcome("ofd", fcntl(fd, F_OFD_SETLK, &l));
	l.l_type = F_WRLCK;
	outcome("own", fcntl(own, F_SETLK, &l));
	return 0;
}

/* lock PATH: locks it in every way, then leaves a process that holds on. */
static int lock(int argc, char **argv)
{
	int fd = must(open(argc > 1 ? argv[1] : "/dev/stdin", O_RDONLY), "open");
	lock_all(fd);
	if (must(fork(), "fork") == 0) {
		setsid();
		close(0), close(1), close(2);
		for (;;)
			pause();
	}
	return 0;
}

/* hold PATH: locks it, says so, and holds it until stdin ends. */
static int hold(int argc, char **argv)
{
	char c;
	int fd = must(open(argc > 1 ? argv[1] : "", O_RDONLY), "open");
	lock_all(fd);
	return read(0, &c, 1) < 0 ? errno : 0;
}

const struct command litter_commands[] = {
	{"litter", litter}, {"residue", residue}, {"writable", writable}, {"image-file", image_file},
	{"ls", ls}, {"pwd", pwd}, {"lock", lock}, {"hold", hold}, {0},
};
