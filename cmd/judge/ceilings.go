package main

import (
	"fmt"
	"time"

	"judge/api"
	"judge/problems"
)

// ceilingFlags are how much, at most, a problem's package may ask for.
type ceilingFlags struct {
	MaxPackageMib  int64   `name:"max-package-mib" default:"2048" placeholder:"N" help:"MiB of an uploaded package (${default})."`
	MaxUnpackedMib int64   `name:"max-unpacked-mib" default:"8192" placeholder:"N" help:"MiB of all its files (${default})."`
	MaxTime        seconds `default:"60s" placeholder:"TIME" help:"CPU time of a run (${default}); beyond this and what follows, only by an admin."`
	MaxHelperTime  seconds `default:"300s" placeholder:"TIME" help:"CPU time of compiling, and of validating one run (${default})."`
	MaxJudging     seconds `default:"7200s" placeholder:"TIME" help:"Wall time of all cases together (${default})."`
	MaxMemoryMib   int64   `name:"max-memory-mib" default:"4096" placeholder:"N" help:"MiB of memory of a run (${default})."`
	MaxOutputMib   int64   `name:"max-output-mib" default:"256" placeholder:"N" help:"MiB of output of a run (${default})."`
	MaxCodeKib     int64   `name:"max-code-kib" default:"1024" placeholder:"N" help:"KiB of a submission's source (${default})."`
	MaxCases       int     `default:"1000" placeholder:"N" help:"Test cases of a problem (${default})."`
}

// apply puts the ceilings among the limits of an API.
func (f *ceilingFlags) apply(l *api.Limits) error {
	for _, n := range []struct {
		flag        string
		value, most int64
	}{
		{"max-package-mib", f.MaxPackageMib, 1 << 20},
		{"max-unpacked-mib", f.MaxUnpackedMib, 1 << 20},
		{"max-memory-mib", f.MaxMemoryMib, problems.MaxMemory >> 20},
		{"max-output-mib", f.MaxOutputMib, problems.MaxOutput >> 20},
		{"max-code-kib", f.MaxCodeKib, problems.MaxCode >> 10},
		{"max-cases", int64(f.MaxCases), 1_000_000},
	} {
		if n.value < 1 || n.value > n.most {
			return badInput{fmt.Errorf("--%s %d: write a number from 1 to %d", n.flag, n.value, n.most)}
		}
	}
	l.Upload = f.MaxPackageMib << 20
	l.Package = api.PackageLimits{
		CPU: time.Duration(f.MaxTime), Helper: time.Duration(f.MaxHelperTime), Judging: time.Duration(f.MaxJudging),
		Memory: f.MaxMemoryMib << 20, Output: f.MaxOutputMib << 20, Code: f.MaxCodeKib << 10,
		Cases: f.MaxCases, Unpacked: f.MaxUnpackedMib << 20,
	}
	return nil
}
