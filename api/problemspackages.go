package api

import (
	"context"

	"judge/judge"
)

// Packages know what is in problem packages.
type Packages interface {
	// Problem reads what a version's package says, with its include files, and
	// names its test data without opening them. Settings are not applied. Callers
	// must not change what they get: it may be shared.
	Problem(ctx context.Context, versionID string) (*judge.Problem, error)
}
