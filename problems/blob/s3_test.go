//go:build postgres

package blob_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"judge/judge"
	"judge/problems/blob"
)

// The S3-compatible service that the store is tried against is a Go module,
// built here and not among our dependencies: it needs the module proxy once.
const (
	gateway        = "github.com/versity/versitygw/cmd/versitygw"
	gatewayVersion = "v1.8.0"
)

func TestS3(t *testing.T) {
	root := t.TempDir()
	endpoint := startGateway(t, root)
	var buckets atomic.Int32
	at := func(tb testing.TB) place {
		tb.Helper()
		name := "bucket-" + strconv.Itoa(int(buckets.Add(1)))
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			tb.Fatal(err)
		}
		return place{"s3://" + name + "?region=us-east-1&use_path_style=true&endpoint=" + endpoint, dir}
	}
	conforms(t, at)
	t.Run("cache", func(t *testing.T) { s3Cache(t, at(t).open(t)) })
	t.Run("large", func(t *testing.T) { s3Large(t, at(t).open(t)) })
	t.Run("gone", func(t *testing.T) { s3Gone(t) })
}

// startGateway serves the folders in root as buckets until the test ends.
func startGateway(t *testing.T, root string) (endpoint string) {
	t.Helper()
	bin := t.TempDir()
	install := exec.CommandContext(t.Context(), "go", "install", "-p=1", gateway+"@"+gatewayVersion)
	install.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=", "CGO_ENABLED=0")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("go install %s: %v\n%s", gateway, err, out)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "judge")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "judge-test-secret")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var said strings.Builder
	serve := exec.CommandContext(ctx, filepath.Join(bin, "versitygw"), "--port", addr, "posix", "--sidecar", t.TempDir(), root)
	serve.Env = append(os.Environ(), "ROOT_ACCESS_KEY=judge", "ROOT_SECRET_KEY=judge-test-secret")
	serve.Stdout, serve.Stderr = &said, &said
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := serve.Wait(); ctx.Err() == nil {
			t.Errorf("versitygw ended: %v\n%s", err, &said)
		}
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	for {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			return "http://" + addr
		}
		select {
		case <-ended:
			t.FailNow()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func s3Cache(t *testing.T, s *blob.Store) {
	t.Helper()
	m := imported(t, s, openPackage(t, folder(t, "p", whole)))
	c := cache(t, s, blob.CacheOptions{Budget: 1 << 30})
	p, err := m.Problem(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	data := c.Data(t.Context())
	for _, tc := range p.Cases() {
		for ext, b := range map[string]judge.Blob{".in": tc.Input, ".ans": tc.Answer} {
			f, err := data.Open(b)
			if got := contents(t, f, err); got != whole["data/"+tc.Name+ext] {
				t.Errorf("%s%s: %q", tc.Name, ext, got)
			}
		}
	}
}

// s3Large goes through several parts of one upload.
func s3Large(t *testing.T, s *blob.Store) {
	t.Helper()
	data := noise(24<<20 + 1)
	ref := put(t, s, data)
	if got, err := get(t.Context(), s, ref); err != nil || sumOf(got) != ref.SHA256 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// s3Gone: a service that does not answer is neither damage nor absence.
func s3Gone(t *testing.T) {
	t.Helper()
	s := place{url: "s3://b?region=us-east-1&use_path_style=true&endpoint=http://127.0.0.1:1"}.open(t)
	_, err := get(t.Context(), s, blob.Ref{SHA256: sumOf(nil)})
	if err == nil || errors.Is(err, blob.ErrDamaged) || errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Get: %v", err)
	}
}
