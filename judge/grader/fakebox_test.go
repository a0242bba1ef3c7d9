package grader_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

type box struct {
	slot          *slot
	spec          runner.Spec
	work, program files
	spoiled, gone bool
	wipes         int
}

func (b *box) use(what string) {
	if b.spoiled || b.gone {
		b.slot.t.Errorf("%s on a box that is spoiled (%v) or gone (%v)", what, b.spoiled, b.gone)
	}
}

// check spoils the box on an error.
func (b *box) check(err error) error {
	if err != nil {
		b.spoiled = true
	}
	return err
}

func (b *box) dir(d runner.Dir) files {
	if d == runner.Program {
		return b.program
	}
	return b.work
}

func (b *box) Put(ctx context.Context, dir runner.Dir, list ...runner.File) error {
	b.use("Put")
	for _, f := range list {
		data := f.Data
		switch {
		case f.Mode.IsDir():
			data = nil
		case f.Source != nil:
			var err error
			if data, err = io.ReadAll(io.NewSectionReader(f.Source, 0, 1<<40)); err != nil {
				return b.check(err)
			}
		}
		b.dir(dir)[f.Name] = data
	}
	return b.check(ctx.Err())
}

func (b *box) Unpack(ctx context.Context, dir runner.Dir, file *os.File) error {
	b.use("Unpack")
	if b.slot.unpack != nil {
		if err := b.slot.unpack(); err != nil {
			return b.check(err)
		}
	}
	r := tar.NewReader(file)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return b.check(ctx.Err())
		}
		if err != nil {
			return b.check(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return b.check(err)
		}
		b.dir(dir)[h.Name] = data
	}
}

func (b *box) Pack(ctx context.Context, patterns []string, limit int64, w io.Writer) error {
	b.use("Pack")
	if b.slot.pack != nil {
		if err := b.slot.pack(); err != nil {
			return b.check(err)
		}
	}
	tw := tar.NewWriter(w)
	for name, data := range b.work {
		if !slices.ContainsFunc(patterns, func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
			continue
		}
		if limit -= int64(len(data)); limit < 0 {
			return b.check(runner.ErrTooLarge)
		}
		if err := errors.Join(tw.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(data))})); err != nil {
			return b.check(err)
		}
		if _, err := tw.Write(data); err != nil {
			return b.check(err)
		}
	}
	return b.check(errors.Join(tw.Close(), ctx.Err()))
}

func (b *box) Get(_ context.Context, name string, limit int64) ([]byte, error) {
	b.use("Get")
	data, ok := b.work[name]
	if !ok {
		return nil, fmt.Errorf("get %s: %w", name, fs.ErrNotExist)
	}
	if int64(len(data)) > limit {
		return nil, runner.ErrTooLarge // spoils no box
	}
	return data, nil
}

func (b *box) Run(ctx context.Context, cmd *runner.Command) (runner.Result, error) {
	b.use("Run")
	c := &call{ctx: ctx, cmd: cmd, box: b}
	if cmd.Stdin != nil {
		info, err := cmd.Stdin.Stat()
		if err != nil || info.Mode().Perm() != 0o444 {
			b.slot.t.Errorf("stdin of mode %v, error %v", info.Mode(), err)
		}
		data, err := io.ReadAll(cmd.Stdin)
		if err != nil {
			return runner.Result{}, b.check(err)
		}
		c.input = string(data)
	}
	b.slot.mu.Lock()
	b.slot.calls = append(b.slot.calls, c)
	b.slot.mu.Unlock()
	if cmd.Limits.Wall == 0 || cmd.Limits.Processes == 0 {
		b.slot.t.Errorf("limits %+v lack what is required", cmd.Limits)
	}
	f := map[runner.Class]func(*call) (runner.Result, error){
		runner.Compile: b.slot.compile, runner.Run: b.slot.run, runner.Jury: b.slot.jury,
	}[b.spec.Class]
	res, err := f(c)
	if err == nil {
		err = ctx.Err()
	}
	if !cmd.Keep {
		clear(b.work)
	}
	return res, b.check(err)
}

func (b *box) Clear(context.Context) error {
	b.use("Clear")
	clear(b.work)
	return nil
}

func (b *box) Wipe(context.Context) error {
	b.use("Wipe")
	clear(b.work)
	clear(b.program)
	b.wipes++
	return nil
}

func (b *box) Release() {
	b.use("Release")
	b.leave()
}

func (b *box) Discard() {
	if b.gone {
		b.slot.t.Error("Discard of a box that is gone")
	}
	b.leave()
}

