package problems

import (
	"fmt"
	"strconv"
	"strings"
)

// Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Info    Severity = "info"    // judging is as it would be anyway
	Warning Severity = "warning" // something may not mean what its author meant
	Error   Severity = "error"   // the package is refused
)

// Finding is something that the people who made a package should know.
type Finding struct {
	Severity Severity
	Code     Code   // what it is about, for programs
	File     string // path in the package, quoted where it is not printable; empty: the package as a whole
	Line     int    // from 1; 0: none
	Message  string // the reason and the remedy
}

// String is the finding on one line: file, line, severity, message.
func (f Finding) String() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
		}
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s: %s", f.Severity, f.Message)
	return b.String()
}

// ReadError is why a package is refused: all errors found in it, at least one.
type ReadError struct {
	Path     string
	Findings []Finding
}

// Error lists the findings, one to a line.
func (e *ReadError) Error() string {
	lines := make([]string, len(e.Findings))
	for i, f := range e.Findings {
		lines[i] = f.String()
	}
	if len(lines) == 1 {
		return fmt.Sprintf("cannot read %s: %s", e.Path, lines[0])
	}
	return fmt.Sprintf("cannot read %s, %d errors:\n  %s", e.Path, len(lines), strings.Join(lines, "\n  "))
}

// maxFindings of one severity are kept, so that a package of 20,000 bad files
// is refused in a page and not in a book.
const maxFindings = 200

// report collects findings while a package is read.
type report struct {
	findings []Finding
	count    map[Severity]int
	seen     map[Finding]bool
}

func (r *report) errorf(code Code, file string, line int, format string, args ...any) {
	r.add(Error, code, file, line, format, args...)
}

func (r *report) warnf(code Code, file string, line int, format string, args ...any) {
	r.add(Warning, code, file, line, format, args...)
}

func (r *report) infof(code Code, file string, line int, format string, args ...any) {
	r.add(Info, code, file, line, format, args...)
}

func (r *report) add(s Severity, code Code, file string, line int, format string, args ...any) {
	if q := strconv.Quote(file); q[1:len(q)-1] != file {
		file = q
	}
	message := strings.Map(func(c rune) rune {
		if control(c) {
			return '\uFFFD' // a finding is shown on terminals
		}
		return c
	}, fmt.Sprintf(format, args...))
	f := Finding{Severity: s, Code: code, File: file, Line: line, Message: message}
	if r.seen[f] {
		return // a folder's fault, met once more with the next file in it
	}
	if r.count == nil {
		r.count, r.seen = map[Severity]int{}, map[Finding]bool{}
	}
	r.count[s]++
	switch n := r.count[s]; {
	case n > maxFindings+1:
		return
	case n == maxFindings+1:
		r.findings = append(r.findings, Finding{Severity: s, Code: MoreFindings, Message: fmt.Sprintf("there are more than %d findings like this; the rest is left out", maxFindings)})
		return
	}
	r.seen[f] = true
	r.findings = append(r.findings, f)
}

func (r *report) failed() bool { return r.count[Error] > 0 }

func (r *report) errors() []Finding {
	var errs []Finding
	for _, f := range r.findings {
		if f.Severity == Error {
			errs = append(errs, f)
		}
	}
	return errs
}
