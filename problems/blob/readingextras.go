package blob

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"judge/judge"
)

// checkKind looks at what a verification and the grader take for granted.
func (m *Manifest) checkKind() error {
	if m.Passes < 0 {
		return errors.New("passes: below 0")
	}
	for _, c := range m.DataChecks {
		whole := c.Kind == judge.InvalidInput || (c.Answer != nil && c.Output != nil)
		known := slices.Contains([]judge.DataCheckKind{judge.InvalidInput, judge.InvalidOutput, judge.ValidOutput}, c.Kind)
		if !known || !whole {
			return fmt.Errorf("data_checks: %q of kind %.40q is not whole", c.Name, c.Kind)
		}
		if err := errors.Join(checkName(c.Name), checkFiles(c.Files, judge.CheckFileName), checkArgs(c.Flags, c.InputFlags, c.Args), checkFor(c.InputFlagsFor)); err != nil {
			return fmt.Errorf("data_checks: %w", err)
		}
	}
	for _, e := range m.Examples {
		if err := checkName(e.Name); err != nil {
			return fmt.Errorf("examples: %w", err)
		}
	}
	for _, j := range m.Jury {
		for _, e := range j.Expectations {
			if slices.ContainsFunc(slices.Concat(e.Permitted, e.Required), func(v judge.Verdict) bool { return !v.Valid() }) {
				return fmt.Errorf("jury: %q expects %q, %q, of which one is no verdict", j.Name, e.Permitted, e.Required)
			}
		}
	}
	return nil
}

func (c *CaseExtras) check() error {
	err := errors.Join(checkFiles(c.Files, judge.CheckFileName), checkArgs(c.Args, c.ValidatorFlags, c.InputFlags), checkFor(c.InputFlagsFor))
	if c.Picture != nil {
		err = errors.Join(err, checkName(c.Picture.Name))
	}
	return err
}

// checkArgs are arguments, which may be empty, but not what no program can be given.
func checkArgs(lists ...[]string) error {
	for _, a := range slices.Concat(lists...) {
		if strings.ContainsRune(a, 0) {
			return fmt.Errorf("the argument %.300q holds a NUL", a)
		}
	}
	return nil
}

func checkFor(all ...judge.FlagsFor) error {
	for _, f := range all {
		for _, name := range sorted(f) {
			if err := checkArgs(f[name]); err != nil {
				return err
			}
		}
	}
	return nil
}
