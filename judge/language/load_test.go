package language_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/images"
	"judge/judge"
	"judge/judge/language"
)

var update = flag.Bool("update", false, "write the golden files anew")

const integrity = "sha512-EYdf2cNg7rgCWJnxCdJ+F3V39O8ihb37eHAu1LK8oAFizgTQbPOK7zHHXbPt8rX24COqODXeI3sIf0fCXG7H/A=="

const plain = `id: plain
name: Plain
version: [/usr/bin/plain, --version]
extensions: [.pl1, .pl2]
headers: [.ph]
source_name: main.pl1
name_pattern: 'class (\w+)'
package_pattern: 'package (\w+)'
entry_pattern: 'begin'
env: {PATH: /usr/bin, LANG: C.UTF-8}
compile:
  argv: [/usr/bin/plain, -o, main, "-m{memory_mib}", "{sources}"]
  keep: [main, "*.o"]
  defines: [-DX]
  limits: {cpu_s: 2.5, wall_s: 9, memory_mib: 64, output_mib: 1, processes: 3}
run:
  argv: [/box/p/main, "{main}"]
  memory_allowance_mib: 7
  time_factor: 1.5
  time_extra_s: 0.25
  processes: 5
out_of_memory: {stderr: 'no memory', exit_codes: [3, 4]}
warmup:
  - [/usr/bin/plain, -c, "x"]
aliases: [pl]
judge0: [43]
piston: [plain]
editor: plain
example: plain/trials/hello.pl1
main_pattern: 'main (\w+)'
main_suffix: X
entry_names: [first.pl1]
npm:
  - {package: "@a/b", version: 1.2.3, integrity: ` + integrity + `}
trials:
  want: {recursion: RE}
  without: {threads: there are none}
`

func folder(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for id, text := range files {
		m[id+"/language.yaml"] = &fstest.MapFile{Data: []byte(text)}
		m[id+"/trials/hello.pl1"] = &fstest.MapFile{Data: []byte("begin")}
		m[id+"/Dockerfile"] = &fstest.MapFile{Data: []byte("FROM debian:trixie-slim\n")}
	}
	return m
}

func TestLoadReadsEveryField(t *testing.T) {
	t.Parallel()
	set, err := language.Load(folder(map[string]string{"plain": plain, "_base": "not: read"}))
	if err != nil {
		t.Fatal(err)
	}
	got, ok := set.Get("plain")
	if !ok {
		t.Fatal("plain is not in the set")
	}
	if len(got.Hash) != 64 {
		t.Errorf("Hash = %q, want 64 hex digits", got.Hash)
	}
	want := &judge.Language{
		ID: "plain", Image: "plain", Name: "Plain", Aliases: []string{"pl"}, Judge0: []int{43}, Piston: []string{"plain"},
		Editor: "plain", Example: "begin", MainPattern: `main (\w+)`, MainSuffix: "X", EntryNames: []string{"first.pl1"},
		Defines: []string{"-DX"}, Packages: []judge.Package{{Name: "@a/b", Version: "1.2.3", Integrity: integrity}},
		Extensions: []string{".pl1", ".pl2"}, Headers: []string{".ph"},
		SourceName: "main.pl1", NamePattern: `class (\w+)`, PackagePattern: `package (\w+)`, EntryPattern: "begin",
		Version: []string{"/usr/bin/plain", "--version"},
		Compile: []string{"/usr/bin/plain", "-o", "main", "-m{memory_mib}", "{sources}"},
		Keep:    []string{"main", "*.o"},
		Run:     []string{"/box/p/main", "{main}"},
		Env:     []string{"PATH=/usr/bin", "LANG=C.UTF-8"},
		Warmup:  [][]string{{"/usr/bin/plain", "-c", "x"}},
		CompileLimits: judge.Limits{
			CPU: 2500 * time.Millisecond, Wall: 9 * time.Second, Memory: 64 << 20, Output: 1 << 20, Processes: 3,
		},
		MemoryAllowance: 7 << 20, TimeFactor: 1.5, TimeExtra: 250 * time.Millisecond, Processes: 5,
		OutOfMemory: judge.OutOfMemory{Stderr: "no memory", ExitCodes: []int{3, 4}},
		Hash:        got.Hash,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("language (-want +got):\n%s", diff)
	}
}

