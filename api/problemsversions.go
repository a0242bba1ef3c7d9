package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Version is one upload of a problem's package.
type Version struct {
	ID        string    `json:"id" format:"uuid"`
	Problem   string    `json:"problem"`
	Number    int       `json:"number" doc:"From 1, in order of upload."`
	State     string    `json:"state" enum:"draft,verifying,published,retired"`
	Digest    string    `json:"digest" doc:"SHA-256 of all that judging depends on."`
	Title     *string   `json:"title"`
	Settings  Settings  `json:"settings"`
	Found     *float64  `json:"calibrated_time_limit_s" doc:"The time limit that verification found; null: the package gives one, or none was found."`
	CreatedAt wire.Time `json:"created_at"`
	CreatedBy *string   `json:"created_by" doc:"Id of the token; null: somebody on the server."`
}

// Settings are what staff set for a version beside what its package says.
type Settings struct {
	TimeLimit *float64 `json:"time_limit_s" doc:"CPU time of a run; null: what the package says."`
	Languages []string `json:"languages" doc:"Ids of those that may be used; empty: all."`
	Feedback  string   `json:"feedback" enum:"full,cases,first_failed,verdict,none"`
}

// SettingsRequest changes settings; what it leaves out stays.
type SettingsRequest struct {
	TimeLimit *float64  `json:"time_limit_s,omitempty" minimum:"0" doc:"CPU time of a run; 0: what the package says. Judgements that have begun keep theirs."`
	Languages *[]string `json:"languages,omitempty" maxItems:"200" doc:"Ids of those that may be used; empty: all."`
	Feedback  string    `json:"feedback,omitempty" enum:"full,cases,first_failed,verdict,none"`
}

// VersionPath names the version of a problem that a request is about.
type VersionPath struct {
	ProblemPath

	Number int `path:"number" minimum:"1"`
}

type updateVersionInput struct {
	VersionPath

	Exceed bool `query:"exceed" doc:"Set a time limit beyond this server's ceiling; only for admins."`
	Body   struct {
		State    string           `json:"state,omitempty" enum:"published,retired" doc:"Publishing a version retires the one that was published. Only what was verified without errors can be published."`
		Override bool             `json:"override,omitempty" doc:"Publish what was not verified, or has errors; with a reason, and on record."`
		Settings *SettingsRequest `json:"settings,omitempty"`
		Reason   string           `json:"reason,omitempty" maxLength:"1000"`
	}
}

func (s *Server) versionRoutes(tags []string) {
	register(s, huma.Operation{OperationID: "list-versions", Method: http.MethodGet, Path: "/problems/{problem}/versions", Tags: tags, Summary: "The versions of a problem, newest first"}, s.listVersions)
	register(s, huma.Operation{OperationID: "get-version", Method: http.MethodGet, Path: "/problems/{problem}/versions/{number}", Tags: tags, Summary: "A version of a problem"}, s.getVersion)
	register(s, huma.Operation{OperationID: "update-version", Method: http.MethodPatch, Path: "/problems/{problem}/versions/{number}", Tags: tags, Summary: "Publish or retire a version, change its settings"}, s.updateVersion)
}

func (s *Server) version(ctx context.Context, v *judge.ProblemVersion) (Version, error) {
	summary, err := s.Packages.Summary(ctx, v.ID)
	out := Version{
		ID: v.ID, Problem: v.Problem, Number: v.Number, State: string(v.State), Digest: v.Digest, Title: wire.Known(summary.Title),
		Settings:  Settings{Languages: append([]string{}, v.Settings.Languages...), Feedback: string(v.Settings.Feedback)},
		CreatedAt: wire.Time(v.CreatedAt), CreatedBy: wire.Known(v.CreatedBy), Found: wire.Known(v.Calibrated.Seconds()),
	}
	if cpu := v.Settings.CPU; cpu > 0 {
		out.Settings.TimeLimit = wire.Known(cpu.Seconds())
	}
	return out, err
}

