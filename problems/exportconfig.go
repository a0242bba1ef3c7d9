package problems

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// setting is a key of a yaml file with its value; settings keep their order.
type setting struct {
	key   string
	value any
}

type settingsMap []setting

func (s *settingsMap) add(key string, value any) { *s = append(*s, setting{key, value}) }

// some adds a key if its value says something.
func (s *settingsMap) some(key string, value any, there bool) {
	if there {
		s.add(key, value)
	}
}

// MarshalYAML writes the keys in their order.
func (s settingsMap) MarshalYAML() (any, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, e := range s {
		key, value := &yaml.Node{}, &yaml.Node{}
		if err := key.Encode(e.key); err != nil {
			return nil, err
		}
		if err := value.Encode(e.value); err != nil {
			return nil, err
		}
		n.Content = append(n.Content, key, value)
	}
	return n, nil
}

func (x *exporter) addYAML(name string, s settingsMap) {
	if len(s) == 0 {
		return
	}
	var buf bytes.Buffer
	e := yaml.NewEncoder(&buf)
	e.SetIndent(2)
	if err := e.Encode(s); err != nil && x.err == nil {
		x.err = fmt.Errorf("write %s: %w", name, err)
	}
	x.add(name, buf.Bytes())
}

// config writes problem.yaml.
func (x *exporter) config() {
	p := &x.problem
	var s settingsMap
	s.add("problem_format_version", string(judge.Format2025))
	s.add("type", problemTypes(p))
	if len(p.Titles) > 0 {
		s.add("name", p.Titles)
	} else {
		s.add("name", p.Title)
	}
	s.add("uuid", orText(p.UUID, derivedUUID(p.Name)))
	s.some("version", p.Release, p.Release != "")
	switch {
	case len(p.Credits) > 0:
		s.add("credits", credits(p.Credits))
	case p.Author != "":
		s.add("credits", settingsMap{{"authors", []string{p.Author}}})
	}
	s.some("source", p.Source, p.Source != "")
	if p.License != "" && slices.Contains(licenses, strings.ToLower(p.License)) {
		s.add("license", strings.ToLower(p.License))
	} else if p.License != "" {
		x.rep.warnf(BadValue, configFile, 0, "the license %.80q is none that the format knows; it is left out", p.License)
	}
	s.some("rights_owner", p.RightsOwner, p.RightsOwner != "")
	s.some("embargo_until", p.EmbargoUntil.UTC().Format("2006-01-02T15:04:05Z"), !p.EmbargoUntil.IsZero())
	s.some("keywords", p.Keywords, len(p.Keywords) > 0)
	s.some("languages", p.Languages, len(p.Languages) > 0)
	s.some("allow_file_writing", true, p.FileWriting)
	s.some("constants", p.Constants, len(p.Constants) > 0)
	s.add("limits", x.limits())
	x.addYAML(configFile, s)
}

func problemTypes(p *judge.Problem) []string {
	types := []string{"pass-fail"}
	if p.Scoring {
		types = []string{"scoring"}
	}
	for _, t := range []struct {
		name string
		is   bool
	}{{"interactive", p.Interactive}, {"multi-pass", p.MultiPass}, {"submit-answer", p.SubmitAnswer}} {
		if t.is {
			types = append(types, t.name)
		}
	}
	return types
}

// credits puts translators, by language, into a mapping of their own.
func credits(all map[string][]string) settingsMap {
	var s, translators settingsMap
	for _, role := range slices.Sorted(maps.Keys(all)) {
		if language, ok := strings.CutPrefix(role, "translators."); ok {
			translators.add(language, all[role])
		} else {
			s.add(role, all[role])
		}
	}
	s.some("translators", translators, len(translators) > 0)
	return s
}

// derivedUUID is of a problem that has none: version 8 (RFC 9562), from the name,
// so that the same problem is the same wherever it is exported.
func derivedUUID(name string) string {
	sum := sha256.Sum256([]byte("judge problem " + name))
	b := sum[:16]
	b[6] = b[6]&0x0f | 0x80
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (x *exporter) limits() settingsMap {
	p := &x.problem
	var s settingsMap
	s.some("time_limit", p.Limits.CPU.Seconds(), p.TimeLimitSet)
	var factors settingsMap
	factors.some("ac_to_time_limit", p.Timing.Multiplier, p.Timing.Multiplier != 2)
	factors.some("time_limit_to_tle", p.Timing.SafetyMargin, p.Timing.SafetyMargin != 1.5)
	s.some("time_multipliers", factors, len(factors) > 0)
	s.some("time_resolution", p.Timing.Resolution.Seconds(), p.Timing.Resolution != 0 && p.Timing.Resolution != time.Second)
	size := func(key string, bytes, unit, otherwise int64) {
		if bytes != otherwise {
			s.add(key, yamlNumber(float64(bytes)/float64(unit)))
		}
	}
	span := func(key string, d, otherwise time.Duration) { s.some(key, yamlNumber(d.Seconds()), d != otherwise) }
	size("memory", p.Limits.Memory, 1<<20, judge.DefaultMemory)
	size("output", p.Limits.Output, 1<<20, judge.DefaultOutput)
	size("code", p.Code, 1<<10, judge.DefaultCode)
	span("compilation_time", p.Compilation.CPU, judge.DefaultCompile)
	size("compilation_memory", p.Compilation.Memory, 1<<20, judge.DefaultMemory)
	span("validation_time", p.Validation.CPU, judge.DefaultValidation)
	size("validation_memory", p.Validation.Memory, 1<<20, judge.DefaultMemory)
	size("validation_output", p.Validation.Output, 1<<20, judge.DefaultOutput)
	s.some("validation_passes", p.Passes, p.MultiPass && p.Passes > 0)
	if p.Limits.Wall != 0 || p.Limits.Processes != 0 {
		x.rep.warnf(UselessKey, configFile, 0, "the limits of elapsed time and of processes have no place in this format; they are left out")
	}
	return s
}

// yamlNumber is a whole number where it is one.
func yamlNumber(f float64) any {
	if f == float64(int64(f)) {
		return int64(f)
	}
	return f
}
