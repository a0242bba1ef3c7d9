/* Channels from one run to the next that are no files. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static long shm(void)
{
	return shmget(0x6a7564, 4096, IPC_CREAT | 0666);
}

static long sem(void)
{
	return semget(0x6a7564, 1, IPC_CREAT | 0666);
}

static long msg(void)
{
	return msgget(0x6a7564, IPC_CREAT | 0666);
}

static long mq(void)
{
	return mq_open("/probe", O_CREAT | O_RDWR, 0666, NULL);
}

/* The queue's file system, where it is mounted, makes queues too. */
static long mq_file(void)
{
	return open("/dev/mqueue/probe", O_CREAT | O_RDWR, 0666);
}

static long key_add(void)
{
	return syscall(SYS_add_key, "user", "probe", "x", 1L, -4L); /* the user's own keyring */
}

static long key_request(void)
{
	return syscall(SYS_request_key, "user", "probe", NULL, -4L);
}

static long key_control(void)
{
	return syscall(SYS_keyctl, 0, -4L, 1); /* KEYCTL_GET_KEYRING_ID */
}

static long lease(void)
{
	int fd = must(open("lease", O_CREAT | O_RDONLY, 0600), "open");
	return fcntl(fd, F_SETLEASE, F_RDLCK);
}

static long inotify(void)
{
	return inotify_init1(0);
}

static long fanotify(void)
{
	return fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY);
}

static long handle(void)
{
	struct {
		struct file_handle h;
		char bytes[128];
	} f = {.h = {.handle_bytes = 128}};
	int mount;
	name_to_handle_at(AT_FDCWD, ".", &f.h, &mount, 0);
	return open_by_handle_at(AT_FDCWD, &f.h, O_RDONLY);
}

static int ipc(int argc, char **argv)
{
	(void)argc, (void)argv;
	attempt("shmget", shm), attempt("semget", sem), attempt("msgget", msg), attempt("mq_open", mq);
	attempt("mqueue-file", mq_file), attempt("add_key", key_add), attempt("request_key", key_request);
	attempt("keyctl", key_control), attempt("lease", lease), attempt("inotify", inotify);
	attempt("fanotify", fanotify), attempt("open_by_handle_at", handle);
	return 0;
}

/* abstract: takes a name that has no file, and leaves a process that holds it. */
static int abstract(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "\0probe"};
	int s = must(socket(AF_UNIX, SOCK_STREAM, 0), "socket");
	outcome("connect", connect(s, (struct sockaddr *)&at, sizeof at));
	outcome("bind", bind(s, (struct sockaddr *)&at, sizeof at));
	outcome("listen", listen(s, 1));
	if (must(fork(), "fork") == 0) {
		setsid();
		signal(SIGTERM, SIG_IGN);
		close(0), close(1), close(2);
		for (;;)
			pause();
	}
	return 0;
}

const struct command ipc_commands[] = {{"ipc", ipc}, {"abstract", abstract}, {0}};
