package store

// For tests from outside.
var (
	NewCursor   = newCursor
	ParseCursor = parseCursor
)

// ReadPosition reads a position of events and writes it again.
func ReadPosition(s string) (string, error) {
	p, err := parsePosition(s)
	return p.String(), err
}
