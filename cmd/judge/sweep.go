package main

import (
	"context"

	"judge/runner/docker"
)

// sweepCmd removes what judges that were killed have left.
type sweepCmd struct{}

// Help is shown by judge sweep --help.
func (sweepCmd) Help() string {
	return `A judge that ends by itself leaves nothing. One that was killed leaves containers, socket folders and cgroups, which the next start of any judge on this machine removes; this command does only that. Judges that are running are not touched.`
}

// Run opens a sandbox, which sweeps, and closes it.
func (c *sweepCmd) Run(a *app) error {
	s, err := docker.New(a.ctx, docker.Options{CacheDir: a.CacheDir, Log: a.log()})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), closePatience)
	defer cancel()
	return s.Close(ctx)
}
