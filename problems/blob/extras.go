package blob

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"judge/judge"
)

// Fields that manifests of problems without them do not have. An empty list is not
// the same as none in most of them, hence omitzero.

// About is what judge.Problem says for people.
type About struct {
	PackageFormat judge.Format        `json:"package_format,omitempty"`
	Titles        map[string]string   `json:"titles,omitempty"`
	UUID          string              `json:"uuid,omitempty"`
	Release       string              `json:"release,omitempty"`
	RightsOwner   string              `json:"rights_owner,omitempty"`
	Keywords      []string            `json:"keywords,omitzero"`
	Credits       map[string][]string `json:"credits,omitempty"`
	EmbargoUntil  time.Time           `json:"embargo_until,omitzero"`
	Constants     map[string]string   `json:"constants,omitempty"`
	ShowGroups    bool                `json:"show_groups,omitempty"`
}

// Kind is what sort of problem it is, with the programs that it needs for that.
type Kind struct {
	Scoring         bool      `json:"scoring,omitempty"`
	Minimize        bool      `json:"minimize,omitempty"`
	Interactive     bool      `json:"interactive,omitempty"`
	MultiPass       bool      `json:"multi_pass,omitempty"`
	Passes          int       `json:"passes,omitempty"`
	SubmitAnswer    bool      `json:"submit_answer,omitempty"`
	Languages       []string  `json:"languages,omitzero"`
	FileWriting     bool      `json:"file_writing,omitempty"`
	InputValidators []Program `json:"input_validators,omitempty"`
	StaticValidator *Program  `json:"static_validator,omitempty"`
	Graders         []Program `json:"graders,omitempty"`
	Visualizers     []Program `json:"visualizers,omitempty"`
	DataChecks      []Check   `json:"data_checks,omitempty"`
	Examples        []Example `json:"examples,omitempty"`
}

// GroupExtras are fields of judge.TestGroup.
type GroupExtras struct {
	Args          []string       `json:"args,omitzero"`
	InputFlags    []string       `json:"input_flags,omitzero"`
	ValidatorFor  judge.FlagsFor `json:"validator_flags_by_name,omitzero"`
	InputFlagsFor judge.FlagsFor `json:"input_flags_by_name,omitzero"`
	FullFeedback  bool           `json:"full_feedback,omitempty"`
	RequirePass   []string       `json:"require_pass,omitzero"`
	Grading       *Grading       `json:"grading,omitempty"`
	Scoring       *Scoring       `json:"scoring,omitempty"`
	Static        bool           `json:"static,omitempty"`
	StaticFlags   []string       `json:"static_flags,omitzero"`
}

// CaseExtras are fields of judge.TestCase.
type CaseExtras struct {
	Args           []string       `json:"args,omitzero"`
	ValidatorFlags []string       `json:"validator_flags,omitzero"`
	InputFlags     []string       `json:"input_flags,omitzero"`
	InputFlagsFor  judge.FlagsFor `json:"input_flags_by_name,omitzero"`
	MaxScore       *Number        `json:"max_score,omitempty"`
	FullFeedback   bool           `json:"full_feedback,omitempty"`
	Files          []File         `json:"files,omitempty"`
	Output         *Blob          `json:"output,omitempty"`
	Hint           string         `json:"hint,omitempty"`
	Description    string         `json:"description,omitempty"`
	Shown          Shown          `json:"shown,omitzero"`
	Picture        *File          `json:"picture,omitempty"`
}

// Shown is judge.Shown.
type Shown struct {
	Input          *Blob `json:"input,omitempty"`
	Answer         *Blob `json:"answer,omitempty"`
	InputDownload  *Blob `json:"input_download,omitempty"`
	AnswerDownload *Blob `json:"answer_download,omitempty"`
	Interaction    *Blob `json:"interaction,omitempty"`
}

// Example is judge.Example.
type Example struct {
	Name  string `json:"name"`
	Shown Shown  `json:"shown"`
}

