package language_test

import (
	"errors"
	"strings"
	"testing"

	"judge/images"
	"judge/judge"
	"judge/judge/language"
)

func load(t *testing.T) *language.Set {
	t.Helper()
	set, err := language.Load(images.FS)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func files(names ...string) []judge.File {
	var fs []judge.File
	for _, n := range names {
		fs = append(fs, judge.File{Name: n})
	}
	return fs
}

func TestDetect(t *testing.T) {
	t.Parallel()
	set := load(t)
	for _, tt := range []struct {
		name   string
		files  []judge.File
		prefer map[string]string
		id     string
		want   string
		err    []string // parts of the message
	}{
		{name: "python by default", files: files("a.py"), want: "python3"},
		{name: "preferred", files: files("a.py", "b.py"), prefer: map[string]string{"py": "pypy3"}, want: "pypy3"},
		{name: "preferred with a dot", files: files("a.py"), prefer: map[string]string{".py": "pypy3"}, want: "pypy3"},
		{name: "explicit", files: files("a.py"), id: "pypy3", want: "pypy3"},
		{name: "explicit before preferred", files: files("a.py"), prefer: map[string]string{"py": "pypy3"}, id: "python3", want: "python3"},
		{name: "explicit without a name", files: files(""), id: "c", want: "c"},
		{name: "header with C", files: files("x.h", "lib/a.c"), want: "c"},
		{name: "header with C++", files: files("x.h", "y.hpp", "a.cc"), want: "cpp"},
		{name: "case counts", files: files("a.C"), want: "cpp"},
		{name: "C++ header with C", files: files("a.c", "x.hpp"), err: []string{`"x.hpp" is no header of C`}},
		{name: "header alone", files: files("x.h"), err: []string{`"x.h" is a header`}},
		{name: "unknown", files: files("a.py", "b.bf"), err: []string{`"b.bf"`, `".bf"`, ".C ", " .py "}},
		{name: "no extension", files: files("Makefile"), err: []string{`"Makefile"`, "known are"}},
		{name: "mixed", files: files("a.c", "b.cpp"), err: []string{`"a.c" is C, but "b.cpp" is C++`, "name the language"}},
		{name: "no name", files: files(""), err: []string{"needs its language named"}},
		{name: "no files", err: []string{"no files"}},
		{name: "unknown id", files: files("a.c"), id: "basic", err: []string{`no language "basic"; there are `, " cpp, "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := set.Detect(tt.files, tt.prefer, tt.id)
			if tt.err == nil {
				if err != nil || got.ID != tt.want {
					t.Fatalf("Detect = %v, %v, want %s", got, err, tt.want)
				}
				return
			}
			if !errors.Is(err, judge.ErrSource) {
				t.Fatalf("error = %v, want judge.ErrSource", err)
			}
			for _, part := range tt.err {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
		})
	}
}

// A wrong setting is not the submitter's fault.
func TestDetectRefusesPreference(t *testing.T) {
	t.Parallel()
	set := load(t)
	for ext, tt := range map[string]struct{ id, want string }{
		"py": {"klingon", `prefer py=klingon: there is no language "klingon"`},
		"rb": {"c", "prefer rb=c: C has the extensions .c"},
	} {
		_, err := set.Detect(files("a.py"), map[string]string{ext: tt.id}, "")
		if err == nil || errors.Is(err, judge.ErrSource) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error = %v, want %q and not judge.ErrSource", err, tt.want)
		}
	}
}

func TestAllIsOrderedCopy(t *testing.T) {
	t.Parallel()
	set := load(t)
	all := set.All()
	for i := 1; i < len(all); i++ {
		if all[i-1].ID >= all[i].ID {
			t.Errorf("%s before %s", all[i-1].ID, all[i].ID)
		}
	}
	all[0] = nil
	if set.All()[0] == nil {
		t.Error("All gives away the set's own slice")
	}
}

// How Java's files are named and which class is run.
func TestJavaNames(t *testing.T) {
	t.Parallel()
	java, _ := load(t).Get("java")
	const mainMethod = "public static void main(String[] args) {}"
	for _, tt := range []struct{ name, file, source, wantFile, wantMain string }{
		{"public class", "sol.java", "public class Foo { " + mainMethod + " }", "Foo.java", "Foo"},
		{"no name", "", "public final class Foo { " + mainMethod + " }", "Foo.java", "Foo"},
		{"imports on its line", "a.java", "import java.util.*; public class Foo {}", "Foo.java", "Foo"},
		{"indented", "a.java", "// a public class Bar\n/* public class Baz */ import x.Y;\n  @Deprecated(since=\"1\")\n  public class Foo { public class In {} }", "Foo.java", "Foo"},
		{"public one later", "a.java", "class Bar { public class In {} }\npublic class Foo { " + mainMethod + " }", "Foo.java", "Foo"},
		{"in a comment", "a.java", "/*\n * public class Bar\n */\npublic class Foo {}", "Foo.java", "Foo"},
		{"public record", "a.java", "public record P(int x) { " + mainMethod + " }", "P.java", "P"},
		{"not public", "", "import java.util.*;\nclass Bar {}\nclass Foo {\n  static class In {}\n  " + mainMethod + "\n}\nclass Last {}", "Foo.java", "Foo"},
		{"no main", "a.java", "class Bar {}", "a.java", "a"},
		{"package", "", "package a.b .c;\nimport java.util.*;\npublic class Foo { " + mainMethod + " }", "Foo.java", "a.b.c.Foo"},
		{"package and folder", "a/Foo.java", "package a;\npublic class Foo { " + mainMethod + " }", "a/Foo.java", "a.Foo"},
		{"folder alone", "src/Foo.java", "public class Foo { " + mainMethod + " }", "src/Foo.java", "Foo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := judge.NewProgram(java, []judge.File{{Name: tt.file, Data: []byte(tt.source)}}, "")
			if err != nil {
				t.Fatal(err)
			}
			args := p.RunArgs(256 << 20)
			if got := args[len(args)-1]; p.Files[0].Name != tt.wantFile || got != tt.wantMain {
				t.Errorf("file %s, main %s; want %s, %s", p.Files[0].Name, got, tt.wantFile, tt.wantMain)
			}
		})
	}
}