// What is wrong with a file, found by replacing a line of plain; the golden file
// holds the messages.
func TestLoadErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, old, repl string }{
		{"unknown_key", "name: Plain", "name: Plain\ntitle: x"},
		{"twice", "name: Plain", "name: Plain\nname: Other"},
		{"missing", "name: Plain\n", ""},
		{"wrong_folder", "id: plain", "id: other"},
		{"bad_id", "id: plain", "id: Plain!"},
		{"argv_text", "argv: [/box/p/main, \"{main}\"]", "argv: /box/p/main x"},
		{"argv_shell", "argv: [/box/p/main, \"{main}\"]", "argv: [/bin/sh, -c, '/box/p/main']"},
		{"argv_relative", "argv: [/box/p/main, \"{main}\"]", "argv: [main]"},
		{"argv_number", "argv: [/box/p/main, \"{main}\"]", "argv: [/box/p/main, 1]"},
		{"argv_empty", "argv: [/box/p/main, \"{main}\"]", "argv: []"},
		{"placeholder", "argv: [/box/p/main, \"{main}\"]", "argv: [/box/p/main, '{file}']"},
		{"placeholder_nowhere", "[/usr/bin/plain, -c, \"x\"]", "[/usr/bin/plain, '{entry}']"},
		{"sources_inside", "\"{sources}\"", "'-x{sources}'"},
		{"bad_regexp", "'begin'", "'be(gin'"},
		{"no_group", "'class (\\w+)'", "'class'"},
		{"bad_extension", "[.pl1, .pl2]", "[pl1, .pl2, .pl2]"},
		{"source_name_extension", "source_name: main.pl1", "source_name: main.txt"},
		{"source_name_path", "source_name: main.pl1", "source_name: ../main.pl1"},
		{"header_is_source", "[.ph]", "[.pl1]"},
		{"bad_glob", "\"*.o\"", "'[a'"},
		{"zero", "cpu_s: 2.5", "cpu_s: 0"},
		{"not_a_number", "memory_mib: 64", "memory_mib: much"},
		{"fraction", "processes: 5", "processes: 1.5"},
		{"factor", "time_factor: 1.5", "time_factor: 0.5"},
		{"env", "{PATH: /usr/bin, LANG: C.UTF-8}", "{PATH: 1, 2x: y, A: b, A: c}"},
		{"env_list", "{PATH: /usr/bin, LANG: C.UTF-8}", "[PATH=/usr/bin]"},
		{"exit_codes", "[3, 4]", "[0, x]"},
		{"oom_empty", "{stderr: 'no memory', exit_codes: [3, 4]}", "{}"},
		{"warmup", "  - [/usr/bin/plain, -c, \"x\"]", "  - plain"},
		{"alias", "name: Plain", "name: &n Plain\ndefault: *n"},
		{"syntax", "name: Plain", "name: [Plain"},
		{"two_documents", "  - [/usr/bin/plain, -c, \"x\"]", "  - [/usr/bin/plain]\n---\nid: x"},
		{"scalar", plain, "hello"},
		{"empty", plain, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if strings.Count(plain, tt.old) != 1 {
				t.Fatalf("%q must be in the file once", tt.old)
			}
			_, err := language.Load(folder(map[string]string{"plain": strings.Replace(plain, tt.old, tt.repl, 1)}))
			if err == nil {
				t.Fatal("Load accepts it")
			}
			golden(t, filepath.Join("testdata", tt.name+".golden"), err.Error()+"\n")
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestLoadTellsAllAtOnce(t *testing.T) {
	t.Parallel()
	first := strings.Replace(plain, "name: Plain", "title: Plain", 1)
	second := strings.Replace(plain, "id: plain", "id: second", 1)
	third := strings.Replace(plain, "id: plain", "id: third", 1)
	m := folder(map[string]string{"first": first, "second": second, "third": third})
	delete(m, "second/Dockerfile")
	m["fourth/Dockerfile"] = &fstest.MapFile{}
	_, err := language.Load(m)
	for _, want := range []string{
		`first/language.yaml:2: unknown key "title"`,
		"first/language.yaml:1: name is missing",
		`first/language.yaml:1: id is "plain", but the folder is "first"`,
		"second: no Dockerfile",
		"read language fourth",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error does not say %q:\n%v", want, err)
		}
	}
}

func TestExtensionHasOneDefault(t *testing.T) {
	t.Parallel()
	other := strings.Replace(strings.Replace(plain, "id: plain", "id: zother", 1), "aliases: [pl]\n", "", 1)
	_, err := language.Load(folder(map[string]string{"plain": plain, "zother": other}))
	if want := "zother/language.yaml:4: extension .pl1 belongs to plain already"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %q", err, want)
	}
	set, err := language.Load(folder(map[string]string{"plain": plain, "zother": other + "default: false\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if l := set.Default(".pl1"); l == nil || l.ID != "plain" {
		t.Errorf("Default(.pl1) = %v, want plain", l)
	}
}

func TestLoadWithoutLanguages(t *testing.T) {
	t.Parallel()
	if _, err := language.Load(fstest.MapFS{}); err == nil {
		t.Error("an empty folder is accepted")
	}
	if _, err := language.Load(brokenFS{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error = %v, want fs.ErrPermission", err)
	}
}

type brokenFS struct{}

func (brokenFS) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

// The languages that come with the judge.
func TestImages(t *testing.T) {
	t.Parallel()
	set, err := language.Load(images.FS)
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := fs.Glob(images.FS, "*/language.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Images()) != len(dirs) {
		t.Errorf("images of %d folders, want %d", len(set.Images()), len(dirs))
	}
	for _, id := range []string{"c", "cpp", "go", "java", "javascript", "pypy3", "python3"} {
		if _, ok := set.Get(id); !ok {
			t.Errorf("no language %s", id)
		}
	}
	// Only two bases, never two suites in one image.
	from := regexp.MustCompile(`^FROM (debian:(?:trixie|bookworm)-slim)(?: AS \w+)?\n`)
	for _, l := range set.All() {
		data, err := fs.ReadFile(images.FS, l.Image+"/Dockerfile")
		if err != nil {
			t.Fatal(err)
		}
		if m := from.FindSubmatch(data); l.Untried == "" && (m == nil || bytes.Count(data, []byte("FROM ")) != bytes.Count(data, append([]byte("FROM "), m[1]...))) {
			t.Errorf("%s/Dockerfile is not all FROM debian:trixie-slim, or all bookworm-slim", l.Image)
		}
	}
}

func ExampleLoad() {
	set, err := language.Load(images.FS)
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := set.Detect([]judge.File{{Name: "a.py"}}, map[string]string{"py": "pypy3"}, "")
	fmt.Println(l.ID, err)
	// Output: pypy3 <nil>
}
