package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

const refPrefix = "#/components/schemas/"

// describeNulls says in the document which fields may be null: huma says it of
// pointers to numbers and texts, not of those to structs and times.
func describeNulls(registry huma.Registry) {
	for name, schema := range registry.Map() {
		if t := registry.TypeFromRef(refPrefix + name); t != nil {
			nullFields(t, schema)
		}
	}
}

func nullFields(t reflect.Type, schema *huma.Schema) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := schema.Properties[name]
		if p == nil || f.Type.Kind() != reflect.Pointer || strings.Contains(options, "omit") {
			continue
		}
		if p.Ref == "" {
			p.Nullable = true
			continue
		}
		schema.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}, Description: p.Description}
	}
}

// downgrade makes the document of OpenAPI 3.0 of the current one. There a reference
// cannot be null by itself: what it refers to is said to be.
func downgrade(doc *huma.OpenAPI) ([]byte, error) {
	data, err := doc.Downgrade()
	if err != nil {
		return nil, fmt.Errorf("write OpenAPI 3.0 document: %w", err)
	}
	var old map[string]any
	if err := json.Unmarshal(data, &old); err != nil {
		return nil, fmt.Errorf("read OpenAPI 3.0 document: %w", err)
	}
	nullable := map[string]bool{}
	unwrapNulls(old, nullable)
	components, _ := old["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for ref := range nullable {
		if s, ok := schemas[strings.TrimPrefix(ref, refPrefix)].(map[string]any); ok {
			s["nullable"] = true
		}
	}
	return json.Marshal(old)
}

// unwrapNulls puts a reference in the place of what is that or null, and notes it.
func unwrapNulls(at any, nullable map[string]bool) {
	switch v := at.(type) {
	case map[string]any:
		delete(v, "contentMediaType") // of 3.1 alone
		if of, ok := v["anyOf"].([]any); ok && len(of) == 2 {
			if ref, ok := of[0].(map[string]any)["$ref"].(string); ok {
				nullable[ref] = true
				clear(v)
				v["$ref"] = ref
			}
		}
		for _, child := range v {
			unwrapNulls(child, nullable)
		}
	case []any:
		for _, child := range v {
			unwrapNulls(child, nullable)
		}
	}
}
