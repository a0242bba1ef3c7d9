package api

import (
	"fmt"
	"time"

	"judge/judge"
)

// exceeded lists what a problem asks for beyond the ceilings, for its makers.
func (p PackageLimits) exceeded(pr *judge.Problem) []string {
	var out []string
	limits, cases := pr.Limits.WithDefaults(), len(pr.Cases())
	span := func(what string, asked, ceiling time.Duration) {
		if asked > ceiling {
			out = append(out, fmt.Sprintf("%s is %v; at most %v", what, asked, ceiling))
		}
	}
	size := func(what string, asked, ceiling int64) {
		if asked > ceiling {
			out = append(out, fmt.Sprintf("%s is %d MiB; at most %d MiB", what, asked>>20, ceiling>>20))
		}
	}
	span("the time limit", limits.CPU, p.CPU)
	size("the memory limit", limits.Memory, p.Memory)
	size("the output limit", limits.Output, p.Output)
	if code := codeOf(pr); code > p.Code {
		out = append(out, fmt.Sprintf("the code limit is %d KiB; at most %d KiB", code>>10, p.Code>>10))
	}
	size("the memory limit of compiling", pr.Compilation.Memory, p.Memory)
	size("the memory limit of validation", pr.Validation.Memory, p.Memory)
	span("the time limit of compiling", pr.Compilation.CPU, p.Helper)
	span("the time limit of validation", pr.Validation.CPU, p.Helper)
	size("the output limit of validation", pr.Validation.Output, p.Output)
	if cases > p.Cases {
		out = append(out, fmt.Sprintf("there are %d test cases; at most %d", cases, p.Cases))
	}
	// A float cannot overflow, however hostile the numbers are.
	if total := float64(cases) * limits.Wall.Seconds(); total > p.Judging.Seconds() {
		out = append(out, fmt.Sprintf("judging takes up to %.0f s (%d cases of %v each); at most %.0f s", total, cases, limits.Wall, p.Judging.Seconds()))
	}
	return out
}
