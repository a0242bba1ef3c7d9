//go:build postgres

package webhook_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"judge/judge"
	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/store/storetest"
	"judge/judge/webhook"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// office is a database with submissions, and a queue whose jobs this test runs or
// leaves.
type office struct {
	*storetest.World

	t     *testing.T
	key   *webhook.Key
	jobs  *queue.Client
	roots *x509.CertPool
	allow []netip.Prefix
	time  time.Duration
	body  func(context.Context, judge.Delivery) ([]byte, error)
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{World: storetest.NewWorld(t), t: t, key: parseKey(t, webhook.NewKeyText()), roots: x509.NewCertPool(), time: 10 * time.Second}
	o.allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	o.body = func(_ context.Context, d judge.Delivery) ([]byte, error) {
		return fmt.Appendf(nil, `{"id":%q,"type":%q}`, d.ID, d.Event.Type), nil
	}
	var err error
	if o.jobs, err = queue.New(queue.Config{Pool: o.Pool()}); err != nil {
		t.Fatal(err)
	}
	o.Due = func(ctx context.Context, tx pgx.Tx, webhooks []string) error {
		return o.jobs.InsertSend(ctx, tx, time.Time{}, webhooks...)
	}
	return o
}

// FinishTry is what cmd/judge makes of it.
func (o *office) FinishTry(ctx context.Context, out *judge.DeliveryOutcome) error {
	return o.Tx(ctx, func(tx *store.Tx) error {
		if err := tx.FinishTry(ctx, out); err != nil || out.State != judge.DeliveryWaiting {
			return err
		}
		return o.jobs.InsertSend(ctx, tx.Pgx(), out.NextAt, out.WebhookID)
	})
}

func (o *office) deliverer() *webhook.Deliverer {
	return webhook.New(webhook.Config{
		Records: o, Body: o.body, Key: o.key, Guard: webhook.Guard{Allow: o.allow}, Roots: o.roots, Agent: "judge/test", Time: o.time, Log: slog.New(slog.DiscardHandler),
	})
}

// send runs the jobs of webhooks until the test ends or stop is called.
func (o *office) send() (stop func()) {
	o.t.Helper()
	q, err := queue.New(queue.Config{Pool: o.Pool(), Send: o.deliverer().Deliver, Senders: 32})
	if err != nil {
		o.t.Fatal(err)
	}
	if err := q.Start(context.WithoutCancel(o.t.Context())); err != nil {
		o.t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		ctx, cancel := context.WithCancel(context.WithoutCancel(o.t.Context()))
		cancel() // at once: what is under way is broken off
		if err := q.Stop(ctx); err != nil {
			o.t.Error(err)
		}
	})
	o.t.Cleanup(stop)
	return stop
}

func (o *office) hook(url string) (judge.Webhook, webhook.Secret) {
	o.t.Helper()
	id, secret := uuid.Must(uuid.NewV7()).String(), webhook.NewSecret()
	w, err := o.CreateWebhook(o.t.Context(), judge.Webhook{
		ID: id, URL: url, TokenID: o.Token.ID, Events: []judge.EventType{judge.SubmissionCreated}, Secret: o.key.Seal(id, secret),
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return w, secret
}

// until waits for something to be so.
func (o *office) until(what string, so func() bool) {
	o.t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			o.t.Fatalf("in vain waited for: %s", what)
		}
	}
}

func (o *office) deliveries(w judge.Webhook, state judge.DeliveryState) []judge.Delivery {
	o.t.Helper()
	list, err := o.Deliveries(o.t.Context(), w.ID, state, "", 1000)
	if err != nil {
		o.t.Fatal(err)
	}
	return list
}

// tried waits for the first try of a webhook's only delivery.
func (o *office) tried(w judge.Webhook) (d judge.Delivery, try judge.DeliveryTry) {
	o.t.Helper()
	o.until("a try of "+w.URL, func() bool {
		list := o.deliveries(w, "")
		if len(list) != 1 {
			o.t.Fatalf("%d deliveries", len(list))
		}
		tries, err := o.DeliveryTries(o.t.Context(), list[0].ID)
		if err != nil {
			o.t.Fatal(err)
		}
		if len(tries) == 0 {
			return false
		}
		d, err = o.Delivery(o.t.Context(), list[0].ID) // as it was left by that try
		if err != nil {
			o.t.Fatal(err)
		}
		try = tries[0]
		return true
	})
	return d, try
}

// receiver is an endpoint over TLS that is trusted.
func (o *office) receiver(h http.HandlerFunc) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	o.t.Cleanup(s.Close)
	o.roots.AddCert(s.Certificate())
	return s
}

