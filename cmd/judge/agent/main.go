// Command judge-agent is PID 1 inside a box. It is a program of its own because
// it must be small: every warm box holds one.
package main

import (
	"fmt"
	"os"

	"judge/runner/agent"
)

func main() {
	if err := agent.Main(); err != nil {
		fmt.Fprintln(os.Stderr, "judge-agent:", err)
		os.Exit(1)
	}
}
