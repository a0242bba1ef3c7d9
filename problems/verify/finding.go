package verify

import (
	"fmt"

	"judge/judge"
	"judge/problems"
)

// Finding is something that the people who made a package should know.
type Finding = problems.Finding

// The codes of what verification itself finds.
const (
	CodeInputRejected   = "input-rejected"            // an input validator rejects an input
	CodeAnswerRejected  = "answer-rejected"           // the output validator rejects the jury's answer
	CodeExampleAccepted = "invalid-example-accepted"  // invalid_input or invalid_output is accepted
	CodeExampleRejected = "valid-example-rejected"    // valid_output is rejected
	CodeValidatorFault  = "validator-fault"           // a validator gives no answer
	CodeNotRun          = "validator-not-run"         // nothing here runs it
	CodeSubmission      = "unexpected-result"         // a submission did not come to what is expected
	CodeRefused         = "submission-refused"        // a submission cannot be judged
	CodeNoCalibration   = "time-limit-not-calibrated" // no limit is given and none was found
	CodeCalibrated      = "time-limit-calibrated"     // no limit is given and one was found
	CodeLimitTooHigh    = "time-limit-too-high"       // the one found is beyond what is given
	CodeAcceptedClose   = "accepted-close-to-limit"   // the slowest accepted submission
	CodeTooSlowClose    = "too-slow-close-to-limit"   // the fastest one that is too slow
	CodeOnlySamples     = "only-samples-catch"        // no secret case fails a wrong submission
	CodeIdleCases       = "cases-that-fail-nobody"    // no wrong submission fails on a case
	CodeDuplicateInput  = "duplicate-input"           // two cases of a group have the same input
	maxMessage          = 2 << 10                     // bytes of a finding that a box had a say in
	manyNames           = 6                           // cases that a finding names
)

// fromReading takes over what reading the package found.
func fromReading(f problems.Finding) Finding { return f }

func (v *verification) find(s problems.Severity, code problems.Code, file, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report.Findings = append(v.report.Findings, Finding{
		Severity: s, Code: code, File: file, Message: judge.SafeText(fmt.Appendf(nil, format, args...), maxMessage),
	})
}
