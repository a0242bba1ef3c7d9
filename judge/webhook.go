package judge

import "time"

// WebhookPing is the type of a delivery that tells of nothing: it tries an
// endpoint.
const WebhookPing EventType = "ping"

// WebhookState is whether a webhook is told of events.
type WebhookState string

// The states of a webhook. One that failed for long is switched off by us: what
// happens is kept for it, and sent when it is enabled again. One that is off is
// told of nothing, then or later.
const (
	WebhookEnabled WebhookState = "enabled"
	WebhookFailing WebhookState = "failing"
	WebhookOff     WebhookState = "off"
)

// Webhook is an endpoint that is told of events. An event has to pass each of
// Events, Problems, Contests and Scope.
type Webhook struct {
	ID       string
	URL      string
	Events   []EventType
	Problems []string // empty: all
	Contests []string // empty: all
	Scope    Scope    // of the token that it was made with
	TokenID  string

	State        WebhookState
	Reason       string    // why it is failing or off; empty: by request
	FailingSince time.Time // of the first failure since the last success; zero: none
	GivenUp      int       // deliveries given up in a row

	Secret    SealedSecret
	OldSecret SealedSecret // signs too until OldUntil; its key is Secret's
	OldUntil  time.Time    // zero: there is no old one

	CreatedAt time.Time
}

// SealedSecret is a secret encrypted with the key of that id.
type SealedSecret struct {
	Data  []byte
	KeyID string
}

// DeliveryState is where a delivery stands.
type DeliveryState string

// The states of a delivery.
const (
	DeliveryWaiting   DeliveryState = "waiting"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed" // given up
)

// Delivery is one event for one webhook.
type Delivery struct {
	ID        string // UUIDv7; receivers know repetitions by it
	WebhookID string
	Event     Event // without position, token and submitter; of a ping only type and time
	State     DeliveryState
	Tries     int       // so far
	Failures  int       // since it was last asked for
	NextAt    time.Time // when it is due; zero: it has ended
	EndedAt   time.Time // zero: it is waiting
	Body      []byte    // what is sent; nil before the first try
}

// DeliveryTry is one try of a delivery.
type DeliveryTry struct {
	Number   int // from 1
	At       time.Time
	Duration time.Duration
	Status   int               // of the answer; 0: there was none
	Error    string            // why it failed, in words; empty: it did not
	Headers  map[string]string // of the request
	Answer   string            // the beginning of the answer's body, safe to show
}

// DeliveryOutcome is what a try came to.
type DeliveryOutcome struct {
	DeliveryID string
	WebhookID  string
	Body       []byte
	Try        DeliveryTry
	State      DeliveryState
	NextAt     time.Time // when to try again, where it is waiting
	Ours       bool      // the failure is our own: it does not count against the endpoint
	SwitchOff  string    // why the endpoint is to be switched off at once; empty: it is not
}
