package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"judge/api"
	"judge/judge"
)

// imports asks what an import of a zip would make.
func imports(tb testing.TB, s *api.Server, query, zip string) (api.ContestImported, api.Error) {
	tb.Helper()
	w := ask(s, "admin", "POST", v1+"/contests/import?dry_run=true"+query, "zip"+zip)
	var out api.ContestImported
	var refused api.Error
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		tb.Fatalf("%v: %s", err, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil {
		tb.Fatal(err)
	}
	return out, refused
}

func TestImportContest(t *testing.T) {
	s := newServer(t, newFake(), nil)
	out, e := imports(t, s, "&name=other", cupJSON+"+problems/mine.zip+submissions.json+sources.zip")
	c := out.Contest
	if e.Status != 0 || c.Name != "other" || c.Kind != "icpc" || c.State != "ended" || c.Contestants != 1 || !c.Practice || *c.PerMinute != 5 ||
		len(c.Pauses) != 1 || len(*c.Problems) != 1 || strings.Join(c.PenaltyVerdicts, " ") != "WA" {
		t.Errorf("%+v, %+v", e, c)
	}
	p := out.Problems[0]
	if !out.DryRun || strings.Join(out.Left, " ") != "sources.zip submissions.json" || p.New || p.Problem != mine || p.Digest != "d1" || *p.Number != 1 {
		t.Errorf("%+v", out)
	}
}

// TestImportContestFaults: what no requests could have made is refused, and the
// field is named.
func TestImportContestFaults(t *testing.T) {
	s := newServer(t, newFake(), nil)
	for name, tt := range map[string]struct {
		query, old, to, more string // in cupJSON, old is replaced
		status               int
		want                 string // a field
	}{
		"name taken":        {query: "&name=cup", status: 409, want: "query.name"},
		"bad name":          {query: "&name=Cup", status: 422, want: "contest.json/contest.name"},
		"no JSON":           {old: `{"format"`, to: `("format"`, status: 422, want: "contest.json"},
		"two values":        {old: `"extra_s":60}]}`, to: `"extra_s":60}]} {}`, status: 422, want: "contest.json"},
		"format":            {old: `"format":1`, to: `"format":2`, status: 422, want: "contest.json"},
		"unknown rule":      {old: `"practice":true`, to: `"practice":true,"handicap":1`, status: 422, want: "contest.json"},
		"kind":              {old: `"icpc"`, to: `"golf"`, status: 422, want: "contest.json/contest.kind"},
		"language":          {old: `"python3"`, to: `"klingon"`, status: 422, want: "contest.json/contest.languages"},
		"pause ends first":  {old: `10:30`, to: `09:30`, status: 422, want: "contest.json/contest.pauses[0].until"},
		"time":              {old: `"start":"2026`, to: `"start":"0000`, status: 422, want: "contest.json/contest.start"},
		"duration":          {old: `18000`, to: `-1e300`, status: 422, want: "contest.json/contest.duration_s"},
		"problem's name":    {old: `"problem":"mine","color"`, to: `"problem":"../mine","color"`, more: "+problems/../mine.zip", status: 422, want: "contest.json/contest.problems[0].problem"},
		"contestant":        {old: `"DEU"`, to: `"Germany"`, status: 422, want: "contest.json/contestants[0].country"},
		"contestant's time": {old: `"start":null,"extra_s"`, to: `"start":"9999-01-01T00:00:00Z","extra_s"`, status: 422, want: "contest.json/contestants[0].start"},
		"feedback":          {old: `"feedback":"cases"`, to: `"feedback":"all"`, status: 422, want: "contest.json/packages[0].feedback"},
		"stranger":          {old: `"packages":[{"problem":"mine"`, to: `"packages":[{"problem":"x"`, status: 422, want: "contest.json/packages[0].problem"},
		"silence":           {old: `{"problem":"mine","enabled":true,"languages":[],"feedback":"cases"}`, status: 422, want: "contest.json/contest.problems[0].problem"},
		"no package":        {more: "+submissions.json", status: 422, want: "problems/mine.zip"},
		"one more":          {more: "+problems/mine.zip+problems/x.zip", status: 422, want: "problems/x.zip"},
		"other":             {more: "+problems/mine.zip+README\x1b[2J", status: 422, want: `README\x1b[2J`},
	} {
		_, e := imports(t, s, tt.query, strings.Replace(cupJSON, tt.old, tt.to, 1)+tt.more)
		if e.Status != tt.status || len(e.Errors) == 0 || e.Errors[0].Field != tt.want {
			t.Errorf("%s: %d %+v %s, want %d %s", name, e.Status, e.Errors, e.Detail, tt.status, tt.want)
		}
	}
}

// TestImportMeanwhile: a problem that somebody made while the file was read is not
// written over.
func TestImportMeanwhile(t *testing.T) {
	s := newServer(t, newFake(), nil)
	zip := "zip" + strings.ReplaceAll(cupJSON, `"problem":"mine"`, `"problem":"fresh"`) + "+problems/fresh.zip"
	w := ask(s, "admin", "POST", v1+"/contests/import", zip)
	var e api.Error
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.Status != 409 || !strings.Contains(e.Detail, "problem fresh was changed") {
		t.Errorf("%+v, %v", e, err)
	}
	if w = ask(s, "admin", "POST", v1+"/contests/import", "zip"); w.Code != 201 || w.Header().Get("Location") != v1+"/contests/new" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func FuzzImportContest(f *testing.F) {
	f.Add(cupJSON)
	f.Add(strings.ReplaceAll(cupJSON, "null", "1"))
	f.Add(strings.ReplaceAll(cupJSON, "false", "true"))
	f.Add(`{"format":1,"contest":{"problems":[{}]},"packages":[{}],"contestants":[{}]}`)
	s := newServer(f, newFake(), nil)
	f.Fuzz(func(t *testing.T, text string) {
		out, e := imports(t, s, "", text)
		if e.Status == 500 || (out.Contest.Name == "") == (e.Status == 0) {
			t.Errorf("%+v, %+v", out, e)
		}
		for _, v := range out.Contest.PenaltyVerdicts {
			if !judge.Verdict(v).Valid() {
				t.Errorf("verdict %q", v)
			}
		}
	})
}
