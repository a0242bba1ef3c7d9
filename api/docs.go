package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	swaggerfiles "github.com/swaggo/files/v2"
)

// docsPage shows /openapi.json by Swagger UI, of which everything is in this
// binary.
const docsPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>judge API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const docsStart = `window.ui = SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis], layout: "BaseLayout"
});
`

// docsPolicy lets the page load what is ours and speak to us, nobody else. Swagger
// UI has its pictures and some styles in itself.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// docsAssets are the files of Swagger UI that the page needs.
var docsAssets = map[string]string{
	"swagger-ui.css":       "text/css; charset=utf-8",
	"swagger-ui-bundle.js": "text/javascript; charset=utf-8",
	"favicon-32x32.png":    "image/png",
}

func (s *Server) docsRoutes() error {
	files := map[string]asset{
		"/docs":          {"text/html; charset=utf-8", []byte(docsPage)},
		"/docs/start.js": {"text/javascript; charset=utf-8", []byte(docsStart)},
	}
	for name, contentType := range docsAssets {
		data, err := fs.ReadFile(swaggerfiles.FS, name)
		if err != nil {
			return fmt.Errorf("read Swagger UI: %w", err)
		}
		files["/docs/"+name] = asset{contentType, bytes.ReplaceAll(data, []byte("\n//# sourceMappingURL="), []byte("\n// "))}
	}
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	s.plain("docs", paths, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", docsPolicy)
		f := files[r.URL.Path]
		if strings.HasPrefix(r.URL.Path, "/docs/swagger-ui") {
			w.Header().Set("Cache-Control", "max-age=3600")
		}
		f.send(w)
	})
	return nil
}

// asset is an answer that is always the same.
type asset struct {
	contentType string
	data        []byte
}

func (f asset) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", f.contentType)
	_, _ = w.Write(f.data) // the client may have left
}

// openapiRoutes come last: they show all that were made before.
func (s *Server) openapiRoutes() error {
	describeNulls(s.api.OpenAPI().Components.Schemas)
	current, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		return fmt.Errorf("write OpenAPI document: %w", err)
	}
	older, err := downgrade(s.api.OpenAPI())
	if err != nil {
		return err
	}
	s.plain("openapi", []string{"/openapi.json"}, func(w http.ResponseWriter, _ *http.Request) {
		asset{"application/openapi+json;version=3.1", current}.send(w)
	})
	s.plain("openapi-3.0", []string{"/openapi-3.0.json"}, func(w http.ResponseWriter, _ *http.Request) {
		asset{"application/openapi+json;version=3.0", older}.send(w)
	})
	return nil
}

func (s *Server) metricsRoutes() {
	s.plain("metrics", []string{"/metrics"}, promhttp.HandlerFor(s.Metrics, promhttp.HandlerOpts{}).ServeHTTP)
}