func (b *box) leave() {
	b.gone = true
	b.slot.mu.Lock()
	defer b.slot.mu.Unlock()
	b.slot.open--
	b.slot.boxes--
}

func ok() runner.Result { return runner.Result{Wall: 2e6, CPU: 1e6, Memory: 1 << 20} }

func exit(code int) runner.Result {
	r := ok()
	r.ExitCode = code
	return r
}

// data opens blobs whose Ref is what they hold.
type data struct{ dir string }

var errNoData = errors.New("no such blob")

func (d data) Open(b judge.Blob) (*os.File, error) {
	if b.Ref == "missing" {
		return nil, errNoData
	}
	f, err := os.CreateTemp(d.dir, "")
	if err != nil {
		return nil, err
	}
	_, err = f.WriteString(b.Ref)
	if err := errors.Join(err, f.Chmod(0o444), f.Close()); err != nil {
		return nil, err
	}
	return os.Open(f.Name())
}

// lang is compiled, script is not.
var (
	lang = judge.Language{
		ID: "x", Name: "X", Extensions: []string{".x"}, SourceName: "main.x",
		Compile: []string{"/usr/bin/xc", "-o", "main", "{sources}"}, Keep: []string{"main"},
		Run: []string{runner.ProgramPath + "/main"}, Env: []string{"LANG=C"}, Warmup: [][]string{{"/bin/true"}}, Hash: "h1",
		OutOfMemory: judge.OutOfMemory{Stderr: "bad_alloc", ExitCodes: []int{77}},
	}
	script = judge.Language{
		ID: "s", Name: "S", Extensions: []string{".s"}, SourceName: "main.s",
		Run: []string{"/usr/bin/s", "-m{memory_mib}", runner.ProgramPath + "/{entry}"}, MemoryAllowance: 10 << 20, TimeFactor: 2,
	}
)

func image(_ context.Context, l *judge.Language) (grader.Image, error) {
	return grader.Image{Ref: "judge/" + l.ID, ID: "sha256:" + l.ID, Version: l.Name + " 1.0"}, nil
}

func juryLanguage(list []judge.File) (*judge.Language, error) {
	for _, l := range []*judge.Language{&lang, &script} {
		if slices.ContainsFunc(list, func(f judge.File) bool { return path.Ext(f.Name) == l.Extensions[0] }) {
			return l, nil
		}
	}
	return nil, fmt.Errorf("%w: unknown extension", judge.ErrSource)
}

func newGrader(s *sandbox, change ...func(*grader.Config)) *grader.Grader {
	c := grader.Config{Sandbox: s, Image: image, JuryLanguage: juryLanguage, TempDir: s.t.TempDir()}
	for _, f := range change {
		f(&c)
	}
	return grader.New(c)
}

// problem has one case for each name; input and answer are the name.
func problem(names ...string) *judge.Problem {
	p := &judge.Problem{Name: "echo", Version: "v1"}
	for _, n := range names {
		g := &p.Root
		dirs := strings.Split(n, "/")
		for i := range dirs[:len(dirs)-1] {
			name := path.Join(dirs[:i+1]...)
			k := slices.IndexFunc(g.Groups, func(s judge.TestGroup) bool { return s.Name == name })
			if k < 0 {
				g.Groups = append(g.Groups, judge.TestGroup{Name: name})
				k = len(g.Groups) - 1
			}
			g = &g.Groups[k]
		}
		g.Cases = append(g.Cases, judge.TestCase{Name: n, Input: judge.Blob{Ref: n}, Answer: judge.Blob{Ref: n}})
	}
	return p
}

func request(tb testing.TB, p *judge.Problem, l *judge.Language) grader.Request {
	tb.Helper()
	return grader.Request{
		ID: "s1", Problem: p, Data: data{tb.TempDir()}, Language: l,
		Files: []judge.File{{Name: l.SourceName, Data: []byte("source")}},
	}
}

func mustJudge(t *testing.T, g *grader.Grader, req grader.Request) judge.Judgement {
	t.Helper()
	j, err := g.Judge(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// verdicts is a judgement in short.
func verdicts(j judge.Judgement) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s:", j.Verdict)
	for _, r := range j.Runs {
		fmt.Fprintf(&b, " %s=%s", r.Case, r.Verdict)
	}
	return b.String()
}

func cacheIn(tb testing.TB) (*grader.Cache, string) {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "cache")
	c, err := grader.NewCache(dir)
	if err != nil {
		tb.Fatal(err)
	}
	return c, dir
}

func otherImage(ctx context.Context, l *judge.Language) (grader.Image, error) {
	i, err := image(ctx, l)
	i.ID += "-rebuilt"
	return i, err
}
