package api

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"judge/judge"
)

// plainText is bytes as a string of JSON, where it can hold them as they are.
func plainText(b []byte) (string, bool) {
	if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
		return "", false
	}
	return string(b), true
}

// named says which thing was not found.
func named(err error, what, name string) error {
	if errors.Is(err, judge.ErrNotFound) {
		return unknown(what, name)
	}
	return err
}

func isConflict(err error) bool { return errors.Is(err, judge.ErrConflict) }

func isInvalid(err error) bool { return errors.Is(err, judge.ErrInvalid) }
