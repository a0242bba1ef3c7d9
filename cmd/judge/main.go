// Command judge grades submissions in sandboxed containers. It wires the other
// packages together: flags, streams, signals and exit codes are here, one file
// for each command, and no rule of judging is.
package main

import (
	"context"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	// The first signal ends the work in good order, a second one at once.
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
