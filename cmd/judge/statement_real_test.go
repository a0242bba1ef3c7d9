//go:build docker

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A statement in TeX becomes a page, by pandoc in a box.
func TestStatementTex(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"problem.yaml":      "name: Tex\n",
		"data/secret/1.in":  "1\n",
		"data/secret/1.ans": "1\n",
		"data/sample/1.in":  "<b>\n",
		"data/sample/1.ans": "2\n",
		"problem_statement/problem.en.tex": `\problemname{Tex}
Let $a_i \le 10^9$. \label{here}
\begin{Input}One integer.\end{Input}
\begin{tikzpicture}\draw (0,0) -- (1,1);\end{tikzpicture}
\includegraphics{fig} \input{/etc/passwd}
\href{javascript:alert(1)}{x}
`,
		"problem_statement/fig.png": "\x89PNG\r\n\x1a\n0123",
	} {
		path := filepath.Join(dir, "tex", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := runToEnd(t, built(t), "problem", "statement", "--cache-dir", filepath.Join(t.TempDir(), "cache"), filepath.Join(dir, "tex"))
	if got.code != 0 {
		t.Fatalf("%+v", got)
	}
	out := got.out
	for _, want := range []string{
		"<h1>Tex</h1>", "<msub><mi>a</mi><mi>i</mi></msub>", "<h2>Input</h2>", `\draw (0,0)`, `src="data:image/png;base64,`, "&lt;b&gt;",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, no := range []string{"root:", "javascript:", "label"} {
		if strings.Contains(out, no) {
			t.Errorf("%q is in it", no)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}
