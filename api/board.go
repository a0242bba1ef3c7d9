package api

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/leaderboard"
)

// BoardReads is what boards are made of.
type BoardReads interface {
	// ContestInfo leaves contestants out, Contest does not.
	Contest(ctx context.Context, name string) (judge.Contest, error)
	ContestInfo(ctx context.Context, name string) (judge.Contest, error)
	// Attempts are those of the named submissions, or all of the contest's where
	// submissions is nil, in order of id.
	Attempts(ctx context.Context, contest string, submissions []string) ([]judge.Attempt, error)
}

// BoardPath names a board. huma looks into embedded types that are exported only.
type BoardPath struct {
	Contest string `path:"contest" maxLength:"64"`
	View    string `query:"view" enum:"public,jury" default:"public" doc:"public: as everybody may see it, frozen ones pending; jury: everything, for staff of the contest."`
}

type boardInput struct {
	BoardPath

	Group       string `query:"group" maxLength:"255" doc:"Contestants of this group only. Their ranks are those among all; filter_rank is among them."`
	Affiliation string `query:"affiliation" maxLength:"255" doc:"Contestants of this affiliation only."`
	Offset      int    `query:"offset" minimum:"0" doc:"Rows to leave out."`
	Limit       int    `query:"limit" minimum:"1" maximum:"100000" default:"100" doc:"Rows at most."`
	Tag         string `header:"If-None-Match"`
	Encoding    string `header:"Accept-Encoding"`
}

type boardProblemsInput struct {
	BoardPath

	Tag      string `header:"If-None-Match"`
	Encoding string `header:"Accept-Encoding"`
}

type boardEventsInput struct {
	BoardPath
	StreamInput
}

const (
	boardText = `Rows in order of rank, then name; equals share a rank, and who is hidden or disqualified has none. The ETag is another one
whenever the answer is; asking again with If-None-Match costs little. A public board needs no token; the jury view is for the contest's staff.`
	boardEventsText = `board.changed (BoardChange) after each change, with the rows that changed: take them all away from their old places,
then put each into its new place, in the order given, and you have the board; the ranks of the others follow from the order, for equals share one.
board.reload (BoardReload) says that there is more to it: read the board again. Who reconnects with the id of the last event goes on after it, or is told to reload.
A comment comes at least every 15 s.`
)

func (s *Server) boardRoutes() {
	// A token is not always asked for: these look at it themselves.
	security := []map[string][]string{{}, {"token": {}}}
	op := func(id, at, summary, text string, body reflect.Type) huma.Operation {
		return huma.Operation{
			OperationID: id, Method: http.MethodGet, Path: "/contests/{contest}" + at, Tags: []string{"boards"}, Summary: summary, Description: text,
			Security: security, Responses: map[string]*huma.Response{
				"200": {Description: http.StatusText(http.StatusOK), Content: map[string]*huma.MediaType{"application/json": {Schema: s.schemaOf(body)}}},
				"304": {Description: http.StatusText(http.StatusNotModified)},
			},
		}
	}
	register(s, op("get-board", "/board", "A contest's board", boardText, reflect.TypeFor[Board]()), s.getBoard)
	register(s, op("get-board-problems", "/board/problems", "What was done at each problem", "", reflect.TypeFor[BoardProblems]()), s.getBoardProblems)
	events := op("stream-board", "/board/events", "Follow a board", boardEventsText, reflect.TypeFor[BoardChange]())
	events.Responses = map[string]*huma.Response{"200": {
		Description: http.StatusText(http.StatusOK),
		Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString, Description: "data is a BoardChange: " +
			s.schemaOf(reflect.TypeFor[BoardChange]()).Ref + ", or a BoardReload: " + s.schemaOf(reflect.TypeFor[BoardReload]()).Ref}}},
	}}
	register(s, events, s.streamBoard)
}

// boardView says who looks: the index of what a liveBoard has for it.
type boardView int

const (
	publicBoard boardView = iota
	juryBoard
	boardViews
)

func (v boardView) fold() leaderboard.View {
	if v == juryBoard {
		return leaderboard.Jury
	}
	return leaderboard.Public
}

func (v boardView) String() string {
	if v == juryBoard {
		return "jury"
	}
	return "public"
}

