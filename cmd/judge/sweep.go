package main

import (
	"context"
	"errors"
	"time"

	"judge/runner/docker"
)

// sweepCmd removes what judges that were killed have left.
type sweepCmd struct{}

// Help is shown by judge sweep --help.
func (sweepCmd) Help() string {
	return `A judge that ends by itself leaves nothing. One that was killed leaves containers, socket folders and cgroups, which the next start of any judge on this machine removes; this command does only that. Judges that are running are not touched.`
}

// The engine goes on making a container whose judge was killed while it asked
// for it (seen: it was there after the first sweep). So we look again.
const (
	sweeps     = 3
	sweepPause = 500 * time.Millisecond
)

// Run opens a sandbox, which sweeps, sweeps again, and closes it.
func (c *sweepCmd) Run(a *app) error {
	s, err := docker.New(a.ctx, docker.Options{CacheDir: a.CacheDir, Log: a.log()})
	if err != nil {
		return err
	}
	for range sweeps - 1 {
		select {
		case <-time.After(sweepPause):
			err = errors.Join(err, s.Sweep(a.ctx))
		case <-a.ctx.Done():
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), time.Minute)
	defer cancel()
	return errors.Join(err, s.Close(ctx))
}
