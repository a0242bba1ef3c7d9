//go:build postgres

package api_test

import (
	"testing"
	"time"

	"judge/api"
	"judge/judge"
)

// TestBoardFollowsJudging: the board is what the database says, at each API there
// is, and the freeze, a review and the thaw do to it what they should.
func TestBoardFollowsJudging(t *testing.T) {
	w := newCup(t, `,"kind":"icpc",`+since(4*time.Hour+30*time.Minute)+`,"freeze_s":3600`)
	another := *w
	another.url = w.serve(w.store, nil)
	apis := []*world{w, &another}
	await := func(who, query, want string) (b api.Board) {
		t.Helper()
		for _, at := range apis {
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
				b = api.Board{}
				at.ask(who, "GET", cups+"/cup/board"+query, "", 200, &b)
				if boardText(&b) == want {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("the board shows\n%s\nwant\n%s", boardText(&b), want)
				}
			}
		}
		return b
	}
	await("fan", "", "1 red 0 0 0+0 0+0\n1 blue 0 0 0+0 0+0")
	first, _ := w.enter("team", entry("mine", "blue"), 201)
	await("fan", "", "1 red 0 0 0+0 0+0\n1 blue 0 0 0+1 0+0")
	w.judge(judge.AC)
	// It came after the freeze: the jury sees it, the public does not.
	await("staff", "?view=jury", "1 blue 1 270 1+0* 0+0\n2 red 0 0 0+0 0+0\n- ghost 0 0 0+0 0+0")
	if b := await("fan", "", "1 red 0 0 0+0 0+0\n1 blue 0 0 0+1 0+0"); b.State != "frozen" || !b.Frozen {
		t.Errorf("%+v", b)
	}
	w.ask("staff", "PUT", v1+"/judgements/"+*first.Judgement.ID+"/review", `{"verdict":"WA","reason":"reads the answer"}`, 200, nil)
	await("staff", "?view=jury", "1 red 0 0 0+0 0+0\n1 blue 0 0 1+0 0+0\n- ghost 0 0 0+0 0+0")
	w.ask("staff", "PUT", v1+"/judgements/"+*first.Judgement.ID+"/review", `{"ignored":true,"reason":"a test"}`, 200, nil)
	await("fan", "", "1 red 0 0 0+0 0+0\n1 blue 0 0 0+0 0+0")
	w.enter("team", entry("theirs", "red"), 201)
	w.judge(judge.TLE)
	w.enter("team", entry("theirs", "red"), 201)
	w.judge(judge.AC)
	await("staff", "?view=jury", "1 red 1 290 0+0 2+0*\n2 blue 0 0 0+0 0+0\n- ghost 0 0 0+0 0+0")
	w.act("thaw", `{"reason":"the ceremony"}`, 200)
	await("fan", "", "1 red 1 290 0+0 2+0*\n2 blue 0 0 0+0 0+0")
	w.ask("", "GET", cups+"/cup/board", "", 401, nil)
	var e api.Error
	w.ask("stranger", "GET", cups+"/cup/board", "", 404, &e)
}
