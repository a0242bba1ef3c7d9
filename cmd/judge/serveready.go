package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	readyPause = 50 * time.Millisecond
	readyLate  = 10 * time.Second // then it is told why it takes so long
)

// tellReady waits until the API answers that it is ready, and says so: to who
// looks, and to systemd.
func (s *service) tellReady(ctx context.Context) {
	url := "http://" + s.listener.Addr().String()
	client := &http.Client{Timeout: 5 * time.Second}
	late := time.Now().Add(readyLate)
	for {
		ready, why := askReady(ctx, client, url+"/readyz")
		switch {
		case ready:
			s.log.Info("ready", "url", url)
			if err := notifySystemd("READY=1"); err != nil {
				s.log.Warn("systemd does not know that we are ready", "error", err)
			}
			if _, err := fmt.Fprintln(s.out, "judge serves on "+url); err != nil {
				s.log.Warn("standard output is closed", "error", err)
			}
			return
		case time.Now().After(late):
			s.log.Warn("not ready yet", "why", why)
			late = time.Now().Add(readyLate)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(readyPause):
		}
	}
}

// askReady asks once.
func askReady(ctx context.Context, client *http.Client, url string) (ready bool, why string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false, err.Error()
	}
	resp, err := client.Do(req)
	if err != nil {
		return false, err.Error()
	}
	defer resp.Body.Close() //nolint:errcheck // it was read as far as it is wanted
	body, err := io.ReadAll(io.LimitReader(resp.Body, 2048))
	if err != nil {
		return false, err.Error()
	}
	return resp.StatusCode == http.StatusOK, resp.Status + " " + string(body)
}
