package api

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// schemaOf describes a type whose reading or writing is not left to huma.
func (s *Server) schemaOf(t reflect.Type) *huma.Schema {
	return s.api.OpenAPI().Components.Schemas.Schema(t, true, t.Name())
}

// responseOf describes a 201 of a type.
func (s *Server) responseOf(t reflect.Type) map[string]*huma.Response {
	return map[string]*huma.Response{
		"201": {Description: http.StatusText(http.StatusCreated), Content: map[string]*huma.MediaType{"application/json": {Schema: s.schemaOf(t)}}},
	}
}

// formSchema describes a submission as a form.
func formSchema() *huma.Schema {
	properties := map[string]*huma.Schema{
		"files": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString, Format: "binary"}, Description: "Each with its name."},
	}
	for _, name := range formFields {
		properties[name] = &huma.Schema{Type: huma.TypeString}
	}
	return &huma.Schema{Type: huma.TypeObject, Properties: properties, Required: []string{"problem", "files"}}
}
