package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// SubmissionRequest is what is handed in.
type SubmissionRequest struct {
	Problem   string         `json:"problem" minLength:"1" maxLength:"64" doc:"Its name; in a contest also its label."`
	Contest   string         `json:"contest,omitempty" maxLength:"64" doc:"That it is handed in at; the submitter's team, or where that is left out, id, is the contestant. While it runs the priority is contest, whatever is asked for."`
	Language  string         `json:"language,omitempty" maxLength:"64" doc:"Id of the language; else it is found by the files' extensions."`
	Entry     string         `json:"entry,omitempty" maxLength:"200" doc:"Name of the file with the entry point; else it is found."`
	Files     []FileRequest  `json:"files" minItems:"1" maxItems:"100"`
	Submitter *PersonRequest `json:"submitter,omitempty" doc:"Whom it is for; else the token itself."`
	Priority  string         `json:"priority,omitempty" enum:"contest,practice" doc:"practice where it is left out."`
}

// FileRequest is a file, as text or in base64.
type FileRequest struct {
	Name       string  `json:"name,omitempty" maxLength:"200" doc:"May be left out where there is one file and the language is named."`
	Data       *string `json:"data,omitempty"`
	DataBase64 *string `json:"data_base64,omitempty" doc:"Instead of data, for what is no UTF-8: standard base64."`
}

// PersonRequest is a person, in the words of the platform that submits for it.
type PersonRequest struct {
	ID   string `json:"id" minLength:"1" maxLength:"200"`
	Name string `json:"name,omitempty" maxLength:"200"`
	Team string `json:"team,omitempty" maxLength:"200"`
}

// BatchRequest is several submissions.
type BatchRequest struct {
	Items []SubmissionRequest `json:"items" minItems:"1" maxItems:"100"`
}

func (r *SubmissionRequest) person() judge.Submitter {
	p := wire.Value(r.Submitter)
	return judge.Submitter{ID: p.ID, Name: p.Name, Team: p.Team}
}

func (r *SubmissionRequest) files() ([]judge.File, error) {
	out := make([]judge.File, 0, len(r.Files))
	for i, f := range r.Files {
		if (f.Data == nil) == (f.DataBase64 == nil) {
			return nil, wrongField(fmt.Sprintf("body.files[%d]", i), "give either data or data_base64")
		}
		data := []byte(wire.Value(f.Data))
		if f.DataBase64 != nil {
			var err error
			if data, err = base64.StdEncoding.DecodeString(*f.DataBase64); err != nil {
				return nil, wrongField(fmt.Sprintf("body.files[%d].data_base64", i), "it is no standard base64: %s", err)
			}
		}
		out = append(out, judge.File{Name: f.Name, Data: data})
	}
	return out, nil
}

// readOne reads a submission, which is JSON or a form.
func (s *Server) readOne(contentType string, body []byte) ([]SubmissionRequest, error) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	if err == nil && mediaType == "multipart/form-data" {
		r, err := readForm(body, params["boundary"])
		if err != nil {
			return nil, err
		}
		// Once through JSON, so that a form is held to the same schema.
		if body, err = json.Marshal(r); err != nil {
			return nil, err
		}
		contentType = "application/json"
	}
	var r SubmissionRequest
	if err := s.readJSON(contentType, body, &r); err != nil {
		return nil, err
	}
	return []SubmissionRequest{r}, checkNames(&r, "body.")
}

func (s *Server) readBatch(contentType string, body []byte) ([]SubmissionRequest, error) {
	var r BatchRequest
	if err := s.readJSON(contentType, body, &r); err != nil {
		return nil, err
	}
	for i := range r.Items {
		if err := checkNames(&r.Items[i], fmt.Sprintf("body.items[%d].", i)); err != nil {
			return nil, err
		}
	}
	return r.Items, nil
}

// checkNames refuses a NUL, which the database does not take in text.
func checkNames(r *SubmissionRequest, at string) error {
	p := r.person()
	texts := map[string]string{"problem": r.Problem, "contest": r.Contest, "entry": r.Entry, "submitter.id": p.ID, "submitter.name": p.Name, "submitter.team": p.Team}
	for field, text := range texts {
		if strings.ContainsRune(text, 0) {
			return wrongField(at+field, "it has a NUL")
		}
	}
	return nil
}

// readJSON reads a body into v, a pointer, held to the schema of its type.
func (s *Server) readJSON(contentType string, body []byte, v any) error {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if contentType != "" && (err != nil || mediaType != "application/json") {
		return fault("media-type", "Content-Type %.60q cannot be read; application/json can, and for one submission multipart/form-data", contentType)
	}
	var any any
	if err := json.Unmarshal(body, &any); err != nil {
		return fault("bad-request", "body: it is no JSON: %s", err).in("body", "%s", err)
	}
	res := &huma.ValidateResult{}
	at := huma.NewPathBuffer(make([]byte, 0, 128), 0)
	at.Push("body")
	registry := s.api.OpenAPI().Components.Schemas
	huma.Validate(registry, registry.Schema(reflect.TypeOf(v).Elem(), true, ""), at, huma.ModeWriteToServer, any, res)
	if len(res.Errors) > 0 {
		return humaError(422, "a field is wrong", res.Errors)
	}
	if err := json.Unmarshal(body, v); err != nil {
		return fault("bad-request", "body: %s", err).in("body", "%s", err)
	}
	return nil
}

// formFields are the fields of a form beside its files.
var formFields = []string{"problem", "contest", "language", "entry", "submitter_id", "submitter_name", "submitter_team", "priority"}

// readForm reads a submission as a form, all of which is in memory already.
func readForm(body []byte, boundary string) (*SubmissionRequest, error) {
	if boundary == "" || len(boundary) > 70 {
		return nil, fault("bad-request", "Content-Type: multipart/form-data has a boundary of 1 to 70 characters")
	}
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	fields, r := map[string]string{}, &SubmissionRequest{}
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fault("bad-request", "body: the form cannot be read: %s", err)
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, fault("bad-request", "body: the form cannot be read: %s", err)
		}
		name := part.FormName()
		switch {
		case name == "files":
			if len(r.Files) == maxFiles {
				return nil, wrongField("body.files", "there are more than %d", maxFiles)
			}
			text := base64.StdEncoding.EncodeToString(data)
			r.Files = append(r.Files, FileRequest{Name: fileNameOf(part), DataBase64: &text})
		case !slices.Contains(formFields, name):
			return nil, wrongField("body", "field %.40q: there is none; there are files, %s", name, strings.Join(formFields, ", "))
		default:
			if _, twice := fields[name]; twice {
				return nil, wrongField("body."+name, "it is there twice")
			}
			text, ok := plainText(data)
			if !ok {
				return nil, wrongField("body."+name, "it is no UTF-8, or has a NUL")
			}
			fields[name] = text
		}
	}
	r.Contest = fields["contest"]
	r.Problem, r.Language, r.Entry, r.Priority = fields["problem"], fields["language"], fields["entry"], fields["priority"]
	if p := (PersonRequest{fields["submitter_id"], fields["submitter_name"], fields["submitter_team"]}); p != (PersonRequest{}) {
		r.Submitter = &p
	}
	return r, nil
}

const maxFiles = 100

// fileNameOf is a file's name with its folders, which Part.FileName takes off:
// what it may be, judge.CheckFileName says.
func fileNameOf(part *multipart.Part) string {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	return params["filename"]
}
