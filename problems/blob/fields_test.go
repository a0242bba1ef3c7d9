package blob_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/problems/blob"
)

// TestManifestEveryField fills every field that a judge.Problem has, so that one
// that is added and forgotten in manifests fails here.
func TestManifestEveryField(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("data/secret/%02d.in", i)] = strings.Repeat("x", 2*i+1)
		files[fmt.Sprintf("data/secret/%02d.ans", i)] = strings.Repeat("x", 2*i)
	}
	s := fileStore(t).open(t)
	pkg := openPackage(t, folder(t, "fields", files))
	f := &filler{}
	for _, c := range pkg.Problem.Cases() {
		f.blobs = append(f.blobs, c.Input, c.Answer)
	}
	want := judge.Problem{}
	f.fill(reflect.ValueOf(&want).Elem())
	pkg.Problem = want

	data, err := json.Marshal(imported(t, s, pkg))
	if err != nil {
		t.Fatal(err)
	}
	m, err := blob.ReadManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	c := cache(t, s, blob.CacheOptions{Budget: 1 << 30})
	got, err := m.Problem(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got.Jury, err = m.JurySubmissions(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if got.Version, want.Version = "", ""; m.Version == "" {
		t.Error("no version")
	}
	sizes := cmp.Comparer(func(a, b judge.Blob) bool { return a.Size == b.Size }) // each blob has a size of its own
	if diff := cmp.Diff(want, *got, sizes); diff != "" {
		t.Errorf("problem, from its manifest (-, +):\n%s", diff)
	}
}

// filler gives fields values that differ from one another and that a manifest may
// hold.
type filler struct {
	count int
	blobs []judge.Blob
	used  int

	groups int // lists of groups that were filled
}

func (f *filler) fill(v reflect.Value) {
	f.count++
	switch p := v.Addr().Interface().(type) {
	case *judge.Blob:
		*p = f.blobs[f.used%len(f.blobs)]
		f.used++
		return
	case *time.Time:
		*p = time.Date(2026, 1, 2, 3, 4, f.count%60, 0, time.UTC)
		return
	case *time.Duration:
		*p = time.Duration(f.count) * time.Millisecond
		return
	case *judge.Verdict:
		*p = judge.WA
		return
	case *judge.DataCheckKind:
		*p = judge.ValidOutput
		return
	case *[]byte:
		*p = fmt.Appendf(nil, "file %d", f.count)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("n%d", f.count))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(f.count))
	case reflect.Float64:
		v.SetFloat(float64(f.count) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]judge.TestGroup]() {
			if f.groups++; f.groups > 2 {
				return // deep enough
			}
		}
		const n = 2
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for _, field := range v.Fields() {
			f.fill(field)
		}
	default:
		panic("no value for " + v.Type().String())
	}
}
