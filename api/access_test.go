package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"judge/api"
)

// personas are who asks, in the order of the columns below: an admin; instructors
// and viewers of problem "mine" and of problem "theirs"; the submitter of the one
// submission, of "mine", and another one; a viewer of everything; nobody.
var personas = []string{"admin", "staff", "stranger", "owner", "other", "viewer", "outsider", "watcher", ""}

const (
	v1         = "/api/v1"
	submitJSON = `{"problem":"mine","files":[{"name":"a.py","data":"print(1)\n"}]}`
)

// accessRows are all operations, each with what each persona is answered. An
// operation that has no row fails TestAccess. The first word of a request is its
// method; what follows the path is its body.
var accessRows = map[string]struct{ request, want string }{
	//                                                                   admin staff strang owner other viewer outsdr watchr nobody
	"healthz":     {"GET /healthz", "200 200 200 200 200 200 200 200 200"},
	"readyz":      {"GET /readyz", "200 200 200 200 200 200 200 200 200"},
	"openapi":     {"GET /openapi.json", "200 200 200 200 200 200 200 200 200"},
	"openapi-3.0": {"GET /openapi-3.0.json", "200 200 200 200 200 200 200 200 200"},
	"docs":        {"GET /docs", "200 200 200 200 200 200 200 200 200"},
	"metrics":     {"GET /metrics", "200 403 403 403 403 403 403 200 401"},

	"whoami":       {"GET " + v1 + "/whoami", "200 200 200 200 200 200 200 200 401"},
	"list-tokens":  {"GET " + v1 + "/tokens", "200 403 403 403 403 403 403 403 401"},
	"create-token": {"POST " + v1 + `/tokens {"name":"n","role":"viewer"}`, "201 403 403 403 403 403 403 403 401"},
	"revoke-token": {"DELETE " + v1 + "/tokens/" + ownerID, "204 403 403 403 403 403 403 403 401"},
	"list-audit":   {"GET " + v1 + "/audit", "200 403 403 403 403 403 403 403 401"},

	"create-submission":  {"POST " + v1 + "/submissions " + submitJSON, "201 201 404 201 404 403 403 403 401"},
	"create-submissions": {"POST " + v1 + `/submissions/batch {"items":[` + submitJSON + `]}`, "201 201 404 201 404 403 403 403 401"},
	"list-submissions":   {"GET " + v1 + "/submissions", "200 200 200 200 200 200 200 200 401"},
	"get-submission":     {"GET " + v1 + "/submissions/" + subID, "200 200 404 200 404 200 404 200 401"},
	"get-source":         {"GET " + v1 + "/submissions/" + subID + "/source", "200 200 404 200 404 403 403 403 401"},
	"list-judgements":    {"GET " + v1 + "/submissions/" + subID + "/judgements", "200 200 404 200 404 200 404 200 401"},
	"cancel-submission":  {"POST " + v1 + "/submissions/" + subID + "/cancel {}", "409 409 404 409 404 403 403 403 401"},
	"get-judgement":      {"GET " + v1 + "/judgements/" + judgementID, "200 200 404 200 404 200 404 200 401"},
	"list-runs":          {"GET " + v1 + "/judgements/" + judgementID + "/runs", "200 200 404 200 404 200 404 200 401"},
	"cancel-judgement":   {"POST " + v1 + "/judgements/" + judgementID + "/cancel {}", "409 409 404 409 404 403 403 403 401"},
	"review-judgement":   {"PUT " + v1 + "/judgements/" + judgementID + `/review {"verdict":"AC","reason":"r"}`, "200 200 404 403 403 403 403 403 401"},
	"get-run-output":     {"GET " + v1 + "/judgements/" + judgementID + "/runs/2/output", "200 200 404 403 403 403 403 403 401"},
	"inspect-run":        {"POST " + v1 + "/judgements/" + judgementID + "/runs/2/inspections {}", "202 202 404 403 403 403 403 403 401"},
	"get-inspection":     {"GET " + v1 + "/inspections/" + inspectionID, "200 200 404 403 403 403 403 403 401"},

	"create-rejudging":       {"POST " + v1 + `/rejudgings {"problems":["mine"],"reason":"r"}`, "201 201 404 403 403 403 403 403 401"},
	"list-rejudgings":        {"GET " + v1 + "/rejudgings", "200 200 200 403 403 403 403 403 401"},
	"get-rejudging":          {"GET " + v1 + "/rejudgings/" + rejudgingID, "200 200 404 403 403 403 403 403 401"},
	"list-rejudging-changes": {"GET " + v1 + "/rejudgings/" + rejudgingID + "/changes", "200 200 404 403 403 403 403 403 401"},
	"get-rejudging-board":    {"GET " + v1 + "/rejudgings/" + rejudgingID + "/board", "409 409 404 403 403 403 403 403 401"},
	"apply-rejudging":        {"POST " + v1 + "/rejudgings/" + rejudgingID + "/apply {}", "200 200 404 403 403 403 403 403 401"},
	"cancel-rejudging":       {"POST " + v1 + "/rejudgings/" + rejudgingID + "/cancel {}", "200 200 404 403 403 403 403 403 401"},
	"compare-judgements":     {"GET " + v1 + "/judgements/" + judgementID + "/compare/" + judgementID, "200 200 404 403 403 403 403 403 401"},

	"list-contests":         {"GET " + v1 + "/contests", "200 200 200 200 200 200 200 200 401"},
	"create-contest":        {"POST " + v1 + `/contests {"name":"cup","problems":[{"problem":"mine"}]}`, "201 201 403 403 403 403 403 403 401"},
	"get-contest":           {"GET " + v1 + "/contests/cup", "200 200 404 200 404 200 404 200 401"},
	"update-contest":        {"PATCH " + v1 + `/contests/cup {"title":"Cup"}`, "200 200 404 403 403 403 403 403 401"},
	"delete-contest":        {"DELETE " + v1 + "/contests/cup", "204 204 404 403 403 403 403 403 401"},
	"list-contest-problems": {"GET " + v1 + "/contests/cup/problems", "200 200 404 200 404 200 404 200 401"},
	"put-contest-problems":  {"PUT " + v1 + `/contests/cup/problems {"problems":[]}`, "200 200 404 403 403 403 403 403 401"},
	"list-contestants":      {"GET " + v1 + "/contests/cup/contestants", "200 200 404 200 404 200 404 200 401"},
	"put-contestants":       {"PUT " + v1 + `/contests/cup/contestants {"contestants":[]}`, "200 200 404 403 403 403 403 403 401"},
	"get-contestant":        {"GET " + v1 + "/contests/cup/contestants/t1", "200 200 404 200 404 200 404 200 401"},
	"put-contestant":        {"PUT " + v1 + "/contests/cup/contestants/t1 {}", "200 200 404 403 403 403 403 403 401"},
	"update-contestant":     {"PATCH " + v1 + "/contests/cup/contestants/t1 {}", "200 200 404 403 403 403 403 403 401"},
	"delete-contestant":     {"DELETE " + v1 + "/contests/cup/contestants/t1", "204 204 404 403 403 403 403 403 401"},
	"start-contest":         {"POST " + v1 + "/contests/cup/start {}", "409 409 404 403 403 403 403 403 401"},
	"pause-contest":         {"POST " + v1 + "/contests/cup/pause {}", "409 409 404 403 403 403 403 403 401"},
	"resume-contest":        {"POST " + v1 + "/contests/cup/resume {}", "409 409 404 403 403 403 403 403 401"},
	"extend-contest":        {"POST " + v1 + `/contests/cup/extend {"by_s":60}`, "200 200 404 403 403 403 403 403 401"},
	"freeze-contest":        {"POST " + v1 + "/contests/cup/freeze {}", "409 409 404 403 403 403 403 403 401"},
	"thaw-contest":          {"POST " + v1 + "/contests/cup/thaw {}", "409 409 404 403 403 403 403 403 401"},
	"release-contest":       {"POST " + v1 + "/contests/cup/release {}", "409 409 404 403 403 403 403 403 401"},

	"stream-submission":    {"GET " + v1 + "/submissions/" + subID + "/events", "200 200 404 200 404 200 404 200 401"},
	"stream-events":        {"GET " + v1 + "/events", "200 200 200 200 200 200 200 200 401"},
	"get-board":            {"GET " + v1 + "/contests/cup/board?view=jury", "200 200 404 403 404 403 404 403 401"},
	"get-board-problems":   {"GET " + v1 + "/contests/cup/board/problems", "200 200 404 200 404 200 404 200 401"},
	"stream-board":         {"GET " + v1 + "/contests/cup/board/events?last_event_id=%20", "422 422 404 422 404 422 404 422 401"},
	"upload-problem":       {"POST " + v1 + "/problems?name=mine zip", "201 201 403 403 403 403 403 403 401"},
	"list-problems":        {"GET " + v1 + "/problems", "200 200 200 200 200 200 200 200 401"},
	"get-problem":          {"GET " + v1 + "/problems/mine", "200 200 404 200 404 200 404 200 401"},
	"update-problem":       {"PATCH " + v1 + `/problems/mine {"enabled":false}`, "200 200 404 403 403 403 403 403 401"},
	"list-versions":        {"GET " + v1 + "/problems/mine/versions", "200 200 404 403 403 403 403 403 401"},
	"get-version":          {"GET " + v1 + "/problems/mine/versions/1", "200 200 404 403 403 403 403 403 401"},
	"update-version":       {"PATCH " + v1 + `/problems/mine/versions/1 {"state":"retired"}`, "200 200 404 403 403 403 403 403 401"},
	"get-verification":     {"GET " + v1 + "/problems/mine/versions/1/verification", "200 200 404 403 403 403 403 403 401"},
	"verify-version":       {"POST " + v1 + `/problems/mine/versions/1/verification {"reason":"r"}`, "202 202 404 403 403 403 403 403 401"},
	"stream-verification":  {"GET " + v1 + "/problems/mine/versions/1/verification/events", "200 200 404 403 403 403 403 403 401"},
	"get-statement":        {"GET " + v1 + "/problems/mine/statement", "200 200 404 200 404 200 404 200 401"},
	"get-statement-page":   {"GET " + v1 + "/problems/mine/statement/page", "200 200 404 200 404 200 404 200 401"},
	"export-version":       {"GET " + v1 + "/problems/mine/versions/1/package", "200 200 404 403 403 403 403 403 401"},
	"list-attachments":     {"GET " + v1 + "/problems/mine/attachments", "200 200 404 200 404 200 404 200 401"},
	"get-attachment":       {"GET " + v1 + "/problems/mine/attachments/a.html", "200 200 404 200 404 200 404 200 401"},
	"list-samples":         {"GET " + v1 + "/problems/mine/samples", "200 200 404 200 404 200 404 200 401"},
	"get-sample":           {"GET " + v1 + "/problems/mine/samples/1/answer", "200 200 404 200 404 200 404 200 401"},
	"get-problem-skeleton": {"GET " + v1 + "/problem-skeleton?name=new", "200 200 200 200 200 200 200 200 401"},
	"list-languages":       {"GET " + v1 + "/languages", "200 200 200 200 200 200 200 200 401"},
	"list-workers":         {"GET " + v1 + "/workers", "200 200 200 403 403 200 200 200 401"},
	"update-worker":        {"PATCH " + v1 + "/workers/" + workerID + ` {"state":"cordoned"}`, "200 403 403 403 403 403 403 403 401"},
	"get-statistics":       {"GET " + v1 + "/statistics", "200 200 200 403 403 200 200 200 401"},

	"export-submissions":    {"GET " + v1 + "/submissions/export", "200 200 200 403 403 403 403 403 401"},
	"export-contest-csv":    {"GET " + v1 + "/contests/cup/submissions.csv", "200 200 404 403 403 403 403 403 401"},
	"export-contest-json":   {"GET " + v1 + "/contests/cup/submissions.json", "200 200 404 403 403 403 403 403 401"},
	"export-standings-csv":  {"GET " + v1 + "/contests/cup/standings.csv", "200 200 404 403 403 403 403 403 401"},
	"export-standings-json": {"GET " + v1 + "/contests/cup/standings.json", "200 200 404 403 403 403 403 403 401"},
	"export-sources":        {"GET " + v1 + "/contests/cup/sources.zip", "200 200 404 403 403 403 403 403 401"},
	"import-teams":          {"POST " + v1 + "/contests/cup/teams/import id,name\nt1,Team", "200 200 404 403 403 403 403 403 401"},

	"export-contest": {"GET " + v1 + "/contests/cup/export", "200 200 404 403 403 403 403 403 401"},
	"import-contest": {"POST " + v1 + "/contests/import?dry_run=true zip", "200 403 403 403 403 403 403 403 401"},

	"list-webhooks":   {"GET " + v1 + "/webhooks", "200 200 200 403 403 403 403 403 401"},
	"create-webhook":  {"POST " + v1 + `/webhooks {"url":"https://example.org","problems":["mine"]}`, "201 201 422 403 403 403 403 403 401"},
	"get-webhook":     {"GET " + v1 + "/webhooks/" + webhookID, "200 200 404 403 403 403 403 403 401"},
	"update-webhook":  {"PATCH " + v1 + "/webhooks/" + webhookID + ` {"enabled":false}`, "200 200 404 403 403 403 403 403 401"},
	"delete-webhook":  {"DELETE " + v1 + "/webhooks/" + webhookID, "204 204 404 403 403 403 403 403 401"},
	"test-webhook":    {"POST " + v1 + "/webhooks/" + webhookID + "/test", "202 202 404 403 403 403 403 403 401"},
	"list-deliveries": {"GET " + v1 + "/webhooks/" + webhookID + "/deliveries", "200 200 404 403 403 403 403 403 401"},
	"get-delivery":    {"GET " + v1 + "/webhook-deliveries/" + deliveryID, "200 200 404 403 403 403 403 403 401"},
	"redeliver":       {"POST " + v1 + "/webhook-deliveries/" + deliveryID + "/redeliver", "202 202 404 403 403 403 403 403 401"},

	"get-inspection-output": {"GET " + v1 + "/inspections/" + inspectionID + "/stdout", "200 200 404 403 403 403 403 403 401"},
}

