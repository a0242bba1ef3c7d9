package trial

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"judge/problems"
)

// problem is one of the problems that trials are judged on: a problem package of
// one secret case. Limits are wide: trials show what a verdict is for, not speed.
type problem struct {
	timeLimit float64 // seconds of CPU time
	memory    int     // MiB
	output    int     // MiB
	write     func(input, answer *bufio.Writer)
}

const (
	sumLines    = 100_000
	outputLines = 10 << 20 / 64 // of 64 bytes, the newline included
	greeting    = "Hello, world!"
	words       = "Grüße, 世界, Καλημέρα, 😀"
)

var catalogue = map[string]problem{
	"hello":   {10, 512, 1, greet},
	"endless": {2, 512, 1, greet},
	"memory":  {10, 256, 1, greet},
	"sums": {20, 512, 8, func(input, answer *bufio.Writer) {
		_, _ = fmt.Fprintln(input, sumLines)
		seed := uint32(1)
		for range sumLines {
			// Numerical Recipes' generator: the same numbers everywhere.
			seed = seed*1664525 + 1013904223
			a := int(seed>>8)%2_000_001 - 1_000_000
			seed = seed*1664525 + 1013904223
			b := int(seed>>8)%2_000_001 - 1_000_000
			_, _ = fmt.Fprintln(input, a, b)
			_, _ = fmt.Fprintln(answer, a+b)
		}
	}},
	"output": {20, 512, 16, func(_, answer *bufio.Writer) {
		for i := range outputLines {
			_, _ = fmt.Fprintf(answer, "%063d\n", i)
		}
	}},
	"utf8": {10, 512, 1, func(input, answer *bufio.Writer) {
		_, _ = fmt.Fprintln(input, words)
		_, _ = fmt.Fprintln(answer, "ñandú: "+words)
	}},
	"recursion": {10, 512, 1, func(input, answer *bufio.Writer) {
		_, _ = fmt.Fprintln(input, sumLines)
		_, _ = fmt.Fprintln(answer, sumLines)
	}},
	"threads": {10, 512, 1, func(input, answer *bufio.Writer) {
		_, _ = fmt.Fprintln(input, 1_000_000)
		_, _ = fmt.Fprintln(answer, 1_000_000*1_000_001/2) // 1 + 2 + … + n, by four threads
	}},
}

func greet(_, answer *bufio.Writer) { _, _ = fmt.Fprintln(answer, greeting) }

// Problems are the opened packages that trials are judged on.
type Problems struct {
	dir    string
	opened map[string]*problems.Package
}

// OpenProblems writes the packages below a new folder in dir and opens them.
func OpenProblems(dir string) (*Problems, error) {
	root, err := os.MkdirTemp(dir, "judge-trials-")
	if err != nil {
		return nil, fmt.Errorf("make folder for trials: %w", err)
	}
	p := &Problems{dir: root, opened: map[string]*problems.Package{}}
	for name, what := range catalogue {
		folder := filepath.Join(root, name)
		err := what.create(folder, name)
		if err == nil {
			p.opened[name], err = problems.Open(folder, problems.Options{TempDir: root})
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("problem %s of the trials: %w", name, err), p.Close())
		}
	}
	return p, nil
}

// Get is the package called name.
func (p *Problems) Get(name string) *problems.Package { return p.opened[name] }

// Close closes the packages and removes them.
func (p *Problems) Close() error {
	var errs []error
	for _, pack := range p.opened {
		if pack != nil {
			errs = append(errs, pack.Close())
		}
	}
	return errors.Join(append(errs, os.RemoveAll(p.dir))...)
}

// create writes the package's folder.
func (w problem) create(dir, name string) error {
	secret := filepath.Join(dir, "data", "secret")
	if err := os.MkdirAll(secret, 0o700); err != nil {
		return err
	}
	settings := fmt.Sprintf("name: %s\nlicense: public domain\nlimits:\n  memory: %d\n  output: %d\n", name, w.memory, w.output)
	if err := os.WriteFile(filepath.Join(dir, "problem.yaml"), []byte(settings), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, ".timelimit"), fmt.Appendln(nil, w.timeLimit), 0o600); err != nil {
		return err
	}
	input, err := os.Create(filepath.Join(secret, "1.in"))
	if err != nil {
		return err
	}
	answer, err := os.Create(filepath.Join(secret, "1.ans"))
	if err != nil {
		return errors.Join(err, input.Close())
	}
	in, out := bufio.NewWriter(input), bufio.NewWriter(answer)
	w.write(in, out)
	return errors.Join(in.Flush(), out.Flush(), input.Close(), answer.Close())
}
