package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Submission is what was handed in, with the judgement that counts.
type Submission struct {
	ID             string    `json:"id" format:"uuid"`
	Problem        string    `json:"problem"`
	ProblemVersion *string   `json:"problem_version" doc:"Digest of the version that it was handed in for."`
	Language       string    `json:"language"`
	Entry          *string   `json:"entry" doc:"The file with the entry point; null: it is found."`
	Submitter      Person    `json:"submitter"`
	Contest        *string   `json:"contest" doc:"That it was handed in at; null: none."`
	Priority       string    `json:"priority" enum:"contest,practice,rejudge"`
	CreatedAt      wire.Time `json:"created_at"`
	Judgement      Judgement `json:"judgement" doc:"The one that counts; in lists without its runs."`
	Place          *Place    `json:"place" doc:"Where it stands in the queue; null where it does not stand there, or the server has no time to count."`
}

// Person is who a submission is of. All null: the token itself.
type Person struct {
	ID   *string `json:"id"`
	Name *string `json:"name"`
	Team *string `json:"team"`
}

// Place is an estimate of where a queued judgement stands.
type Place struct {
	Ahead int     `json:"ahead" doc:"Judgements that are likely to go first."`
	Wait  float64 `json:"wait_s" doc:"Seconds until it begins; 0 while nothing is known of the pace."`
}

var priorities = map[judge.Priority]string{judge.PriorityContest: "contest", judge.PriorityPractice: "practice", judge.PriorityRejudge: "rejudge"}

// SubmissionPath names a submission.
type SubmissionPath struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the submission."`
}

func (s *Server) submissionRoutes() {
	tags := []string{"submissions"}
	register(s, huma.Operation{
		OperationID: "list-submissions", Method: http.MethodGet, Path: "/submissions", Tags: tags, Summary: "List submissions, newest first",
		Description: "A submitter sees its own token's, others those of the problems in their scope. With a verdict, pages may be short or empty and still have a next one.",
	}, s.listSubmissions)
	register(s, huma.Operation{OperationID: "get-submission", Method: http.MethodGet, Path: "/submissions/{id}", Tags: tags, Summary: "A submission with the judgement that counts"}, s.getSubmission)
	register(s, huma.Operation{OperationID: "get-source", Method: http.MethodGet, Path: "/submissions/{id}/source", Tags: tags, Summary: "The files that were handed in"}, s.getSource)
	register(s, huma.Operation{OperationID: "list-judgements", Method: http.MethodGet, Path: "/submissions/{id}/judgements", Tags: tags, Summary: "All judgements of a submission, newest first, without runs", Description: "For staff also those of rejudgings that are not applied."}, s.listJudgements)
	register(s, huma.Operation{OperationID: "cancel-submission", Method: http.MethodPost, Path: "/submissions/{id}/cancel", DefaultStatus: http.StatusOK, Tags: tags, Summary: "Stop judging a submission"}, s.cancelSubmission)
	s.createRoutes(tags)
}

// submission finds a submission that the caller may know of.
func (s *Server) submission(ctx context.Context, id string) (judge.Submission, error) {
	sub, err := s.Records.Submission(ctx, id)
	if err == nil && !seesSubmission(tokenOf(ctx), &sub) {
		err = judge.ErrNotFound
	}
	return sub, named(err, "submission", id)
}

func (s *Server) getSubmission(ctx context.Context, in *SubmissionPath) (*answer[Submission], error) {
	sub, err := s.submission(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return s.answerSubmission(ctx, &sub)
}

// answerSubmission is a submission as it stands now, with the judgement that counts.
func (s *Server) answerSubmission(ctx context.Context, sub *judge.Submission) (*answer[Submission], error) {
	list, err := s.Records.Judgements(ctx, sub.ID)
	if err != nil {
		return nil, err
	}
	newest, ok := counting(list)
	if ok {
		if newest.Runs, err = s.Records.Runs(ctx, newest.ID); err != nil {
			return nil, err
		}
	}
	out, err := s.viewOf(s.Records, tokenOf(ctx)).submission(ctx, sub, newest)
	if err != nil {
		return nil, err
	}
	if newest.State == judge.Queued {
		out.Place = s.place(ctx, newest.ID)
	}
	return answered(out), nil
}

func newPerson(p judge.Submitter) Person {
	return Person{ID: wire.Known(p.ID), Name: wire.Known(p.Name), Team: wire.Known(p.Team)}
}

// submission is sub with the judgement that counts as v may see them.
func (v *view) submission(ctx context.Context, sub *judge.Submission, newest judge.Judgement) (Submission, error) {
	out := Submission{
		ID: sub.ID, Problem: sub.Problem, Language: sub.Language, Entry: wire.Known(sub.Entry), Priority: priorities[sub.Priority],
		Submitter: newPerson(sub.Submitter),
		Contest:   wire.Known(sub.Contest), CreatedAt: wire.Time(sub.CreatedAt),
	}
	if newest.VersionID == sub.VersionID {
		out.ProblemVersion = wire.Known(newest.ProblemVersion)
	} else {
		info, err := v.reads.VersionInfo(ctx, sub.VersionID)
		if err != nil {
			return out, err
		}
		out.ProblemVersion = wire.Known(info.Digest)
	}
	var err error
	out.Judgement, err = v.judgement(ctx, newest)
	return out, err
}

// place estimates where a judgement stands; nil where it has begun meanwhile, or
// too many have asked just now: each count walks over the queue.
func (s *Server) place(ctx context.Context, judgement string) *Place {
	if !s.places.Allow() {
		return nil
	}
	p, err := s.Records.Place(ctx, judgement)
	if err != nil {
		return nil // an estimate is no reason to fail
	}
	return &Place{Ahead: p.Ahead, Wait: p.Wait.Seconds()}
}

// Source is what was handed in.
type Source struct {
	Files []SourceFile `json:"files"`
}

// SourceFile is a file: as text, or in base64 where it is no UTF-8.
type SourceFile struct {
	Name       *string `json:"name" doc:"Null where it came without one."`
	Data       *string `json:"data"`
	DataBase64 []byte  `json:"data_base64,omitempty"`
}

func (s *Server) getSource(ctx context.Context, in *SubmissionPath) (*answer[Source], error) {
	sub, err := s.submission(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if !seesSource(tokenOf(ctx), &sub) {
		return nil, unknown("source of submission", in.ID)
	}
	out := Source{Files: []SourceFile{}}
	for _, f := range sub.Files {
		file := SourceFile{Name: wire.Known(f.Name)}
		if text, ok := plainText(f.Data); ok {
			file.Data = &text
		} else {
			file.DataBase64 = f.Data
		}
		out.Files = append(out.Files, file)
	}
	return answered(out), nil
}

func (s *Server) listJudgements(ctx context.Context, in *SubmissionPath) (*answer[List[Judgement]], error) {
	sub, err := s.submission(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	list, err := s.Records.Judgements(ctx, sub.ID)
	if err != nil {
		return nil, err
	}
	v := s.viewOf(s.Records, tokenOf(ctx))
	var items []Judgement
	for _, j := range list {
		if !seesShadow(v.token, &j) {
			continue
		}
		shown, err := v.judgement(ctx, j)
		if err != nil {
			return nil, err
		}
		items = append(items, shown)
	}
	return answered(newList(items, "")), nil
}
