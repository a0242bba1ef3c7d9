package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"judge/judge"
	"judge/problems"
)

// problemCmd makes packages and takes them to a server.
type problemCmd struct {
	Init   problemInitCmd   `cmd:"" help:"Make the folder of a new problem package, to be written over."`
	Verify problemVerifyCmd `cmd:"" help:"Say what is wrong with packages: lint, validators, the jury's submissions, the time limit, the test data."`
	Import problemImportCmd `cmd:"" help:"Upload packages: each becomes a new version of its problem."`
	List   problemListCmd   `cmd:"" help:"List the problems that the token may see."`
	Export problemExportCmd `cmd:"" help:"Write a package of any format in the format 2025-09."`

	Statement problemStatementCmd `cmd:"" help:"Show a statement as the page that contestants see."`
}

// problemInitCmd makes a package.
type problemInitCmd struct {
	Name string `arg:"" help:"The problem's name: small letters, digits, dot, dash, underscore."`
	Dir  string `default:"." placeholder:"DIR" help:"Where the folder NAME is made (${default})."`
}

// Run writes the skeleton.
func (c *problemInitCmd) Run(a *app) error {
	files, err := problems.Skeleton(c.Name)
	if err != nil {
		return badInput{err}
	}
	dir := filepath.Join(c.Dir, c.Name)
	if err := os.Mkdir(dir, 0o755); errors.Is(err, fs.ErrExist) { //nolint:gosec // a package is for others to read
		return badInput{fmt.Errorf("%s is there already; choose another name or --dir", dir)}
	} else if err != nil {
		return readable(fmt.Errorf("make package: %w", err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("make package: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it
	for _, f := range files {
		err := errors.Join(root.MkdirAll(filepath.Dir(f.Name), 0o755), root.WriteFile(f.Name, f.Data, 0o644))
		if err != nil {
			return fmt.Errorf("make package: %w", err)
		}
	}
	_, err = fmt.Fprintf(a.out, "%s\n  judge run --problem %s        judges the submissions in it here\n  judge problem import %s      takes it to the server\n", dir, dir, dir)
	return err
}

// problemImportCmd uploads packages.
type problemImportCmd struct {
	serverFlags

	Packages []string `arg:"" name:"package" help:"A folder, a zip, or a folder of packages."`
	Name     string   `placeholder:"NAME" help:"The problem's name; else that of the folder or zip. For one package only."`
	Draft    bool     `xor:"publish" help:"Do not publish: submissions go on to be judged on the version before."`
	Now      bool     `xor:"publish" help:"Publish at once, and verify afterwards; with --reason, on record."`
	Wait     bool     `short:"w" help:"Wait until the server has verified, and show what it found."`
	Exceed   bool     `help:"Take limits above the server's ceilings; for admins, and on record."`
	Reason   string   `placeholder:"TEXT" help:"Why, for the audit log."`
	JSON     bool     `help:"One version a line, as JSON."`
}

// Help is shown by judge problem import --help.
func (problemImportCmd) Help() string {
	return `Examples:
  judge problem import testcases/samples/aplusb
  judge problem import --wait testcases/samples/aplusb
  judge problem import --name sum aplusb.zip --reason "new cases"
  judge problem import --now --reason "contest begins" fence

The server verifies what it gets (see judge problem verify --help), and publishes it
when nothing is worse than a warning; until then the version before stays.
A package that is equal to the version that is published makes no new one. Old
judgements keep referring to the version that they were made on.

Exit code 0: all are there; 1: we or the server failed; 2: a package, flag or token is refused; 3: with --wait, a package has errors and is not published.`
}

// Run uploads one package after the other; those after a refused one too.
func (c *problemImportCmd) Run(a *app) error {
	var paths []string
	for _, p := range c.Packages {
		below, err := packagesIn(p)
		if err != nil {
			return badInput{err}
		}
		paths = append(paths, below...)
	}
	if c.Now && c.Reason == "" {
		return badInput{errors.New("--now publishes what was not verified; say why with --reason")}
	}
	if c.Name != "" && len(paths) > 1 {
		return badInput{fmt.Errorf("--name is for one package; there are %d: %s", len(paths), strings.Join(paths, ", "))}
	}
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	worst := exitOK
	for _, path := range paths {
		if err := c.one(a, cl, path); err != nil {
			if a.ctx.Err() != nil {
				return a.ctx.Err()
			}
			var ended exitCode
			if !errors.As(err, &ended) {
				a.say(fmt.Errorf("%s: %w", path, err), c.JSON)
			}
			code := exitFailed
			if isBadInput(err) {
				code = exitInput
			} else if int(ended) == exitFindings {
				code = exitFindings
			}
			if worst != exitFailed {
				worst = code
			}
		}
	}
	if worst != exitOK {
		return exitCode(worst)
	}
	return nil
}

func (c *problemImportCmd) one(a *app, cl *client, path string) error {
	p, err := packageAt(path)
	if err != nil {
		return err
	}
	name := cmp.Or(c.Name, p.name)
	publish := strconv.FormatBool(!c.Draft)
	if c.Now {
		publish = "now"
	}
	query := url.Values{"name": {name}, "publish": {publish}}
	if c.Reason != "" {
		query.Set("reason", c.Reason)
	}
	if c.Exceed {
		query.Set("exceed", "true")
	}
	progress := &uploadBar{bar: newBar(a.err, int(p.size>>10)), what: name + " (KiB)", size: p.size}
	defer progress.end()
	var version versionInfo
	status, err := cl.do(a.ctx, apiCall{
		method: http.MethodPost, path: "problems", query: query, length: p.length,
		// A draft would be made twice; other versions are known by their digests.
		once: c.Draft,
		// Who may not upload is told so before all is sent.
		header: http.Header{"Content-Type": {"application/zip"}, "Expect": {"100-continue"}},
		body:   p.body(progress.moved),
	}, &version)
	progress.end()
	if err != nil {
		return err
	}
	if err := c.tell(a, &version, status == http.StatusCreated); err != nil || !c.Wait {
		return err
	}
	return c.await(a, cl, &version)
}

// uploadBar shows how much of a file is sent, or received. What sends may be another
// goroutine than the one that ends it, and go on for a while after that.
type uploadBar struct {
	mu   sync.Mutex
	bar  *bar // nil: it is over
	what string
	size int64 // bytes; less than 0: not known
	last time.Time
}

func (u *uploadBar) moved(n int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.bar != nil && time.Since(u.last) > 100*time.Millisecond {
		u.last = time.Now()
		if u.size < 0 {
			u.bar.show(u.what, int(n>>10), -1)
			return
		}
		u.bar.show(u.what, int(min(n, u.size)>>10), int(u.size>>10))
	}
}

func (u *uploadBar) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.bar != nil {
		u.bar.clear()
		u.bar = nil
	}
}

func (c *problemImportCmd) tell(a *app, v *versionInfo, fresh bool) error {
	if c.JSON {
		return jsonLines(a.out).Encode(struct {
			*versionInfo

			New bool `json:"new"`
		}{v, fresh})
	}
	for _, f := range v.Findings {
		if f.Severity != string(problems.Info) || a.Verbose {
			line := problems.Finding{Severity: problems.Severity(f.Severity), File: f.File, Line: f.Line, Message: f.Message}
			a.notef("%s: %s\n", v.Problem, judge.SafeText([]byte(line.String()), maxShown))
		}
	}
	what := "there already"
	if fresh {
		what = v.State
	}
	_, err := fmt.Fprintf(a.out, "%-20s version %d, %s\n", judge.SafeText([]byte(v.Problem), maxName), v.Number, what)
	return err
}

// problemListCmd lists problems.
type problemListCmd struct {
	serverFlags

	JSON bool `help:"One problem a line, as JSON."`
}

// Run lists them.
func (c *problemListCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	lines := jsonLines(a.out)
	var rows [][]string
	err = listAll(a.ctx, cl, "problems", func(p problemInfo) error {
		if c.JSON {
			return lines.Encode(p)
		}
		published, state := "-", "enabled"
		if p.Published != nil {
			published = strconv.Itoa(*p.Published)
		}
		if !p.Enabled {
			state = "disabled"
		}
		rows = append(rows, []string{
			judge.SafeText([]byte(p.Name), maxName), published, state,
			time.Time(p.CreatedAt).Local().Format(time.DateTime), judge.SafeText([]byte(p.Title), maxName),
		})
		return nil
	})
	if err != nil || c.JSON {
		return err
	}
	t := table{out: a.out, columns: []column{{title: "problem"}, {title: "version", right: true}, {title: "state"}, {title: "since"}, {title: "title"}}}
	return t.all(rows)
}
