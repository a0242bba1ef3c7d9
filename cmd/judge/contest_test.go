//go:build postgres

package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"judge/api"
	"judge/judge"
)

// TestContestCommands runs a contest from its files to its end by the command line,
// against an API and a database.
func TestContestCommands(t *testing.T) {
	s := newHTTPSite(t)
	base, _ := s.serve()
	_, secret := s.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	skeleton := s.call(secret, http.MethodGet, base+"/problem-skeleton?name=sum", "", nil, 200, nil)
	s.call(secret, http.MethodPost, base+"/problems?name=sum&publish=now&reason=new", zipType, bytes.NewReader(skeleton), 201, nil)
	s.call(secret, http.MethodPost, base+"/problems?name=other&publish=now&reason=new", zipType, bytes.NewReader(skeleton), 201, nil)
	t.Setenv("JUDGE_URL", strings.TrimSuffix(base, apiPath))
	t.Setenv("JUDGE_TOKEN", secret)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// must runs a command whose output holds all of these words.
	must := func(words string, args ...string) string {
		t.Helper()
		got := judgeIn(t, "", "", args...)
		if got.code != 0 {
			t.Fatalf("judge %v: exit code %d: %s", args, got.code, got.err)
		}
		for word := range strings.FieldsSeq(words) {
			if !strings.Contains(got.out, word) {
				t.Errorf("judge %v: no %q in\n%s", args, word, got.out)
			}
		}
		return got.out
	}
	refused := func(words string, args ...string) {
		t.Helper()
		if got := judgeIn(t, "", "", args...); got.code != exitInput || !strings.Contains(got.err, words) {
			t.Errorf("judge %v: exit code %d, %s, want 2 and %q", args, got.code, got.err, words)
		}
	}
	contest := file("contest.yaml", "name: Spring Contest\nshort-name: spring\nduration: 5:00:00\nscoreboard-freeze-duration: 1:00:00\npenalty-time: 20\n")
	problems := file("problemset.yaml", "problems:\n- {letter: A, short-name: sum, color: red, rgb: '#FF0000'}\n- {letter: B, short-name: other}\n")
	must("spring Spring before 5:00:00 1:00:00 20 WA sum red #ff0000 B", "contest", "create", "--from", contest, "--from", problems, "--max-submissions", "2", "--language", "python3")
	refused("spring already", "contest", "create", "--from", contest, "--from", problems)
	refused("no problem \"none\"", "contest", "create", "x", "-p", "none")
	refused("freeze_s", "contest", "create", "x", "--duration", "1h", "--freeze", "2h")
	must("red Red hidden", "contest", "team", "spring", "red", "--name", "Red", "--hidden", "--country", "DEU")
	must("red Red 0:30:00", "contest", "team", "spring", "red", "--no-hidden", "--extra", "30m")
	must("blue", "contest", "team", "spring", "blue")
	must("id red blue DEU longer", "contest", "teams", "spring")
	var p api.Contestant
	if err := json.Unmarshal([]byte(must("", "contest", "teams", "spring", "--search", "RED", "--json")), &p); err != nil || p.ID != "red" || p.Extra != 1800 || p.Hidden {
		t.Errorf("%+v, %v", p, err)
	}
	refused("contestant \"none\"", "contest", "extend", "spring", "--by", "5m", "--contestant", "none")

	py := file("a.py", "print(1)\n")
	hand := []string{"submit", py, "--contest", "spring", "--problem", "A", "--team", "red"}
	refused("no start yet", hand...)
	must("spring running", "contest", "start", "spring", "--reason", "go")
	must("", hand...)
	refused("not allowed for contest spring", "submit", file("a.cpp", "int main(){}\n"), "--contest", "spring", "-p", "A", "--team", "red")
	must("spring paused", "contest", "pause", "spring")
	refused("paused", hand...)
	must("spring running", "contest", "resume", "spring")
	must("", hand...)
	refused("takes 2 submissions", hand...)
	must("running", "contest", "extend", "spring", "--by", "10m")
	must("5:10:00 paused 2 submissions", "contest", "show", "spring")
	must("running", "contest", "freeze", "spring")
	refused("frozen already", "contest", "freeze", "spring")
	must("running", "contest", "thaw", "spring")
	refused("holds nothing back", "contest", "release", "spring")
	must("thawed released", "contest", "update", "spring", "--hold-results", "--feedback", "verdict", "--all-languages", "--start", "2027-01-31T10:00:00Z")
	must("X sum Y other", "contest", "problems", "spring", "-p", "X=sum", "-p", "Y=other")
	must("X sum Y other", "contest", "problems", "spring")
	refused("handed in", "contest", "problems", "spring", "-p", "Y=other")
	must("spring icpc Spring", "contest", "list")
	var k api.Contest
	if err := json.Unmarshal([]byte(must("", "contest", "show", "spring", "--json")), &k); err != nil || !k.HoldResults || value(k.Feedback) != "verdict" || len(k.Languages) != 0 {
		t.Errorf("%+v, %v", k, err)
	}
	refused("say --yes", "contest", "delete", "spring")
	refused("has submissions", "contest", "delete", "spring", "--yes")
	must("", "contest", "create", "empty", "--kind", "practice", "--duration", "0", "--start", "now", "--open")
	must("", "contest", "delete", "empty", "--yes")
	refused("empty", "contest", "show", "empty")
	must("", "contest", "team", "spring", "blue", "--delete")
}
