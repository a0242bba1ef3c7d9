package grader

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"

	"judge/judge"
	"judge/runner"
)

// kind keeps what submissions compile to apart from what the jury's programs
// compile to.
type kind string

const (
	submission kind = "submission"
	jury       kind = "jury"
)

// executable is a program and what compiling it left.
type executable struct {
	kind    kind
	name    string // for messages
	program string // a jury program's name in its package
	prog    *judge.Program
	image   Image
	key     string
	limits  judge.Limits // of compiling
	tenant  string       // of its boxes

	compilation *judge.Compilation // nil: nothing was compiled
	tar         *os.File           // what the run boxes unpack; nil: they get the sources
}

func (j *judging) newExecutable(ctx context.Context, k kind, name string, prog *judge.Program) (*executable, error) {
	image, err := j.Image(ctx, prog.Language)
	if err != nil {
		return nil, fmt.Errorf("find image of language %s: %w", prog.Language.ID, err)
	}
	e := &executable{
		kind: k, name: name, prog: prog, image: image, key: cacheKey(k, prog, image),
		limits: compileLimits(prog.Language, j.req.Problem),
	}
	e.tenant = j.req.ID
	if k == jury && j.Isolation != runner.PerSubmission {
		version := j.req.Problem.Version
		if version == "" {
			version = e.key
		}
		e.tenant = j.req.Problem.Name + "@" + version
	}
	return e, nil
}

// compileLimits are the wider ones of what the language and the problem ask
// for: a slow compiler needs its time whatever the package says, and a package
// may ask for more.
func compileLimits(lang *judge.Language, p *judge.Problem) judge.Limits {
	a, b := lang.CompileLimits, p.Compilation
	l := judge.Limits{
		CPU: max(a.CPU, b.CPU), Wall: max(a.Wall, b.Wall), Memory: max(a.Memory, b.Memory),
		Output: max(a.Output, b.Output), Processes: max(a.Processes, b.Processes),
	}
	if l.CPU == 0 {
		l.CPU = judge.DefaultCompile
	}
	if l.Wall != 0 {
		l.Wall = max(l.Wall, l.CPU)
	}
	return l.WithDefaults()
}

// cacheKey names what compiling depends on, and nothing else.
func cacheKey(k kind, p *judge.Program, image Image) string {
	h := sha256.New()
	field := func(b string) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:]) // so that no two lists of fields run together
		h.Write([]byte(b))
	}
	list := func(l []string) {
		field(fmt.Sprint(len(l)))
		for _, s := range l {
			field(s)
		}
	}
	list([]string{string(k), p.Language.ID, p.Language.Hash, image.ID, p.Entry})
	list(p.Compile)
	list(p.Language.Env)
	list(p.Language.Keep)
	files := slices.SortedFunc(slices.Values(p.Files), func(a, b judge.File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range files {
		field(f.Name)
		field(string(f.Data))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// spec is the box that the program is run in, or compiled in.
func (e *executable) spec(class runner.Class, isolation runner.Isolation) runner.Spec {
	s := BoxSpec(e.prog.Language, e.image, class, isolation)
	s.Tenant = e.tenant
	return s
}

// BoxSpec is the box in which a judgement compiles or runs programs of a
// language, but for its tenant: for who has a sandbox make boxes ahead of need.
func BoxSpec(lang *judge.Language, image Image, class runner.Class, isolation runner.Isolation) runner.Spec {
	s := runner.Spec{Image: image.Ref, Class: class, Isolation: isolation}
	if class != runner.Compile {
		s.Warmup, s.Env = lang.Warmup, lang.Env
	}
	return s
}

// load puts the program into a box.
func (e *executable) load(ctx context.Context, box runner.Box) error {
	if e.tar == nil {
		return box.Put(ctx, runner.Program, e.files()...)
	}
	tar, err := reopen(e.tar)
	if err != nil {
		return fmt.Errorf("open executable: %w", err)
	}
	defer drop(tar)
	return box.Unpack(ctx, runner.Program, tar)
}

func (e *executable) close() {
	if e.tar != nil {
		drop(e.tar)
	}
}

// files are the sources as boxes get them. Scripts may call each other.
func (e *executable) files() []runner.File {
	mode := os.FileMode(0o644)
	if e.prog.Language.ID == scriptsID {
		mode = 0o755
	}
	out := make([]runner.File, len(e.prog.Files))
	for i, f := range e.prog.Files {
		out[i] = runner.File{Name: f.Name, Mode: mode, Data: f.Data}
	}
	return out
}
