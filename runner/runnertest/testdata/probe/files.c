/* Files that are hard to remove, and files that are not what they seem. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
	int fd = must(open(path, O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW, 0644), path);
	must(write(fd, text, strlen(text)), path);
	close(fd);
}

/* write PATH TEXT */
static int write_file(int argc, char **argv)
{
	if (argc < 3)
		return BROKEN;
	put(argv[1], argv[2]);
	return 0;
}

/* many N: empty files; the errno says why there are not more. */
static int many(int argc, char **argv)
{
	char name[32];
	for (long i = 0; i < number(argc, argv, 1, 1); i++) {
		snprintf(name, sizeof name, "f%ld", i);
		int fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (fd < 0)
			return errno;
		close(fd);
	}
	return 0;
}

/* deep N: folders, with a file in the last one. */
static int deep(int argc, char **argv)
{
	for (long i = 0; i < number(argc, argv, 1, 1); i++)
		if (mkdir("d", 0700) < 0 || chdir("d") < 0)
			return errno;
	put("file", "deep\n");
	return 0;
}

/* stubborn: everything that makes a tree hard to remove for who does not own it. */
static int stubborn(int argc, char **argv)
{
	(void)argc, (void)argv;
	char name[256];
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "socket"};
	memset(name, 'n', 255), name[255] = 0;
	put(name, "long");
	for (int i = 1; i < 256; i++) /* every byte that a name may hold */
		if (i != '/' && i != '.')
			name[0] = i, name[1] = 0, put(name, "name");
	put("\xff\xfe", "not UTF-8"), put("-rf", "option"), put("a\nb", "line"), put("...", "dots");
	must(mkdir("locked", 0700), "mkdir"), put("locked/file", "x");
	must(mkdir("locked/inner", 0700), "mkdir"), put("locked/inner/file", "x");
	must(chmod("locked/inner/file", 0), "chmod"), must(chmod("locked/inner", 0), "chmod");
	must(chmod("locked", 0), "chmod");
	must(mkdir("sticky", 0700), "mkdir"), put("sticky/file", "x");
	must(chmod("sticky", 01500), "chmod");
	must(symlink("/", "root"), "symlink"), must(symlink("loop", "loop"), "symlink");
	must(symlink("/box/p", "program"), "symlink");
	mkfifo("fifo", 0);
	int s = must(socket(AF_UNIX, SOCK_STREAM, 0), "socket");
	must(bind(s, (struct sockaddr *)&at, sizeof at), "bind");
	put("one", "x"), must(link("one", "two"), "link");
	int fd = must(open("one", O_RDONLY), "open"), flags = FS_IMMUTABLE_FL | FS_APPEND_FL;
	ioctl(fd, FS_IOC_SETFLAGS, &flags); /* needs a capability; try all the same */
	return 0;
}

static int sparse(int argc, char **argv)
{
	(void)argc, (void)argv;
	int fd = must(open("out", O_CREAT | O_RDWR, 0644), "open");
	return ftruncate(fd, 1L << 40) < 0 ? errno : 0;
}

/* full [PATH]: writes until the file system or the limit says no. */
static int full(int argc, char **argv)
{
	static char block[65536];
	int fd = must(open(argc > 1 ? argv[1] : "full", O_CREAT | O_WRONLY, 0600), "open");
	while (write(fd, block, sizeof block) > 0)
		;
	return errno;
}

/* plant HOW: puts something in the place of the file "out", beside a "victim". */
static int plant(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	put("victim", "intact");
	if (strcmp(how, "symlink") == 0)
		must(symlink("victim", "out"), "symlink");
	else if (strcmp(how, "absolute") == 0)
		must(symlink("/proc/self/exe", "out"), "symlink");
	else if (strcmp(how, "hardlink") == 0)
		must(link("victim", "out"), "link");
	else if (strcmp(how, "folder") == 0)
		must(mkdir("out", 0700), "mkdir");
	else if (strcmp(how, "locked") == 0)
		put("out", "x"), must(chmod("out", 0), "chmod");
	else if (strcmp(how, "fifo") == 0)
		mkfifo("out", 0644);
	else if (strcmp(how, "device") == 0)
		mknod("out", S_IFCHR | 0666, (1 << 8) | 5);
	else if (strcmp(how, "dangling") == 0)
		must(symlink("/tmp/escaped", "out"), "symlink");
	else if (strcmp(how, "socket") == 0) {
		struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "out"};
		must(bind(must(socket(AF_UNIX, SOCK_STREAM, 0), "socket"), (struct sockaddr *)&at, sizeof at), "bind");
	} else if (strcmp(how, "parent") == 0) {
		must(symlink("/tmp", "folder"), "symlink");
	}
	return 0;
}

/* swap: a detached process exchanges a file and a link while the judge looks. */
static int swap(int argc, char **argv)
{
	(void)argc, (void)argv;
	put("out", "regular"), must(symlink("/proc/self/exe", "link"), "symlink");
	if (must(fork(), "fork") == 0) {
		setsid();
		for (;;)
			renameat2(AT_FDCWD, "out", AT_FDCWD, "link", RENAME_EXCHANGE);
	}
	return 0;
}

/* overwrite DIR NAME: every way to change a folder, and a file in it, that must stay as they are. */
static int overwrite(int argc, char **argv)
{
	if (argc < 3 || chdir(argv[1]) < 0)
		return BROKEN;
	const char *name = argv[2];
	struct timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
	outcome("open", open(name, O_WRONLY));
	outcome("truncate", truncate(name, 0));
	outcome("unlink", unlink(name));
	outcome("rename", rename(name, "renamed"));
	outcome("create", open("planted", O_CREAT | O_WRONLY, 0644));
	outcome("mkdir", mkdir("new", 0755));
	outcome("symlink", symlink("/", "link"));
	outcome("link", link(name, "link"));
	outcome("chmod", chmod(name, 0777));
	outcome("chmod-folder", chmod(".", 0777));
	outcome("times", utimensat(AT_FDCWD, name, now, 0));
	outcome("xattr", setxattr(name, "user.x", "x", 1, 0));
	outcome("exe", open("/proc/self/exe", O_WRONLY));
	return 0;
}

const struct command file_commands[] = {
	{"write", write_file}, {"many", many}, {"deep", deep}, {"stubborn", stubborn}, {"sparse", sparse},
	{"full", full}, {"plant", plant}, {"swap", swap}, {"overwrite", overwrite}, {0},
};
