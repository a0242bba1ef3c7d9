package blob_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/problems/blob"
)

var update = flag.Bool("update", false, "write golden files")

// The format is a contract with manifests that lie in databases: a change of the
// golden file needs a new ManifestFormat.
func TestManifestGolden(t *testing.T) {
	const golden = "testdata/manifest.json"
	m := imported(t, fileStore(t).open(t), openPackage(t, folder(t, "whole", whole)))
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, '\n')
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(golden, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(data)); diff != "" {
		t.Errorf("want, got (-, +):\n%s", diff)
	}
	read, err := blob.ReadManifest(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, read); diff != "" {
		t.Errorf("written, read (-, +):\n%s", diff)
	}
}

func golden(tb testing.TB) string {
	tb.Helper()
	data, err := os.ReadFile("testdata/manifest.json")
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func TestReadManifestRefuses(t *testing.T) {
	whole := golden(t)
	for _, tt := range []struct{ name, old, new, want string }{
		{"format", `"format": 1`, `"format": 2`, "format 2 is not known"},
		{"unknown field", `"title"`, `"titel"`, "titel"},
		{"trailing", "\n}\n", "\n}\n{}", "after top-level"},
		{"name", `"name": "whole"`, `"name": "Whole!"`, "name"},
		{"sum", `"sha256": "`, `"sha256": "x`, "sha256"},
		{"size", `"size_bytes": 2`, `"size_bytes": -2`, "size_bytes"},
		{"two sizes", `"size_bytes": 2`, `"size_bytes": 3`, "elsewhere"},
		{"seconds", `"cpu_time_s": 1.2345`, `"cpu_time_s": 1e9`, "seconds"},
		{"below 0", `"memory_bytes": `, `"memory_bytes": -`, "below 0"},
		{"verdict", `"WA"`, `"XX"`, "no verdict"},
		{"double case", `"name": "secret/0"`, `"name": "sample/1"`, "twice"},
		{"path", `"name": "secret/0"`, `"name": "secret/../../0"`, "plain relative path"},
		{"boxed file", `"name": "v.cpp"`, `"name": "../v.cpp"`, "file name"},
		{"flag", `"x",`, `"",`, "flag"},
		{"factor", `"multiplier": `, `"multiplier": -`, "timing"},
		{"version", `"version": "`, `"version": "0`, "version"},
	} {
		spoilt := strings.Replace(whole, tt.old, tt.new, 1)
		if spoilt == whole {
			t.Fatalf("%s: %s is not in the golden file", tt.name, tt.old)
		}
		if _, err := blob.ReadManifest([]byte(spoilt)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", tt.name, err, tt.want)
		}
	}
}

func FuzzReadManifest(f *testing.F) {
	f.Add([]byte(golden(f)))
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"format":1,"name":"a","version":"` + sumOf(nil) + `","limits":{"cpu_time_s":0.000000001}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := blob.ReadManifest(data)
		if err != nil {
			return
		}
		for _, r := range m.Refs() {
			if len(r.SHA256) != 64 || r.Size < 0 {
				t.Errorf("accepted %+v", r)
			}
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		read, err := blob.ReadManifest(again)
		if err != nil {
			t.Fatalf("what was accepted is refused once written: %v\n%s", err, again)
		}
		last, err := json.Marshal(read)
		if err != nil || string(last) != string(again) {
			t.Errorf("written %s, read and written %s (%v)", again, last, err)
		}
	})
}
