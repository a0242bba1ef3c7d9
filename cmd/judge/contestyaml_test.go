package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestContestYAML(t *testing.T) {
	for _, tt := range []struct{ name, text, want, ignored string }{
		{"contest.yaml", `---
name: Spring Contest 2027
short-name: spring
start-time: 2027-02-04T17:12:18+01
duration: 5:00:00
scoreboard-freeze-duration: 1:00:00
penalty-time: 20
default-clars:
  - No comment.
languages:
  - name: C++
    compiler: /usr/bin/g++
`, `{"title":"Spring Contest 2027","start":"2027-02-04T16:12:18Z","duration_s":18000,"freeze_s":3600,"penalty_s":1200,"name":"spring"}`, "default-clars, languages (they have no ids)"},
		{"contest API keys", `id: finals
short_name: other
name: Finals
formal_name: The World Finals
start_time: 2027-02-04T10:00:00.000+00:00
duration: "5:00:00.000"
scoreboard_freeze_duration: null
penalty_time: 0:20:00
languages: [cpp, {id: python3, name: Python 3}]
`, `{"title":"The World Finals","start":"2027-02-04T10:00:00Z","duration_s":18000,"freeze_s":0,"penalty_s":1200,"languages":["cpp","python3"],"name":"finals"}`, ""},
		{"problemset.yaml", `problems:
  - letter: A
    short-name: aplusb
    color: yellow
    rgb: '#ffff00'
  - {letter: B, short-name: fence}
`, `{"problems":[{"label":"A","problem":"aplusb","color":"yellow","rgb":"#ffff00"},{"label":"B","problem":"fence"}]}`, ""},
		{"problems.yaml", `- id: hello
  label: H
  name: Hello World
  points: 12.5
`, `{"problems":[{"label":"H","problem":"hello","points":12.5}]}`, ""},
		{"no start yet", "start-time: null\n", `{"start":null}`, ""},
	} {
		var k newContest
		ignored, err := parseContestYAML(tt.name, []byte(tt.text), &k)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got, err := json.Marshal(k)
		if err != nil || string(got) != tt.want || strings.Join(ignored, ", ") != tt.ignored {
			t.Errorf("%s: %s %v %v\nwant %s %s", tt.name, got, ignored, err, tt.want, tt.ignored)
		}
	}
	for text, want := range map[string]string{
		"":                               "f: the file is empty",
		"a: [":                           "f: ",
		"x":                              "f:1: a mapping",
		"name: x\nduration: long\n":      "f:2: \"long\" is no length of time",
		"duration: -5\n":                 "f:1: \"-5\" is no length of time",
		"duration: .inf\n":               "f:1: ",
		"start-time: tomorrow\n":         "f:1: start-time \"tomorrow\"",
		"start-time: 2027-02-04\n":       "f:1: start-time",
		"name: [a]\n":                    "f:1: a text is wanted",
		"problems: x\n":                  "f:1: problems: a list",
		"problems:\n  - letter: A\n":     "f:2: a problem has",
		"problems: [a]\n":                "f:1: a mapping",
		"problems: [{id: a, points: x}]": "unmarshal",
	} {
		if _, err := parseContestYAML("f", []byte(text), &newContest{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzContestYAML(f *testing.F) {
	f.Add([]byte("name: x\nstart-time: 2027-02-04T17:12:18+01\nproblems: [{id: a}]\n"))
	f.Add([]byte("- {short-name: a, points: 1e400}\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var k newContest
		if _, err := parseContestYAML("f", data, &k); err == nil {
			if _, err := json.Marshal(k.ContestSettings); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestContestFlagTexts(t *testing.T) {
	now := time.Date(2027, 1, 31, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{"5:00:00": 5 * time.Hour, "0:00:01.5": 1500 * time.Millisecond, "90m": 90 * time.Minute, "18000": 5 * time.Hour, "0": 0, "1.5": 1500 * time.Millisecond} {
		if d, err := parseSpan(text); err != nil || d != want {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "-1", "-5m", "5:60:00", "1:2:3", "1e99", "NaN", "five"} {
		if d, err := parseSpan(text); err == nil {
			t.Errorf("%q: %v", text, d)
		}
	}
	for text, want := range map[string]time.Time{"now": now, "30m": now.Add(30 * time.Minute), "2027-01-31T12:00:00+01:00": now.Add(time.Hour)} {
		if at, err := parseStart(text, now); err != nil || !at.Equal(want) {
			t.Errorf("%s: %v, %v", text, at, err)
		}
	}
	for _, text := range []string{"", "-5m", "2027-01-31", "tomorrow"} {
		if at, err := parseStart(text, now); err == nil {
			t.Errorf("%q: %v", text, at)
		}
	}
	for text, want := range map[string]string{
		"aplusb":               `{"problem":"aplusb"}`,
		"A=aplusb":             `{"label":"A","problem":"aplusb"}`,
		"A=aplusb:red":         `{"label":"A","problem":"aplusb","color":"red"}`,
		"A=aplusb:red:#ff0000": `{"label":"A","problem":"aplusb","color":"red","rgb":"#ff0000"}`,
		"aplusb:#00ff00":       `{"problem":"aplusb","rgb":"#00ff00"}`,
		"":                     "",
		"A=":                   "",
		"a:b:c:d":              "",
	} {
		p, err := parseContestProblem(text)
		got, _ := json.Marshal(p)
		if (err == nil) != (want != "") || (err == nil && string(got) != want) {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}
