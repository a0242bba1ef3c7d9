// Command programs compiles the programs of the sandbox's test suite into a
// folder, for a machine that has no compiler.
package main

import (
	"context"
	"fmt"
	"os"

	"judge/runner/runnertest"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: programs FOLDER")
		os.Exit(2)
	}
	if err := runnertest.Build(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "programs:", err)
		os.Exit(1)
	}
}
