package api

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Exports are written as they are read, however long they are. Where one fails on
// the way its connection is broken off, so that nobody takes a part for the whole.

const (
	typeCSV  = "text/csv; charset=utf-8"
	typeJSON = "application/json"
	typeZip  = "application/zip"

	exportPage = 500 // submissions that are read at once
)

func (s *Server) exportRoutes() {
	tags := []string{"exports"}
	at := "/contests/{contest}"
	file := func(id, path, summary, text, kind string, body *huma.Schema) huma.Operation {
		return huma.Operation{
			OperationID: id, Method: http.MethodGet, Path: path, Tags: tags, Summary: summary, Description: text,
			Responses: map[string]*huma.Response{"200": {Description: http.StatusText(http.StatusOK), Content: map[string]*huma.MediaType{kind: {Schema: body}}}},
		}
	}
	text := &huma.Schema{Type: huma.TypeString}
	binary := &huma.Schema{Type: huma.TypeString, Format: "binary"}
	list := s.schemaOf(reflect.TypeFor[List[Submission]]())
	export := file("export-submissions", "/submissions/export", "All submissions that a filter chooses, newest first", "The objects of the list, or CSV; nothing is left out for its length.", typeJSON, list)
	export.Responses["200"].Content[typeCSV] = &huma.MediaType{Schema: text}
	register(s, export, s.exportSubmissions)
	register(s, file("export-contest-csv", at+"/submissions.csv", "All submissions of a contest as CSV", csvText, typeCSV, text), s.exportContestCSV)
	register(s, file("export-contest-json", at+"/submissions.json", "All submissions of a contest", "", typeJSON, list), s.exportContestJSON)
	register(s, file("export-standings-csv", at+"/standings.csv", "The board as CSV", csvText, typeCSV, text), s.exportStandingsCSV)
	register(s, file("export-standings-json", at+"/standings.json", "The whole board", "", typeJSON, s.schemaOf(reflect.TypeFor[Board]())), s.exportStandingsJSON)
	register(s, file("export-sources", at+"/sources.zip", "All sources of a contest, laid out for plagiarism tools",
		`problem/language/contestant/file: give problem/language to JPlag or MOSS, the zip itself to Dolos, whose info.csv is in it. Names of folders are made safe; info.csv has them as they are.`, typeZip, binary), s.exportSources)
}

const csvText = "Texts that a spreadsheet would take for a formula have an apostrophe before them."

// sent is an answer that is written as it is read.
func (s *Server) sent(ctx context.Context, kind, name string, write func(w io.Writer) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		q := requestOf(ctx)
		q.unhurried()
		hc.SetHeader("Content-Type", kind)
		hc.SetHeader("Content-Disposition", disposition(name))
		hc.SetHeader("Cache-Control", "private, no-store")
		hc.SetStatus(http.StatusOK)
		w := bufio.NewWriterSize(&timely{hc.BodyWriter(), http.NewResponseController(q.w)}, 64<<10)
		err := write(w)
		if err == nil {
			err = w.Flush()
		}
		if err == nil {
			return
		}
		if ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "export not sent whole", "request_id", q.id, "error", err)
		}
		panic(http.ErrAbortHandler)
	}}
}

// timely gives a client so much time for each piece, and any time for all.
type timely struct {
	io.Writer

	control *http.ResponseController
}

// Write is io.Writer's.
func (t *timely) Write(b []byte) (int, error) {
	_ = t.control.SetWriteDeadline(time.Now().Add(streamWrite)) // a recorder has none
	return t.Writer.Write(b)
}

// ExportQuery chooses submissions.
type ExportQuery struct {
	Format    string    `query:"format" enum:"csv,json" default:"json"`
	Contest   string    `query:"contest" maxLength:"64"`
	Problem   string    `query:"problem" maxLength:"64"`
	Submitter string    `query:"submitter" maxLength:"200" doc:"Id of the person."`
	Team      string    `query:"team" maxLength:"200"`
	Language  string    `query:"language" maxLength:"64"`
	State     string    `query:"state" enum:"queued,compiling,running,judged,cancelled" doc:"Of the judgement that counts."`
	Verdict   string    `query:"verdict" enum:"AC,WA,TLE,MLE,OLE,RE,CE,JE" doc:"As it counts."`
	Since     time.Time `query:"since" doc:"Created at or after."`
	Until     time.Time `query:"until" doc:"Created before."`
}

