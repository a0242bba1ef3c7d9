//go:build postgres

package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
)

// jobs counts what River holds: one for each judgement that is ready.
func (w *world) jobs() (n int) {
	w.tb.Helper()
	w.must(w.store.Pool().QueryRow(w.tb.Context(), "SELECT count(*) FROM river_job").Scan(&n))
	return n
}

func (w *world) submissions() (n int) {
	w.tb.Helper()
	w.must(w.store.Pool().QueryRow(w.tb.Context(), "SELECT count(*) FROM submissions").Scan(&n))
	return n
}

func TestSubmit(t *testing.T) {
	w := newWorld(t, nil)
	s := w.submit("owner", "ada")
	if s.Judgement.State == nil || *s.Judgement.State != "queued" || s.Language != "python3" || s.Priority != "practice" || *s.Submitter.ID != "ada" || *s.ProblemVersion != "d1" {
		t.Errorf("%+v", s)
	}
	if w.jobs() != 1 {
		t.Errorf("%d jobs for one submission", w.jobs())
	}
	second := w.submit("owner", "ada")
	w.ask("owner", "GET", v1+"/submissions/"+second.ID, "", 200, &second)
	if second.Place == nil || second.Place.Ahead != 1 {
		t.Errorf("place %+v, want one ahead", second.Place)
	}
	w.judge(judge.WA)
	var after api.Submission
	w.ask("owner", "GET", v1+"/submissions/"+s.ID, "", 200, &after)
	if *after.Judgement.Verdict != "WA" || len(after.Judgement.Runs) != 1 || after.Judgement.Runs[0].Case != nil || after.Place != nil {
		t.Errorf("the submitter sees %+v", after)
	}
	w.ask("admin", "GET", v1+"/submissions/"+s.ID, "", 200, &after)
	if *after.Judgement.Runs[0].Case != "secret/1" {
		t.Errorf("staff see %+v", after)
	}
	var source api.Source
	w.ask("owner", "GET", v1+"/submissions/"+s.ID+"/source", "", 200, &source)
	if len(source.Files) != 1 || *source.Files[0].Data != "print(1)\n" {
		t.Errorf("%+v", source)
	}
	var out api.RunOutput
	w.ask("admin", "GET", v1+"/judgements/"+*after.Judgement.ID+"/runs/1/output", "", 200, &out)
	if out.Stdout != "3\n" {
		t.Errorf("%+v", out)
	}
	w.ask("admin", "GET", v1+"/judgements/"+*after.Judgement.ID+"/runs/2/output", "", 404, nil)
}

// The same request with the same key, from many at once, is done once.
func TestIdempotency(t *testing.T) {
	w := newWorld(t, nil)
	const many = 12
	ids, replayed := make([]string, many), make([]string, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			var s api.Submission
			res := w.ask("owner", "POST", v1+"/submissions", submitJSON, 201, &s, "Idempotency-Key", "k")
			ids[i], replayed[i] = s.ID, res.Get("Idempotent-Replayed")
		})
	}
	all.Wait()
	slices.Sort(replayed)
	if len(slices.Compact(slices.Clone(ids))) != 1 || replayed[0] != "" || replayed[1] != "true" {
		t.Errorf("ids %v, replayed %v", ids, replayed)
	}
	if n := w.submissions(); n != 1 || w.jobs() != 1 {
		t.Errorf("%d submissions, %d jobs", n, w.jobs())
	}
	var e api.Error
	w.ask("owner", "POST", v1+"/submissions", `{"problem":"mine","files":[{"name":"a.py","data":"2"}]}`, 422, &e, "Idempotency-Key", "k")
	if e.Type != "urn:judge:key-reused" {
		t.Error(e)
	}
	// Another token's key of the same name is another key; the same JSON written
	// otherwise is the same request.
	w.ask("admin", "POST", v1+"/submissions", submitJSON, 201, nil, "Idempotency-Key", "k")
	w.ask("owner", "POST", v1+"/submissions", `{"files": [{"data":"print(1)\n","name":"a.py"}],"problem":"mine"}`, 201, nil, "Idempotency-Key", "k")
	if n := w.submissions(); n != 2 {
		t.Errorf("%d submissions, want 2", n)
	}
	// What was done is answered as it was, though it would be refused now; what was
	// refused is not remembered.
	w.must(w.store.EnableProblem(t.Context(), mine, false))
	w.ask("owner", "POST", v1+"/submissions", submitJSON, 201, nil, "Idempotency-Key", "k")
	w.ask("admin", "POST", v1+"/submissions", submitJSON, 409, nil, "Idempotency-Key", "k2")
	w.must(w.store.EnableProblem(t.Context(), mine, true))
	w.ask("admin", "POST", v1+"/submissions", submitJSON, 201, nil, "Idempotency-Key", "k2")
}

