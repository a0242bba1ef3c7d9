package main

import (
	"slices"
	"strings"
	"testing"
)

func TestCompletion(t *testing.T) {
	for line, want := range map[string][]string{
		"judge sub":               {"submit"},
		"judge problem ":          {"import", "init", "list", "verify"},
		"judge submit --pro":      {"--problem"},
		"judge run --isolation ":  {"run", "submission"},
		"judge completion ":       {"bash", "fish", "zsh"},
		"judge token create --ro": {"--role"},
	} {
		t.Run(line, func(t *testing.T) {
			t.Setenv("COMP_LINE", line)
			got := judgeIn(t, "", "")
			words := strings.Fields(got.out)
			slices.Sort(words)
			if got.code != exitOK || got.err != "" {
				t.Errorf("exit code %d: %s", got.code, got.err)
			}
			for _, w := range want {
				if !slices.Contains(words, w) {
					t.Errorf("%q lacks %s", words, w)
				}
			}
		})
	}
	for shell, want := range map[string]string{"bash": "complete -o default", "zsh": "bashcompinit", "fish": "complete -f -c judge"} {
		got := judgeIn(t, "", "", "completion", "-c", shell)
		if got.code != exitOK {
			t.Errorf("%s: exit code %d: %s", shell, got.code, got.err)
		}
		contains(t, shell, got.out, want)
	}
	if got := judgeIn(t, "", "", "completion", "tcsh"); got.code != exitInput {
		t.Errorf("tcsh: exit code %d", got.code)
	}
}
