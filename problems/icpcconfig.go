package problems

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// icpcConfig reads problem.yaml of 2025-09.
func (r *reader) icpcConfig() {
	d, p := r.yaml, &r.pkg.Problem
	d.strict = true
	known := fields{
		"problem_format_version": nil,
		"type":                   r.icpcType,
		"name":                   r.title,
		"uuid":                   d.setText(&p.UUID, "uuid"),
		"version":                d.setText(&p.Release, "version"),
		"credits":                r.credits,
		"source":                 r.source,
		"license":                r.license,
		"rights_owner":           d.setText(&p.RightsOwner, "rights_owner"),
		"embargo_until":          r.embargo,
		"keywords":               d.setTexts(&p.Keywords, "keywords", false),
		"languages":              r.languages,
		"allow_file_writing":     d.setBool(&p.FileWriting, "allow_file_writing"),
		"constants":              r.readConstants,
		"limits":                 func(n *yaml.Node) { d.each(n, "limits", icpcLimits(d, p)) },
	}
	if formatVersion(r) != "2025-09" { // the draft had it
		known["source_url"] = nil
	}
	d.each(d.root, "", known)
	for _, key := range []string{"name", "uuid"} {
		if d.get(key) == nil {
			r.rep.warnf(MissingKey, configFile, 0, "there is no %s, which the format requires; add it", key)
		}
	}
	if n := d.get("limits"); p.Passes > 0 && !p.MultiPass {
		d.fault(UselessKey, n, "limits.validation_passes is of multi-pass problems only; remove it, or add multi-pass to type")
	}
	r.rights()
}

// icpcType is one word or a list of them.
func (r *reader) icpcType(n *yaml.Node) {
	p := &r.pkg.Problem
	r.inICPC.typeLine = n.Line
	words, ok := r.yaml.texts(n, "type", true)
	if ok && len(words) == 0 {
		r.yaml.errorf(n, "type is an empty list; write pass-fail, or scoring, which interactive, multi-pass and submit-answer may follow")
	}
	is := map[string]*bool{"pass-fail": new(bool), "scoring": &p.Scoring, "interactive": &p.Interactive, "multi-pass": &p.MultiPass, "submit-answer": &p.SubmitAnswer}
	for _, w := range words {
		switch to := is[w]; {
		case to == nil:
			r.yaml.errorf(n, "type %.40q is not known; write pass-fail, scoring, interactive, multi-pass or submit-answer", w)
		case *to:
			r.yaml.fault(BadType, n, "type %q is there twice; remove one", w)
		default:
			*to = true
		}
	}
	for _, pair := range [][2]string{{"pass-fail", "scoring"}, {"submit-answer", "multi-pass"}, {"submit-answer", "interactive"}} {
		if *is[pair[0]] && *is[pair[1]] {
			r.yaml.fault(BadType, n, "type cannot be both %s and %s; remove one of them", pair[0], pair[1])
		}
	}
}

// credits is an author, or a map from roles to persons.
func (r *reader) credits(n *yaml.Node) {
	d, p := r.yaml, &r.pkg.Problem
	if n.Kind == yaml.ScalarNode {
		if s, ok := d.text(n, "credits"); ok {
			p.Author, p.Credits = personName(s), map[string][]string{"authors": {s}}
		}
		return
	}
	p.Credits = map[string][]string{}
	role := func(name string) func(*yaml.Node) {
		return func(n *yaml.Node) {
			if all := persons(d, n, "credits."+name); len(all) > 0 {
				p.Credits[name] = all
			}
		}
	}
	known := fields{"translators": func(n *yaml.Node) {
		d.pairs(n, "credits.translators", func(k, v *yaml.Node) { role("translators." + k.Value)(v) })
	}}
	for _, name := range []string{"authors", "contributors", "testers", "packagers", "acknowledgements"} {
		known[name] = role(name)
	}
	d.each(n, "credits", known)
	var names []string
	for _, a := range p.Credits["authors"] {
		names = append(names, personName(a))
	}
	p.Author = strings.Join(names, ", ")
}