func TestBatch(t *testing.T) {
	w := newWorld(t, nil)
	items := submitJSON
	for range 99 {
		items += "," + submitJSON
	}
	var made api.BatchAnswer
	w.ask("owner", "POST", v1+"/submissions/batch", `{"items":[`+items+`]}`, 201, &made)
	if len(made.Items) != 100 || w.submissions() != 100 || w.jobs() != 100 {
		t.Errorf("%d answered, %d submissions, %d jobs", len(made.Items), w.submissions(), w.jobs())
	}
	w.ask("owner", "POST", v1+"/submissions/batch", `{"items":[`+items+`,`+submitJSON+`]}`, 422, nil)
	w.ask("owner", "POST", v1+"/submissions/batch", `{"items":[`+submitJSON+`,{"problem":"none","files":[{"name":"a.py","data":""}]}]}`, 404, nil)
	if n := w.submissions(); n != 100 {
		t.Errorf("%d submissions: a batch was taken in part", n)
	}
}

func TestPaging(t *testing.T) {
	w := newWorld(t, nil)
	var want []string
	for i := range 7 {
		want = append(want, w.submit("owner", fmt.Sprint("p", i%2)).ID)
	}
	slices.Reverse(want)
	read := func(who, query string) (ids []string) {
		cursor := ""
		for pages := 0; ; pages++ {
			var page api.List[api.Submission]
			w.ask(who, "GET", v1+"/submissions?limit=2&cursor="+cursor+query, "", 200, &page)
			for _, s := range page.Items {
				ids = append(ids, s.ID)
			}
			if page.NextCursor == nil || pages > 10 {
				return ids
			}
			cursor = *page.NextCursor
		}
	}
	if got := read("owner", ""); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := read("admin", "&submitter=p1&team=t&problem=mine&language=python3&state=queued"); len(got) != 3 {
		t.Errorf("%d of p1, want 3", len(got))
	}
	w.judge(judge.WA)
	w.judge(judge.AC)
	for who, n := range map[string]int{"owner": 1, "admin": 1} {
		if got := read(who, "&verdict=WA"); len(got) != n {
			t.Errorf("%s sees %d WA, want %d", who, len(got), n)
		}
	}
	if got := read("admin", "&since="+time.Now().Add(time.Hour).UTC().Format(time.RFC3339)); len(got) != 0 {
		t.Errorf("%d from the future", len(got))
	}
	w.secret("other", judge.Token{Role: judge.RoleSubmitter})
	if got := read("other", ""); len(got) != 0 {
		t.Errorf("another token sees %v", got)
	}
	w.ask("admin", "GET", v1+"/submissions?cursor=nonsense", "", 422, nil)
}