func answer(status int, text string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

// TestEndpoints: of whatever an endpoint does, the log tells what it was, the good
// one has its news meanwhile, and what failed waits for its next try.
func TestEndpoints(t *testing.T) {
	o := newOffice(t)
	// Slow is slower than a try may be; how soon that is has to be no sooner than a
	// busy machine answers.
	o.time = 3 * time.Second
	hang := make(chan struct{})
	slow := o.receiver(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	})
	defer close(hang)
	dead := o.receiver(nil)
	dead.Close()
	untrusted := httptest.NewUnstartedServer(answer(200, ""))
	untrusted.TLS = &tls.Config{Certificates: []tls.Certificate{selfSigned(t)}}
	untrusted.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	untrusted.StartTLS()
	defer untrusted.Close()
	plain := httptest.NewServer(answer(200, ""))
	defer plain.Close()
	good := o.receiver(answer(200, "thanks\x1b[31m"))
	closing := o.receiver(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	long := o.receiver(answer(200, strings.Repeat("x", 100_000)))

	port := func(s *httptest.Server) string {
		return netip.MustParseAddrPort(s.Listener.Addr().String()).String()[len("127.0.0.1:"):]
	}
	tests := []struct {
		name, url string
		state     judge.DeliveryState
		status    int
		want      string // of the error
	}{
		{"good", good.URL, judge.DeliveryDelivered, 200, ""},
		{"plain, allowed", plain.URL, judge.DeliveryDelivered, 200, ""},
		{"long", long.URL, judge.DeliveryDelivered, 200, ""},
		{"slow", slow.URL, judge.DeliveryWaiting, 0, "no answer in 3 s"},
		{"dead", dead.URL, judge.DeliveryWaiting, 0, "it cannot be reached: connect: connection refused"},
		{"no host", "https://nowhere.invalid/", judge.DeliveryWaiting, 0, "nowhere.invalid"},
		{"redirect", o.receiver(answer(302, "", "Location", "https://169.254.169.254/")).URL, judge.DeliveryWaiting, 302, "it answers 302 Found and names https://169.254.169.254/: redirects are not followed"},
		{"failing", o.receiver(answer(500, "oops")).URL, judge.DeliveryWaiting, 500, "it answers 500 Internal Server Error"},
		{"gone", o.receiver(answer(410, "")).URL, judge.DeliveryFailed, 410, "it answers 410 Gone"},
		{"untrusted", untrusted.URL, judge.DeliveryWaiting, 0, "its certificate is of no authority that this server knows"},
		{"no TLS", "https://127.0.0.1:" + port(plain), judge.DeliveryWaiting, 0, "it does not speak TLS"},
		{"hangs up", closing.URL, judge.DeliveryWaiting, 0, "it ended the connection without an answer"},
		{"metadata", "https://169.254.169.254/latest", judge.DeliveryWaiting, 0, "address 169.254.169.254 is not of the internet"},
		{"private", "https://10.0.0.1/", judge.DeliveryWaiting, 0, "address 10.0.0.1 is not of the internet"},
		{"mapped", "https://[::ffff:10.0.0.1]/", judge.DeliveryWaiting, 0, "address 10.0.0.1 is not of the internet"},
		{"another host", "https://localhost:" + port(good), judge.DeliveryWaiting, 0, "its certificate is of another host"},
		{"plain, not allowed", "http://10.0.0.1/", judge.DeliveryWaiting, 0, "http without TLS is only for networks that the operator names"},
	}
	hooks := make([]judge.Webhook, len(tests))
	for i, tt := range tests {
		hooks[i], _ = o.hook(tt.url)
	}
	o.Submit(t, "ada", judge.PriorityContest)
	o.send()
	for i, tt := range tests {
		d, try := o.tried(hooks[i])
		if d.State != tt.state || try.Status != tt.status || !strings.Contains(try.Error, tt.want) || (try.Error == "") != (tt.state == judge.DeliveryDelivered) {
			t.Errorf("%s: %s, %d %q", tt.name, d.State, try.Status, try.Error)
		}
		if waits := time.Until(d.NextAt); tt.state == judge.DeliveryWaiting && waits > 6*time.Second {
			t.Errorf("%s: waits %v for its second try", tt.name, waits)
		}
		if len(try.Answer) > 17<<10 || strings.Contains(try.Answer, "\x1b") {
			t.Errorf("%s: the answer is kept as %.30q…, %d bytes", tt.name, try.Answer, len(try.Answer))
		}
	}
	for i, tt := range tests {
		w, err := o.Webhook(t.Context(), hooks[i].ID)
		if off := w.State == judge.WebhookFailing; err != nil || off != (tt.name == "gone") {
			t.Errorf("%s: %s %s, %v", tt.name, w.State, w.Reason, err)
		}
	}
}

func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	// Another authority than the one that o.roots knows: made anew.
	cert, err := newCertificate()
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

// TestSignature: the receiver can tell that it is us, with the old secret too for
// a while after a change, and what is sent is what the log has.
func TestSignature(t *testing.T) {
	o := newOffice(t)
	type request struct {
		header http.Header
		body   []byte
	}
	got := make(chan request, 10)
	hook, old := o.hook(o.receiver(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got <- request{r.Header, b}
	}).URL)
	o.send()
	o.Submit(t, "ada", judge.PriorityContest)
	r := <-got
	if err := old.Verify(r.header, r.body, time.Now(), webhook.Tolerance); err != nil {
		t.Error(err)
	}
	d, try := o.tried(hook)
	if d, err := o.Delivery(t.Context(), d.ID); err != nil || string(d.Body) != string(r.body) || try.Headers[webhook.HeaderSignature] != r.header.Get(webhook.HeaderSignature) {
		t.Errorf("logged %s %v, sent %s %v, %v", d.Body, try.Headers, r.body, r.header, err)
	}
	if r.header.Get(webhook.HeaderID) != d.ID || r.header.Get("Content-Type") != "application/json" || r.header.Get("User-Agent") != "judge/test" {
		t.Errorf("%v", r.header)
	}
	secret := webhook.NewSecret()
	hook.OldSecret, hook.OldUntil, hook.Secret = hook.Secret, time.Now().Add(time.Hour), o.key.Seal(hook.ID, secret)
	again := func() request {
		t.Helper()
		if err := o.Tx(t.Context(), func(tx *store.Tx) error { return errors.Join(tx.ChangeWebhook(t.Context(), hook)) }); err != nil {
			t.Fatal(err)
		}
		err := o.Tx(t.Context(), func(tx *store.Tx) error { _, err := tx.Ping(t.Context(), hook.ID); return err })
		if err != nil {
			t.Fatal(err)
		}
		return <-got
	}
	r = again()
	if err := errors.Join(old.Verify(r.header, r.body, time.Now(), webhook.Tolerance), secret.Verify(r.header, r.body, time.Now(), webhook.Tolerance)); err != nil {
		t.Error(err)
	}
	hook.OldUntil = time.Now().Add(-time.Second)
	r = again()
	if err := old.Verify(r.header, r.body, time.Now(), webhook.Tolerance); !errors.Is(err, webhook.ErrSignature) {
		t.Errorf("with the old secret, a day later: %v", err)
	}
}

