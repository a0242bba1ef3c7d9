package problems

import "strings"

// iniFile is what domjudge-problem.ini says: one "key = value" a line, values
// with or without quotes, ; and # begin comments, sections mean nothing.
type iniFile map[string]iniValue

type iniValue struct {
	text string
	line int
}

// domjudgeKeys are the keys that DOMjudge has had. Those that change judging
// are not in force here, and a package that relies on them should be told.
var domjudgeKeys = map[string]string{
	"timelimit": "", "name": "", "probid": "", "color": "", "externalid": "", "short-name": "", "label": "", "rgb": "",
	"allow_submit": "", "allow_judge": "", "points": "", "cid": "",
	"special_run":          "interactive problems are declared by validation in problem.yaml",
	"special_compare":      "an output validator is declared by validation in problem.yaml",
	"special_compare_args": "flags are given by validator_flags in problem.yaml",
	"memlimit":             "write limits.memory in problem.yaml",
	"outputlimit":          "write limits.output in problem.yaml",
}

func (r *reader) ini() iniFile {
	data, ok := r.config(domjudgeFile)
	if !ok {
		return nil
	}
	return parseINI(r.rep, domjudgeFile, data)
}

func parseINI(rep *report, file string, data []byte) iniFile {
	ini := iniFile{}
	if line := badText(data); line > 0 {
		rep.errorf(NotText, file, line, "holds bytes that are not UTF-8 text; write the file anew as UTF-8")
		return ini
	}
	n := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(string(data), "\uFEFF"), "\n") {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' || line[0] == '#' || line[0] == '[' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		if !ok {
			rep.warnf(BadValue, file, n, "the line is not key = value and has no effect; mend or remove it")
			continue
		}
		switch advice, known := domjudgeKeys[key]; {
		case !known:
			rep.warnf(UnknownKey, file, n, "the key %q is not known and has no effect; remove it or mend its spelling", key)
		case advice != "":
			rep.warnf(UselessKey, file, n, "the key %q has no effect here; %s", key, advice)
		}
		if old, twice := ini[key]; twice {
			rep.warnf(DuplicateKey, file, n, "the key %q stands in line %d already; this line has no effect, remove one", key, old.line)
			continue
		}
		ini[key] = iniValue{unquote(strings.TrimSpace(value)), n}
	}
	return ini
}

// unquote takes off quotes of either kind, or else a comment after the value.
func unquote(s string) string {
	if len(s) > 0 && (s[0] == '\'' || s[0] == '"') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return strings.TrimSpace(s[1 : 1+end])
		}
	}
	s, _, _ = strings.Cut(s, ";")
	return strings.TrimSpace(s)
}
