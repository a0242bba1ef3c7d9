package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"judge/judge/checker"
)

// checkCmd is the default output validator as a program.
type checkCmd struct {
	Input    string   `arg:"" help:"The test case's input; it is not looked at."`
	Answer   string   `arg:"" help:"The jury's answer."`
	Feedback string   `arg:"" name:"feedbackdir" help:"A folder that exists; judgemessage.txt in it says where and why."`
	Flags    []string `arg:"" optional:"" passthrough:"" name:"flags" help:"case_sensitive, space_change_sensitive, float_relative_tolerance E, float_absolute_tolerance E, float_tolerance E."`
}

// Help is shown by judge check --help.
func (checkCmd) Help() string {
	return `The output to validate is read from standard input. Exit code 42: accepted; 43: wrong answer; 1: the comparison failed.

Example:
  judge check 1.in 1.ans feedback/ float_tolerance 1e-6 < output.txt; echo $?`
}

// Run compares, and ends with the validator's exit code.
func (c *checkCmd) Run(a *app) error {
	opts, err := checker.ParseFlags(c.Flags)
	if err != nil {
		return err
	}
	if _, err := os.Stat(c.Input); err != nil {
		return fmt.Errorf("open input: %w", err)
	}
	if info, err := os.Stat(c.Feedback); err != nil {
		return fmt.Errorf("find feedback folder: %w; make it first", err)
	} else if !info.IsDir() {
		return fmt.Errorf("%s is no folder; name one for %s", c.Feedback, checker.MessageFile)
	}
	answer, err := os.Open(c.Answer)
	if err != nil {
		return fmt.Errorf("open answer: %w", err)
	}
	outcome, err := checker.Check(opts, answer, a.in)
	if err := errors.Join(err, answer.Close()); err != nil {
		return err
	}
	message := []byte(outcome.Message)
	if len(message) > 0 {
		message = append(message, '\n')
	}
	if err := os.WriteFile(filepath.Join(c.Feedback, checker.MessageFile), message, 0o644); err != nil { //nolint:gosec // for whoever reads the folder
		return fmt.Errorf("write feedback: %w", err)
	}
	return exitCode(outcome.ExitCode())
}
