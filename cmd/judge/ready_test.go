package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestReady(t *testing.T) {
	status := http.StatusServiceUnavailable
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "the database is away")
	}))
	defer server.Close()
	if out := judgeIn(t, "", "", "ready", server.URL); out.code != exitFailed || !strings.Contains(out.err, "the database is away") {
		t.Errorf("not ready: exit code %d, %s", out.code, out.err)
	}
	status = http.StatusOK
	if out := judgeIn(t, "", "", "ready", server.URL); out.code != exitOK {
		t.Errorf("ready: exit code %d, %s", out.code, out.err)
	}
	server.Close()
	if out := judgeIn(t, "", "", "ready", server.URL); out.code != exitFailed || out.err == "" {
		t.Errorf("nobody there: exit code %d, %s", out.code, out.err)
	}
}
