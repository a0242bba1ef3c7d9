package grader

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"judge/judge"
	"judge/runner"
)

// A jury program with a script named build or run makes and starts itself, in the
// image that has what such scripts may ask for: a shell, C and C++, Python, PyPy,
// Java, make.

// scriptsID is the id of what stands for the language of such programs, and the
// folder of its image.
const scriptsID = "_jury"

const (
	buildScript = "build"
	runScript   = "run"
)

// buildScripts makes the program in a copy of its folder, all of which is kept.
const buildScripts = `if [ -f build ]; then ./build || exit $?; fi
if ! [ -f run ]; then echo "build has left no file named run"; exit 1; fi
chmod a+rx run 2>/dev/null
[ -x run ] || { echo "run is not executable"; exit 1; }`

// Scripts is the language of jury programs that bring scripts. Its image is not
// that of a language for submissions.
func Scripts() *judge.Language {
	l := &judge.Language{
		ID: scriptsID, Image: scriptsID, Name: "scripts of a package",
		SourceName: runScript, Version: []string{"/usr/bin/c++", "--version"},
		Compile: []string{"/bin/sh", "-c", buildScripts}, Keep: []string{"*"},
		Run: []string{runner.ProgramPath + "/" + runScript},
		Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1"},
		CompileLimits: judge.Limits{
			CPU: judge.DefaultCompile, Wall: 2*judge.DefaultCompile + time.Second, Memory: judge.DefaultMemory, Output: 1 << 20, Processes: 256,
		},
		MemoryAllowance: 512 << 20, // Java's
		Processes:       256,
	}
	sum := sha256.Sum256(fmt.Append(nil, l.Compile, l.Run, l.Env, l.CompileLimits))
	l.Hash = hex.EncodeToString(sum[:])
	return l
}

func hasScripts(files []judge.File) bool {
	return slices.ContainsFunc(files, func(f judge.File) bool { return f.Name == buildScript || f.Name == runScript })
}

func newScripts(files []judge.File) (*judge.Program, error) {
	for _, f := range files {
		if err := judge.CheckFileName(f.Name); err != nil {
			return nil, err
		}
		if (f.Name == buildScript || f.Name == runScript) && !strings.HasPrefix(string(f.Data), "#!") && !isELF(f.Data) {
			return nil, fmt.Errorf("%s does not begin with #! and the program that runs it, as #!/bin/sh", f.Name)
		}
	}
	lang := Scripts()
	return &judge.Program{Language: lang, Files: files, Entry: runScript, Compile: lang.Compile}, nil
}

func isELF(data []byte) bool { return strings.HasPrefix(string(data), "\x7fELF") }
