package problems

import (
	"slices"

	"judge/judge/checker"
)

// defaultFlags holds flags to those that the default validator knows, where the
// problem uses it: one that it does not know would fail every judgement.
func (r *reader) defaultFlags(file string, line int, key string, flags []string) {
	if r.customMeant || r.pkg.Problem.Validator.Custom() {
		return
	}
	if _, err := checker.ParseFlags(slices.Concat(r.pkg.Problem.Validator.Flags, flags)); err != nil {
		r.rep.errorf(BadFlags, file, line, "%s: %v; mend it, or add a validator of your own", key, err)
	}
}
