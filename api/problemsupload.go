package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

type uploadInput struct {
	Name    string `query:"name" required:"true" pattern:"^[a-z0-9][a-z0-9._-]{0,63}$" doc:"Of the problem, which is made if it is new."`
	Publish string `query:"publish" enum:"true,false,now" default:"true" doc:"true: the version is published when it was verified without errors; until then, and with false, submissions go on to the one that is published. now: at once, with a reason; it is verified afterwards."`
	Exceed  bool   `query:"exceed" doc:"Take it though it asks for more than this server's ceilings; only for admins."`
	Reason  string `query:"reason" maxLength:"1000"`
}

type uploadOutput struct {
	Status int
	Body   UploadedVersion
}

// UploadedVersion is a version, with what its makers should know.
type UploadedVersion struct {
	Version

	Findings []Finding `json:"findings"`
}

// publishNow is the value of publish that does not wait for verification.
const publishNow = "now"

// packageField is the field of a form that holds a package.
const packageField = "package"

func (s *Server) uploadRoutes(tags []string) {
	binary := &huma.Schema{Type: huma.TypeString, Format: "binary"}
	body := &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/zip": {Schema: binary}}}
	register(s, huma.Operation{
		OperationID: "upload-problem", Method: http.MethodPost, Path: "/problems", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Upload a problem's package as its new version",
		Description: "Taken whole, or refused whole with all that is wrong with it. What old submissions were judged on stays. " +
			"A worker verifies it: GET …/versions/{number}/verification. " +
			"200: the published version, or one that is being verified, is of the very same package, and stays.",
		RequestBody: body,
		Responses: map[string]*huma.Response{"200": {
			Description: "There already",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: s.schemaOf(reflect.TypeFor[UploadedVersion]())}},
		}},
	}, s.uploadProblem)
	// Only now: huma would read the whole of a body that may be an object.
	body.Content["multipart/form-data"] = &huma.MediaType{Schema: &huma.Schema{
		Type: huma.TypeObject, Required: []string{packageField}, Properties: map[string]*huma.Schema{packageField: binary},
	}}
}

func (s *Server) uploadProblem(ctx context.Context, in *uploadInput) (*uploadOutput, error) {
	token := tokenOf(ctx)
	if !holds(token, in.Name) {
		return nil, fault("forbidden", "this token's scope does not hold problem %s", in.Name).in("query.name", "not in the token's scope")
	}
	if in.Exceed && token.Role != judge.RoleAdmin {
		return nil, fault("forbidden", "only an admin may exceed this server's ceilings").in("query.exceed", "only for admins")
	}
	if in.Publish == publishNow && in.Reason == "" {
		return nil, wrongField("query.reason", "say why a version is published that was not verified; or leave out publish=now")
	}
	zip, err := packageOf(requestOf(ctx))
	if err != nil {
		return nil, err
	}
	reception := Reception{Name: in.Name, Zip: s.Limits.Upload, Unpacked: s.Limits.Package.Unpacked}
	received, err := s.Packages.Receive(ctx, zip, reception)
	if err != nil {
		return nil, refusal(err)
	}
	out, err := s.keepPackage(ctx, in, received)
	return out, errors.Join(err, received.Close())
}

// keepPackage stores what was received and puts it on record.
func (s *Server) keepPackage(ctx context.Context, in *uploadInput, received Received) (*uploadOutput, error) {
	beyond, err := s.ceilings(received.Problem(), in.Exceed, packageField)
	if err != nil {
		return nil, err
	}
	release, err := s.Records.Lock(ctx, blobsLock, true)
	if err != nil {
		return nil, err
	}
	defer release()
	stored, err := received.Store(ctx)
	if err != nil {
		return nil, err
	}
	out := &uploadOutput{Status: http.StatusCreated, Body: UploadedVersion{Findings: received.Findings()}}
	if out.Body.Findings == nil {
		out.Body.Findings = []Finding{}
	}
	version, err := s.samePackage(ctx, in, stored)
	if err != nil {
		return nil, err
	}
	if version != nil {
		out.Status = http.StatusOK
	} else if version, err = s.recordPackage(ctx, in, stored, out.Body.Findings, beyond); err != nil {
		return nil, err
	}
	out.Body.Version, err = s.version(ctx, version)
	return out, err
}

// ceilings is what a problem asks for beyond this server's ceilings, or why that is
// refused.
func (s *Server) ceilings(p *judge.Problem, exceed bool, field string) ([]string, error) {
	beyond := s.Limits.Package.exceeded(p)
	if len(beyond) == 0 || exceed {
		return beyond, nil
	}
	e := fault("package", "the package of problem %s asks for more than this server gives; make it smaller, or have an admin upload it with exceed=true", p.Name)
	for _, b := range beyond {
		e = e.in(field, "%s", b)
	}
	return nil, e
}

