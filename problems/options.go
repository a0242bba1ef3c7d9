package problems

import (
	"time"

	"judge/judge"
)

// Options bound what a package may ask of us. The zero value is sane: each
// ceiling that is zero means its default.
type Options struct {
	// Name is the problem's name; empty: the base name of the package's path
	// without .zip or .kpp, in lower case.
	Name string
	// TempDir is where the folder for staged copies is made; empty: the
	// system's folder for temporary files.
	TempDir string

	// Limits and Code (bytes) hold for packages that state none: plain
	// collections of inputs and answers. Zero fields mean the defaults.
	Limits judge.Limits
	Code   int64

	MaxFiles  int   // files and folders; default 20,000
	MaxBytes  int64 // of all files, unpacked, and of the zip itself; default 2 GiB
	MaxFile   int64 // bytes of one file; default 512 MiB
	MaxRatio  int64 // unpacked bytes per byte of a zip that unpacks to more than 64 MiB; default 250
	MaxDepth  int   // folders above a file; default 12
	MaxName   int   // bytes of a file's path in the package; default 255
	MaxConfig int64 // bytes of a yaml, ini or .timelimit file; default 256 KiB
	MaxSource int64 // bytes of all validators, included files and jury submissions together, which are kept in memory; default 64 MiB
}

// freeRatio is how much a zip may unpack to whatever its ratio: test data of
// one repeated byte is legitimate, and deflate makes 1,032 bytes of one.
const freeRatio = 64 << 20

// The highest limits that a package may ask for without an administrator's
// consent; for CPU time it is judge.MaxCPU.
const (
	MaxMemory    int64 = 64 << 30 // bytes
	MaxOutput    int64 = 1 << 30  // bytes
	MaxCode      int64 = 16 << 20 // bytes
	MaxCompile         = 10 * time.Minute
	maxFactor          = 1000 // time_multiplier and time_safety_margin
	maxProcesses       = 4096
	maxPasses          = 1000 // validation_passes
)

func (o Options) withDefaults() Options {
	o.MaxFiles = or(o.MaxFiles, 20_000)
	o.MaxBytes = or(o.MaxBytes, 2<<30)
	o.MaxFile = or(o.MaxFile, 512<<20)
	o.MaxRatio = or(o.MaxRatio, 250)
	o.MaxDepth = or(o.MaxDepth, 12)
	o.MaxName = or(o.MaxName, 255)
	o.MaxConfig = or(o.MaxConfig, 256<<10)
	o.MaxSource = or(o.MaxSource, 64<<20)
	return o
}

func or[T ~int | ~int64](v, otherwise T) T {
	if v <= 0 {
		return otherwise
	}
	return v
}
