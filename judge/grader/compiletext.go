package grader

import (
	"path"
	"regexp"
	"strings"

	"judge/runner"
)

// Compilers speak of files as they find them: the contestant's below the box's
// folders, their own below /usr, what passes between their stages below /tmp.
var (
	ownFolder = regexp.MustCompile(`(?:file://)?(?:` + runner.WorkPath + `|` + runner.ProgramPath + `)/`)
	// A path of the image's, where a path can begin.
	imagePath = regexp.MustCompile(`(^|[^\w./-])(?:file://)?((?:/(?:usr|opt|lib|lib64|tmp|var|etc|root|home|build))(?:/[\w.+@~-]+)+)`)
	// The line of a diagnostic that is about a file of the image's. The second
	// group is empty where it is an error.
	imageLine = regexp.MustCompile(`^/(?:usr|opt|lib|lib64|tmp|build)/[^:]*:\d+(?::\d+)?:\s+(note:|warning:|required from|required by|\[ skipping|recursively)?`)
	included  = regexp.MustCompile(`^(In file included from|\s+from) (\S+?)[:,]`)
	excerpt   = regexp.MustCompile(`^\s*\d*\s*\|`)
)

// contestantText is what a compiler said, as its reader knows the program: files
// by the names that they were handed in with, and lines of those only. What is said
// of a file of the image's, a library's header above all, stays where it is the
// error itself, by the file's last name and without the lines quoted from it.
func contestantText(text string) string {
	var out []string
	skipping := false // quoted lines of a file of the image's
	chain := false    // the beginning of a list of includes was left out
	for line := range strings.SplitSeq(text, "\n") {
		line = ownFolder.ReplaceAllString(line, "")
		if skipping && excerpt.MatchString(line) {
			continue
		}
		skipping = false
		if m := included.FindStringSubmatch(line); m != nil {
			if path.IsAbs(m[2]) {
				chain = true
				continue
			}
			if chain {
				line = "In file included " + strings.TrimLeft(strings.TrimPrefix(line, "In file included "), " ")
			}
			chain = false
			out = append(out, line)
			continue
		}
		chain = false
		if m := imageLine.FindStringSubmatch(line); m != nil {
			if skipping = true; m[1] != "" {
				continue
			}
		}
		if !excerpt.MatchString(line) { // else it is the contestant's own line
			line = imagePath.ReplaceAllStringFunc(line, baseName)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// baseName keeps what stands before a path, and its last name.
func baseName(match string) string {
	m := imagePath.FindStringSubmatch(match)
	return m[1] + path.Base(m[2])
}