// seeBoard finds a board for whoever asks, if that may see it.
func (s *Server) seeBoard(ctx context.Context, in BoardPath) (*liveBoard, boardView, error) {
	q := requestOf(ctx)
	view := publicBoard
	if in.View == "jury" {
		view = juryBoard
	}
	c, err := s.boardRights(q, in.Contest, view)
	if err != nil {
		return nil, view, err
	}
	b, err := s.boards.get(ctx, c)
	return b, view, named(err, "contest", in.Contest)
}

// boardRights reports whether a request may see a view of a contest's board. Where
// it shows a token, that is kept with it.
func (s *Server) boardRights(q *request, name string, view boardView) (string, error) {
	ctx := q.r.Context()
	if q.r.Header.Get("Authorization") == "" {
		return s.openBoard(q, name, view)
	}
	token, err := s.authenticate(q.r)
	if err != nil {
		return "", err
	}
	q.token = token
	if err := s.limiter.request(q.w.Header(), token.ID, read); err != nil {
		return "", err
	}
	c, err := s.Records.ContestInfo(ctx, name)
	if err != nil {
		return "", named(err, "contest", name)
	}
	switch {
	case runsContest(token, name):
	case !holdsContest(token, name) && !c.PublicBoard:
		return "", unknown("contest", name)
	case view == juryBoard:
		return "", fault("forbidden", "the jury's board is for staff of the contest; leave view out")
	}
	return c.Name, nil
}

// openBoard is for who shows no token: it learns of public boards, and nothing of
// others.
func (s *Server) openBoard(q *request, name string, view boardView) (string, error) {
	if err := s.limiter.request(q.w.Header(), addressKey(q, s), read); err != nil {
		return "", err
	}
	c, err := s.Records.ContestInfo(q.r.Context(), name)
	if err != nil && !errors.Is(err, judge.ErrNotFound) {
		return "", err
	}
	if err != nil || !c.PublicBoard || view != publicBoard {
		return "", fault("unauthorized", `no public board of this name: send the header "Authorization: Bearer TOKEN"`).header("WWW-Authenticate", `Bearer realm="judge"`)
	}
	return c.Name, nil
}

// addressKey stands for a token where there is none.
func addressKey(q *request, s *Server) string { return "address " + s.clientOf(q.r).String() }

func (s *Server) getBoard(ctx context.Context, in *boardInput) (*huma.StreamResponse, error) {
	b, view, err := s.seeBoard(ctx, in.BoardPath)
	if err != nil {
		return nil, err
	}
	f := leaderboard.Filter{Group: in.Group, Affiliation: in.Affiliation}
	return s.sendBoard(b.page(view, f, in.Offset, in.Limit, gzipped(in.Encoding)), in.Tag)
}

func (s *Server) getBoardProblems(ctx context.Context, in *boardProblemsInput) (*huma.StreamResponse, error) {
	b, view, err := s.seeBoard(ctx, in.BoardPath)
	if err != nil {
		return nil, err
	}
	return s.sendBoard(b.problems(view, gzipped(in.Encoding)), in.Tag)
}

// sendBoard sends an answer, unless the client has it.
func (s *Server) sendBoard(p *boardPage, has string) (*huma.StreamResponse, error) {
	body, tag, err := p.read()
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("ETag", tag)
		hc.SetHeader("Cache-Control", "private, no-cache") // kept, and asked for each time
		hc.SetHeader("Vary", "Authorization, Accept-Encoding")
		if tagged(has, tag) {
			hc.SetStatus(http.StatusNotModified)
			return
		}
		hc.SetHeader("Content-Type", "application/json")
		if p.gzip {
			hc.SetHeader("Content-Encoding", "gzip")
		}
		hc.SetStatus(http.StatusOK)
		_, _ = hc.BodyWriter().Write(body) // the client may have left
	}}, nil
}

// gzipped reports whether an Accept-Encoding takes gzip (RFC 9110, 12.5.3).
func gzipped(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		coding, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if coding = strings.TrimSpace(coding); !strings.EqualFold(coding, "gzip") && coding != "*" {
			continue
		}
		name, value, _ := strings.Cut(strings.TrimSpace(q), "=")
		return !strings.EqualFold(strings.TrimSpace(name), "q") || strings.Trim(strings.TrimSpace(value), "0.") != ""
	}
	return false
}
