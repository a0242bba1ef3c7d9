package judge

import "time"

// Language is what images/<id>/language.yaml says of a language. It is data:
// judge/language reads it, program.go expands it for a submission.
type Language struct {
	ID         string   // as in the ICPC problem package format where it has one
	Image      string   // the folder whose image it runs in: its id, but for a variant
	Name       string   // for people
	Aliases    []string // other ids by which it may be asked for
	Judge0     []int    // its ids in Judge0's API
	Piston     []string // its names in Piston's API
	Editor     string   // the mode of a code editor (CodeMirror's and Monaco's name); empty: plain text
	Example    string   // a source that prints "Hello, world!"
	Untried    string   // why it is defined but not tried; empty: it is
	Extensions []string // with the dot; sources by which the language is recognised
	Headers    []string // extensions that belong to the entry file's language, never compiled alone

	SourceName   string   // name of a source that comes without one
	NamePattern  string   // regexp: its first group that matched in a source gives the stem of the file (Java's public class)
	EntryNames   []string // of several files, one that is called so is the entry point
	EntryPattern string   // regexp: of several files, the first that matches is the entry point

	// PackagePattern is a regexp: its first group, found in the entry file, is the
	// package that {main} begins with (Java). Empty: {main} follows the folders.
	PackagePattern string

	// MainPattern is a regexp: its first group, found in the entry file, is the base
	// name in {main}. Where it finds none, {main} ends in the file's base name; with a
	// MainSuffix, its first letter in upper case and the suffix after it (Kotlin's MainKt).
	MainPattern string
	MainSuffix  string

	Version []string   // the first line that it prints is the version
	Compile []string   // argv; empty: nothing is compiled
	Defines []string   // what an argument {defines} of Compile stands for
	Keep    []string   // patterns of files that compiling leaves for the run
	Run     []string   // argv
	Env     []string   // NAME=value, for compiling and running
	Warmup  [][]string // commands that load what most programs load

	Packages []Package // of the npm registry, that the image is made of

	CompileLimits   Limits
	MemoryAllowance int64         // bytes added to a run's limit for the runtime itself
	TimeFactor      float64       // multiplies a problem's CPU limit; 1 where silent
	TimeExtra       time.Duration // added to it
	Processes       int           // of a run; 0: the default
	OutOfMemory     OutOfMemory

	Hash string // hex SHA-256 of language.yaml: part of the compile cache's key
}

// Package is a package of the npm registry, in one version, by what it holds.
type Package struct {
	Name      string // as in @typescript/typescript-linux-x64
	Version   string
	Integrity string // sha512- and the digest of its tar in base64
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
