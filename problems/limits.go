package problems

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// Where a time limit may stand outside problem.yaml.
const (
	timeLimitFile = ".timelimit"
	domjudgeFile  = "domjudge-problem.ini"
)

const (
	seconds = "s"
	mib     = "MiB"
	kib     = "KiB"
)

// defaultLimits are what the legacy format gives where a package is silent.
// Wall and Processes stay zero: they follow from the others.
func defaultLimits(p *judge.Problem) {
	p.Limits = judge.Limits{CPU: judge.DefaultCPU, Memory: judge.DefaultMemory, Output: judge.DefaultOutput}
	p.Code = judge.DefaultCode
	p.Compilation = judge.Limits{CPU: judge.DefaultCompile, Memory: judge.DefaultMemory}
	p.Validation = judge.Limits{CPU: judge.DefaultValidation, Memory: judge.DefaultMemory, Output: judge.DefaultOutput}
	p.Timing = judge.TimeCalibrate{Multiplier: 5, SafetyMargin: 2}
}

// limitFields are the keys of limits that all versions of the format have.
func limitFields(d *document, p *judge.Problem) fields {
	size := func(to *int64, key, unit string, bytes, ceiling int64) func(*yaml.Node) {
		return func(n *yaml.Node) {
			if f, ok := d.number(n, "limits."+key, unit, float64(ceiling/bytes)); ok {
				*to = max(int64(f*float64(bytes)), 1)
			}
		}
	}
	span := func(to *time.Duration, key string, ceiling time.Duration) func(*yaml.Node) {
		return func(n *yaml.Node) {
			if f, ok := d.number(n, "limits."+key, seconds, ceiling.Seconds()); ok {
				*to = duration(f)
			}
		}
	}
	return fields{
		"time_limit": func(n *yaml.Node) {
			if f, ok := d.number(n, "limits.time_limit", seconds, judge.MaxCPU.Seconds()); ok {
				p.Limits.CPU, p.TimeLimitSet = duration(f), true
			}
		},
		"memory":             size(&p.Limits.Memory, "memory", mib, 1<<20, MaxMemory),
		"output":             size(&p.Limits.Output, "output", mib, 1<<20, MaxOutput),
		"code":               size(&p.Code, "code", kib, 1<<10, MaxCode),
		"compilation_time":   span(&p.Compilation.CPU, "compilation_time", MaxCompile),
		"compilation_memory": size(&p.Compilation.Memory, "compilation_memory", mib, 1<<20, MaxMemory),
		"validation_time":    span(&p.Validation.CPU, "validation_time", judge.MaxCPU),
		"validation_memory":  size(&p.Validation.Memory, "validation_memory", mib, 1<<20, MaxMemory),
		"validation_output":  size(&p.Validation.Output, "validation_output", mib, 1<<20, MaxOutput),
		"validation_passes": func(n *yaml.Node) {
			if passes, ok := d.whole(n, "limits.validation_passes", 2, maxPasses); ok {
				p.Passes = int(passes)
			}
		},
	}
}

// factorField is a factor of the calibration.
func (d *document) factorField(to *float64, key string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		f, ok := d.number(n, "limits."+key, "", maxFactor)
		if ok && f < 1 {
			d.fault(BadNumber, n, "limits.%s is %q, below 1: that would reject the jury's own solutions; write a factor from 1 to %d", key, n.Value, maxFactor)
		} else if ok {
			*to = f
		}
	}
}

// legacyLimits are the keys of limits in the legacy format.
func legacyLimits(d *document, p *judge.Problem) fields {
	f := limitFields(d, p)
	f["time_multiplier"] = d.factorField(&p.Timing.Multiplier, "time_multiplier")
	f["time_safety_margin"] = d.factorField(&p.Timing.SafetyMargin, "time_safety_margin")
	return f
}

// icpcLimits are the keys of limits in 2025-09.
func icpcLimits(d *document, p *judge.Problem) fields {
	f := limitFields(d, p)
	f["time_multipliers"] = func(n *yaml.Node) {
		d.each(n, "limits.time_multipliers", fields{
			"ac_to_time_limit":  d.factorField(&p.Timing.Multiplier, "time_multipliers.ac_to_time_limit"),
			"time_limit_to_tle": d.factorField(&p.Timing.SafetyMargin, "time_multipliers.time_limit_to_tle"),
		})
	}
	f["time_resolution"] = func(n *yaml.Node) {
		if s, ok := d.number(n, "limits.time_resolution", seconds, judge.MaxCPU.Seconds()); ok {
			p.Timing.Resolution = duration(s)
		}
	}
	return f
}

// duration is at least a millisecond: less cannot be measured.
func duration(s float64) time.Duration {
	return max(time.Duration(math.Round(s*float64(time.Second))), time.Millisecond)
}

// timeLimit looks for a limit outside problem.yaml, which comes first, then
// .timelimit, then domjudge-problem.ini. It says so where they differ.
func (r *reader) timeLimit(ini iniFile) {
	p := &r.pkg.Problem
	where := ""
	if p.TimeLimitSet {
		where = configFile
	}
	try := func(file, text string, line int) {
		f, reason := parseNumber(text, seconds, judge.MaxCPU.Seconds())
		switch {
		case reason != "":
			r.rep.errorf(BadNumber, file, line, "the time limit is %q, %s", text, reason)
		case where == "":
			p.Limits.CPU, p.TimeLimitSet, where = duration(f), true, file
		case duration(f) != p.Limits.CPU:
			r.rep.warnf(TimeLimits, file, line, "the time limit of %s s is not used: %s says %v, and goes before it; make them agree", text, where, p.Limits.CPU)
		}
	}
	if data, ok := r.config(timeLimitFile); ok {
		try(timeLimitFile, strings.TrimSpace(string(data)), 1)
	}
	if v, ok := ini["timelimit"]; ok {
		try(domjudgeFile, v.text, v.line)
	}
}

// checkGiven refuses limits of the caller's that no package could ask for.
func checkGiven(l judge.Limits, code int64) error {
	for _, v := range []struct {
		name       string
		n, ceiling int64
		text       func(int64) string
	}{
		{"CPU time limit", int64(l.CPU), int64(judge.MaxCPU), spanText},
		{"wall time limit", int64(l.Wall), 2 * int64(judge.MaxCPU), spanText},
		{"memory limit", l.Memory, MaxMemory, bytesText},
		{"output limit", l.Output, MaxOutput, bytesText},
		{"code limit", code, MaxCode, bytesText},
		{"process limit", int64(l.Processes), maxProcesses, func(n int64) string { return strconv.FormatInt(n, 10) }},
	} {
		if v.n < 0 || v.n > v.ceiling {
			return fmt.Errorf("the %s given is %s; it must be above 0 and at most %s", v.name, v.text(v.n), v.text(v.ceiling))
		}
	}
	return nil
}

func spanText(n int64) string { return time.Duration(n).String() }
