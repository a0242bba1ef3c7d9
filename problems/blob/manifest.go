package blob

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"judge/judge"
)

// ManifestFormat is the only format of manifests so far.
const ManifestFormat = 1

// Manifest is one version of a problem as JSON: all that a judge.Problem holds,
// with each file by its SHA-256. Together with the blobs it replaces the package.
// The same package always makes the same manifest.
type Manifest struct {
	Format  int    `json:"format"`  // ManifestFormat
	Name    string `json:"name"`    // of the problem
	Version string `json:"version"` // as problems.Package.Version

	Title   string `json:"title,omitempty"`
	License string `json:"license,omitempty"`
	Source  string `json:"source,omitempty"`
	Author  string `json:"author,omitempty"`

	Limits       Limits  `json:"limits"`
	Code         int64   `json:"code_bytes"`
	Compilation  Limits  `json:"compilation"`
	Validation   Limits  `json:"validation"`
	TimeLimitSet bool    `json:"time_limit_set"`
	Timing       Factors `json:"timing"`

	Validator   Validator         `json:"validator"`
	Data        Group             `json:"data"`
	Include     map[string][]File `json:"include,omitempty"` // by language or "default"
	Jury        []Jury            `json:"jury,omitempty"`
	Statement   []File            `json:"statement,omitempty"` // named by their paths in the package
	Attachments []File            `json:"attachments,omitempty"`
	Solution    []File            `json:"solution,omitempty"`

	About
	Kind
}

// Limits are judge.Limits; 0 is the default.
type Limits struct {
	CPU       Seconds `json:"cpu_time_s"`
	Wall      Seconds `json:"wall_time_s"`
	Memory    int64   `json:"memory_bytes"`
	Output    int64   `json:"output_bytes"`
	Processes int     `json:"processes"`
}

// Factors are judge.TimeCalibrate.
type Factors struct {
	Multiplier   float64 `json:"multiplier"`
	SafetyMargin float64 `json:"safety_margin"`
	Resolution   Seconds `json:"resolution_s,omitempty"`
}

// Validator is judge.OutputValidator.
type Validator struct {
	Flags    []string       `json:"flags,omitempty"`
	Programs []Program      `json:"programs,omitempty"`
	Builtin  string         `json:"builtin,omitempty"`
	Protocol judge.Protocol `json:"protocol,omitempty"`
	Checker  *Program       `json:"checker,omitempty"`
}

// Program is judge.JuryProgram.
type Program struct {
	Name  string `json:"name"`
	Files []File `json:"files"`
}

// Jury is judge.JurySubmission.
type Jury struct {
	Name     string          `json:"name"`
	Files    []File          `json:"files"`
	Expected []judge.Verdict `json:"expected,omitempty"`

	Language     string           `json:"language,omitempty"`
	Entry        string           `json:"entry,omitempty"`
	Model        bool             `json:"model,omitempty"`
	Timing       judge.TimingRole `json:"timing,omitempty"`
	Score        *Range           `json:"score,omitempty"`
	Expectations []Expectation    `json:"expectations,omitempty"`
}

// Group is judge.TestGroup.
type Group struct {
	Name           string   `json:"name"`
	ContinueReject bool     `json:"continue_on_reject,omitempty"`
	Flags          []string `json:"validator_flags,omitempty"`
	Cases          []Case   `json:"cases,omitempty"`
	Groups         []Group  `json:"groups,omitempty"`
	GroupExtras
}

// Case is judge.TestCase.
type Case struct {
	Name   string `json:"name"`
	Sample bool   `json:"sample,omitempty"`
	Input  Blob   `json:"input"`
	Answer Blob   `json:"answer"`
	CaseExtras
}

// File is a file by name and blob.
type File struct {
	Name string `json:"name"`
	Blob
}

// Blob is what a file holds.
type Blob struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size_bytes"`
}

// Ref is the blob's name for a Store or a Cache.
func (b Blob) Ref() Ref { return Ref{SHA256: b.SHA256, Size: b.Size} }

// Refs lists the blobs that the manifest refers to, each once, in the order in
// which they are first met.
func (m *Manifest) Refs() []Ref {
	var all []Ref
	seen := map[string]bool{}
	m.each(func(_ string, b Blob) {
		if !seen[b.SHA256] {
			seen[b.SHA256] = true
			all = append(all, b.Ref())
		}
	})
	return all
}

// each visits all blobs with the names of what they are.
func (m *Manifest) each(visit func(where string, b Blob)) {
	files := func(where string, all []File) {
		for _, f := range all {
			visit(where+f.Name, f.Blob)
		}
	}
	var group func(g *Group)
	group = func(g *Group) {
		for i := range g.Cases {
			c := &g.Cases[i]
			visit("input of "+c.Name, c.Input)
			visit("answer of "+c.Name, c.Answer)
			c.each(c.Name, visit)
		}
		for i := range g.Groups {
			group(&g.Groups[i])
		}
	}
	group(&m.Data)
	for _, p := range m.programs() {
		files(p.Name+": ", p.Files)
	}
	m.Kind.each(visit)
	for _, lang := range sorted(m.Include) {
		files("include/"+lang+"/", m.Include[lang])
	}
	for _, j := range m.Jury {
		files("submissions/"+j.Name+": ", j.Files)
	}
	files("", m.Statement)
	files("", m.Attachments)
	files("", m.Solution)
}

// Seconds is a duration that is written in seconds, exactly to the nanosecond.
type Seconds time.Duration

// maxSeconds is far beyond any limit, and far below where a float64 of seconds
// loses nanoseconds (2^53 ns are 104 days).
const maxSeconds = 24 * 60 * 60

// MarshalJSON writes a number of seconds.
func (s Seconds) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, time.Duration(s).Seconds(), 'f', -1, 64), nil
}

// UnmarshalJSON reads a number of seconds, from 0 to a day.
func (s *Seconds) UnmarshalJSON(b []byte) error {
	var f float64
	if err := json.Unmarshal(b, &f); err != nil {
		return fmt.Errorf("read seconds: %w", err)
	}
	if f < 0 || f > maxSeconds {
		return fmt.Errorf("read seconds: %s is not within 0 and %d", b, maxSeconds)
	}
	*s = Seconds(math.Round(f * float64(time.Second)))
	return nil
}
