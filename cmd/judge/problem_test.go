package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/problems"
)

func TestProblemInit(t *testing.T) {
	dir := t.TempDir()
	got := judgeIn(t, "", "", "problem", "init", "my-sum", "--dir", dir)
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.err)
	}
	path := filepath.Join(dir, "my-sum")
	contains(t, "stdout", got.out, "judge problem import "+path)
	p, err := problems.Open(path, problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close() //nolint:errcheck // read only
	if p.Problem.Name != "my-sum" || len(p.Problem.Cases()) == 0 || len(p.Problem.Jury) == 0 {
		t.Errorf("%+v", p.Problem)
	}
	for _, f := range p.Findings {
		if f.Severity != problems.Info {
			t.Error(f)
		}
	}
	for args, want := range map[string]string{
		"my-sum --dir " + dir: "is there already",
		"My":                  "problem name",
		"x --dir /no/where":   "no such file",
	} {
		got := judgeIn(t, "", "", append([]string{"problem", "init"}, strings.Fields(args)...)...)
		if got.code != exitInput {
			t.Errorf("%s: exit code %d", args, got.code)
		}
		contains(t, args, got.err, want)
	}
}

// TestImport takes a folder, its zip and a folder of packages to a server that
// reads them.
func TestImport(t *testing.T) {
	s := newFakeAPI(t)
	dir := t.TempDir()
	for _, name := range []string{"first", "second"} {
		judgeIn(t, "", "", "problem", "init", name, "--dir", dir)
	}
	write(t, filepath.Join(dir, "first/.git/config"), "not for others")
	write(t, filepath.Join(dir, "first/data/secret/.hidden.in"), "nor this")

	got := s.judge("problem", "import", filepath.Join(dir, "first"), "--reason", "why not")
	if got.code != exitOK || s.queries[0] != "name=first&publish=true&reason=why+not" {
		t.Fatalf("exit code %d, queries %q: %s", got.code, s.queries, got.err)
	}
	contains(t, "stdout", got.out, "first                version 1, published\n")
	contains(t, "findings", got.err, `problem.yaml:3`, `odd\x1b[31m`)

	zipped := sentZip(t, filepath.Join(dir, "first"))
	for name := range unzip(t, zipped) {
		if strings.Contains(name, ".git") || strings.Contains(name, "hidden") {
			t.Errorf("%s was sent", name)
		}
	}
	path := filepath.Join(t.TempDir(), "First.zip")
	if err := os.WriteFile(path, zipped, 0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, "a zip of the same", s.judge("problem", "import", path).out, "first                version 1, there already")

	got = s.judge("problem", "import", "--json", "--draft", dir)
	var lines []map[string]any
	for line := range strings.Lines(got.out) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, v)
	}
	if got.code != exitOK || got.err != "" || len(lines) != 2 || lines[0]["new"] != false || lines[1]["new"] != true || lines[1]["problem"] != "second" {
		t.Errorf("exit code %d: %v, %s", got.code, lines, got.err)
	}
	if want := "name=second&publish=false"; s.queries[3] != want {
		t.Errorf("query %q, want %q", s.queries[3], want)
	}
	want, err := problems.Open(filepath.Join(dir, "second"), problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close() //nolint:errcheck // read only
	if digest, err := want.Version(); err != nil || digest != s.versions["second"][0] {
		t.Errorf("the server read %s, the folder is %s, %v", s.versions["second"], digest, err)
	}
}

// sentZip is what is sent of a folder.
func sentZip(t *testing.T, dir string) []byte {
	t.Helper()
	p, err := packageAt(dir)
	if err != nil {
		t.Fatal(err)
	}
	var moved int64
	body, err := p.body(func(n int64) { moved = n })()
	if err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if _, err := io.Copy(&data, body); err != nil {
		t.Fatal(err)
	}
	if err := body.Close(); err != nil || moved != p.size || moved == 0 {
		t.Errorf("%d of %d bytes, %v", moved, p.size, err)
	}
	return data.Bytes()
}

func TestImportFaults(t *testing.T) {
	s := newFakeAPI(t)
	dir := t.TempDir()
	for _, name := range []string{"good", "linked", "empty"} {
		judgeIn(t, "", "", "problem", "init", name, "--dir", dir)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "linked/data/secret/9.in")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sample", "secret"} {
		if err := os.RemoveAll(filepath.Join(dir, "empty/data", name)); err != nil {
			t.Fatal(err)
		}
	}
	got := s.judge("problem", "import", dir)
	if got.code != exitInput || s.called("POST") != 2 {
		t.Errorf("exit code %d, calls %v", got.code, s.calls)
	}
	contains(t, "stderr", got.err, "linked: read package: data/secret/9.in: is a symbolic link", "no test cases")
	contains(t, "stdout", got.out, "good ")

	for args, want := range map[string]string{
		"none": "no such file", "--name x " + dir: "--name is for one package",
	} {
		got := s.judge(append([]string{"problem", "import"}, strings.Fields(args)...)...)
		if got.code != exitInput {
			t.Errorf("%s: exit code %d", args, got.code)
		}
		contains(t, args, got.err, want)
	}
	// The rest is not sent to a server that has refused.
	big := filepath.Join(dir, "good/data/secret/big.in")
	write(t, big, strings.Repeat("0123456789abcdef", 1<<20))
	s.before = func(w http.ResponseWriter, _ *http.Request) bool {
		fail(w, http.StatusForbidden, "not you")
		return true
	}
	got = s.judge("problem", "import", filepath.Join(dir, "good"))
	if got.code != exitInput {
		t.Errorf("exit code %d", got.code)
	}
	contains(t, "stderr", got.err, "not you")
}

func TestProblemList(t *testing.T) {
	s := newFakeAPI(t)
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.RawQuery {
		case "":
			answer(w, http.StatusOK, json.RawMessage(`{"items":[{"name":"a","title":"A\u001b[31m","enabled":true,"published":3,"created_at":"2026-01-02T03:04:05.000Z"}],"next_cursor":"x y"}`))
		case "cursor=x+y":
			answer(w, http.StatusOK, json.RawMessage(`{"items":[{"name":"b","title":"B","enabled":false,"published":null,"created_at":"2026-01-02T03:04:05.000Z"}],"next_cursor":null}`))
		default:
			t.Errorf("query %q", r.URL.RawQuery)
		}
		return true
	}
	got := s.judge("problem", "list")
	contains(t, "stdout", got.out, "problem  version  state", "a              3  enabled", `A\x1b[31m`, "b              -  disabled")
	got = s.judge("problem", "list", "--json")
	want := `{"name":"a","title":"A\u001b[31m","enabled":true,"published":3,"created_at":"2026-01-02T03:04:05.000Z"}
{"name":"b","title":"B","enabled":false,"published":null,"created_at":"2026-01-02T03:04:05.000Z"}
`
	if diff := cmp.Diff(want, got.out); diff != "" || got.code != exitOK {
		t.Errorf("exit code %d\n%s", got.code, diff)
	}
}
