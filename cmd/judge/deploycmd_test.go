package main

import (
	"encoding/json"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.yaml.in/yaml/v3"

	"judge/api"
)

func TestDeploy(t *testing.T) {
	list := judgeIn(t, "", "", "deploy")
	names := strings.Fields(list.out)
	for _, want := range []string{"grafana-dashboard.json", "judge-worker.service", "judge.service", "prometheus-rules.yml"} {
		if !slices.Contains(names, want) {
			t.Errorf("the list lacks %s: %s", want, list.out)
		}
	}
	for _, name := range names {
		out := judgeIn(t, "", "", "deploy", name)
		if out.code != exitOK || out.out == "" {
			t.Errorf("%s: exit code %d, %d bytes", name, out.code, len(out.out))
		}
		var v any
		switch {
		case strings.HasSuffix(name, ".json"):
			if err := json.Unmarshal([]byte(out.out), &v); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case strings.HasSuffix(name, ".yml"):
			if err := yaml.Unmarshal([]byte(out.out), &v); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		default:
			contains(t, name, out.out, "[Unit]", "[Service]", "ExecStart=/usr/local/bin/judge ", "[Install]")
		}
	}
	if out := judgeIn(t, "", "", "deploy", "judge.serivce"); out.code != exitInput || !strings.Contains(out.err, "judge.service") {
		t.Errorf("a name that is none: exit code %d, %s", out.code, out.err)
	}
}

var metricName = regexp.MustCompile(`\bjudge_[a-z_]+`)

// TestDeployMetrics: what alerts and dashboard ask for is there to be scraped.
func TestDeployMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	if _, err := newWorkerMetrics(registry); err != nil {
		t.Fatal(err)
	}
	if _, err := newChoreMeter(registry); err != nil {
		t.Fatal(err)
	}
	// No request comes, so nothing behind it is asked.
	_, err := api.New(api.Config{
		Records: struct{ api.Records }{}, Packages: struct{ api.Packages }{}, Languages: struct{ api.Languages }{}, Endpoints: struct{ api.Endpoints }{},
		Unavailable: func(error) bool { return false }, Log: slog.New(slog.DiscardHandler), Metrics: registry,
	})
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	described := make(chan *prometheus.Desc)
	go func() { registry.Describe(described); close(described) }()
	for d := range described {
		have[metricName.FindString(d.String())] = true
	}
	for _, name := range []string{"prometheus-rules.yml", "grafana-dashboard.json"} {
		asked := metricName.FindAllString(judgeIn(t, "", "", "deploy", name).out, -1)
		if len(asked) == 0 {
			t.Errorf("%s asks for nothing", name)
		}
		for _, m := range asked {
			if !have[strings.TrimSuffix(m, "_bucket")] {
				t.Errorf("%s asks for %s, which nothing measures", name, m)
			}
		}
	}
}
