package grader_test

import (
	"strings"
	"testing"

	"judge/judge/grader"
)

func TestContestantText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"own names", "main.c:3:5: error: x\n    3 |     x\n      |     ^\n", "main.c:3:5: error: x\n    3 |     x\n      |     ^\n"},
		{"box's folder", "/box/w/main.js:2\nfile:///box/w/main.ts(1,2)", "main.js:2\nmain.ts(1,2)"},
		{
			"includes of a library",
			"In file included from /usr/include/c++/14/algorithm:60,\n                 from main.cpp:1:\n/usr/include/c++/14/bits/stl_algo.h:12:3: error: no match\n   12 |   a < b\n      |   ^\nmain.cpp:9:2:   required from here\n    9 |  sort(x)\n",
			"In file included from main.cpp:1:\nstl_algo.h:12:3: error: no match\nmain.cpp:9:2:   required from here\n    9 |  sort(x)\n",
		},
		{"a header of one's own", "In file included from a.h:2,\n                 from main.c:1:\n", "In file included from a.h:2,\n                 from main.c:1:\n"},
		{"notes of a library", "/usr/include/stdio.h:5:1: note: declared here\n    5 | int x;\n      | ^\nmain.c:1: y", "main.c:1: y"},
		{"linker", "/usr/bin/ld: /tmp/ccAbC.o: in function `main':", "ld: ccAbC.o: in function `main':"},
		{"own text", "    4 | fopen(\"/usr/x\")", "    4 | fopen(\"/usr/x\")"},
		{"no path", "a /usr b/usr/c ./usr/d 1/usr/2", "a /usr b/usr/c ./usr/d 1/usr/2"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := grader.ContestantText(tt.text); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func FuzzContestantText(f *testing.F) {
	f.Add("In file included from /usr/a:1,\n   from main.c:1:\n/usr/a:1:1: error: x\n 1 | y")
	f.Fuzz(func(t *testing.T, text string) {
		got := grader.ContestantText(text)
		if strings.Contains(got, "/box/w/main") && !strings.Contains(text, "/box") {
			t.Errorf("a path appears: %q", got)
		}
		if len(got) > len(text)+len("In file included ")*(1+strings.Count(text, "\n")) {
			t.Errorf("%d bytes of %d", len(got), len(text))
		}
	})
}