func (s *Server) exportSubmissions(ctx context.Context, in *ExportQuery) (*huma.StreamResponse, error) {
	f, err := s.filterFor(ctx, &submissionsQuery{
		Contest: in.Contest, Problem: in.Problem, Submitter: in.Submitter, Team: in.Team, Language: in.Language,
		State: in.State, Verdict: in.Verdict, Since: in.Since, Until: in.Until,
	})
	if err != nil {
		return nil, err
	}
	return s.sendSubmissions(ctx, f, in.Format, "submissions"), nil
}

func (s *Server) exportContestCSV(ctx context.Context, in *ContestPath) (*huma.StreamResponse, error) {
	return s.exportContest(ctx, in.Contest, "csv")
}

func (s *Server) exportContestJSON(ctx context.Context, in *ContestPath) (*huma.StreamResponse, error) {
	return s.exportContest(ctx, in.Contest, "json")
}

func (s *Server) exportContest(ctx context.Context, contest, format string) (*huma.StreamResponse, error) {
	c, err := s.staffContest(ctx, contest)
	if err != nil {
		return nil, err
	}
	return s.sendSubmissions(ctx, judge.SubmissionFilter{Contest: c.Name}, format, c.Name+"-submissions"), nil
}

func (s *Server) sendSubmissions(ctx context.Context, f judge.SubmissionFilter, format, name string) *huma.StreamResponse {
	if format == "csv" {
		return s.sent(ctx, typeCSV, name+".csv", func(w io.Writer) error { return s.writeCSV(ctx, w, f) })
	}
	return s.sent(ctx, typeJSON, name+".json", func(w io.Writer) error { return s.writeJSON(ctx, w, f) })
}

// eachSubmission calls a function for each submission of a filter, newest first.
func (s *Server) eachSubmission(ctx context.Context, f judge.SubmissionFilter, do func(*judge.Listed) error) error {
	for cursor := ""; ; {
		page, err := s.Records.Submissions(ctx, f, cursor, exportPage)
		if err != nil {
			return err
		}
		for i := range page.Items {
			if err := do(&page.Items[i]); err != nil {
				return err
			}
		}
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
}

func (s *Server) writeJSON(ctx context.Context, w io.Writer, f judge.SubmissionFilter) error {
	v, before := s.viewOf(s.Records, tokenOf(ctx)), `{"items":[`
	err := s.eachSubmission(ctx, f, func(l *judge.Listed) error {
		shown, err := v.submission(ctx, &l.Submission, l.Judgement)
		if err != nil {
			return err
		}
		b, err := json.Marshal(shown)
		if err == nil {
			_, err = w.Write(append([]byte(before), b...))
		}
		before = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	if before != ",\n" {
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, `],"next_cursor":null}`)
	return err
}

var submissionColumns = []string{
	"id", "contest", "problem", "problem_version", "language", "submitter_id", "submitter_name", "submitter_team", "created_at",
	"judgement_id", "state", "verdict", "score", "cpu_time_s", "wall_time_s", "memory_bytes", "judged_at",
}

func (s *Server) writeCSV(ctx context.Context, w io.Writer, f judge.SubmissionFilter) error {
	v, out := s.viewOf(s.Records, tokenOf(ctx)), csv.NewWriter(w)
	if err := out.Write(submissionColumns); err != nil {
		return err
	}
	err := s.eachSubmission(ctx, f, func(l *judge.Listed) error {
		shown, err := v.submission(ctx, &l.Submission, l.Judgement)
		if err != nil {
			return err
		}
		j := &shown.Judgement
		return out.Write([]string{
			shown.ID, l.Submission.Contest, shown.Problem, wire.Value(shown.ProblemVersion), shown.Language,
			cellText(wire.Value(shown.Submitter.ID)), cellText(wire.Value(shown.Submitter.Name)), cellText(wire.Value(shown.Submitter.Team)), timeCell(&shown.CreatedAt),
			wire.Value(j.ID), wire.Value(j.State), wire.Value(j.Verdict), numberCell(j.Score), numberCell(j.CPUTime), numberCell(j.WallTime), wholeCell(j.Memory), timeCell(j.JudgedAt),
		})
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// cellText is a text that somebody else wrote. A spreadsheet would run what begins
// like a formula (OWASP, CSV injection).
func cellText(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

func numberCell(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

func wholeCell[T int | int64](n *T) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(int64(*n), 10)
}

func timeCell(t *wire.Time) string {
	if t == nil {
		return ""
	}
	return time.Time(*t).UTC().Format("2006-01-02T15:04:05.000Z")
}