func (s *Server) listVersions(ctx context.Context, in *ProblemPath) (*answer[List[Version]], error) {
	if err := s.staffProblem(ctx, in.Problem); err != nil {
		return nil, err
	}
	all, err := s.Records.Versions(ctx, in.Problem)
	if err != nil {
		return nil, err
	}
	items := make([]Version, 0, len(all))
	for i := range all {
		v, err := s.version(ctx, &all[i])
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	return answered(newList(items, "")), nil
}

func (s *Server) getVersion(ctx context.Context, in *VersionPath) (*answer[Version], error) {
	v, err := s.findVersion(ctx, in)
	if err != nil {
		return nil, err
	}
	out, err := s.version(ctx, v)
	return answered(out), err
}

// findVersion finds a version by its number, for staff of the problem.
func (s *Server) findVersion(ctx context.Context, in *VersionPath) (*judge.ProblemVersion, error) {
	if err := s.staffProblem(ctx, in.Problem); err != nil {
		return nil, err
	}
	all, err := s.Records.Versions(ctx, in.Problem)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(v judge.ProblemVersion) bool { return v.Number == in.Number })
	if at < 0 {
		return nil, unknown("version", fmt.Sprintf("%d of problem %s", in.Number, in.Problem))
	}
	return &all[at], nil
}

func (s *Server) updateVersion(ctx context.Context, in *updateVersionInput) (*answer[Version], error) {
	if in.Body.State == "" && in.Body.Settings == nil {
		return nil, wrongField("body", "there is nothing to change; give state or settings")
	}
	if in.Body.Override && in.Body.Reason == "" {
		return nil, wrongField("body.reason", "say why, for the record, where override is given")
	}
	v, err := s.findVersion(ctx, &in.VersionPath)
	if err != nil {
		return nil, err
	}
	entry := judge.AuditEntry{Action: "version.update", Object: in.Problem, Reason: in.Body.Reason, Detail: detail(map[string]any{
		"number": v.Number, "state": wire.Known(in.Body.State), "settings": in.Body.Settings, "exceed": in.Exceed, "override": in.Body.Override,
	})}
	err = s.changed(ctx, entry, func(tx Tx) error {
		if in.Body.Settings != nil {
			// Read in the transaction, and left alone where the request does.
			now, err := tx.VersionInfo(ctx, v.ID)
			if err != nil {
				return err
			}
			set, err := s.settings(ctx, in, now.Settings)
			if err != nil {
				return err
			}
			if err := tx.SetSettings(ctx, v.ID, set); err != nil {
				return err
			}
		}
		if in.Body.State == "" || in.Body.State == string(v.State) {
			return nil
		}
		if in.Body.State == string(judge.Published) && !in.Body.Override {
			if err := mayPublish(ctx, tx, v); err != nil {
				return err
			}
		}
		return tx.SetVersionState(ctx, v.ID, judge.VersionState(in.Body.State))
	})
	if err != nil {
		return nil, err
	}
	return s.getVersion(ctx, &in.VersionPath)
}

// settings are those of now with what a request changes.
func (s *Server) settings(ctx context.Context, in *updateVersionInput, now judge.Settings) (judge.Settings, error) {
	r := in.Body.Settings
	if r.Feedback != "" {
		now.Feedback = judge.Feedback(r.Feedback)
	}
	if r.Languages != nil {
		for i, id := range *r.Languages {
			if !slices.ContainsFunc(s.Languages.All(), func(l *judge.Language) bool { return l.ID == id }) {
				return now, wrongField(fmt.Sprintf("body.settings.languages[%d]", i), "%.64q is none; GET %s/languages lists them", id, base)
			}
		}
		now.Languages = *r.Languages
	}
	if r.TimeLimit == nil {
		return now, nil
	}
	const field = "body.settings.time_limit_s"
	ceiling := s.Limits.Package.CPU
	switch exceed := in.Exceed && tokenOf(ctx).Role == judge.RoleAdmin; {
	case *r.TimeLimit > judge.MaxCPU.Seconds():
		return now, wrongField(field, "%g is too much; at most %g", *r.TimeLimit, judge.MaxCPU.Seconds())
	case *r.TimeLimit > ceiling.Seconds() && !exceed:
		return now, wrongField(field, "%g is beyond this server's ceiling of %g; an admin may set it with exceed=true", *r.TimeLimit, ceiling.Seconds())
	case *r.TimeLimit > 0 && *r.TimeLimit < 0.001:
		return now, wrongField(field, "%g cannot be measured; at least 0.001, or 0 for what the package says", *r.TimeLimit)
	}
	now.CPU = time.Duration(*r.TimeLimit * float64(time.Second)).Round(time.Microsecond)
	return now, nil
}
