package agent

import (
	"encoding/json"
	"fmt"
)

// The messages of verbs that are not in a hurry are JSON behind the verb's byte.

// AppendInit appends the message of Init to b.
func AppendInit(b []byte, m *Init) ([]byte, error) { return appendJSON(b, VerbInit, m) }

// AppendFileOp appends the message of a verb on files to b.
func AppendFileOp(b []byte, verb Verb, m *FileOp) ([]byte, error) { return appendJSON(b, verb, m) }

func appendJSON(b []byte, verb Verb, m any) ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode message: %w", err)
	}
	b = append(append(b, byte(verb)), body...)
	return b, checkSize(b)
}

func parseJSON(b []byte, m any) error {
	if err := json.Unmarshal(b[1:], m); err != nil {
		return fmt.Errorf("%w: %w", errMessage, err)
	}
	return nil
}
