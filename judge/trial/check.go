package trial

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"judge/judge"
)

// Check says what is wrong with the judgement of a trial; empty: nothing.
func (t *Trial) Check(j *judge.Judgement) string {
	if t.Missing != "" {
		return t.Missing
	}
	if j.Verdict != t.Want {
		return fmt.Sprintf("%s, want %s: %s", j.Verdict, t.Want, firstLine(said(j)))
	}
	if fault := paths(j); fault != "" {
		return fault
	}
	switch {
	case t.Line:
		return t.namesLine(j)
	case t.Warning && (j.Compile == nil || strings.TrimSpace(j.Compile.Output) == ""):
		return "the compiler's warning is not there"
	case t.Limit != "" && (len(j.Runs) == 0 || j.Runs[len(j.Runs)-1].Limit != t.Limit):
		return fmt.Sprintf("it was not the limit of %s that stopped it", t.Limit)
	case t.Exit != 0 && (len(j.Runs) == 0 || j.Runs[len(j.Runs)-1].ExitCode != t.Exit):
		return fmt.Sprintf("its exit code was not %d", t.Exit)
	}
	return ""
}

// said is what a judgement says of its verdict.
func said(j *judge.Judgement) string {
	if j.Compile != nil && !j.Compile.OK {
		return j.Compile.Output
	}
	if len(j.Runs) > 0 {
		return j.Runs[len(j.Runs)-1].Message
	}
	return j.Message
}

func firstLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[:min(len(lines), 4)], " | ")
}

// foreign are paths that are not the contestant's.
var foreign = regexp.MustCompile(`(?:^|[\s'"(=])(/(?:box|usr|tmp|opt|lib|home|root|var|etc)/[^\s:'")]*)`)

// paths wants a compiler's message to show no path of ours.
func paths(j *judge.Judgement) string {
	if j.Compile == nil {
		return ""
	}
	if m := foreign.FindStringSubmatch(j.Compile.Output); m != nil {
		return fmt.Sprintf("the compiler's message shows the path %s", m[1])
	}
	return ""
}

// namesLine wants a compiler's message to hold the number of the marked line, as a
// number of its own, and the file's name where the language's messages have one.
func (t *Trial) namesLine(j *judge.Judgement) string {
	if j.Compile == nil {
		return "nothing was compiled"
	}
	for _, f := range t.Files {
		for i, line := range bytes.Split(f.Data, []byte("\n")) {
			if !bytes.Contains(line, []byte(mistake)) {
				continue
			}
			if !regexp.MustCompile(`(?:^|[^\d.])` + strconv.Itoa(i+1) + `(?:$|[^\d.]|\.(?:$|\D))`).MatchString(j.Compile.Output) {
				return fmt.Sprintf("the message does not name line %d: %s", i+1, firstLine(j.Compile.Output))
			}
			return ""
		}
	}
	return fmt.Sprintf("no line of %s holds the word %s", t.Name, mistake)
}
