// Package webhook is responsible for telling endpoints of events: it signs,
// sends, decides what a failed try means, and keeps secrets sealed.
//
// It keeps no records and knows no queue: what is due it takes by Records, and
// what that is about it asks of whoever knows (Config.Body). An endpoint is
// somebody else's machine, which may be slow, dead, or there to make us reach what
// only we can: it is given so much time, so many connections, and no redirects,
// and its address is checked when it is dialled, after the name was resolved.
//
// A delivery is made at least once. Receivers know repetitions by its id.
package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a request, as Standard Webhooks 1.0.0 has them
// (standardwebhooks.com).
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp" // seconds since 1970, of this try
	HeaderSignature = "webhook-signature" // one or more, apart by spaces
)

// Tolerance is how far the time of a request may be from the receiver's, by which
// a request that somebody kept and sends again is told.
const Tolerance = 5 * time.Minute

const (
	secretPrefix   = "whsec_"
	signatureStart = "v1,"
	// Bytes of a secret.
	minSecret, maxSecret, newSecret = 24, 64, 32
)

// Secret signs what an endpoint is sent.
type Secret []byte

// NewSecret makes one at random.
func NewSecret() Secret {
	s := make(Secret, newSecret)
	_, _ = rand.Read(s) // it never fails
	return s
}

// ParseSecret reads whsec_ and base64 of 24 to 64 bytes.
func ParseSecret(text string) (Secret, error) {
	s, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, secretPrefix))
	if err != nil || !strings.HasPrefix(text, secretPrefix) || len(s) < minSecret || len(s) > maxSecret {
		return nil, fmt.Errorf("a secret is %s and then the base64 of %d to %d bytes; leave it out and one is made", secretPrefix, minSecret, maxSecret)
	}
	return s, nil
}

// String is what ParseSecret reads.
func (s Secret) String() string { return secretPrefix + base64.StdEncoding.EncodeToString(s) }

// Sign is the signature of a body that is sent under an id at a time.
func (s Secret) Sign(id string, at time.Time, body []byte) string {
	return signatureStart + base64.StdEncoding.EncodeToString(s.mac(id, strconv.FormatInt(at.Unix(), 10), body))
}

func (s Secret) mac(id, timestamp string, body []byte) []byte {
	h := hmac.New(sha256.New, s)
	_, _ = h.Write([]byte(id + "." + timestamp + ".")) // it never fails
	_, _ = h.Write(body)
	return h.Sum(nil)
}

// Why a request is not what it says it is; Verify's errors wrap one of these.
var (
	ErrHeaders   = errors.New("headers are missing or cannot be read")
	ErrTime      = errors.New("the time of the request is too far from now")
	ErrSignature = errors.New("no signature is of this secret and body")
)

// Verify is for receivers: whether a request with this body was signed with the
// secret, at most tolerance from now. Whoever finds that it was has then to look
// whether its webhook-id is new.
func (s Secret) Verify(header http.Header, body []byte, now time.Time, tolerance time.Duration) error {
	id, timestamp, signatures := header.Get(HeaderID), header.Get(HeaderTimestamp), header.Get(HeaderSignature)
	if id == "" || timestamp == "" || signatures == "" {
		return fmt.Errorf("%s, %s and %s are wanted: %w", HeaderID, HeaderTimestamp, HeaderSignature, ErrHeaders)
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return fmt.Errorf("%s %.40q is no number of seconds: %w", HeaderTimestamp, timestamp, ErrHeaders)
	}
	if at := time.Unix(seconds, 0); at.Before(now.Add(-tolerance)) || at.After(now.Add(tolerance)) {
		return fmt.Errorf("%s is %.40s: %w", HeaderTimestamp, timestamp, ErrTime)
	}
	want := s.mac(id, timestamp, body)
	for one := range strings.FieldsSeq(signatures) {
		encoded, known := strings.CutPrefix(one, signatureStart)
		got, err := base64.StdEncoding.DecodeString(encoded)
		if known && err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return ErrSignature
}