// TestSlowness: an endpoint that hangs has so many requests and no more, and
// others have theirs meanwhile.
func TestSlowness(t *testing.T) {
	o := newOffice(t)
	o.time = time.Minute
	const n = 20
	var mu sync.Mutex
	most, now := 0, 0
	hang := make(chan struct{})
	slow, _ := o.hook(o.receiver(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		select {
		case <-hang:
		case <-r.Context().Done():
		}
		mu.Lock()
		now--
		mu.Unlock()
	}).URL)
	good, _ := o.hook(o.receiver(answer(204, "")).URL)
	o.send()
	for range n {
		o.Submit(t, "ada", judge.PriorityContest)
	}
	o.until("the good one to have all", func() bool { return len(o.deliveries(good, judge.DeliveryDelivered)) == n })
	if done := len(o.deliveries(slow, judge.DeliveryDelivered)); done != 0 {
		t.Errorf("%d of the slow one have ended", done)
	}
	o.until("the slow one to be asked", func() bool { mu.Lock(); defer mu.Unlock(); return now == 4 })
	close(hang)
	o.until("the slow one to have all", func() bool { return len(o.deliveries(slow, judge.DeliveryDelivered)) == n })
	if most != 4 {
		t.Errorf("%d requests at once to one endpoint", most)
	}
}

// TestNothingLost: senders are ended at any moment, and jobs vanish; all that
// happened arrives, and the receiver can tell what it had before.
func TestNothingLost(t *testing.T) {
	o := newOffice(t)
	var mu sync.Mutex
	had, calls := map[string]int{}, 0
	hook, _ := o.hook(o.receiver(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls%7 == 0 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		had[r.Header.Get(webhook.HeaderID)]++
	}).URL)
	const n = 60
	for i := range n {
		stop := func() {}
		if i%10 == 0 {
			stop = o.send()
		}
		o.Submit(t, fmt.Sprint("p", i), judge.PriorityContest)
		stop()
	}
	// As where a process was killed: jobs and leases are of the dead.
	exec := func(sql string) {
		t.Helper()
		if _, err := o.Pool().Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec("DELETE FROM river_job")
	exec("UPDATE webhook_deliveries SET next_at = now() - interval '1 minute' WHERE state = 'waiting'")
	o.send()
	o.until("all to arrive", func() bool {
		due, err := o.DueWebhooks(t.Context(), 0)
		if err == nil {
			err = o.Tx(t.Context(), func(tx *store.Tx) error { return o.jobs.InsertSend(t.Context(), tx.Pgx(), time.Time{}, due...) })
		}
		if err != nil {
			t.Fatal(err)
		}
		return len(o.deliveries(hook, judge.DeliveryDelivered)) == n
	})
	mu.Lock()
	defer mu.Unlock()
	if len(had) != n {
		t.Errorf("%d different ones arrived, want %d", len(had), n)
	}
}
