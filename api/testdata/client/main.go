// Command client speaks to a server by nothing but the client that was generated
// from its OpenAPI 3.0 document: generated.go, which the test lays beside this file
// for the compiler. It ends with 1 and says so where an answer is not as it should
// be. Somebody judges what it submits, with WA.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, token string) error {
	c, err := NewClientWithResponses(url, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		return err
	}
	me, err := c.WhoamiWithResponse(ctx)
	if err != nil || me.JSON200 == nil || me.JSON200.Role != "admin" {
		return fmt.Errorf("whoami: %v %s", err, me.Body)
	}
	id, err := submit(ctx, c)
	if err != nil {
		return err
	}
	return review(ctx, c, id)
}

// submit hands in a submission, twice by the same key, and waits for its verdict.
func submit(ctx context.Context, c *ClientWithResponses) (id string, err error) {
	request := SubmissionRequest{Problem: "mine", Submitter: &PersonRequest{Id: "ada"}, Files: []FileRequest{{Name: new("a.py"), Data: new("print(1)\n")}}}
	for range 2 {
		made, err := c.CreateSubmissionWithResponse(ctx, &CreateSubmissionParams{Wait: new("30s"), IdempotencyKey: new("k")}, request)
		if err != nil || made.JSON201 == nil {
			return "", fmt.Errorf("submit: %v %s", err, made.Body)
		}
		s := made.JSON201
		if id != "" && s.Id.String() != id {
			return "", fmt.Errorf("the same key made %s and %s", id, s.Id)
		}
		if j := s.Judgement; j.Verdict == nil || *j.Verdict != "WA" || len(j.Runs) != 1 || j.Compile != nil || s.Place != nil {
			return "", fmt.Errorf("judged: %s", made.Body)
		}
		id = s.Id.String()
	}
	return id, nil
}

// review changes the verdict, and finds the submission by it.
func review(ctx context.Context, c *ClientWithResponses, id string) error {
	list, err := c.ListSubmissionsWithResponse(ctx, &ListSubmissionsParams{Verdict: new(ListSubmissionsParamsVerdict("WA"))})
	if err != nil || list.JSON200 == nil || len(list.JSON200.Items) != 1 || list.JSON200.Items[0].Id.String() != id {
		return fmt.Errorf("list: %v %s", err, list.Body)
	}
	judgement := *list.JSON200.Items[0].Judgement.Id
	changed, err := c.ReviewJudgementWithResponse(ctx, judgement, ReviewRequest{Verdict: new(ReviewRequestVerdict("AC")), Reason: "because"})
	if err != nil || changed.JSON200 == nil || *changed.JSON200.Verdict != "AC" || changed.JSON200.Review.FoundVerdict != "WA" {
		return fmt.Errorf("review: %v %s", err, changed.Body)
	}
	source, err := c.GetSourceWithResponse(ctx, id)
	if err != nil || source.JSON200 == nil || *source.JSON200.Files[0].Data != "print(1)\n" {
		return fmt.Errorf("source: %v %s", err, source.Body)
	}
	late, err := c.CancelSubmissionWithResponse(ctx, id, CancelSubmissionJSONRequestBody{Reason: new("too late")})
	if err != nil || late.ApplicationproblemJSONDefault == nil || late.ApplicationproblemJSONDefault.Type != "urn:judge:conflict" {
		return fmt.Errorf("cancel: %v %s", err, late.Body)
	}
	return nil
}
