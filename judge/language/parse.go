package language

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// file is a language.yaml that was read.
type file struct {
	path           string
	language       *judge.Language
	isDefault      bool   // its extensions choose it
	example        string // path below the folder of all languages; empty: the trial that says hello
	trials         Trials
	extensionsLine int
}

var (
	idPattern  = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	extPattern = regexp.MustCompile(`^\.[A-Za-z0-9+_-]+$`)
	envPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// parse reads the language.yaml of the folder dir: a language, and its variants
// after it.
func parse(dir string, data []byte) ([]*file, error) {
	name := path.Join(dir, fileName)
	root, err := document(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r := &reader{path: name}
	nodes := r.variants(root)
	sum := sha256.Sum256(data)
	var files []*file
	for i, n := range nodes {
		f := r.language(n, i == 0)
		f.language.Image, f.language.Hash = dir, hex.EncodeToString(sum[:])
		if l := f.language; len(nodes) == 1 && l.ID != "" && l.ID != dir {
			r.fail(root.Line, "id is %q, but the folder is %q; they must be the same where there are no variants", l.ID, dir)
		}
		files = append(files, f)
	}
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return files, nil
}

// language reads one language, of which first is that of the folder.
func (r *reader) language(root *yaml.Node, first bool) *file {
	l := &judge.Language{TimeFactor: 1}
	f := &file{path: r.path, language: l, isDefault: first}
	faults := len(r.errs)
	keys := fields{
		"id":              {required, r.matching(&l.ID, idPattern, "a-z, 0-9 and . _ -, at most 64")},
		"name":            {required, r.text(&l.Name)},
		"aliases":         {optional, r.aliases(&l.Aliases)},
		"judge0":          {optional, r.numbers(&l.Judge0, maxForeignID)},
		"piston":          {optional, r.aliases(&l.Piston)},
		"default":         {optional, r.boolean(&f.isDefault)},
		"untried":         {optional, r.text(&l.Untried)},
		"version":         {required, r.argv(&l.Version, nil)},
		"extensions":      {required, r.extensions(&l.Extensions, &f.extensionsLine)},
		"headers":         {optional, r.extensions(&l.Headers, nil)},
		"source_name":     {required, r.text(&l.SourceName)},
		"name_pattern":    {optional, r.pattern(&l.NamePattern, 1)},
		"package_pattern": {optional, r.pattern(&l.PackagePattern, 1)},
		"main_pattern":    {optional, r.pattern(&l.MainPattern, 1)},
		"main_suffix":     {optional, r.text(&l.MainSuffix)},
		"entry_names":     {optional, r.texts(&l.EntryNames)},
		"entry_pattern":   {optional, r.pattern(&l.EntryPattern, 0)},
		"editor":          {optional, r.text(&l.Editor)},
		"example":         {optional, r.inFolder(&f.example)},
		"npm":             {optional, r.packages(&l.Packages)},
		"env":             {optional, r.environment(&l.Env)},
		"compile":         {optional, r.compile(l)},
		"run":             {required, r.run(l)},
		"out_of_memory":   {optional, r.outOfMemory(&l.OutOfMemory)},
		"warmup":          {optional, r.commands(&l.Warmup)},
		"trials":          {optional, r.trials(&f.trials)},
	}
	if first {
		keys["variants"] = field{optional, nil} // read before
	}
	r.mapping("", root, keys)
	if len(r.errs) == faults {
		r.checkNames(root.Line, l)
	}
	return f
}

// checkNames checks what two fields must agree on.
func (r *reader) checkNames(line int, l *judge.Language) {
	if err := judge.CheckFileName(l.SourceName); err != nil {
		r.fail(line, "source_name: %v", err)
	} else if !slices.Contains(l.Extensions, path.Ext(l.SourceName)) {
		r.fail(line, "source_name %q has none of the language's extensions", l.SourceName)
	}
	for _, h := range l.Headers {
		if slices.Contains(l.Extensions, h) {
			r.fail(line, "%s is among both extensions and headers; leave it in one", h)
		}
	}
}

func (r *reader) compile(l *judge.Language) value {
	return func(name string, n *yaml.Node) {
		r.mapping(name, n, fields{
			"argv":    {required, r.argv(&l.Compile, []string{"entry", "stem", "main", "memory_mib", "total_mib", "sources", "defines"})},
			"defines": {optional, r.texts(&l.Defines)},
			"keep":    {required, r.globs(&l.Keep)},
			"limits":  {required, r.limits(&l.CompileLimits)},
		})
	}
}

func (r *reader) limits(l *judge.Limits) value {
	return func(name string, n *yaml.Node) {
		r.mapping(name, n, fields{
			"cpu_s":      {required, r.seconds(&l.CPU)},
			"wall_s":     {optional, r.seconds(&l.Wall)},
			"memory_mib": {required, r.mebibytes(&l.Memory)},
			"output_mib": {required, r.mebibytes(&l.Output)},
			"processes":  {required, r.integer(&l.Processes, maxProcesses)},
		})
		*l = l.WithDefaults()
	}
}

func (r *reader) run(l *judge.Language) value {
	return func(name string, n *yaml.Node) {
		r.mapping(name, n, fields{
			"argv":                 {required, r.argv(&l.Run, []string{"entry", "stem", "main", "memory_mib", "total_mib"})},
			"memory_allowance_mib": {optional, r.mebibytes(&l.MemoryAllowance)},
			"time_factor":          {optional, r.factor(&l.TimeFactor)},
			"time_extra_s":         {optional, r.seconds(&l.TimeExtra)},
			"processes":            {optional, r.integer(&l.Processes, maxProcesses)},
		})
	}
}

func (r *reader) outOfMemory(o *judge.OutOfMemory) value {
	return func(name string, n *yaml.Node) {
		r.mapping(name, n, fields{
			"stderr":     {optional, r.pattern(&o.Stderr, 0)},
			"exit_codes": {optional, r.numbers(&o.ExitCodes, maxExitCode)},
		})
		if o.Stderr == "" && len(o.ExitCodes) == 0 {
			r.fail(n.Line, "%s needs stderr or exit_codes", name)
		}
	}
}
