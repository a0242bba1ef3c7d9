package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"judge/judge"
)

const (
	answerSize = 16 << 10 // bytes of an answer that are kept
	headerSize = 64 << 10 // bytes of an answer's headers
	errorSize  = 1000     // bytes of what is said of a failure
	idleTime   = 90 * time.Second
	idleConns  = 2 // of one endpoint
)

// sender sends requests to endpoints.
type sender struct {
	secure *http.Client
	plain  *http.Client
	agent  string
	time   time.Duration // of one try
}

func newSender(c Config) *sender {
	client := func(plain bool) *http.Client {
		dialer := &net.Dialer{Control: c.Guard.control(plain)}
		return &http.Client{
			Transport: &http.Transport{
				// No proxy: it would dial for us, past the check.
				DialContext: dialer.DialContext, TLSClientConfig: &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
				ForceAttemptHTTP2: true, DisableCompression: true, MaxResponseHeaderBytes: headerSize,
				MaxIdleConnsPerHost: idleConns, IdleConnTimeout: idleTime,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return &sender{secure: client(false), plain: client(true), agent: c.Agent, time: c.Time}
}

// send makes one try. What is said of a failure is in the try, as it is the
// endpoint's.
func (s *sender) send(ctx context.Context, w *judge.Webhook, d *judge.Delivery, body []byte, secrets ...Secret) (judge.DeliveryTry, http.Header) {
	at := time.Now()
	try := judge.DeliveryTry{Number: d.Tries, At: at}
	ctx, cancel := context.WithTimeout(ctx, s.time)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		try.Error = s.explain(err)
		return try, nil
	}
	signatures := make([]string, 0, len(secrets))
	for _, secret := range secrets {
		signatures = append(signatures, secret.Sign(d.ID, at, body))
	}
	try.Headers = map[string]string{
		"content-type": "application/json", "user-agent": s.agent, HeaderID: d.ID,
		HeaderTimestamp: strconv.FormatInt(at.Unix(), 10), HeaderSignature: strings.Join(signatures, " "),
	}
	for name, value := range try.Headers {
		req.Header.Set(name, value)
	}
	client := s.secure
	if req.URL.Scheme == "http" {
		client = s.plain
	}
	res, err := client.Do(req)
	if err != nil {
		try.Duration, try.Error = time.Since(at), s.explain(err)
		return try, nil
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, answerSize))
	_ = res.Body.Close() // what is left of it is of no interest
	try.Status, try.Duration, try.Answer = res.StatusCode, time.Since(at), judge.SafeText(answer, 2*answerSize)
	switch {
	case res.StatusCode/100 == 3:
		try.Error = fmt.Sprintf("it answers %s and names %s: redirects are not followed, give the webhook the URL that answers itself",
			res.Status, orNone(res.Header.Get("Location")))
	case res.StatusCode/100 != 2:
		try.Error = "it answers " + res.Status
	case err != nil:
		try.Error = "the answer ends too early: " + s.explain(err)
	}
	try.Error = judge.SafeText([]byte(try.Error), errorSize)
	return try, res.Header
}

func orNone(text string) string {
	if text == "" {
		return "no other place"
	}
	return text
}

// explain says in words why there was no answer.
func (s *sender) explain(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	text := err.Error()
	dns, isDNS := errors.AsType[*net.DNSError](err)
	op, isOp := errors.AsType[*net.OpError](err)
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		text = fmt.Sprintf("no answer in %g s", s.time.Seconds())
	case errors.Is(err, errPlain):
		text = errPlain.Error()
	case isDNS && dns.IsNotFound:
		text = fmt.Sprintf("there is no host %s", dns.Name)
	case isDNS:
		text = fmt.Sprintf("the name %s cannot be looked up: %s", dns.Name, dns.Err)
	case errors.As(err, &unknown):
		text = "its certificate is of no authority that this server knows: " + unknown.Error()
	case errors.As(err, &host):
		text = "its certificate is of another host: " + host.Error()
	case errors.As(err, &invalid):
		text = "its certificate is not valid: " + invalid.Error()
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		text = "it does not speak TLS: " + err.Error()
	case errors.Is(err, io.EOF):
		text = "it ended the connection without an answer"
	case isOp && op.Op == "dial":
		text = "it cannot be reached: " + op.Err.Error()
	}
	return judge.SafeText([]byte(text), errorSize)
}
