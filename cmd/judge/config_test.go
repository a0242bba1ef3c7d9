package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/alecthomas/kong"
)

func TestConfiguration(t *testing.T) {
	pack := filepath.Join(t.TempDir(), "p")
	tests := []struct {
		name, config, env string
		args              []string
		want              string // in stderr: the limit that was believed
	}{
		{name: "file", config: "time_limit: 11h\n", want: "--time-limit 11h"},
		{name: "environment before file", config: "time_limit: 11h\n", env: "12h", want: "--time-limit 12h"},
		{name: "flag before both", config: "time_limit: 11h\n", env: "12h", args: []string{"--time-limit", "13h"}, want: "--time-limit 13h"},
		{name: "number", config: "time_limit: 3601\n", want: "--time-limit 1h0m1s"},
		{name: "list", config: "problem: [nowhere]\ntime_limit: 1s\n", want: ""},
		{name: "unknown key", config: "# ours\nfrob: 1\n", want: "judge.yaml:2: there is no flag --frob"},
		{name: "no map", config: "- a\n", want: "judge.yaml:1: write lines"},
		{name: "nested", config: "problem: [[a]]\n", want: "judge.yaml:1: problem: a list of plain values"},
		{name: "no yaml", config: "\tx", want: "judge.yaml"},
		{name: "bad value", config: "slots: many\n", want: "many"},
	}
	write(t, filepath.Join(pack, "data/secret/1.in"), "")
	write(t, filepath.Join(pack, "data/secret/1.ans"), "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.env != "" {
				t.Setenv("JUDGE_TIME_LIMIT", tt.env)
			}
			got := judgeIn(t, tt.config, "", append([]string{"run", "-p", pack, "a.py"}, tt.args...)...)
			if got.code == exitOK {
				t.Error("exit code 0")
			}
			contains(t, "stderr", got.err, tt.want)
		})
	}
}

func FuzzConfiguration(f *testing.F) {
	f.Add("slots: 2\nprefer: {py: pypy3}\n")
	f.Add("problem: [a, b]\nall: true\n")
	f.Add("? [a]\n: *b\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "judge.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var c cli
		config := &configFile{path: path}
		k, err := kong.New(&c, kong.Vars{"cache_dir": "/cache"}, kong.TypeMapper(reflect.TypeFor[seconds](), kong.MapperFunc(decodeSeconds)), kong.Resolvers(config))
		if err != nil {
			t.Fatal(err)
		}
		if config.read(k.Model) != nil {
			return
		}
		_, _ = k.Parse([]string{"run", "-p", "x"}) // refused or not, it must come back
	})
}
