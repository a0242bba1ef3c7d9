package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

var documents = map[string]string{"/openapi.json": "3.1.0", "/openapi-3.0.json": "3.0.3"}

// Both documents are what their specification says, and what the server answers on
// every route is what they say.
func TestDocuments(t *testing.T) {
	s := newServer(t, newFake(), nil)
	for path, version := range documents {
		t.Run(version, func(t *testing.T) {
			doc, err := openapi3.NewLoader().LoadFromData(ask(s, "", "GET", path, "").Body.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if doc.OpenAPI != version {
				t.Errorf("it says that it is %s", doc.OpenAPI)
			}
			if err := doc.Validate(t.Context()); err != nil {
				t.Fatal(err)
			}
			router, err := legacy.NewRouter(doc)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for id, row := range accessRows {
				for _, who := range []string{"admin", "owner", ""} {
					if checkAnswer(t, s, router, id, row.request, who) {
						n++
					}
				}
			}
			if n < 60 {
				t.Errorf("only %d answers were held against the document", n)
			}
		})
	}
}

// checkAnswer holds one answer against a document; false: its route is not in it.
func checkAnswer(t *testing.T, s http.Handler, router routers.Router, id, request, who string) bool {
	t.Helper()
	parts := strings.SplitN(request, " ", 3)
	r := httptest.NewRequest(parts[0], parts[1], nil)
	route, params, err := router.FindRoute(r)
	if err != nil {
		return false
	}
	if id == "stream-submission" || id == "stream-events" {
		return false // these do not end
	}
	w := ask(s, who, parts[0], parts[1], strings.Join(parts[2:], ""))
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 w.Code, Header: w.Header(), Body: io.NopCloser(bytes.NewReader(w.Body.Bytes())),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	if w.Header().Get("Content-Type") != "application/json" && w.Header().Get("Content-Type") != "application/problem+json" {
		in.Options.ExcludeResponseBody = true
	}
	if err := openapi3filter.ValidateResponse(t.Context(), in); err != nil {
		t.Errorf("%s by %q: %d: %v", id, who, w.Code, err)
	}
	return true
}

// A client must not find that a name in the document has two meanings.
func TestDocumentNames(t *testing.T) {
	var doc struct {
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(ask(newServer(t, newFake(), nil), "", "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Submission", "Judgement", "Run", "Error", "SubmissionRequest", "Token"} {
		if doc.Components.Schemas[name] == nil {
			t.Errorf("there is no schema %s", name)
		}
	}
}
