package api

import (
	"encoding/base64"
	"time"

	"judge/judge/wire"
)

// List is a page of a list. NextCursor is null at its end.
type List[T any] struct {
	Items      []T     `json:"items"`
	NextCursor *string `json:"next_cursor" doc:"Give it as cursor to read on; null at the end."`
}

func newList[T any](items []T, next string) List[T] {
	if items == nil {
		items = []T{}
	}
	return List[T]{Items: items, NextCursor: wire.Known(next)}
}

// answer is an output of nothing but a body.
type answer[T any] struct {
	Body T
}

func answered[T any](body T) *answer[T] { return &answer[T]{Body: body} }

// moment is null for no time.
func moment(t time.Time) *wire.Time {
	if t.IsZero() {
		return nil
	}
	out := wire.Time(t)
	return &out
}

// cursorOf makes a cursor of a key by which a list is sorted; readCursor reads it.
func cursorOf(key string) string { return base64.RawURLEncoding.EncodeToString([]byte(key)) }

func readCursor(cursor string) (string, error) {
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	key, ok := plainText(data)
	if err != nil || !ok || len(key) > 200 {
		return "", wrongField("query.cursor", "it is none; give the next_cursor of the page before")
	}
	return key, nil
}

// Paging are the parameters of a list. huma looks into embedded types that are
// exported only.
type Paging struct {
	Cursor string `query:"cursor" maxLength:"300" doc:"The next_cursor of the page before."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Items at most."`
}
