//go:build docker

package main

import (
	"bufio"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"judge/judge"
)

// try runs a client command against the service, however it ends.
func (d *deployment) try(args ...string) ran {
	d.t.Helper()
	d.t.Setenv("JUDGE_URL", "http://"+d.address)
	d.t.Setenv("JUDGE_TOKEN", d.token)
	return runToEnd(d.t, append([]string{d.program}, args...)...)
}

// filesIn counts what lies in a folder.
func filesIn(t *testing.T, dir string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestVerifiedUploads: a worker verifies uploads; what has no error is published,
// with the time limit that was found, and what has one is not, unless staff say so.
func TestVerifiedUploads(t *testing.T) {
	d := deploy(t)
	dir := filepath.Join(t.TempDir(), "slowly")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(conformance, "n-calibrated"))); err != nil {
		t.Fatal(err)
	}
	write := func(file, data string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	get := func(path string, into any) {
		t.Helper()
		if _, err := d.client.do(t.Context(), apiCall{method: http.MethodGet, path: path}, into); err != nil {
			t.Fatal(err)
		}
	}
	type versionNow struct {
		State      string
		Calibrated *float64 `json:"calibrated_time_limit_s"`
	}
	got := d.try("problem", "import", "--wait", dir)
	contains(t, "import", got.out, "version 1, verifying", "accepted/slow.py", "time_limit_exceeded/endless.py", "verified: 4 submissions")
	var v versionNow
	get("problems/slowly/versions/1", &v)
	if got.code != exitOK || v.State != "published" || v.Calibrated == nil || *v.Calibrated < 0.5 {
		t.Errorf("exit code %d, %+v %s", got.code, v, got.err)
	}
	var problem struct {
		Limits struct {
			Time float64 `json:"time_limit_s"`
		}
	}
	if get("problems/slowly", &problem); v.Calibrated == nil || problem.Limits.Time != *v.Calibrated {
		t.Errorf("limit %v", problem.Limits.Time)
	}
	before := filesIn(t, filepath.Join(d.data, "blobs"))

	// One answer is wrong now: that is all that is stored, and an error.
	write("data/secret/2.ans", "43\n")
	got = d.try("problem", "import", "--wait", dir)
	if got.code != exitFindings {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.err)
	}
	contains(t, "import", got.out, "version 2, verifying", "submissions/accepted/slow.py: error: WA, expected AC", "has errors")
	if now := filesIn(t, filepath.Join(d.data, "blobs")); now != before+1 {
		t.Errorf("%d files were stored for one that changed", now-before)
	}
	get("problems/slowly/versions/2", &v)
	var found verificationInfo
	get("problems/slowly/versions/2/verification", &found)
	if v.State != "draft" || found.State != judge.VerificationDone || found.Report == nil || found.Report.OK || len(found.Report.Results) != 4 {
		t.Errorf("%+v %+v", v, found)
	}
	publish := func(body, want string) string {
		t.Helper()
		out := runToEnd(t, "curl", "-s", "-X", "PATCH", "-H", "Authorization: Bearer "+d.token, "-H", "Content-Type: application/json",
			"-d", body, "-w", "%{http_code}", "http://"+d.address+"/api/v1/problems/slowly/versions/2")
		if !strings.HasSuffix(out.out, want) {
			t.Errorf("%s: %s", body, out.out)
		}
		return out.out
	}
	contains(t, "refusal", publish(`{"state":"published"}`, "409"), "package/submissions/accepted/slow.py")
	publish(`{"state":"published","override":true}`, "422")
	publish(`{"state":"published","override":true,"reason":"known"}`, "200")

	d.followVerification("2")
}

// followVerification verifies a version again, and follows that to its end.
func (d *deployment) followVerification(number string) {
	d.t.Helper()
	at := "http://" + d.address + "/api/v1/problems/slowly/versions/" + number + "/verification"
	again := runToEnd(d.t, "curl", "-sf", "-X", "POST", "-H", "Authorization: Bearer "+d.token, "-H", "Content-Type: application/json", "-d", `{"reason":"look"}`, at)
	contains(d.t, "again", again.out, `"state":"queued"`, `"reason":"look"`)
	cmd := exec.CommandContext(d.t.Context(), "curl", "-sN", "-H", "Authorization: Bearer "+d.token, at+"/events")
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	var id, last string
	seen := map[string]int{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			id = rest
		}
		if rest, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			last = rest
			seen[rest]++
		}
	}
	if err := cmd.Wait(); err != nil || lines.Err() != nil || last != "verification.ended" || seen[last] != 1 {
		d.t.Errorf("%v, %v, %v, the last %q", err, lines.Err(), seen, last)
	}
	after := runToEnd(d.t, "curl", "-s", "-w", "%{http_code}", "-H", "Authorization: Bearer "+d.token, "-H", "Last-Event-ID: "+id, at+"/events")
	if after.out != "204" {
		d.t.Errorf("after the end: %s", after.out)
	}
}
