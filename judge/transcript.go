package judge

import (
	"fmt"
	"strings"
)

// maxLine is the most that is shown of one line of a transcript, in bytes.
const maxLine = 4 << 10

// ConversationText is a transcript for people, as .interaction samples have it: <
// before a line that the submission reads, > before one that it writes, --- between
// passes; and before each the seconds since the pass began. It is safe to print.
func ConversationText(transcript []Utterance) string {
	var s strings.Builder
	pass := 0
	for _, u := range transcript {
		if pass != 0 && u.Pass != pass {
			s.WriteString("---\n")
		}
		pass = u.Pass
		side := '<'
		if u.Submission {
			side = '>'
		}
		for line := range strings.Lines(string(u.Text)) {
			text, ended := strings.CutSuffix(line, "\n")
			fmt.Fprintf(&s, "%8.3f %c %s", u.At.Seconds(), side, SafeText([]byte(text), maxLine))
			if !ended {
				s.WriteString(" [no newline]")
			}
			s.WriteByte('\n')
		}
		if u.Cut {
			s.WriteString("[cut]\n")
		}
	}
	return s.String()
}