// persons are strings or maps, one or several.
func persons(d *document, n *yaml.Node, key string) []string {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	var all []string
	for _, item := range items {
		var name, email string
		if item.Kind == yaml.MappingNode {
			d.each(item, key, fields{"name": d.setText(&name, key+".name"), "email": d.setText(&email, key+".email"), "orcid": nil, "kattis": nil})
			if name == "" {
				d.fault(MissingKey, item, "a person in %s has no name; add it", key)
			}
			if email != "" {
				name += " <" + email + ">"
			}
		} else {
			d.setText(&name, key)(item)
		}
		if name != "" {
			all = append(all, name)
		}
	}
	return all
}

func personName(s string) string {
	name, _, _ := strings.Cut(s, "<")
	return strings.TrimSpace(name)
}

// source is a name, a map with a name and an address, or a list of these.
func (r *reader) source(n *yaml.Node) {
	d, p := r.yaml, &r.pkg.Problem
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	var all []string
	for _, item := range items {
		var name, url string
		if item.Kind == yaml.MappingNode {
			d.each(item, "source", fields{"name": d.setText(&name, "source.name"), "url": d.setText(&url, "source.url")})
			if name == "" {
				d.fault(MissingKey, item, "a source has no name; add it")
			}
		} else {
			d.setText(&name, "source")(item)
		}
		if name != "" {
			all = append(all, name)
		}
	}
	p.Source = strings.Join(all, ", ")
}

func (r *reader) embargo(n *yaml.Node) {
	s, ok := r.yaml.text(n, "embargo_until")
	if !ok {
		return
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05Z"} {
		if t, err := time.Parse(layout, s); err == nil {
			r.pkg.Problem.EmbargoUntil = t
			return
		}
	}
	r.yaml.errorf(n, "embargo_until is %.40q; write a date as 2026-01-31, or a time in UTC as 2026-01-31T18:00:00Z", s)
}

var languageCode = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// languages is "all", a language, or a list of them.
func (r *reader) languages(n *yaml.Node) {
	all, ok := r.yaml.texts(n, "languages", true)
	switch {
	case !ok:
	case len(all) == 1 && all[0] == "all":
	case len(all) == 0:
		r.yaml.errorf(n, "languages is an empty list, so that nobody could submit; write all, or the languages")
	default:
		if i := slices.IndexFunc(all, func(l string) bool { return !languageCode.MatchString(l) }); i >= 0 {
			r.yaml.errorf(n, "languages has %.40q, which is no code of a language; write all, or codes as cpp, java or python3", all[i])
			return
		}
		r.pkg.Problem.Languages = all
	}
}

var licenses = []string{"unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"}

func (r *reader) license(n *yaml.Node) {
	p := &r.pkg.Problem
	s, ok := r.yaml.text(n, "license")
	if !ok {
		return
	}
	if !slices.Contains(licenses, s) {
		r.yaml.warnf(BadValue, n, "license %.40q is none that the format knows; write %s", s, strings.Join(licenses, ", "))
	}
	p.License = s
}

// rights says whether anybody holds the rights that the license gives.
func (r *reader) rights() {
	p := &r.pkg.Problem
	switch p.License {
	case "public domain":
		if p.RightsOwner != "" {
			r.yaml.warnf(UselessKey, r.yaml.get("rights_owner"), "nobody owns what is in the public domain; remove rights_owner or change license")
		}
	case "", "unknown":
		r.rep.infof(NoLicense, configFile, 0, "there is no license, so that nobody else may use the problem; add license (%s)", strings.Join(licenses[1:], ", "))
	default:
		if p.RightsOwner == "" && p.Author == "" && p.Source == "" {
			r.rep.infof(NoLicense, configFile, 0, "there is a license, but neither rights_owner nor an author nor a source, so that nobody gives it; add one of them")
		}
	}
}