func TestCancel(t *testing.T) {
	w := newWorld(t, nil)
	s := w.submit("owner", "ada")
	var after api.Submission
	w.ask("owner", "POST", v1+"/submissions/"+s.ID+"/cancel", `{"reason":"wrong file"}`, 200, &after)
	if *after.Judgement.State != "cancelled" {
		t.Errorf("%+v", after.Judgement)
	}
	w.ask("owner", "POST", v1+"/judgements/"+*s.Judgement.ID+"/cancel", "", 409, nil)
	var audit api.List[api.AuditEntry]
	w.ask("admin", "GET", v1+"/audit?object="+*s.Judgement.ID, "", 200, &audit)
	if len(audit.Items) != 1 || audit.Items[0].Action != "judgement.cancel" || audit.Items[0].Reason != "wrong file" || audit.Items[0].TokenID == nil {
		t.Errorf("%+v", audit)
	}
}

func TestReview(t *testing.T) {
	w := newWorld(t, nil)
	s := w.submit("owner", "ada")
	review := v1 + "/judgements/" + *s.Judgement.ID + "/review"
	w.ask("admin", "PUT", review, `{"verdict":"AC","reason":"checker was wrong"}`, 409, nil)
	w.judge(judge.WA)
	var j api.Judgement
	w.ask("admin", "PUT", review, `{"verdict":"AC","verified":true,"reason":"checker was wrong"}`, 200, &j)
	if *j.Verdict != "AC" || j.Review == nil || j.Review.FoundVerdict != "WA" || !j.Review.Verified || j.Review.Reason != "checker was wrong" {
		t.Errorf("staff see %+v", j)
	}
	j = api.Judgement{}
	w.ask("owner", "GET", v1+"/judgements/"+*s.Judgement.ID, "", 200, &j)
	if *j.Verdict != "AC" || j.Review != nil {
		t.Errorf("the submitter sees %+v", j)
	}
	var page api.List[api.Submission]
	w.ask("admin", "GET", v1+"/submissions?verdict=AC", "", 200, &page)
	if len(page.Items) != 1 {
		t.Error("the list does not go by the verdict that counts")
	}
}

func TestInspection(t *testing.T) {
	w := newWorld(t, nil)
	s := w.submit("owner", "ada")
	at := v1 + "/judgements/" + *s.Judgement.ID + "/runs/"
	w.ask("admin", "POST", at+"1/inspections", "", 409, nil)
	w.judge(judge.WA)
	w.ask("admin", "POST", at+"9/inspections", "", 404, nil)
	jobs := w.jobs()
	var i api.Inspection
	res := w.ask("admin", "POST", at+"1/inspections", `{"reason":"complaint"}`, 202, &i)
	if i.State != "queued" || w.jobs() != jobs+1 {
		t.Errorf("%+v, %d jobs after %d", i, w.jobs(), jobs)
	}
	w.ask("admin", "GET", res.Get("Location"), "", 200, &i)
	w.ask("owner", "GET", res.Get("Location"), "", 403, nil)
}

func TestTokens(t *testing.T) {
	w := newWorld(t, nil)
	var made api.NewToken
	w.ask("admin", "POST", v1+"/tokens", `{"name":"course","role":"instructor","scope":{"problems":["mine"]},"reason":"term"}`, 201, &made)
	w.secrets["course"] = made.Secret
	var me api.Token
	w.ask("course", "GET", v1+"/whoami", "", 200, &me)
	if me.ID != made.ID || me.Role != "instructor" || !slices.Equal(me.Scope.Problems, []string{"mine"}) {
		t.Errorf("%+v", me)
	}
	w.ask("admin", "DELETE", v1+"/tokens/"+made.ID+"?reason=over", "", 204, nil)
	w.ask("course", "GET", v1+"/whoami", "", 401, nil)
	var list api.List[json.RawMessage]
	w.ask("admin", "GET", v1+"/tokens", "", 200, &list)
	var audit api.List[api.AuditEntry]
	w.ask("admin", "GET", v1+"/audit?object="+made.ID, "", 200, &audit)
	if len(list.Items) != 3 || len(audit.Items) != 2 || audit.Items[0].Reason != "over" {
		t.Errorf("%d tokens, audit %+v", len(list.Items), audit)
	}
	w.ask("admin", "DELETE", v1+"/tokens/nonsense", "", 404, nil)
}
