package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// serverEvent is an event as the HTML standard has it (server-sent events).
type serverEvent struct {
	id   string // last one given, also by an earlier event
	kind string // event:, else "message"
	data string
}

// maxEvent bounds an event in bytes: the last one holds the whole judgement.
const maxEvent = maxAnswer

var errLongEvent = errors.New("an event is longer than this judge takes")

// eventReader reads events from a stream.
type eventReader struct {
	lines *bufio.Reader
	alive func() // called for each line, comments too

	first bool   // the first line may begin with a byte order mark
	cr    bool   // the line before ended in CR: an LF belongs to it
	id    string // that a reconnection begins after
}

func newEventReader(r io.Reader, alive func()) *eventReader {
	return &eventReader{lines: bufio.NewReaderSize(r, 64<<10), alive: alive, first: true}
}

// next is the next event that has data. The error is the stream's, io.EOF at
// its end, before which half an event is none.
func (r *eventReader) next() (serverEvent, error) {
	e := serverEvent{kind: "message"}
	var data bytes.Buffer
	has := false
	id := r.id
	for {
		line, err := r.line(maxEvent - data.Len())
		if err != nil {
			return serverEvent{}, err
		}
		r.alive()
		if len(line) == 0 {
			r.id = id
			if !has {
				e.kind = "message"
				continue
			}
			e.id, e.data = r.id, data.String()
			return e, nil
		}
		field, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(field) {
		case "event":
			if e.kind = string(value); e.kind == "" {
				e.kind = "message"
			}
		case "data":
			if has {
				data.WriteByte('\n')
			}
			has = true
			data.Write(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				id = string(value)
			}
		}
	}
}

// line reads up to CR, LF or CR LF.
func (r *eventReader) line(limit int) ([]byte, error) {
	var line []byte
	for {
		c, err := r.lines.ReadByte()
		if err != nil {
			return nil, err
		}
		if c == '\n' && r.cr {
			r.cr = false
			continue
		}
		if r.cr = c == '\r'; r.cr || c == '\n' {
			if r.first {
				r.first = false
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			return line, nil
		}
		if len(line) >= limit {
			return nil, errLongEvent
		}
		line = append(line, c)
	}
}

// follow hands the events of a stream, named by path and maybe query, to each until that says it is done. A
// stream that is cut off is taken up after its last event.
func (c *client) follow(ctx context.Context, path string, each func(serverEvent) (done bool, err error)) error {
	t := &tries{client: c, since: time.Now()}
	last := ""
	for {
		began := time.Now()
		done, next, err := c.followOnce(ctx, path, last, each)
		own, mine := errors.AsType[ownError](err)
		switch {
		case done:
			return nil
		case mine:
			return own.error
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errLongEvent):
			return fmt.Errorf("%s: %w", path, err)
		}
		if next != last || time.Since(began) > c.silence {
			t.since, t.n = time.Now(), 0 // it did go on
		}
		last = next
		if err := t.wait(ctx, &unreachable{c.base.Host, err}); err != nil {
			return err
		}
	}
}

// ownError is one that another connection would not mend.
type ownError struct{ error }

// followOnce reads one connection's events to its end, and returns the id of
// the last.
func (c *client) followOnce(ctx context.Context, path, last string, each func(serverEvent) (bool, error)) (done bool, next string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	header := http.Header{"Accept": {"text/event-stream"}}
	if last != "" {
		header.Set("Last-Event-ID", last)
	}
	at, raw, _ := strings.Cut(path, "?")
	query, err := url.ParseQuery(raw)
	if err != nil {
		return false, last, ownError{err}
	}
	res, err := c.open(ctx, apiCall{method: http.MethodGet, path: at, query: query, header: header})
	if err != nil {
		return false, last, ownError{err}
	}
	defer func() { err = errors.Join(err, res.Body.Close()) }()
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind != "text/event-stream" {
		return false, last, ownError{fmt.Errorf("%s answers with %q where a stream of events was asked for", c.base.Host, kind)}
	}
	// A dead peer says nothing; a living one says at least a comment.
	watch := time.AfterFunc(c.silence, cancel)
	defer watch.Stop()
	r := newEventReader(res.Body, func() { watch.Reset(c.silence) })
	r.id = last
	for {
		e, err := r.next()
		if err != nil {
			return false, r.id, err
		}
		if done, err = each(e); err != nil {
			return false, r.id, ownError{err}
		}
		if done {
			return true, r.id, nil
		}
	}
}
