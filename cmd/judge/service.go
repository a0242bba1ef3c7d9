package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// listenFD is how judge serve hands its child the socket on which it listens: so
// the child needs no right to the port, and callers wait in the socket's queue
// while it is started again.
const listenFD = "JUDGE_LISTEN_FD"

// serviceLog is the log of a process that stays: JSON on standard error.
func (a *app) serviceLog(process string) *slog.Logger {
	level := slog.LevelInfo
	if a.Verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewJSONHandler(a.err, &slog.HandlerOptions{Level: level})).With("process", process)
}

// listen listens at a TCP address, or on the socket that judge serve handed over.
func (a *app) listen(address string) (net.Listener, error) {
	fd := os.Getenv(listenFD)
	if fd == "" {
		l, err := (&net.ListenConfig{}).Listen(a.ctx, "tcp", address)
		if err != nil {
			return nil, badInput{fmt.Errorf("%w: name another address with --listen", err)}
		}
		return l, nil
	}
	n, err := strconv.Atoi(fd)
	if err != nil {
		return nil, badInput{fmt.Errorf("%s=%q: a number of a descriptor is wanted", listenFD, fd)}
	}
	f := os.NewFile(uintptr(n), "listener")
	l, err := net.FileListener(f)
	if err := firstError(err, f.Close()); err != nil {
		return nil, fmt.Errorf("take over listening socket: %w", err)
	}
	return l, nil
}

// notifySystemd tells systemd how the service is, if it is what started us
// (sd_notify(3)).
func notifySystemd(state string) error {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return nil
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	defer unix.Close(fd) //nolint:errcheck // nothing is kept in it
	// A leading @ is the abstract namespace, to SockaddrUnix too.
	if err := unix.Sendto(fd, []byte(state), unix.MSG_NOSIGNAL, &unix.SockaddrUnix{Name: path}); err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	return nil
}
