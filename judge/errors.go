package judge

import "errors"

// What whoever keeps our records may answer; errors.Is finds them below the
// sentence that says which record is meant.
var (
	ErrNotFound = errors.New("not found")
	ErrConflict = errors.New("conflict")      // it exists already, or its state does not allow this
	ErrInvalid  = errors.New("invalid value") // text with NUL, an id that is none, a number out of range
	ErrStale    = errors.New("stale attempt") // the judgement went on without this worker: stop, keep nothing
	ErrCordoned = errors.New("worker is cordoned")
	ErrGone     = errors.New("position is gone") // of events: begin with the state, then follow
)
