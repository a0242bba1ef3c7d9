package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/wire"
)

var full = judge.Judgement{
	ID: "0195f1a2-0000-7000-8000-000000000001", SubmissionID: "0195f1a2-0000-7000-8000-000000000002",
	State: judge.Judged, Attempt: 2, Problem: "hello", ProblemVersion: "9f86d081", Submitter: "ada",
	CreatedAt: time.Date(2026, 3, 1, 13, 4, 5, 6_000_000, time.FixedZone("", 3600)),
	JudgedAt:  time.Date(2026, 3, 1, 12, 4, 6, 0, time.UTC),
	Worker:    "0195f1a2-0000-7000-8000-000000000003", Source: "a.cpp", Language: "cpp", LanguageVersion: "g++ 14.2.0",
	ImageID: "sha256:aa", Verdict: judge.TLE, Score: new(12.5), Limit: judge.LimitCPU,
	CPUTime: 1_100_000_400, WallTime: 1_200_000_600, Memory: 1 << 20, Message: "m",
	Compile: &judge.Compilation{OK: true, Output: "warning", CPUTime: time.Second, WallTime: 2 * time.Second, Memory: 5},
	Groups:  []judge.GroupResult{{Group: "secret", Verdict: judge.TLE, Score: new(0.0), MaxScore: new(100.0)}},
	Runs: []judge.Run{
		{Ordinal: 1, Case: "sample/1", Verdict: judge.AC, CPUTime: 0, WallTime: 1500 * time.Microsecond, Memory: 4096},
		{Ordinal: 2, Case: "secret/1", Verdict: judge.TLE, Limit: judge.LimitCPU, Signal: 9, CPUTime: 1_100_000_400, WallTime: 1_200_000_600, Memory: 1 << 20, Score: new(0.0), Message: "x"},
		{Ordinal: 3, Case: "secret/2", Verdict: judge.JE, ExitCode: -1, Message: "box failed"},
		{Ordinal: 4, Case: "secret/3", Verdict: judge.RE, ExitCode: 3, CPUTime: 1000, WallTime: 2000, Memory: 1},
	},
}

const fullJSON = `{"id":"0195f1a2-0000-7000-8000-000000000001","submission_id":"0195f1a2-0000-7000-8000-000000000002",
"state":"judged","attempt":2,"problem":"hello","problem_version":"9f86d081","submitter":"ada",
"created_at":"2026-03-01T12:04:05.006Z","judged_at":"2026-03-01T12:04:06.000Z","worker":"0195f1a2-0000-7000-8000-000000000003",
"source":"a.cpp","language":"cpp","language_version":"g++ 14.2.0","image_id":"sha256:aa",
"verdict":"TLE","score":12.5,"limit":"cpu","cpu_time_s":1.1,"wall_time_s":1.200001,"memory_bytes":1048576,"message":"m",
"compile":{"ok":true,"output":"warning","cpu_time_s":1,"wall_time_s":2,"memory_bytes":5},
"groups":[{"group":"secret","verdict":"TLE","score":0,"max_score":100}],
"runs":[
{"ordinal":1,"case":"sample/1","verdict":"AC","limit":null,"exit_code":0,"signal":null,"cpu_time_s":0,"wall_time_s":0.0015,"memory_bytes":4096,"score":null,"message":null},
{"ordinal":2,"case":"secret/1","verdict":"TLE","limit":"cpu","exit_code":null,"signal":9,"cpu_time_s":1.1,"wall_time_s":1.200001,"memory_bytes":1048576,"score":0,"message":"x"},
{"ordinal":3,"case":"secret/2","verdict":"JE","limit":null,"exit_code":null,"signal":null,"cpu_time_s":null,"wall_time_s":null,"memory_bytes":null,"score":null,"message":"box failed"},
{"ordinal":4,"case":"secret/3","verdict":"RE","limit":null,"exit_code":3,"signal":null,"cpu_time_s":0.000001,"wall_time_s":0.000002,"memory_bytes":1,"score":null,"message":null}]}`

const emptyJSON = `{"id":null,"submission_id":null,"state":"queued","attempt":null,"problem":null,"problem_version":null,"submitter":null,
"created_at":null,"judged_at":null,"worker":null,"source":null,"language":null,"language_version":null,"image_id":null,
"verdict":null,"score":null,"limit":null,"cpu_time_s":null,"wall_time_s":null,"memory_bytes":null,"message":null,"compile":null,
"groups":[],"runs":[{"ordinal":1,"case":"secret/1","verdict":null,"limit":null,"exit_code":null,"signal":null,
"cpu_time_s":null,"wall_time_s":null,"memory_bytes":null,"score":null,"message":null}]}`

func TestGolden(t *testing.T) {
	tests := []struct {
		name string
		in   judge.Judgement
		want string
	}{
		{"everything", full, fullJSON},
		{"nothing known", judge.Judgement{State: judge.Queued, Runs: []judge.Run{{Ordinal: 1, Case: "secret/1"}}}, emptyJSON},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(wire.FromJudgement(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			// The bytes, so that the fields' order counts.
			if diff := cmp.Diff(strings.ReplaceAll(tt.want, "\n", ""), string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestThereAndBack(t *testing.T) {
	rounded := full
	rounded.CreatedAt = full.CreatedAt.UTC()
	rounded.CPUTime, rounded.WallTime = 1_100_000_000, 1_200_001_000
	rounded.Runs = append([]judge.Run(nil), full.Runs...)
	rounded.Runs[1].CPUTime, rounded.Runs[1].WallTime = 1_100_000_000, 1_200_001_000

	dec := json.NewDecoder(bytes.NewBufferString(fullJSON))
	dec.DisallowUnknownFields()
	var got wire.Judgement
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rounded, got.Judgement()); diff != "" {
		t.Error(diff)
	}
	var empty wire.Judgement
	if err := json.Unmarshal([]byte(emptyJSON), &empty); err != nil {
		t.Fatal(err)
	}
	want := judge.Judgement{State: judge.Queued, Runs: []judge.Run{{Ordinal: 1, Case: "secret/1"}}}
	if diff := cmp.Diff(want, empty.Judgement()); diff != "" {
		t.Error(diff)
	}
}

func TestTime(t *testing.T) {
	for _, bad := range []string{`1`, `"yesterday"`, `"2026-03-01"`} {
		var v wire.Time
		if err := json.Unmarshal([]byte(bad), &v); err == nil {
			t.Errorf("%s was read as %v", bad, time.Time(v))
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(fullJSON))
	f.Add([]byte(emptyJSON))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v wire.Judgement
		if json.Unmarshal(b, &v) != nil {
			return
		}
		first := wire.FromJudgement(v.Judgement()).Judgement()
		second := wire.FromJudgement(first).Judgement()
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("encoding changes what it encoded: %s", diff)
		}
	})
}
