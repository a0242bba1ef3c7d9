package main

import (
	"fmt"
	"io/fs"
	"strings"

	files "judge/cmd/judge/deploy"
)

// deployCmd prints what operators put elsewhere.
type deployCmd struct {
	Name string `arg:"" optional:"" help:"Which file; none: list them."`
}

// Help is shown by judge deploy --help.
func (deployCmd) Help() string {
	return `Examples:
  judge deploy judge.service >/etc/systemd/system/judge.service
  judge deploy prometheus-rules.yml >/etc/prometheus/rules/judge.yml`
}

// Run prints the file, or the names of all.
func (c *deployCmd) Run(a *app) error {
	entries, err := fs.ReadDir(files.FS, ".")
	if err != nil {
		return fmt.Errorf("list files to deploy: %w", err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		if e.Name() == c.Name {
			text, err := fs.ReadFile(files.FS, e.Name())
			if err != nil {
				return fmt.Errorf("read file to deploy: %w", err)
			}
			_, err = a.out.Write(text)
			return err
		}
	}
	if c.Name != "" {
		return badInput{fmt.Errorf("there is no %q to deploy; there are %s", c.Name, strings.Join(names, ", "))}
	}
	_, err = fmt.Fprintln(a.out, strings.Join(names, "\n"))
	return err
}
