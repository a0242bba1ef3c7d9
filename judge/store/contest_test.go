//go:build postgres

package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 123456000, time.UTC)

// finals is a contest in which no field is zero.
func finals() judge.Contest {
	return judge.Contest{
		Name: "finals", Title: "Finals", Kind: judge.ContestICPC, Start: start, Duration: 5 * time.Hour,
		Pauses: []judge.Pause{{From: start.Add(time.Hour), Until: start.Add(61 * time.Minute)}, {From: start.Add(2 * time.Hour)}},
		Freeze: time.Hour, Thawed: start.Add(6 * time.Hour), Released: start.Add(7 * time.Hour), Penalty: 20 * time.Minute,
		PenaltyVerdicts: []judge.Verdict{judge.WA, judge.TLE}, SubtaskBest: true, Practice: true, PublicBoard: true, Open: true,
		Feedback: judge.FeedbackVerdict, HoldResults: true, Languages: []string{"cpp"}, MaxSubmissions: 50, PerMinute: 5,
		Problems: []judge.ContestProblem{
			{Label: "A", Problem: "aplusb", Color: "red", RGB: "#ff0000", Languages: []string{"c", "cpp"}, MaxSubmissions: 3, Points: 12.5},
			{Label: "AA", Problem: "other"},
		},
		Contestants: []judge.Contestant{
			{ID: "1", Name: "One", Affiliation: "Here", Country: "DEU", Groups: []string{"women", "north"}, Hidden: true, Disqualified: true, Start: start.Add(time.Hour), Extra: time.Minute},
			{ID: "T", Name: "100% \\ _Team", Affiliation: "There", Groups: []string{"north"}},
		},
	}
}

// newContest makes finals in a database with its problems.
func newContest(t *testing.T) (*storetest.World, judge.Contest) {
	t.Helper()
	w := storetest.NewWorld(t)
	exec(t, w.Store, "INSERT INTO problems (name) VALUES ('other')")
	var c judge.Contest
	in(t, w.Store, func(tx *store.Tx) (err error) {
		c, err = tx.CreateContest(t.Context(), finals())
		return err
	})
	return w, c
}

