package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Language is a language that submissions may be written in.
type Language struct {
	ID              string            `json:"id"`
	Name            string            `json:"name"`
	Aliases         []string          `json:"aliases" doc:"Other ids by which it may be asked for."`
	Judge0          []int             `json:"judge0_ids" doc:"Its ids in Judge0's API."`
	Piston          []string          `json:"piston_names" doc:"Its names in Piston's API."`
	Editor          *string           `json:"editor" doc:"The mode of a code editor."`
	Example         *string           `json:"example" doc:"A source that prints Hello, world!"`
	Extensions      []string          `json:"extensions"`
	Headers         []string          `json:"headers" doc:"Extensions that belong to the entry file's language."`
	Compile         []string          `json:"compile" doc:"Arguments; empty: nothing is compiled."`
	Run             []string          `json:"run" doc:"Arguments."`
	Defines         []string          `json:"defines" doc:"-D and the like, of the compile command."`
	Environment     map[string]string `json:"environment"`
	TimeFactor      float64           `json:"time_factor" doc:"By which a problem's time limit is multiplied."`
	TimeExtra       float64           `json:"time_extra_s" doc:"Added to it."`
	MemoryAllowance int64             `json:"memory_allowance_bytes" doc:"Added to a problem's memory limit, for the runtime itself."`
	CompileLimits   CompileLimits     `json:"compile_limits"`
}

// CompileLimits are what compiling is held to, where the problem does not say.
type CompileLimits struct {
	Time   float64 `json:"time_limit_s"`
	Memory int64   `json:"memory_limit_bytes"`
}

func (s *Server) languageRoutes() {
	register(s, huma.Operation{
		OperationID: "list-languages", Method: http.MethodGet, Path: "/languages", Tags: []string{"languages"},
		Summary: "The languages, with their commands, flags and limits", Description: "In commands, {entry} and the like stand for what a submission brings.",
	}, s.listLanguages)
}

func (s *Server) listLanguages(context.Context, *struct{}) (*answer[List[Language]], error) {
	var items []Language
	for _, l := range s.Languages.All() {
		items = append(items, newLanguage(l))
	}
	return answered(newList(items, "")), nil
}

func newLanguage(l *judge.Language) Language {
	out := Language{
		ID: l.ID, Name: l.Name, Aliases: append([]string{}, l.Aliases...), Judge0: append([]int{}, l.Judge0...), Piston: append([]string{}, l.Piston...),
		Editor: wire.Known(l.Editor), Example: wire.Known(l.Example), Extensions: append([]string{}, l.Extensions...), Headers: append([]string{}, l.Headers...),
		Compile: append([]string{}, l.Compile...), Run: append([]string{}, l.Run...), Defines: append([]string{}, l.Defines...), Environment: map[string]string{},
		TimeFactor: l.TimeFactor, TimeExtra: l.TimeExtra.Seconds(), MemoryAllowance: l.MemoryAllowance,
	}
	if out.TimeFactor == 0 {
		out.TimeFactor = 1
	}
	for _, e := range l.Env {
		name, value, _ := strings.Cut(e, "=")
		out.Environment[name] = value
	}
	for _, arg := range l.Compile {
		if strings.HasPrefix(arg, "-D") {
			out.Defines = append(out.Defines, arg)
		}
	}
	limits := judge.Limits{CPU: judge.DefaultCompile, Memory: judge.DefaultMemory}
	if l.CompileLimits.CPU > 0 {
		limits.CPU = l.CompileLimits.CPU
	}
	if l.CompileLimits.Memory > 0 {
		limits.Memory = l.CompileLimits.Memory
	}
	out.CompileLimits = CompileLimits{limits.CPU.Seconds(), limits.Memory}
	return out
}