// samePackage is the published version, or else the newest if it is being verified
// and nothing else is asked of it, if it is of this very package. The digest alone
// does not say so: it leaves out statements and names.
func (s *Server) samePackage(ctx context.Context, in *uploadInput, stored StoredPackage) (*judge.ProblemVersion, error) {
	all, err := s.Records.Versions(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	for i := range all {
		v := &all[i]
		waits := i == 0 && v.State == judge.Verifying && in.Publish == "true"
		if v.Digest != stored.Digest || (v.State != judge.Published && !waits) {
			continue
		}
		whole, err := s.Records.ProblemVersion(ctx, v.ID)
		if err != nil {
			return nil, err
		}
		if sameJSON(whole.Manifest, stored.Manifest) {
			return v, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// recordPackage makes the version, with all its blobs, and has it verified; or
// nothing.
func (s *Server) recordPackage(ctx context.Context, in *uploadInput, stored StoredPackage, found []Finding, beyond []string) (*judge.ProblemVersion, error) {
	var v judge.ProblemVersion
	err := s.Records.Tx(ctx, func(tx Tx) (err error) {
		if err := recordBlobs(ctx, tx, stored); err != nil {
			return err
		}
		v, err = addVersion(ctx, tx, in, versionOf(ctx, in.Name, stored), found, beyond)
		return err
	})
	return &v, err
}

func recordBlobs(ctx context.Context, tx Tx, stored StoredPackage) error {
	for _, b := range stored.Blobs {
		if _, err := tx.PutBlob(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// versionOf is what is to be on record of a package.
func versionOf(ctx context.Context, problem string, stored StoredPackage) judge.ProblemVersion {
	v := judge.ProblemVersion{Problem: problem, Digest: stored.Digest, Manifest: stored.Manifest, CreatedBy: tokenOf(ctx).ID}
	for _, b := range stored.Blobs {
		v.Blobs = append(v.Blobs, b.SHA256)
	}
	return v
}

// addVersion makes a version whose blobs are on record, and has it verified.
func addVersion(ctx context.Context, tx Tx, in *uploadInput, v judge.ProblemVersion, found []Finding, beyond []string) (judge.ProblemVersion, error) {
	v, err := tx.CreateVersion(ctx, v)
	if err != nil {
		return v, err
	}
	v.State = judge.Verifying
	if in.Publish == publishNow {
		if err := tx.SetVersionState(ctx, v.ID, judge.Published); err != nil {
			return v, err
		}
		v.State = judge.Published
	}
	_, err = tx.CreateVerification(ctx, judge.Verification{
		VersionID: v.ID, Publish: in.Publish == "true", By: v.CreatedBy, Reason: "uploaded", Findings: detail(found),
	})
	if err != nil {
		return v, err
	}
	if err := tx.Enqueue(ctx, 1); err != nil {
		return v, err
	}
	return v, audit(ctx, tx, judge.AuditEntry{
		Action: "problem.upload", Object: in.Name, Reason: in.Reason,
		Detail: detail(map[string]any{"number": v.Number, "digest": v.Digest, "state": v.State, "publish": in.Publish, "exceeds": beyond}),
	})
}

// packageOf is the zip in a request's body, which comes as it is read: as long as
// something comes, it may take its time.
func packageOf(q *request) (io.Reader, error) {
	const wanted = "send the package's zip as application/zip, or as the field package of multipart/form-data"
	q.unhurried()
	q.r.Body = &patient{q.r.Body, http.NewResponseController(q.w)}
	given := q.r.Header.Get("Content-Type")
	mediaType, params, err := mime.ParseMediaType(given)
	switch {
	case err == nil && (mediaType == "application/zip" || mediaType == "application/x-zip-compressed" || mediaType == "application/octet-stream"):
		return q.r.Body, nil
	case err != nil || mediaType != "multipart/form-data":
		return nil, fault("media-type", "Content-Type %.60q cannot be read; %s", given, wanted)
	case params["boundary"] == "":
		return nil, fault("bad-request", "Content-Type has no boundary; %s", wanted)
	}
	part, err := multipart.NewReader(q.r.Body, params["boundary"]).NextPart()
	if err != nil {
		return nil, fault("bad-request", "body: the form cannot be read: %s; %s", err, wanted)
	}
	if part.FormName() != packageField {
		return nil, wrongField("body", "the first field is %.40q; %s; name, publish and reason belong into the query", part.FormName(), wanted)
	}
	return part, nil
}

// patient is a body whose sender may be slow, but not silent.
type patient struct {
	io.ReadCloser
	control *http.ResponseController
}

func (p *patient) Read(b []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(readTime)) // a recorder has none
	return p.ReadCloser.Read(b)
}

// refusal says what is wrong with a package, or what else happened.
func refusal(err error) error { return refusalOf(err, "the package is refused whole", packageField) }

// refusalOf is refusal in other words; at is what stands before the files' names.
func refusalOf(err error, what, at string) error {
	wrong, ok := isPackageError(err)
	if !ok {
		return err
	}
	k := kind("package")
	if wrong.TooLarge {
		k = "too-large"
	}
	e := fault(k, "%s: %s", what, wrong)
	for _, f := range wrong.Findings {
		field := strings.Trim(at+"/"+f.File, "/")
		if f.Line > 0 {
			field += ":" + strconv.Itoa(f.Line)
		}
		e = e.in(field, "%s", f.Message)
	}
	return e
}
