package api

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
)

const base = "/api/v1"

// register makes a route of an operation, below /api/v1 where its path does not
// begin with two slashes. The handler finds who asks by requestOf. Its errors
// become problem details by the table in errors.go.
func register[I, O any](s *Server, op huma.Operation, handler func(context.Context, *I) (*O, error)) {
	ru, ok := s.route(op.OperationID)
	if !ok {
		return
	}
	op.Path = pathOf(op.Path)
	if len(ru.roles) > 0 {
		op.Security = []map[string][]string{{"token": {}}}
		op.Description = strings.TrimSpace(op.Description + "\n\nRoles: " + fmt.Sprint(ru.roles) + ".")
	}
	if ru.body != nil {
		op.MaxBodyBytes = ru.body(&s.Limits) + 1 // huma refuses what reaches its limit
		op.BodyReadTimeout = readTime
	}
	op.Middlewares = append(op.Middlewares, func(hc huma.Context, next func(huma.Context)) {
		g := humagin.Unwrap(hc)
		if ctx, ok := s.admit(g.Writer, g.Request, op.OperationID, ru); ok {
			next(huma.WithContext(hc, ctx))
		}
	})
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	op.Responses["default"] = &huma.Response{Description: "Error", Content: map[string]*huma.MediaType{
		"application/problem+json": {Schema: s.schemaOf(reflect.TypeFor[Error]())},
	}}
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			return nil, s.explain(ctx, err)
		}
		return out, nil
	})
	s.checkParameters(&op)
}

// checkParameters finds fault with a path whose parameters its input does not
// read, as where they are in an embedded type that is not exported.
func (s *Server) checkParameters(op *huma.Operation) {
	item := s.api.OpenAPI().Paths[op.Path]
	read := map[string]bool{}
	for _, made := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
		if made != nil && made.OperationID == op.OperationID {
			for _, p := range made.Parameters {
				read[p.Name] = p.In == "path" || read[p.Name]
			}
		}
	}
	for part := range strings.SplitSeq(op.Path, "/") {
		if name := strings.Trim(part, "{}"); name != part && !read[name] {
			s.invalid = append(s.invalid, fmt.Errorf("operation %q: its input has no path parameter %q", op.OperationID, name))
		}
	}
}

// plain makes routes of one operation that huma does not describe.
func (s *Server) plain(id string, paths []string, handler http.HandlerFunc) {
	ru, ok := s.route(id)
	if !ok {
		return
	}
	for _, path := range paths {
		s.engine.GET(path, func(g *gin.Context) {
			if ctx, ok := s.admit(g.Writer, g.Request, id, ru); ok {
				handler(g.Writer, g.Request.WithContext(ctx))
			}
		})
	}
}

func pathOf(path string) string {
	if root, ok := strings.CutPrefix(path, "//"); ok {
		return "/" + root
	}
	return base + path
}

// route finds the rule for an operation, which must have one, and no route yet.
func (s *Server) route(id string) (rule, bool) {
	ru, ok := access[id]
	if !ok || s.routed[id] {
		s.invalid = append(s.invalid, fmt.Errorf("operation %q: want one route and one line in the table of access.go", id))
		return ru, false
	}
	s.routed[id] = true
	return ru, true
}
