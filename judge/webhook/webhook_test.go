package webhook_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/webhook"
)

// The example of the specification: its body, id and time, signed by the secret
// of its libraries' tests.
const exampleBody = `{"test": 2432232314}`

var exampleAt = time.Unix(1614265330, 0)

func exampleSecret(tb testing.TB) webhook.Secret {
	tb.Helper()
	s, err := webhook.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func headers(id, timestamp, signature string) http.Header {
	h := http.Header{}
	h.Set("Webhook-Id", id)
	h.Set("Webhook-Timestamp", timestamp)
	h.Set("Webhook-Signature", signature)
	return h
}

func TestVerify(t *testing.T) {
	const id, signed = "msg_p5jXN8AQM9LWM0D4loKWxJek", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	s := exampleSecret(t)
	if got := s.Sign(id, exampleAt, []byte(exampleBody)); got != signed {
		t.Errorf("signed as %s, want %s", got, signed)
	}
	good := headers(id, "1614265330", signed)
	for name, tt := range map[string]struct {
		header http.Header
		body   string
		now    time.Time
		want   error
	}{
		"good":              {good, exampleBody, exampleAt, nil},
		"late":              {good, exampleBody, exampleAt.Add(webhook.Tolerance), nil},
		"too late":          {good, exampleBody, exampleAt.Add(webhook.Tolerance + time.Second), webhook.ErrTime},
		"too early":         {good, exampleBody, exampleAt.Add(-webhook.Tolerance - time.Second), webhook.ErrTime},
		"another body":      {good, exampleBody + " ", exampleAt, webhook.ErrSignature},
		"another id":        {headers("msg_2", "1614265330", signed), exampleBody, exampleAt, webhook.ErrSignature},
		"another time":      {headers(id, "1614265331", signed), exampleBody, exampleAt, webhook.ErrSignature},
		"one of several":    {headers(id, "1614265330", "v1a,AAAA v1,AAAA "+signed), exampleBody, exampleAt, nil},
		"no version":        {headers(id, "1614265330", strings.TrimPrefix(signed, "v1,")), exampleBody, exampleAt, webhook.ErrSignature},
		"another version":   {headers(id, "1614265330", "v2,"+strings.TrimPrefix(signed, "v1,")), exampleBody, exampleAt, webhook.ErrSignature},
		"no base64":         {headers(id, "1614265330", "v1,%"), exampleBody, exampleAt, webhook.ErrSignature},
		"no headers":        {http.Header{}, exampleBody, exampleAt, webhook.ErrHeaders},
		"time is no number": {headers(id, "now", signed), exampleBody, exampleAt, webhook.ErrHeaders},
		"time out of range": {headers(id, "99999999999999999999", signed), exampleBody, exampleAt, webhook.ErrHeaders},
	} {
		if err := s.Verify(tt.header, []byte(tt.body), tt.now, webhook.Tolerance); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
	if err := webhook.NewSecret().Verify(good, []byte(exampleBody), exampleAt, webhook.Tolerance); !errors.Is(err, webhook.ErrSignature) {
		t.Errorf("another secret: %v", err)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add("id", "1614265330", "v1,AAAA", []byte("{}"))
	f.Add("", "-1", " v1, ", []byte{})
	s := webhook.NewSecret()
	f.Fuzz(func(t *testing.T, id, timestamp, signature string, body []byte) {
		if s.Verify(headers(id, timestamp, signature), body, exampleAt, webhook.Tolerance) == nil {
			t.Error("nobody knows the secret")
		}
		if id == "" {
			return
		}
		if err := s.Verify(headers(id, "1614265330", s.Sign(id, exampleAt, body)), body, exampleAt, 0); err != nil {
			t.Error(err)
		}
	})
}

func TestSecrets(t *testing.T) {
	s := webhook.NewSecret()
	if again, err := webhook.ParseSecret(s.String()); err != nil || !bytes.Equal(again, s) {
		t.Errorf("%s, %v", again, err)
	}
	for _, text := range []string{"", "whsec_", "whsec_AAAA", "whsec_" + strings.Repeat("A", 88), "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%"} {
		if _, err := webhook.ParseSecret(text); err == nil {
			t.Errorf("%q is taken for a secret", text)
		}
	}
}

func TestKey(t *testing.T) {
	text := webhook.NewKeyText()
	key := parseKey(t, text+"\n")
	s := webhook.NewSecret()
	sealed := key.Seal("w1", s)
	if bytes.Contains(sealed.Data, s) || sealed.KeyID != key.ID() {
		t.Errorf("%+v", sealed)
	}
	if got, err := parseKey(t, text).Open("w1", sealed); err != nil || !bytes.Equal(got, s) {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := parseKey(t, webhook.NewKeyText()).Open("w1", sealed); !errors.Is(err, webhook.ErrKey) || !strings.Contains(err.Error(), key.ID()) {
		t.Errorf("another key: %v", err)
	}
	damaged := sealed
	damaged.Data = append([]byte{}, sealed.Data...)
	damaged.Data[len(damaged.Data)-1] ^= 1
	for name, open := range map[string]func() error{
		"another webhook": func() error { _, err := key.Open("w2", sealed); return err },
		"damaged":         func() error { _, err := key.Open("w1", damaged); return err },
		"too short":       func() error { _, err := key.Open("w1", judge.SealedSecret{KeyID: key.ID()}); return err },
	} {
		if err := open(); err == nil || errors.Is(err, webhook.ErrKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bad := range []string{"", "ab", text + "00", strings.Repeat("x", 64)} {
		if _, err := webhook.ParseKey(bad); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
	}
}

func parseKey(tb testing.TB, text string) *webhook.Key {
	tb.Helper()
	k, err := webhook.ParseKey(text)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func TestAddresses(t *testing.T) {
	open := webhook.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("::1/128")}}
	for text, allowed := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "2606:4700::1111": true, "2a00:1450::1": true,
		"::ffff:8.8.8.8": true, "64:ff9b::808:808": true, "2002:808:808::1": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "100.64.0.1": false, "127.0.0.1": false, "127.9.9.9": false,
		"169.254.169.254": false, "172.16.0.1": false, "172.31.255.255": false, "172.32.0.1": true, "192.0.0.192": false, "192.0.2.1": false,
		"192.168.1.1": false, "198.18.0.1": false, "198.51.100.1": false, "203.0.113.1": false, "224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:169.254.169.254": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b::a9fe:a9fe": false, "64:ff9b:1::1": false, "2002:7f00:1::": false, "2002:a9fe:a9fe::1": false,
		"100::1": false, "2001::1": false, "2001:db8::1": false, "3fff::1": false, "fc00::1": false, "fd00:ec2::254": false,
		"fe80::1": false, "fe80::1%eth0": false, "fec0::1": false, "ff02::1": false, "4000::1": false,
	} {
		a := netip.MustParseAddr(text)
		if err := (webhook.Guard{}).Check(a); (err == nil) != allowed {
			t.Errorf("%s: %v", text, err)
		}
		if want := allowed || text == "::1"; (open.Check(a) == nil) != want {
			t.Errorf("%s where some are allowed: %v", text, open.Check(a))
		}
	}
	if err := open.Check(netip.MustParseAddr("::ffff:10.1.2.3")); err != nil {
		t.Error(err)
	}
}

func TestCheckURL(t *testing.T) {
	open := webhook.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	for text, want := range map[string]struct{ plain, open bool }{
		"https://example.org":            {true, true},
		"https://example.org:8443/a?b=c": {true, true},
		"https://[2606:4700::1111]/":     {true, true},
		"https://10.0.0.1/":              {false, true},
		"https://[::1]/":                 {false, false},
		"http://10.0.0.1/":               {false, true},
		"http://8.8.8.8/":                {false, false},
		"http://receiver.internal/":      {false, true}, // its address decides, when it is dialled
		"http://example.org":             {false, true},
		"ftp://example.org":              {false, false},
		"https://":                       {false, false},
		"https:example.org":              {false, false},
		"example.org":                    {false, false},
		"https://user:pw@example.org":    {false, false},
		"https://example.org/#x":         {false, false},
		"https://example.org/\x00":       {false, false},
		"https://example.org/a b":        {false, false},
		"":                               {false, false},
		"https://example.org/" + strings.Repeat("x", 2048): {false, false},
	} {
		if err := (webhook.Guard{}).CheckURL(text); (err == nil) != want.plain {
			t.Errorf("%.60q: %v", text, err)
		}
		if err := open.CheckURL(text); (err == nil) != want.open {
			t.Errorf("%.60q where some are allowed: %v", text, err)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{"https://example.org", "http://[::ffff:7f00:1]:80/", "https://0x7f.1/", "https://127.1/", "https://[fe80::1%25eth0]/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if (webhook.Guard{}).CheckURL(text) == nil && !strings.HasPrefix(strings.ToLower(text), "https:") {
			t.Errorf("%q", text)
		}
	})
}