// Check is judge.DataCheck.
type Check struct {
	Kind          judge.DataCheckKind `json:"kind"`
	Name          string              `json:"name"`
	Input         Blob                `json:"input"`
	Answer        *Blob               `json:"answer,omitempty"`
	Output        *Blob               `json:"output,omitempty"`
	Flags         []string            `json:"flags,omitzero"`
	InputFlags    []string            `json:"input_flags,omitzero"`
	InputFlagsFor judge.FlagsFor      `json:"input_flags_by_name,omitzero"`
	Args          []string            `json:"args,omitzero"`
	Files         []File              `json:"files,omitempty"`
}

// Grading is judge.Grading.
type Grading struct {
	Custom       bool              `json:"custom,omitempty"`
	Flags        []string          `json:"flags,omitzero"`
	Verdict      judge.VerdictMode `json:"verdict"`
	Score        judge.ScoreMode   `json:"score"`
	IgnoreSample bool              `json:"ignore_sample,omitempty"`
	AnyAccepted  bool              `json:"accept_if_any_accepted,omitempty"`
	AcceptScore  Number            `json:"accept_score"`
	RejectScore  Number            `json:"reject_score"`
	Low          Number            `json:"low"`
	High         Number            `json:"high"`
}

// Scoring is judge.GroupScoring.
type Scoring struct {
	MaxScore    Number            `json:"max_score"`
	Aggregation judge.Aggregation `json:"aggregation"`
	StaticScore Number            `json:"static_score,omitzero"`
}

// Expectation is judge.Expectation.
type Expectation struct {
	Cases     string           `json:"cases,omitempty"`
	Permitted []judge.Verdict  `json:"permitted,omitempty"`
	Required  []judge.Verdict  `json:"required,omitempty"`
	Score     *Range           `json:"score,omitempty"`
	Message   string           `json:"message,omitempty"`
	Timing    judge.TimingRole `json:"timing,omitempty"`
}

// Range is judge.Range.
type Range struct {
	Low  Number `json:"low"`
	High Number `json:"high"`
}

// Number is a float64 of which JSON can say that it is infinite: "inf" or "-inf".
type Number float64

// MarshalJSON writes a number, or a string where it is infinite.
func (n Number) MarshalJSON() ([]byte, error) {
	switch f := float64(n); {
	case math.IsInf(f, 1):
		return []byte(`"inf"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-inf"`), nil
	case math.IsNaN(f):
		return nil, fmt.Errorf("write number: it is none")
	default:
		return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
	}
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Number) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"inf"`:
		*n = Number(math.Inf(1))
		return nil
	case `"-inf"`:
		*n = Number(math.Inf(-1))
		return nil
	}
	var f float64
	if err := json.Unmarshal(b, &f); err != nil {
		return fmt.Errorf("read number: %w", err)
	}
	*n = Number(f)
	return nil
}

// programs are all jury programs but those in Include.
func (m *Manifest) programs() []Program {
	all := slices.Concat(m.Validator.Programs, m.InputValidators, m.Graders, m.Visualizers)
	for _, p := range []*Program{m.Validator.Checker, m.StaticValidator} {
		if p != nil {
			all = append(all, *p)
		}
	}
	return all
}

func (k *Kind) each(visit func(where string, b Blob)) {
	for _, e := range k.Examples {
		e.Shown.each(e.Name, visit)
	}
	for _, c := range k.DataChecks {
		visit("input of "+c.Name, c.Input)
		visitSome(c.Name, visit, c.Answer, c.Output)
		for _, f := range c.Files {
			visit(c.Name+".files/"+f.Name, f.Blob)
		}
	}
}

func (c *CaseExtras) each(name string, visit func(where string, b Blob)) {
	for _, f := range c.Files {
		visit(name+".files/"+f.Name, f.Blob)
	}
	visitSome(name, visit, c.Output)
	c.Shown.each(name, visit)
	if c.Picture != nil {
		visit(c.Picture.Name, c.Picture.Blob)
	}
}

func (s *Shown) each(name string, visit func(where string, b Blob)) {
	visitSome(name, visit, s.Input, s.Answer, s.InputDownload, s.AnswerDownload, s.Interaction)
}

func visitSome(name string, visit func(where string, b Blob), all ...*Blob) {
	for _, b := range all {
		if b != nil {
			visit("what is shown of "+name, *b)
		}
	}
}
