package problems

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strconv"

	"judge/judge"
)

// VersionOf is Package.Version of a problem whose test data may be elsewhere:
// digest gives the hex SHA-256 of a file of test data. It is SHA-256 over a list
// of fields, each with its length before it, in which a file stands by its own
// SHA-256. The error is digest's.
func VersionOf(pr *judge.Problem, digest func(judge.Blob) (string, error)) (string, error) {
	m := manifest{sha256.New()}
	m.put("judge problem 1")
	m.limits(pr.Limits)
	m.limits(pr.Compilation)
	m.limits(pr.Validation)
	m.put("code", strconv.FormatInt(pr.Code, 10))
	if !pr.TimeLimitSet {
		m.put("timing", number(pr.Timing.Multiplier), number(pr.Timing.SafetyMargin))
	}
	if r := pr.Timing.Resolution; !pr.TimeLimitSet && r != 0 {
		m.put("resolution", r.String())
	}
	m.list("validator flags", pr.Validator.Flags)
	m.programs("validator", pr.Validator.Programs)
	for _, lang := range slices.Sorted(maps.Keys(pr.Include)) {
		m.put("include", lang)
		m.files(pr.Include[lang])
	}
	m.kind(pr)
	if err := m.group(&pr.Root, digest); err != nil {
		return "", fmt.Errorf("compute version of %s: %w", pr.Name, err)
	}
	return hex.EncodeToString(m.h.Sum(nil)), nil
}

func (p *Package) hash() (string, error) { return VersionOf(&p.Problem, p.digest) }

func (p *Package) digest(b judge.Blob) (string, error) {
	f, err := p.Open(b)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

// manifest writes fields so that no two lists of fields look the same.
type manifest struct{ h hash.Hash }

func (m manifest) put(fields ...string) {
	for _, f := range fields {
		m.h.Write([]byte(strconv.Itoa(len(f)) + ":" + f + ","))
	}
}

func (m manifest) list(name string, all []string) {
	m.put(name, strconv.Itoa(len(all)))
	m.put(all...)
}

func (m manifest) group(g *judge.TestGroup, digest func(judge.Blob) (string, error)) error {
	m.put("group", g.Name, strconv.FormatBool(g.ContinueReject))
	m.list("flags", g.ValidatorFlags)
	m.groupExtras(g)
	for _, c := range g.Cases {
		m.put("case", c.Name, strconv.FormatBool(c.Sample))
		blobs := []judge.Blob{c.Input, c.Answer}
		m.caseExtras(&c)
		for _, f := range c.Files {
			m.put("file", f.Name)
			blobs = append(blobs, f.Blob)
		}
		for _, b := range blobs {
			sum, err := digest(b)
			if err != nil {
				return err
			}
			m.put(sum)
		}
	}
	for i := range g.Groups {
		if err := m.group(&g.Groups[i], digest); err != nil {
			return err
		}
	}
	m.put("end")
	return nil
}

// limits puts what is in force, so that a default written out changes nothing.
func (m manifest) limits(l judge.Limits) {
	l = l.WithDefaults()
	m.put("limits", l.CPU.String(), l.Wall.String(), strconv.FormatInt(l.Memory, 10), strconv.FormatInt(l.Output, 10), strconv.Itoa(l.Processes))
}

func (m manifest) files(files []judge.File) {
	m.put(strconv.Itoa(len(files)))
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		m.put(f.Name, hex.EncodeToString(sum[:]))
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
