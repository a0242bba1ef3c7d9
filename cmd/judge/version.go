package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// versionCmd says which build this is.
type versionCmd struct {
	JSON bool `help:"One JSON object."`
}

// buildInfo is what is known of a build; empty is unknown.
type buildInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() buildInfo {
	b := buildInfo{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// Run prints it.
func (c *versionCmd) Run(a *app) error { return c.print(a.out, thisBuild()) }

func (c *versionCmd) print(w io.Writer, b buildInfo) error {
	if c.JSON {
		return jsonLines(w).Encode(b)
	}
	revision := "revision unknown"
	if b.Revision != "" {
		revision = "revision " + b.Revision
		if b.Modified {
			revision += ", modified"
		}
	}
	_, err := fmt.Fprintf(w, "judge %s (%s, %s, %s)\n", b.Version, revision, b.Go, b.Platform)
	return err
}
