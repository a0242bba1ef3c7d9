package api_test

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"judge/api"
)

// cupJSON is contest.json of a contest "new" with problem mine, as it is here.
const cupJSON = `{"format":1,"contest":{"name":"new","title":"New","kind":"icpc","state":"ended","start":"2026-03-01T09:00:00.000Z","end":"2026-03-01T14:30:00.000Z",
"duration_s":18000,"pauses":[{"from":"2026-03-01T10:00:00.000Z","until":"2026-03-01T10:30:00.000Z"}],"freeze_s":3600,"thawed_at":null,"released_at":null,
"penalty_s":1200,"penalty_verdicts":["WA"],"subtask_best":false,"practice":true,"public_board":false,"open":false,"feedback":null,"hold_results":false,
"languages":["python3"],"max_submissions":null,"per_minute":5,
"problems":[{"label":"A","problem":"mine","color":null,"rgb":"#ff0000","languages":[],"max_submissions":null,"points":null}],
"contestants":1,"created_at":"2026-03-01T08:00:00.000Z","revision":3},
"packages":[{"problem":"mine","enabled":true,"languages":[],"feedback":"cases"}],
"contestants":[{"id":"red","name":"Red","affiliation":null,"country":"DEU","groups":["g"],"hidden":false,"disqualified":false,"start":null,"extra_s":60}]}`

// ReceiveBundle takes what follows the word zip for contest.json, with + and a name
// for each file more.
func (fakePackages) ReceiveBundle(_ context.Context, zip io.Reader, _ int64) (api.Bundle, error) {
	data, err := io.ReadAll(zip)
	body, files, more := strings.Cut(strings.TrimPrefix(string(data), "zip"), "+")
	if body == "" {
		body = cupJSON
	}
	b := fakeBundle{"contest.json": body}
	if !more {
		files = "problems/mine.zip"
	}
	for name := range strings.SplitSeq(files, "+") {
		b[name] = ""
	}
	return b, err
}

type fakeBundle map[string]string

func (b fakeBundle) Names() []string { return slices.Sorted(maps.Keys(b)) }
func (b fakeBundle) Close() error    { return nil }
func (b fakeBundle) Open(name string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(b[name])), nil
}

func (fakeReceived) ZipSHA256() string       { return "" }
func (fakeReceived) Digest() (string, error) { return "d1", nil }
