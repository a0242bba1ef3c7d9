package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
	headerSize = 64 << 10 // bytes
	endTime    = 20 * time.Second
)

// Serve answers requests from a listener until ctx is done; then it takes no more,
// ends waits and streams at once, so that clients turn to another process, and
// gives the rest 20 s. It is called once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerSize,
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	var parts sync.WaitGroup
	following, unfollow := context.WithCancel(context.WithoutCancel(ctx))
	parts.Go(func() { s.hub.Run(following) })
	defer parts.Wait()
	defer unfollow()
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	s.stop()
	s.hub.Close()
	rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if err := h.Shutdown(rest); err != nil {
		return errors.Join(fmt.Errorf("end HTTP server: %w", err), h.Close())
	}
	return nil
}

var errStopping = errors.New("the server is stopping")

// serving fails once the server stops.
func (s *Server) serving(context.Context) error {
	select {
	case <-s.stopping:
		return errStopping
	default:
		return nil
	}
}
