package judge

import "time"

// Language is what images/<id>/language.yaml says of a language. It is data:
// judge/language reads it, program.go expands it for a submission.
type Language struct {
	ID         string   // as in the ICPC problem package format where it has one
	Name       string   // for people
	Extensions []string // with the dot; sources by which the language is recognised
	Headers    []string // extensions that belong to the entry file's language, never compiled alone

	SourceName   string // name of a source that comes without one
	NamePattern  string // regexp: its first group that matched in a source gives the stem of the file (Java's public class)
	EntryPattern string // regexp: of several files, the first that matches is the entry point

	// PackagePattern is a regexp: its first group, found in the entry file, is the
	// package that {main} begins with (Java). Empty: {main} follows the folders.
	PackagePattern string

	Version []string   // the first line that it prints is the version
	Compile []string   // argv; empty: nothing is compiled
	Keep    []string   // patterns of files that compiling leaves for the run
	Run     []string   // argv
	Env     []string   // NAME=value, for compiling and running
	Warmup  [][]string // commands that load what most programs load

	CompileLimits   Limits
	MemoryAllowance int64         // bytes added to a run's limit for the runtime itself
	TimeFactor      float64       // multiplies a problem's CPU limit; 1 where silent
	TimeExtra       time.Duration // added to it
	Processes       int           // of a run; 0: the default
	OutOfMemory     OutOfMemory

	Hash string // hex SHA-256 of language.yaml: part of the compile cache's key
}

// OutOfMemory tells a failed allocation that the runtime reports by itself from
// other failures. A run that failed so near its limit is MLE.
type OutOfMemory struct {
	Stderr    string // regexp, matched against the kept part of standard error
	ExitCodes []int
}

// RunLimits are the limits of a run in this language under a problem's limits:
// time factor and extra applied, the memory allowance added.
func (l *Language) RunLimits(p Limits) Limits {
	p = p.WithDefaults()
	cpu := p.CPU
	if l.TimeFactor > 0 {
		cpu = time.Duration(float64(cpu) * l.TimeFactor)
	}
	cpu += l.TimeExtra
	if cpu != p.CPU {
		p.Wall = max(p.Wall, WallFor(cpu))
		p.CPU = cpu
	}
	p.Memory += l.MemoryAllowance
	if l.Processes > 0 {
		p.Processes = l.Processes
	}
	return p
}
