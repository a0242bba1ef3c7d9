package judge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
)

var cpp = judge.Language{
	ID: "cpp", Name: "C++", Extensions: []string{".cpp", ".cc"}, Headers: []string{".h"}, SourceName: "main.cpp",
	Compile: []string{"g++", "-o", "main", "{sources}"}, Run: []string{"/box/p/main"},
}

func TestProblemNewProgram(t *testing.T) {
	file := func(name, data string) judge.File { return judge.File{Name: name, Data: []byte(data)} }
	tests := []struct {
		name    string
		code    int64
		include map[string][]judge.File
		files   []judge.File
		entry   string
		want    []judge.File
		main    string
		source  bool   // the error is the submitter's
		err     string // part of the error
	}{
		{name: "no include files", files: []judge.File{file("a.cc", "1")}, want: []judge.File{file("a.cc", "1")}, main: "a.cc"},
		{
			name: "of the language", include: map[string][]judge.File{"cpp": {file("lib.h", "L")}, "default": {file("x.h", "X")}},
			files: []judge.File{file("a.cc", "1")}, want: []judge.File{file("a.cc", "1"), file("lib.h", "L")}, main: "a.cc",
		},
		{
			name: "default", include: map[string][]judge.File{"java": {file("lib.h", "L")}, "default": {file("x.h", "X")}},
			files: []judge.File{file("a.cc", "1")}, want: []judge.File{file("a.cc", "1"), file("x.h", "X")}, main: "a.cc",
		},
		{
			name: "overwrites", include: map[string][]judge.File{"cpp": {file("lib.h", "L")}},
			files: []judge.File{file("lib.h", "mine"), file("a.cc", "1")}, want: []judge.File{file("lib.h", "L"), file("a.cc", "1")}, main: "a.cc",
		},
		{
			name: "driver is the entry point", include: map[string][]judge.File{"cpp": {file("main.cc", "D")}},
			files: []judge.File{file("a.cc", "1")}, entry: "a.cc", want: []judge.File{file("a.cc", "1"), file("main.cc", "D")}, main: "main.cc",
		},
		{
			name: "header only beside a driver", include: map[string][]judge.File{"cpp": {file("main.cpp", "D")}},
			files: []judge.File{file("a.h", "1")}, want: []judge.File{file("a.h", "1"), file("main.cpp", "D")}, main: "main.cpp",
		},
		{
			name: "a source without a name", include: map[string][]judge.File{"cpp": {file("lib.h", "L")}},
			files: []judge.File{file("", "1")}, want: []judge.File{file("main.cpp", "1"), file("lib.h", "L")}, main: "main.cpp",
		},
		{
			name: "include files count after the limit", code: 3, include: map[string][]judge.File{"cpp": {file("lib.h", "LLLL")}},
			files: []judge.File{file("a.cc", "123")}, want: []judge.File{file("a.cc", "123"), file("lib.h", "LLLL")}, main: "a.cc",
		},
		{name: "all files count", code: 3, files: []judge.File{file("a.cc", "12"), file("b.h", "34")}, source: true, err: "4 bytes of source, at most 3"},
		{name: "the default limit", files: []judge.File{file("a.cc", strings.Repeat("x", int(judge.DefaultCode)+1))}, source: true, err: "at most 131072"},
		{name: "include file with a bad name", include: map[string][]judge.File{"cpp": {file("-o", "L")}}, files: []judge.File{file("a.cc", "1")}, err: "include file of problem p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &judge.Problem{Name: "p", Code: tt.code, Include: tt.include}
			got, err := p.NewProgram(&cpp, tt.files, tt.entry)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || errors.Is(err, judge.ErrSource) != tt.source {
					t.Fatalf("error %v, want one with %q, ErrSource %v", err, tt.err, tt.source)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Files); diff != "" {
				t.Error(diff)
			}
			if got.Entry != tt.main {
				t.Errorf("entry %q, want %q", got.Entry, tt.main)
			}
		})
	}
}
