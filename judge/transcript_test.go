package judge_test

import (
	"testing"
	"time"

	"judge/judge"
)

func TestConversationText(t *testing.T) {
	got := judge.ConversationText([]judge.Utterance{
		{Pass: 1, Text: []byte("3\n"), At: 1500 * time.Microsecond},
		{Pass: 1, Submission: true, Text: []byte("? 1\n? \x1b2"), At: 2 * time.Second},
		{Pass: 2, Text: []byte("ok\n"), Cut: true},
	})
	want := "   0.002 < 3\n   2.000 > ? 1\n   2.000 > ? \\x1b2 [no newline]\n---\n   0.000 < ok\n[cut]\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