func TestJavaEntryIsTheFileWithMain(t *testing.T) {
	t.Parallel()
	java, _ := load(t).Get("java")
	p, err := judge.NewProgram(java, []judge.File{
		{Name: "A.java", Data: []byte("public class A { static void main() {} }")},
		{Name: "B.java", Data: []byte("public class B { public static void main(String... args) {} }")},
		{Name: "C.java", Data: []byte("public class C { }")},
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	if p.Entry != "B.java" {
		t.Errorf("entry = %s, want B.java", p.Entry)
	}
}

// FuzzLoad: whatever is in a language.yaml, Load returns languages that can be
// used or an error that names the file.
func FuzzLoad(f *testing.F) {
	f.Add(plain)
	for _, s := range []string{"", "---", "a: &a [*a]", "<<: {id: x}", "? [a]\n: b", "id: !!binary x", "run: {argv: [\"\\0\"]}", "\t", "%YAML 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := language.Load(folder(map[string]string{"plain": text}))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "plain/language.yaml:") {
				t.Errorf("error does not name the file: %v", err)
			}
			return
		}
		l, ok := set.Get("plain")
		if !ok || l.Name == "" || len(l.Version) == 0 || len(l.Run) == 0 || len(l.Extensions) == 0 {
			t.Fatalf("accepted without what is required: %+v", l)
		}
		p, err := judge.NewProgram(l, []judge.File{{Data: []byte("x")}}, "")
		if err != nil {
			t.Fatalf("its own source name is refused: %v", err)
		}
		if len(p.RunArgs(1<<20)) != len(l.Run) || (l.CompileLimits.CPU <= 0 && len(l.Compile) > 0) {
			t.Errorf("accepted, not usable: %+v", l)
		}
	})
}
