package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-co-op/gocron/v2"
)

// Scheduled jobs: what is done from time to time, beside all that is done when it
// is wanted. They are called jobs outside, and chores here, since the queue and
// judge run have jobs too.

// chore is one of them.
type chore struct {
	name  string
	help  string
	every time.Duration // where no flag says otherwise
	scope choreScope
	needs choreNeeds
	undry bool // it cannot say what it would do
	// do returns how many things it did, which are named in its metrics and log line.
	// A dry run changes nothing and counts what would be done. It is called once at a
	// time in this process.
	do func(ctx context.Context, dry bool) (done int, err error)
}

// choreScope says what a chore is about.
type choreScope string

const (
	perNode    choreScope = "node"    // this machine: every process has its own to do
	perCluster choreScope = "cluster" // the database: one process at a time does it
)

// choreNeeds says what a chore works on, and so which processes run it: the
// records those that have an API, all else those that judge.
type choreNeeds string

const (
	needsRecords choreNeeds = "records"
	needsEngine  choreNeeds = "engine"
	needsCaches  choreNeeds = "caches"
)

// errChoreElsewhere says that another process does a chore at the moment.
var errChoreElsewhere = errors.New("another process does this job just now: try again later")

const (
	choreBegin = 10 * time.Second // after the start, at most, to the first run
	choreStop  = 20 * time.Second // that a running chore may take to notice the end
)

// locker gives locks that only one process on the database has.
type locker interface {
	TryLock(ctx context.Context, name string) (release func(), ok bool, err error)
}

// scheduler runs chores.
type scheduler struct {
	locks locker
	meter *choreMeter
	log   *slog.Logger
}

// start runs chores at their intervals until stop is called, which waits for what
// runs.
func (s *scheduler) start(ctx context.Context, chores []chore, every map[string]time.Duration) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	cron, err := gocron.NewScheduler(gocron.WithStopTimeout(choreStop))
	if err != nil {
		cancel()
		return nil, fmt.Errorf("make scheduler: %w", err)
	}
	stop = func() {
		cancel()
		if err := cron.Shutdown(); err != nil {
			s.log.Warn("a scheduled job did not end in time", "error", err)
		}
	}
	for _, c := range chores {
		d := every[c.name]
		if d <= 0 {
			continue
		}
		_, err := cron.NewJob(gocron.DurationJob(d), gocron.NewTask(func() { s.turn(ctx, c) }),
			gocron.WithName(c.name), gocron.WithSingletonMode(gocron.LimitModeReschedule),
			gocron.WithStartAt(gocron.WithStartDateTime(time.Now().Add(min(d, choreBegin)))))
		if err != nil {
			stop()
			return nil, fmt.Errorf("schedule job %s: %w", c.name, err)
		}
		s.meter.known(c.name)
	}
	cron.Start()
	return stop, nil
}

// turn is one run of a chore by the clock.
func (s *scheduler) turn(ctx context.Context, c chore) {
	begun := time.Now()
	done, err := s.run(ctx, c, false)
	log := s.log.With("job", c.name, "done", done, "took_s", time.Since(begun).Seconds())
	switch {
	case errors.Is(err, errChoreElsewhere), err != nil && ctx.Err() != nil:
		log.Debug("scheduled job did not run", "why", err)
	case err != nil:
		log.Error("scheduled job failed", "error", err)
	case done > 0:
		log.Info("scheduled job")
	default:
		log.Debug("scheduled job") // nothing was to be done, which is no news
	}
}

// run does a chore now. errChoreElsewhere: another process does it.
func (s *scheduler) run(ctx context.Context, c chore, dry bool) (done int, err error) {
	if c.scope == perCluster {
		release, ok, err := s.locks.TryLock(ctx, "job "+c.name)
		if err != nil {
			s.meter.ran(c.name, 0, 0, err)
			return 0, err
		}
		if !ok {
			return 0, errChoreElsewhere
		}
		defer release()
	}
	begun := time.Now()
	done, err = c.do(ctx, dry)
	s.meter.ran(c.name, done, time.Since(begun), err)
	return done, err
}