func TestContest(t *testing.T) {
	ctx := t.Context()
	w, made := newContest(t)
	got, err := w.Contest(ctx, "finals")
	if err != nil {
		t.Fatal(err)
	}
	ignored := cmpopts.IgnoreFields(judge.Contest{}, "CreatedAt", "Revision")
	if diff := cmp.Diff(finals(), got, ignored, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if made.Revision != 1 || made.Contestants != nil || made.CreatedAt.IsZero() {
		t.Errorf("%+v", made)
	}
	uses, err := w.ContestUses(ctx, []string{"aplusb", "none"})
	if want := []judge.ContestUse{{Problem: "aplusb", Contest: "finals", Start: start}}; err != nil || !cmp.Equal(uses, want) {
		t.Errorf("%+v, %v", uses, err)
	}
	change := func(fn func(c *judge.Contest)) error {
		return w.Tx(ctx, func(tx *store.Tx) error {
			c, err := tx.LockContest(ctx, "finals")
			if err != nil {
				return err
			}
			fn(&c)
			_, err = tx.UpdateContest(ctx, c)
			return err
		})
	}
	// Two problems swap their labels, and what was set is unset.
	if err := change(func(c *judge.Contest) {
		c.Problems[0].Label, c.Problems[1].Label = "AA", "A"
		c.Start, c.Pauses, c.HoldResults, c.Title = time.Time{}, nil, false, "\u00dcbung"
	}); err != nil {
		t.Fatal(err)
	}
	got, err = w.ContestInfo(ctx, "finals")
	if err != nil || got.Revision != 2 || got.Problems[0].Problem != "other" || !got.Start.IsZero() || got.Pauses != nil || got.HoldResults || got.Title != "\u00dcbung" {
		t.Errorf("%+v, %v", got, err)
	}
	stale := func(tx *store.Tx) error {
		_, err := tx.UpdateContest(ctx, made)
		return err
	}
	wantErr(t, "change of an old revision", w.Tx(ctx, stale), judge.ErrConflict)
	wantErr(t, "change of none", change(func(c *judge.Contest) { c.Name = "none" }), judge.ErrNotFound)
	wantErr(t, "an unknown problem", change(func(c *judge.Contest) { c.Problems[0].Problem = "none" }), judge.ErrNotFound)
	wantErr(t, "a label twice", change(func(c *judge.Contest) { c.Problems[0].Label = "AA" }), judge.ErrConflict)
	wantErr(t, "an unknown kind", change(func(c *judge.Contest) { c.Kind = "x" }), judge.ErrInvalid)
	wantErr(t, "again", w.Tx(ctx, func(tx *store.Tx) error { _, err := tx.CreateContest(ctx, finals()); return err }), judge.ErrConflict)
	for i := range 3 {
		in(t, w.Store, func(tx *store.Tx) error {
			_, err := tx.CreateContest(ctx, judge.Contest{Name: fmt.Sprint("c", i), Kind: judge.ContestPractice})
			return err
		})
	}
	list, err := w.Contests(ctx, "c0", 2)
	if err != nil || len(list) != 2 || list[0].Name != "c1" || list[1].Name != "c2" {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err = w.Contests(ctx, "c2", 2); err != nil || len(list) != 1 || len(list[0].Problems) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	in(t, w.Store, func(tx *store.Tx) error { return tx.DeleteContest(ctx, "finals") })
	_, err = w.Contest(ctx, "finals")
	wantErr(t, "read what was deleted", err, judge.ErrNotFound)
	wantErr(t, "delete it again", w.Tx(ctx, func(tx *store.Tx) error { return tx.DeleteContest(ctx, "finals") }), judge.ErrNotFound)
}

func TestContestants(t *testing.T) {
	ctx := t.Context()
	w, _ := newContest(t)
	put := func(whole bool, all ...judge.Contestant) (changed bool) {
		t.Helper()
		in(t, w.Store, func(tx *store.Tx) (err error) {
			changed, err = tx.PutContestants(ctx, "finals", all, whole)
			return err
		})
		return changed
	}
	revision := func() int64 {
		c, err := w.ContestInfo(ctx, "finals")
		if err != nil {
			t.Fatal(err)
		}
		return c.Revision
	}
	if put(true, finals().Contestants...) || revision() != 1 {
		t.Error("what is there already counts as a change")
	}
	if !put(false, judge.Contestant{ID: "2", Groups: []string{"a'b"}}) || revision() != 2 {
		t.Error("a new one counts as none")
	}
	yes, no := true, false
	for _, tt := range []struct {
		f    judge.ContestantFilter
		want string
	}{
		{judge.ContestantFilter{}, "[1 2 T]"},
		{judge.ContestantFilter{Group: "north"}, "[1 T]"},
		{judge.ContestantFilter{Group: "a'b"}, "[2]"},
		{judge.ContestantFilter{Affiliation: "There"}, "[T]"},
		{judge.ContestantFilter{Text: "tHERe"}, "[T]"},
		{judge.ContestantFilter{Text: "0% \\ _t"}, "[T]"},
		{judge.ContestantFilter{Text: "%"}, "[T]"},
		{judge.ContestantFilter{Hidden: &yes}, "[1]"},
		{judge.ContestantFilter{Hidden: &no, IDs: []string{"1", "2"}}, "[2]"},
	} {
		list, err := w.Contestants(ctx, "finals", tt.f, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, p := range list {
			ids = append(ids, p.ID)
		}
		n, err := w.CountContestants(ctx, "finals", tt.f)
		if fmt.Sprint(ids) != tt.want || n != len(ids) || err != nil {
			t.Errorf("%+v: %v, %d, %v, want %s", tt.f, ids, n, err, tt.want)
		}
	}
	if list, err := w.Contestants(ctx, "finals", judge.ContestantFilter{}, "1", 1); err != nil || len(list) != 1 || list[0].ID != "2" {
		t.Errorf("a page: %+v, %v", list, err)
	}
	if !put(true, judge.Contestant{ID: "T", Name: "Other"}, judge.Contestant{ID: "9"}) {
		t.Error("a whole new list counts as no change")
	}
	if got, err := w.Contestant(ctx, "finals", "T"); err != nil || got.Name != "Other" || len(got.Groups) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err := w.Contestant(ctx, "finals", "1")
	wantErr(t, "one who is not in the list", err, judge.ErrNotFound)
	enter(t, w, "T", judge.WA)
	wantErr(t, "remove who has handed in", w.Tx(ctx, func(tx *store.Tx) error { return tx.DeleteContestant(ctx, "finals", "T") }), judge.ErrConflict)
	wantErr(t, "leave out who has handed in", w.Tx(ctx, func(tx *store.Tx) error {
		_, err := tx.PutContestants(ctx, "finals", nil, true)
		return err
	}), judge.ErrConflict)
	in(t, w.Store, func(tx *store.Tx) error { return tx.DeleteContestant(ctx, "finals", "9") })
	wantErr(t, "remove nobody", w.Tx(ctx, func(tx *store.Tx) error { return tx.DeleteContestant(ctx, "finals", "9") }), judge.ErrNotFound)
	wantErr(t, "delete a contest with submissions", w.Tx(ctx, func(tx *store.Tx) error { return tx.DeleteContest(ctx, "finals") }), judge.ErrConflict)
}

// enter hands something in at the contest, and has it judged unless v is empty.
func enter(t *testing.T, w *storetest.World, team string, v judge.Verdict) (judge.Submission, judge.Judgement) {
	t.Helper()
	s := w.Submission("ada", judge.PriorityContest)
	s.Contest, s.Submitter.Team = "finals", team
	var j judge.Judgement
	in(t, w.Store, func(tx *store.Tx) (err error) {
		s, j, err = tx.CreateSubmission(t.Context(), s)
		return err
	})
	if v != "" {
		id := worker(t, w.Store, 1)
		finish(t, w.Store, take(t, w.Store, id).Lease, v)
	}
	return s, j
}

func TestAttempts(t *testing.T) {
	ctx := t.Context()
	w, _ := newContest(t)
	w.Submit(t, "bob", judge.PriorityPractice) // in no contest
	first := take(t, w.Store, worker(t, w.Store, 1))
	finish(t, w.Store, first.Lease, judge.AC)
	from, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	a, ja := enter(t, w, "T", judge.WA)
	b, jb := enter(t, w, "T", judge.TLE)
	c, _ := enter(t, w, "1", "")
	points := 7.5
	if err := setReview(t, w.Store, jb.ID, judge.Review{Verdict: judge.AC, Score: &points, Ignored: true}); err != nil {
		t.Fatal(err)
	}
	got, err := w.Attempts(ctx, "finals", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []judge.Attempt{
		{Submission: a.ID, Contestant: "T", Problem: "aplusb", At: a.CreatedAt, State: judge.Judged, Verdict: judge.WA},
		{Submission: b.ID, Contestant: "T", Problem: "aplusb", At: b.CreatedAt, State: judge.Judged, Verdict: judge.AC, Score: &points, Ignored: true},
		{Submission: c.ID, Contestant: "1", Problem: "aplusb", At: c.CreatedAt, State: judge.Queued},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(judge.Attempt{}, "JudgedAt")); diff != "" {
		t.Error(diff)
	}
	if got[0].JudgedAt.IsZero() || !got[2].JudgedAt.IsZero() {
		t.Errorf("%+v", got)
	}
	if got, err = w.Attempts(ctx, "finals", []string{c.ID, a.ID}); err != nil || len(got) != 2 || got[1].Submission != c.ID {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = w.Attempts(ctx, "none", nil); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if j, err := w.Judgement(ctx, ja.ID); err != nil || j.Contest != "finals" {
		t.Errorf("%+v, %v", j, err)
	}
	// Lists and events by contest.
	for _, tt := range []struct {
		f    judge.SubmissionFilter
		want int
	}{
		{judge.SubmissionFilter{}, 4},
		{judge.SubmissionFilter{Contest: "finals"}, 3},
		{judge.SubmissionFilter{Contest: "finals", Verdict: judge.AC}, 1},
		{judge.SubmissionFilter{Contest: "finals", Contestant: "T"}, 2},
		{judge.SubmissionFilter{Contest: "finals", Contestant: "T", Team: "T", TokenID: w.Token.ID}, 2},
		{judge.SubmissionFilter{Contest: "finals", Problems: []string{"other"}}, 0},
		{judge.SubmissionFilter{Scope: judge.Scope{Contests: []string{"finals"}}}, 3},
		{judge.SubmissionFilter{Scope: judge.Scope{Contests: []string{"finals", "none"}}, Verdict: judge.WA}, 1},
		{judge.SubmissionFilter{Scope: judge.Scope{Contests: []string{"none"}, Problems: []string{"aplusb"}}}, 4},
		{judge.SubmissionFilter{Scope: judge.Scope{Contests: []string{"none"}}, SubmitterID: "ada"}, 0},
	} {
		page, err := w.Submissions(ctx, tt.f, "", 50)
		if err != nil || len(page.Items) != tt.want {
			t.Errorf("%+v: %d submissions, %v, want %d", tt.f, len(page.Items), err, tt.want)
		}
	}
	for want, scope := range map[int]judge.Scope{4: {Contests: []string{"none"}, Problems: []string{"aplusb"}}, 3: {Contests: []string{"finals", "none"}}, 0: {Contests: []string{"none"}}} {
		st, err := w.Statistics(ctx, time.Time{}, scope)
		if err != nil || st.Submissions.Total != want || st.Judgements.Total != want {
			t.Errorf("%+v: %+v, %v, want %d", scope, st, err, want)
		}
	}
	in(t, w.Store, func(tx *store.Tx) error {
		_, err := tx.PutContestants(ctx, "finals", []judge.Contestant{{ID: "new"}}, false)
		return err
	})
	for _, tt := range []struct {
		f    judge.EventFilter
		want int
	}{
		// Three were handed in, two begun and judged, one reviewed, and one change.
		{judge.EventFilter{}, 9},
		{judge.EventFilter{Contest: "finals"}, 9},
		{judge.EventFilter{Contest: "none"}, 0},
		{judge.EventFilter{TokenID: w.Token.ID}, 8},
		{judge.EventFilter{TokenID: w.Token.ID, Contest: "finals"}, 9},
		{judge.EventFilter{Problems: []string{"aplusb"}}, 8},
		{judge.EventFilter{Scope: judge.Scope{Contests: []string{"finals"}}}, 9},
		{judge.EventFilter{Scope: judge.Scope{Contests: []string{"none"}, Problems: []string{"aplusb"}}}, 8},
	} {
		events, err := w.Events(ctx, from, tt.f, 100)
		if err != nil || len(events.Items) != tt.want {
			t.Errorf("%+v: %d events, %v, want %d", tt.f, len(events.Items), err, tt.want)
		}
		for _, e := range events.Items {
			if e.Contest != "finals" || (e.Type == judge.ContestUpdated) != (e.SubmissionID == "") {
				t.Errorf("%+v", e)
			}
		}
	}
}

// What a contestant has handed in is counted right, however many hand in at once.
func TestContestTries(t *testing.T) {
	ctx := t.Context()
	w, c := newContest(t)
	const most, at = 7, 40
	errs := together(at, func(i int) error {
		return w.Tx(ctx, func(tx *store.Tx) error {
			who, err := tx.EnterContest(ctx, &c, []judge.Contestant{{ID: "new", Name: "New"}})
			if err != nil {
				return err
			}
			if len(who) != 1 || who[0].Name != "New" {
				return fmt.Errorf("%+v", who)
			}
			s := w.Submission("ada", judge.PriorityContest)
			s.Contest, s.Submitter.Team = "finals", "new"
			tries, err := tx.ContestTries(ctx, "finals", "new", s.Problem, time.Now())
			if err != nil || tries.Problem >= most {
				return err
			}
			_, _, err = tx.CreateSubmission(ctx, s)
			return err
		})
	})
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	err := w.Tx(ctx, func(tx *store.Tx) error {
		tries, err := tx.ContestTries(ctx, "finals", "new", "aplusb", time.Now())
		if err != nil || tries.Problem != most || tries.Recent != most || tries.Oldest.IsZero() {
			t.Errorf("%+v, %v, want %d", tries, err, most)
		}
		if tries, err = tx.ContestTries(ctx, "finals", "new", "other", time.Now().Add(time.Hour)); err != nil || tries != (judge.Tries{}) {
			t.Errorf("%+v, %v", tries, err)
		}
		c.Open = false
		who, err := tx.EnterContest(ctx, &c, []judge.Contestant{{ID: "1"}, {ID: "stranger"}})
		if err != nil || len(who) != 1 || who[0].ID != "1" {
			t.Errorf("%+v, %v", who, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := w.ContestInfo(ctx, "finals"); err != nil || c.Revision != 2 {
		t.Errorf("%+v, %v: one contestant came", c, err)
	}
}
