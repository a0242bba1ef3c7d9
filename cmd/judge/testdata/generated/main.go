// Command main goes through a contest's day with the client that oapi-codegen
// makes of a server's own document, and says what went otherwise than it should.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := day(ctx, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func day(ctx context.Context, url, token, packageFile string) error {
	client, err := NewClientWithResponses(url, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		return err
	}
	if who, err := client.WhoamiWithResponse(ctx); err != nil || who.JSON200 == nil {
		return fmt.Errorf("whoami: %v, %s", err, who.Body)
	}
	if err := upload(ctx, client, packageFile); err != nil {
		return err
	}
	id, err := submit(ctx, client)
	if err != nil {
		return err
	}
	return look(ctx, client, id)
}

func upload(ctx context.Context, client *ClientWithResponses, packageFile string) error {
	zip, err := os.ReadFile(packageFile)
	if err != nil {
		return err
	}
	publish, reason := UploadProblemParamsPublish("now"), "to be tried at once"
	params := UploadProblemParams{Name: "generated", Publish: &publish, Reason: &reason}
	made, err := client.UploadProblemWithBodyWithResponse(ctx, &params, "application/zip", bytes.NewReader(zip))
	if err != nil || made.JSON201 == nil {
		return fmt.Errorf("upload: %v, %s", err, made.Body)
	}
	read, err := client.GetProblemWithResponse(ctx, "generated", &GetProblemParams{})
	if err != nil || read.JSON200 == nil || read.JSON200.Name != "generated" {
		return fmt.Errorf("read problem: %v, %s", err, read.Body)
	}
	return nil
}

// submit hands one in twice, with one key: it is one submission.
func submit(ctx context.Context, client *ClientWithResponses) (string, error) {
	name, data, key, wait := "sum.py", "a, b = map(int, input().split())\nprint(a - b)\n", "once", "60s"
	body := SubmissionRequest{Problem: "generated", Files: []FileRequest{{Name: &name, Data: &data}}, Submitter: &PersonRequest{Id: "ada"}}
	var ids []string
	for range 2 {
		got, err := client.CreateSubmissionWithResponse(ctx, &CreateSubmissionParams{Wait: &wait, IdempotencyKey: &key}, body)
		if err != nil || got.JSON201 == nil {
			return "", fmt.Errorf("submit: %v, %s", err, got.Body)
		}
		j := got.JSON201.Judgement
		if j.State == nil || *j.State != "judged" || j.Verdict == nil || *j.Verdict != "WA" || j.WallTimeS == nil {
			return "", fmt.Errorf("judgement: %s", got.Body)
		}
		ids = append(ids, got.JSON201.Id.String(), *j.Id)
	}
	if !slices.Equal(ids[:2], ids[2:]) {
		return "", fmt.Errorf("one key made %v", ids)
	}
	body.Problem = "no-such-problem"
	got, err := client.CreateSubmissionWithResponse(ctx, &CreateSubmissionParams{}, body)
	if err != nil || got.JSON201 != nil || got.ApplicationproblemJSONDefault == nil {
		return "", fmt.Errorf("submit to no problem: %v, %s", err, got.Body)
	}
	return ids[0], nil
}

func look(ctx context.Context, client *ClientWithResponses, id string) error {
	submissions, err := client.ListSubmissionsWithResponse(ctx, &ListSubmissionsParams{})
	if err != nil || submissions.JSON200 == nil || len(submissions.JSON200.Items) != 1 || submissions.JSON200.Items[0].Id.String() != id {
		return fmt.Errorf("list submissions: %v, %s", err, submissions.Body)
	}
	judgements, err := client.ListJudgementsWithResponse(ctx, id)
	if err != nil || judgements.JSON200 == nil || len(judgements.JSON200.Items) != 1 {
		return fmt.Errorf("list judgements: %v, %s", err, judgements.Body)
	}
	runs, err := client.ListRunsWithResponse(ctx, *judgements.JSON200.Items[0].Id)
	if err != nil || runs.JSON200 == nil || len(runs.JSON200.Items) == 0 {
		return fmt.Errorf("list runs: %v, %s", err, runs.Body)
	}
	cancelled, err := client.CancelSubmissionWithResponse(ctx, id, CancelSubmissionJSONRequestBody{})
	if err != nil || cancelled.StatusCode() != http.StatusConflict {
		return errors.Join(err, fmt.Errorf("cancel what is judged: %d, want 409", cancelled.StatusCode()))
	}
	return nil
}
