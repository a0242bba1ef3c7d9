package blob

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"judge/judge"
)

var problemName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// ReadManifest reads a manifest and checks it as if a stranger had written it:
// a format or a field that is not known is an error, never passed over.
func ReadManifest(data []byte) (*Manifest, error) {
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil { // nothing may follow the object, either
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	if head.Format != ManifestFormat {
		return nil, fmt.Errorf("read manifest: format %d is not known, only %d is; a newer release may have written it", head.Format, ManifestFormat)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	m := &Manifest{}
	if err := dec.Decode(m); err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("read manifest of %.64q: %w", m.Name, err)
	}
	return m, nil
}

func (m *Manifest) check() error {
	switch {
	case !problemName.MatchString(m.Name):
		return errors.New("name: it does not match " + problemName.String())
	case !hexSum.MatchString(m.Version):
		return fmt.Errorf("version: %.80q is not 64 lower-case hex digits", m.Version)
	case m.Code < 0:
		return errors.New("code_bytes: below 0")
	case m.Timing.Multiplier < 0 || m.Timing.SafetyMargin < 0:
		return errors.New("timing: a factor is below 0")
	}
	for _, l := range []struct {
		name string
		Limits
	}{{"limits", m.Limits}, {"compilation", m.Compilation}, {"validation", m.Validation}} {
		if l.Memory < 0 || l.Output < 0 || l.Processes < 0 {
			return fmt.Errorf("%s: below 0", l.name)
		}
	}
	return errors.Join(m.checkBlobs(), m.checkNames(), m.checkGroup(&m.Data, map[string]bool{}))
}

func (m *Manifest) checkBlobs() (err error) {
	sizes := map[string]int64{}
	m.each(func(where string, b Blob) {
		old, seen := sizes[b.SHA256]
		switch {
		case err != nil:
		case !hexSum.MatchString(b.SHA256):
			err = fmt.Errorf("%q: sha256 %.80q is not 64 lower-case hex digits", where, b.SHA256)
		case b.Size < 0:
			err = fmt.Errorf("%q: size_bytes is below 0", where)
		case seen && old != b.Size:
			err = fmt.Errorf("%q: size_bytes is %d, elsewhere the same blob has %d", where, b.Size, old)
		}
		sizes[b.SHA256] = b.Size
	})
	return err
}

// checkNames looks at what becomes a file in a box or an argument of a program.
func (m *Manifest) checkNames() error {
	for _, lang := range sorted(m.Include) {
		if err := errors.Join(checkName(lang), checkFiles(m.Include[lang], judge.CheckFileName)); err != nil {
			return fmt.Errorf("include: %w", err)
		}
	}
	for _, p := range m.programs() {
		if err := errors.Join(checkName(p.Name), checkFiles(p.Files, judge.CheckFileName)); err != nil {
			return fmt.Errorf("program: %w", err)
		}
	}
	for _, j := range m.Jury {
		if err := errors.Join(checkName(j.Name), checkFiles(j.Files, checkName)); err != nil {
			return fmt.Errorf("jury: %w", err)
		}
		if slices.ContainsFunc(j.Expected, func(v judge.Verdict) bool { return !v.Valid() }) {
			return fmt.Errorf("jury: %q expects %q, which is no verdict", j.Name, j.Expected)
		}
	}
	if err := checkFlags(m.Validator.Flags); err != nil {
		return fmt.Errorf("validator: %w", err)
	}
	return errors.Join(checkFiles(m.Statement, checkName), checkFiles(m.Attachments, checkName), checkFiles(m.Solution, checkName), m.checkKind())
}

func (m *Manifest) checkGroup(g *Group, seen map[string]bool) error {
	if g != &m.Data {
		if err := checkName(g.Name); err != nil {
			return fmt.Errorf("group: %w", err)
		}
	}
	if err := errors.Join(checkFlags(g.Flags), checkArgs(g.Args, g.InputFlags, g.StaticFlags), checkFor(g.ValidatorFor, g.InputFlagsFor)); err != nil {
		return fmt.Errorf("group %q: %w", g.Name, err)
	}
	for _, c := range g.Cases {
		if err := checkName(c.Name); err != nil {
			return fmt.Errorf("case: %w", err)
		}
		if seen[c.Name] {
			return fmt.Errorf("case: %q is there twice", c.Name)
		}
		seen[c.Name] = true
		if err := c.check(); err != nil {
			return fmt.Errorf("case %q: %w", c.Name, err)
		}
	}
	for i := range g.Groups {
		if err := m.checkGroup(&g.Groups[i], seen); err != nil {
			return err
		}
	}
	return nil
}

func checkFiles(files []File, check func(string) error) error {
	seen := map[string]bool{}
	for _, f := range files {
		if err := check(f.Name); err != nil {
			return err
		}
		if seen[f.Name] {
			return fmt.Errorf("the file %q is there twice", f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}

// checkName wants a plain relative path.
func checkName(name string) error {
	if name == "" || name == "." || !utf8.ValidString(name) || path.Clean("/"+name) != "/"+name || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("%.300q is not a plain relative path", name)
	}
	return nil
}

func checkFlags(flags []string) error {
	for _, f := range flags {
		if f == "" || strings.ContainsFunc(f, unicode.IsControl) {
			return fmt.Errorf("the flag %.300q is empty or holds a control character", f)
		}
	}
	return nil
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
