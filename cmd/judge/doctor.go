package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"judge/images"
	"judge/judge/language"
	"judge/runner/docker"
)

// doctorCmd looks at this machine.
type doctorCmd struct {
	JSON bool `help:"One finding a line, as JSON."`
}

// Help is shown by judge doctor --help.
func (doctorCmd) Help() string {
	return `Each line is ok, warning (judging works, but slower or less exact than it could) or fault (it does not work), with what to do about it. Exit code 0 when there is no fault, else 1.`
}

// finding is one thing that was looked at.
type finding struct {
	Name   string     `json:"name"`
	Status statusName `json:"status"`
	Detail string     `json:"detail"`
	Remedy string     `json:"remedy,omitempty"`
}

type statusName string

const (
	isFine    statusName = "ok"
	isWarning statusName = "warning"
	isFault   statusName = "fault"
)

func fine(name, format string, args ...any) finding {
	return finding{Name: name, Status: isFine, Detail: fmt.Sprintf(format, args...)}
}

func warning(name, remedy, format string, args ...any) finding {
	return finding{name, isWarning, fmt.Sprintf(format, args...), remedy}
}

func fault(name, remedy, format string, args ...any) finding {
	return finding{name, isFault, fmt.Sprintf(format, args...), remedy}
}

// Run looks at everything, then tells.
func (c *doctorCmd) Run(a *app) error {
	all := slices.Concat(a.examineEngine(), a.examinePlaces(), a.examineImages(), machine{root: "/"}.examine())
	for _, f := range all {
		if err := c.print(a, f); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(all, func(f finding) bool { return f.Status == isFault }) {
		return exitCode(exitFailed)
	}
	return nil
}

func (c *doctorCmd) print(a *app, f finding) error {
	if c.JSON {
		return jsonLines(a.out).Encode(f)
	}
	status := fmt.Sprintf("%-8s", f.Status)
	if colours(a.out) {
		status = map[statusName]string{isFine: green, isWarning: yellow, isFault: red}[f.Status] + status + plain
	}
	remedy := ""
	if f.Remedy != "" {
		remedy = "\n                      " + f.Remedy
	}
	_, err := fmt.Fprintf(a.out, "%s %-12s %s%s\n", status, f.Name, f.Detail, remedy)
	return err
}

func (a *app) examineEngine() []finding {
	var all []finding
	if os.Geteuid() == 0 {
		all = append(all, fine("root", "yes"))
	} else {
		all = append(all, fault("root", "run as root, or with sudo: pipes are chowned and cgroups are made", "no: uid %d cannot judge", os.Geteuid()))
	}
	h, err := docker.InspectHost(a.ctx)
	if err != nil {
		return append(all, fault("engine", "", "%v", err))
	}
	all = append(all,
		fine("engine", "Docker %s, API %s", h.Engine, h.API),
		fine("kernel", "Linux %s", h.Kernel),
		fine("cgroups", "v%d, driver %s", h.Cgroup, h.Driver),
		fine("memory", "%.1f GiB", float64(h.Memory)/(1<<30)))
	for _, f := range h.Faults {
		all = append(all, fault("host", f.Remedy, "%s", f.What))
	}
	return all
}

func (a *app) examineImages() []finding {
	set, err := language.Load(images.FS)
	if err != nil {
		return []finding{fault("languages", "this is a defect of judge", "%v", err)}
	}
	state, err := listImages(a.ctx, set)
	if err != nil {
		return nil // the engine's finding says why
	}
	var all []finding
	for _, folder := range set.Images() {
		switch i := state[folder]; {
		case i.State == docker.ImageReady:
			all = append(all, fine("image", "%s: %s", folder, i.Ref))
		case untried(set, folder) != "":
			all = append(all, fine("image", "%s: defined, not tried: %s", folder, untried(set, folder)))
		case i.State == docker.ImageBaseMissing:
			all = append(all, warning("image", "make images", "%s: its base %s is missing; nothing can be judged in it", folder, i.Missing))
		default:
			all = append(all, warning("image", "judge images build "+folder, "%s: missing; nothing can be judged in it", folder))
		}
	}
	return all
}

// clockSteps shows that the clock by which runs are stopped goes on: it is
// monotonic where two readings never go back.
func clockSteps() bool {
	last := time.Now()
	for range 1000 {
		now := time.Now()
		if now.Sub(last) < 0 {
			return false
		}
		last = now
	}
	return true
}