func TestAccess(t *testing.T) {
	s := newServer(t, newFake(), nil)
	for _, id := range api.Operations() {
		row, ok := accessRows[id]
		if !ok {
			t.Errorf("operation %s has no row: say who may", id)
			continue
		}
		want := strings.Fields(row.want)
		if len(want) != len(personas) {
			t.Errorf("%s: %d columns, want %d", id, len(want), len(personas))
			continue
		}
		for i, who := range personas {
			parts := strings.SplitN(row.request, " ", 3)
			w := ask(s, who, parts[0], parts[1], strings.Join(parts[2:], ""))
			if got := fmt.Sprint(w.Code); got != want[i] {
				t.Errorf("%s by %q: %s, want %s: %.300s", id, who, got, want[i], w.Body)
			}
		}
	}
	for id := range accessRows {
		if !slices.Contains(api.Operations(), id) {
			t.Errorf("row %s is of no operation", id)
		}
	}
}

// Every operation that the document describes stands in the table.
func TestDocumentHasTable(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string           `json:"operationId"`
			Security    []map[string]any `json:"security"`
		} `json:"paths"`
	}
	s := newServer(t, newFake(), nil)
	if err := json.Unmarshal(ask(s, "", http.MethodGet, "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	n := 0
	for path, methods := range doc.Paths {
		for method, op := range methods {
			n++
			row, ok := accessRows[op.OperationID]
			if !ok {
				t.Errorf("%s %s: operation %q has no row", method, path, op.OperationID)
			}
			if open := strings.HasSuffix(row.want, "200"); open != (len(op.Security) == 0) {
				t.Errorf("%s %s: security %v, but nobody is answered %q", method, path, op.Security, row.want)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d operations", n)
	}
}
