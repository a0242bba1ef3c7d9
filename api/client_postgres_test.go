//go:build postgres

package api_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
	_ "github.com/oapi-codegen/runtime" // what is generated imports it
	_ "github.com/oapi-codegen/runtime/types"

	"judge/judge"
)

// A client that is generated from the OpenAPI 3.0 document works.
func TestGeneratedClient(t *testing.T) {
	w := newWorld(t, nil)
	program := w.buildClient()
	ended := make(chan struct{})
	judging := make(chan struct{})
	go func() {
		defer close(judging)
		for w.submissions() == 0 {
			select {
			case <-ended:
				return
			case <-time.After(time.Millisecond):
			}
		}
		w.judge(judge.WA)
	}()
	out, err := exec.CommandContext(t.Context(), program, w.url, w.secrets["admin"]).CombinedOutput()
	close(ended)
	<-judging
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// buildClient generates a client from what the server says of itself, and compiles
// testdata/client with it.
func (w *world) buildClient() (program string) {
	w.tb.Helper()
	r, err := http.NewRequestWithContext(w.tb.Context(), http.MethodGet, w.url+"/openapi-3.0.json", nil)
	w.must(err)
	res, err := http.DefaultClient.Do(r)
	w.must(err)
	doc, err := openapi3.NewLoader().LoadFromIoReader(res.Body)
	w.must(err)
	w.must(res.Body.Close())
	code, err := codegen.Generate(doc, codegen.Configuration{
		PackageName: "main", Generate: codegen.GenerateOptions{Client: true, Models: true},
	})
	w.must(err)
	dir := w.tb.TempDir()
	generated := filepath.Join(dir, "generated.go")
	w.must(os.WriteFile(generated, []byte(code), 0o600))
	folder, err := filepath.Abs("testdata/client")
	w.must(err)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(folder, "generated.go"): generated}})
	w.must(err)
	w.must(os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	program = filepath.Join(dir, "client")
	build := exec.CommandContext(w.tb.Context(), "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./testdata/client")
	if out, err := build.CombinedOutput(); err != nil {
		w.tb.Fatalf("compile the generated client: %v\n%.3000s", err, out)
	}
	return program
}
