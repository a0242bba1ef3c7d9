package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// relisten is the time after which a lost connection is tried anew.
const relisten = 500 * time.Millisecond

// Listen calls wake whenever there may be new events, from whichever process of
// the cluster, until ctx is done, whose error it returns. It also does when it
// begins, and after it was cut off. Calls come one at a time, and whoever is told
// twice need look but once. It holds one connection that is not of the pool.
func (s *Store) Listen(ctx context.Context, wake func()) error {
	for {
		lost := s.listen(ctx, wake)
		select {
		case <-ctx.Done():
			return fmt.Errorf("listen for events: %w (%w)", ctx.Err(), lost)
		case <-time.After(relisten):
		}
	}
}

func (s *Store) listen(ctx context.Context, wake func()) (err error) {
	held, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := held.Hijack()
	defer func() {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
		defer cancel()
		err = errors.Join(err, conn.Close(late))
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	for {
		wake()
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return err
		}
	}
}
