package judge

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Equal reports whether both give the same programs the same flags.
func (f FlagsFor) Equal(g FlagsFor) bool {
	return maps.EqualFunc(f, g, slices.Equal) && (f == nil) == (g == nil)
}

// Of returns the flags of the program whose path or base name is given.
func (f FlagsFor) Of(program string) []string {
	base := path.Base(program)
	if flags, ok := f[base]; ok {
		return flags
	}
	return f[strings.TrimSuffix(base, path.Ext(base))]
}

// OutputFlags are the flags that an output validator of the problem is given for
// this case, those of problem.yaml first. program is its JuryProgram.Name; empty: the
// default validator.
func (c CaseInGroup) OutputFlags(v OutputValidator, program string) []string {
	switch {
	case c.ValidatorFlags != nil:
		return slices.Concat(v.Flags, c.ValidatorFlags)
	case c.Group.ValidatorFor == nil:
		return slices.Concat(v.Flags, c.Group.ValidatorFlags)
	case program == "":
		program = "default"
	}
	return slices.Concat(v.Flags, c.Group.ValidatorFor.Of(program))
}

// CommandArgs are the arguments that a submission is given for this case.
func (c CaseInGroup) CommandArgs() []string {
	if c.Args != nil {
		return c.Args
	}
	return c.Group.Args
}

// InputFlagsOf are the arguments that an input validator is given for this case:
// its flags, then those of the submission. program is its JuryProgram.Name.
func (c CaseInGroup) InputFlagsOf(program string) []string {
	flags := c.Group.InputFlags
	switch {
	case c.InputFlagsFor != nil:
		flags = c.InputFlagsFor.Of(program)
	case c.InputFlags != nil:
		flags = c.InputFlags
	case c.Group.InputFlagsFor != nil:
		flags = c.Group.InputFlagsFor.Of(program)
	}
	return slices.Concat(flags, c.CommandArgs())
}

// InputFlagsOf are the arguments that an input validator is given for Input.
func (c DataCheck) InputFlagsOf(program string) []string {
	if c.InputFlagsFor != nil {
		return slices.Concat(c.InputFlagsFor.Of(program), c.Args)
	}
	return slices.Concat(c.InputFlags, c.Args)
}
