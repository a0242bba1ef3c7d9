package grader

import (
	"io"
	"regexp"
	"strconv"
)

// lineWord is how validators name a line of their input, testlib's among them.
var lineWord = regexp.MustCompile(`(?i)\blines?[ :#]+(\d{1,9})\b`)

// lineIn is the first line that a message names; 0 where it names none.
func lineIn(message string) int {
	m := lineWord.FindStringSubmatch(message)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}

// copyTo copies by Write alone: a validation is not to be handed the file.
func copyTo(w io.Writer, r io.Reader) error {
	_, err := io.Copy(struct{ io.Writer }{w}, struct{ io.Reader }{r})
	return err
}
