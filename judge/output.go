package judge

import "time"

// What is kept of a run's outputs.
const (
	// KeptOutput is the most that is kept, in bytes, of each of the texts of a
	// RunOutput.
	KeptOutput = 64 << 10
	// FullOutput is the most that an inspection keeps of each, in bytes.
	FullOutput = 64 << 20
)

// RunOutput is what a run and its validators said, for staff. It is bytes out of
// boxes: SafeText makes text of them. Texts that are shorter than their sizes
// were cut at their ends.
type RunOutput struct {
	Stdout, Stderr         []byte
	StdoutSize, StderrSize int64 // bytes that the program wrote in all, up to its limit

	// Of a package's own validators, one after the other.
	JudgeMessage    []byte
	TeamMessage     []byte // what they would tell the team
	ValidatorStderr []byte

	Difference *Difference // nil where the default validator found none, or was not asked

	// Transcript is what a submission and its interactor told each other, in order;
	// nil where none was asked for. What would be more than KeptTranscript bytes in
	// all is left out, and the last entry then has Cut set.
	Transcript []Utterance
}

// KeptTranscript is the most that is kept of a transcript, in bytes.
const KeptTranscript = 256 << 10

// Utterance is what one side wrote before the other one did: lines, or a part of
// one that was written without an end.
type Utterance struct {
	Pass       int           // from 1
	Submission bool          // else the interactor
	At         time.Duration // since the pass began
	Text       []byte
	Cut        bool // what follows was left out
}

// Difference is where an output first differs from the jury's answer.
type Difference struct {
	Reason     string // token, number, not_a_number, missing, surplus, space
	Offset     int64  // bytes of the output before it
	Line       int64  // from 1
	Column     int64  // in bytes, from 1
	Token      int64  // from 1; where whitespace differs, how many tokens are before
	AnswerLine int64  // from 1
	// Got and Expected are quoted, shortened and safe to print; or, where whitespace
	// differs, in words. Got is empty where a token is missing, Expected where one is
	// too many.
	Got, Expected string
}

// Inspection is one case of a judgement that is run again with its full output,
// for staff. It changes nothing of the judgement.
type Inspection struct {
	ID           string
	JudgementID  string
	SubmissionID string
	Problem      string
	Ordinal      int // of the run
	Case         string
	By           string // token id
	State        State
	Attempt      int
	CreatedAt    time.Time
	JudgedAt     time.Time
	// Verdict and Message are of this judging: JE or CE where there is no run.
	Verdict Verdict
	Message string
	Run     *Run // with its Output; nil until it is judged, and where nothing ran
}
