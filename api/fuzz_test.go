package api_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"
	"time"

	"judge/api"
)

func formOf(tb testing.TB, fields map[string]string, files map[string]string) (string, []byte) {
	tb.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, text := range fields {
		if err := w.WriteField(name, text); err != nil {
			tb.Fatal(err)
		}
	}
	for name, text := range files {
		part, err := w.CreateFormFile("files", name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return w.Boundary(), b.Bytes()
}

func TestForm(t *testing.T) {
	s := newServer(t, newFake(), nil)
	tests := []struct {
		name          string
		fields, files map[string]string
		want          int
	}{
		{"all", map[string]string{"problem": "mine", "language": "python3", "entry": "b/a.py", "submitter_id": "ada", "submitter_name": "Ada", "submitter_team": "t", "priority": "contest"}, map[string]string{"b/a.py": "print(1)"}, 201},
		{"least", map[string]string{"problem": "mine"}, map[string]string{"a.py": "print(1)"}, 201},
		{"empty file", map[string]string{"problem": "mine"}, map[string]string{"a.py": "print(1)", "b.py": ""}, 201},
		{"bytes", map[string]string{"problem": "mine"}, map[string]string{"a.py": "\xff\x00"}, 201},
		{"no file", map[string]string{"problem": "mine"}, nil, 422},
		{"no problem", nil, map[string]string{"a.py": ""}, 422},
		{"upwards", map[string]string{"problem": "mine"}, map[string]string{"../a.py": ""}, 422},
		{"unknown field", map[string]string{"problem": "mine", "color": "red"}, map[string]string{"a.py": ""}, 422},
		{"wrong class", map[string]string{"problem": "mine", "priority": "rejudge"}, map[string]string{"a.py": ""}, 422},
		{"NUL", map[string]string{"problem": "mine", "submitter_id": "a\x00"}, map[string]string{"a.py": ""}, 422},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			boundary, body := formOf(t, tt.fields, tt.files)
			w := ask(s, "owner", "POST", v1+"/submissions", string(body), "Content-Type", "multipart/form-data; boundary="+boundary)
			if w.Code != tt.want {
				t.Errorf("%d %s, want %d", w.Code, w.Body, tt.want)
			}
		})
	}
}

// Whatever comes as a form, it is read or refused by the client's fault.
func FuzzForm(f *testing.F) {
	boundary, body := formOf(f, map[string]string{"problem": "mine", "submitter_id": "ada"}, map[string]string{"a.py": "print(1)"})
	f.Add(boundary, body)
	f.Add("x", []byte("--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\n\r\n--x--"))
	f.Add("x", []byte("--x\r\n\r\n\r\n--x--"))
	f.Add("", []byte{})
	f.Fuzz(func(t *testing.T, boundary string, body []byte) {
		r, err := api.ReadForm(body, boundary)
		if err != nil {
			e, ok := errors.AsType[*api.Error](err)
			if !ok || e.Status < 400 || e.Status >= 500 {
				t.Errorf("%v", err)
			}
			return
		}
		size := 0
		for _, file := range r.Files {
			data, err := base64.StdEncoding.DecodeString(*file.DataBase64)
			if err != nil {
				t.Error(err)
			}
			size += len(data)
		}
		if size > len(body) || len(r.Files) > 100 || strings.ContainsRune(r.Problem, 0) {
			t.Errorf("%d bytes became %d in %d files", len(body), size, len(r.Files))
		}
	})
}

// Whatever comes as JSON, the answer is no failure of ours.
func FuzzSubmission(f *testing.F) {
	s := newServer(f, newFake(), func(c *api.Config) {
		c.Limits.Submissions = api.Rate{Count: 1 << 30, Per: time.Minute}
		c.Limits.Person = c.Limits.Submissions
	})
	f.Add([]byte(submitJSON), "application/json")
	f.Add([]byte(`{"problem":"mine","files":[{"name":"a.py","data_base64":"AA=="}],"submitter":{"id":"a"}}`), "")
	f.Add([]byte(`{"problem":null,"files":[null]}`), "application/json; charset=utf-8")
	f.Add([]byte(`[[[[`), "text/plain")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		w := ask(s, "owner", "POST", v1+"/submissions", string(body), "Content-Type", contentType)
		if w.Code >= 500 || (w.Code >= 400 && errorOf(t, w.Body.Bytes()).Type == "") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func FuzzQuery(f *testing.F) {
	s := newServer(f, newFake(), func(c *api.Config) { c.Limits.Requests = api.Rate{Count: 1 << 30, Per: time.Minute} })
	f.Add("since", "2026-01-01T00:00:00Z")
	f.Add("limit", "9999999999999999999")
	f.Add("verdict", "AC")
	f.Add("cursor", "%00")
	f.Fuzz(func(t *testing.T, name, text string) {
		w := ask(s, "viewer", "GET", v1+"/submissions?"+url.Values{name: {text}}.Encode(), "")
		if w.Code != 200 && w.Code != 422 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func FuzzWait(f *testing.F) {
	for _, text := range []string{"30s", "1.5", "", "-1s", "1h", "1e9", "s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := api.WaitOf(text); err == nil && d < 0 {
			t.Errorf("%q is %v", text, d)
		}
	})
}

func FuzzCursor(f *testing.F) {
	f.Add("bWluZQ")
	f.Add("=")
	f.Fuzz(func(t *testing.T, text string) {
		if key, err := api.ReadCursor(text); err == nil && (len(key) > 200 || strings.ContainsRune(key, 0)) {
			t.Errorf("%q is %q", text, key)
		}
	})
}
