package judge

import "time"

// Role is what a token may do.
type Role string

// The roles.
const (
	RoleAdmin      Role = "admin"
	RoleInstructor Role = "instructor"
	RoleSubmitter  Role = "submitter"
	RoleViewer     Role = "viewer"
)

// Scope narrows a token to some problems and contests. Empty lists are no
// narrowing.
type Scope struct {
	Problems []string `json:"problems,omitempty"`
	Contests []string `json:"contests,omitempty"`
}

// Token is a key to the API, without its secret.
type Token struct {
	ID        string
	Name      string
	Role      Role
	Scope     Scope
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	RevokedAt time.Time // zero: it is in force
}

// WorkerState is what a worker is meant to do.
type WorkerState string

// The states of a worker. A cordoned one finishes what it has and takes no more;
// a draining one does so and ends; one that is gone has said goodbye or is dead.
const (
	WorkerActive   WorkerState = "active"
	WorkerCordoned WorkerState = "cordoned"
	WorkerDraining WorkerState = "draining"
	WorkerGone     WorkerState = "gone"
)

// Worker is one process that judges.
type Worker struct {
	ID          string // UUID
	Name        string // of the host, for people
	Slots       int
	Build       string
	State       WorkerState
	StartedAt   time.Time
	HeartbeatAt time.Time
}

// AuditEntry is one change, who made it and why.
type AuditEntry struct {
	At      time.Time
	TokenID string // empty: the judge itself
	Action  string // as in judgement.override
	Object  string // what was changed
	Reason  string
	Detail  []byte // JSON; nil: none
}

// Answer is what a request with an idempotency key was answered.
type Answer struct {
	Status int
	Body   []byte
}
