package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"golang.org/x/term"
)

// boardCmd shows a contest's board.
type boardCmd struct {
	serverFlags

	Contest     string `arg:"" placeholder:"CONTEST" help:"Name of the contest."`
	Watch       bool   `short:"w" help:"Stay, and show each change as it happens."`
	View        string `default:"public" enum:"public,jury" help:"public, or jury: everything, for staff of the contest (${default})."`
	Group       string `placeholder:"NAME" help:"Contestants of this group only."`
	Affiliation string `placeholder:"NAME" help:"Contestants of this affiliation only."`
	Offset      int    `default:"0" placeholder:"N" help:"Leave the first N rows out."`
	Limit       int    `default:"0" placeholder:"N" help:"Rows at most; 0: what fits the terminal, and all elsewhere."`
	JSON        bool   `name:"json" help:"The API's object; with --watch one a line for each change."`
}

// Help is shown by judge board --help.
func (*boardCmd) Help() string {
	return `A cell is +, the number of rejected attempts and the minute of the accepted one (* for the
first that solved the problem), - with the number of rejected ones, or the points;
?2 are two that are pending, or came after the freeze. A board that is public needs no token.`
}

// Run shows it once, or until it is interrupted.
func (c *boardCmd) Run(a *app) error {
	if c.Offset < 0 || c.Limit < 0 || c.Limit > maxBoardRows {
		return badInput{fmt.Errorf("--offset and --limit are 0 to %d", maxBoardRows)}
	}
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	s := &boardScreen{cmd: c, app: a, client: cl, live: c.Watch && !c.JSON && terminal(a.out)}
	if !c.Watch {
		return s.show(a.ctx)
	}
	return s.watch(a.ctx)
}

const maxBoardRows = 100_000

// boardScreen shows boards one after the other.
type boardScreen struct {
	cmd    *boardCmd
	app    *app
	client *client
	live   bool // a terminal that is drawn over
	count  int
}

func (s *boardScreen) path() string { return "contests/" + url.PathEscape(s.cmd.Contest) + "/board" }

// size is that of the terminal, in characters; 0: there is none.
func (s *boardScreen) size() (width, height int) {
	f, ok := s.app.out.(*os.File)
	if !ok || !terminal(f) {
		return 0, 0
	}
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return width, height
}

// fetch reads the board as it is.
func (s *boardScreen) fetch(ctx context.Context) (json.RawMessage, error) {
	limit := s.cmd.Limit
	if _, height := s.size(); limit == 0 && height > 0 && s.live {
		limit = max(height-boardHeadLines, 1)
	}
	if limit == 0 {
		limit = maxBoardRows
	}
	query := url.Values{"view": {s.cmd.View}, "limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(s.cmd.Offset)}}
	for name, value := range map[string]string{"group": s.cmd.Group, "affiliation": s.cmd.Affiliation} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var raw json.RawMessage
	_, err := s.client.do(ctx, apiCall{method: http.MethodGet, path: s.path(), query: query}, &raw)
	return raw, err
}

func (s *boardScreen) show(ctx context.Context) error {
	raw, err := s.fetch(ctx)
	if err != nil {
		return err
	}
	if s.cmd.JSON {
		return s.print(append(bytes.TrimSpace(raw), '\n'))
	}
	var b boardInfo
	if err := json.Unmarshal(raw, &b); err != nil {
		return fmt.Errorf("read board: %w; are client and server of one version?", err)
	}
	width, _ := s.size()
	text := drawBoard(&b, width, colours(s.app.out))
	switch {
	case s.live:
		return s.print(overdrawn(text))
	case s.count > 0:
		text = "\n" + text
	}
	s.count++
	return s.print([]byte(text))
}

func (s *boardScreen) print(text []byte) error {
	if _, err := s.app.out.Write(text); err != nil {
		return fmt.Errorf("show board: %w", err)
	}
	return nil
}

// overdrawn is a text over what the terminal shows, without a flash.
func overdrawn(text string) []byte {
	lines := bytes.ReplaceAll([]byte(text), []byte("\n"), []byte("\x1b[K\r\n"))
	return append(append([]byte("\x1b[H"), bytes.TrimSuffix(lines, []byte("\r\n"))...), "\x1b[J"...)
}

// Escape sequences around a board that is drawn over: its own screen, no cursor.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l\x1b[2J"
	leaveScreen = "\x1b[?25h\x1b[?1049l"
)

// boardPause is at least between two times that the board is read.
const boardPause = 200 * time.Millisecond

// watch shows each change until it is interrupted.
func (s *boardScreen) watch(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changed := make(chan struct{}, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- s.client.follow(ctx, s.path()+"/events?view="+s.cmd.View, func(serverEvent) (bool, error) {
			select {
			case changed <- struct{}{}:
			default: // it will be read anyway
			}
			return false, nil
		})
	}()
	if err := s.show(ctx); err != nil {
		return err
	}
	if s.live {
		if err := s.print([]byte(enterScreen)); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.print([]byte(leaveScreen))) }()
		changed <- struct{}{}
	}
	for {
		select {
		case err := <-ended:
			return err
		case <-changed:
		}
		if err := s.show(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(boardPause):
		}
	}
}
