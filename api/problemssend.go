package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

const (
	plainType = "text/plain; charset=utf-8"
	octetType = "application/octet-stream"
)

// download is a stored file as it is sent. Packages are made by strangers: a browser
// shows only what cannot do anything, and downloads the rest.
type download struct {
	name string // to download it as; empty: it may be shown
	kind string // Content-Type
	blob judge.Blob
}

// statementFile is a file of a statement as it is sent.
func statementFile(d Document) download {
	switch ext := strings.ToLower(path.Ext(d.Name)); ext {
	case ".md", ".tex", ".txt", ".html", ".htm":
		return download{kind: plainType, blob: d.Blob}
	case ".png", ".gif", ".webp":
		return download{kind: "image/" + ext[1:], blob: d.Blob}
	case ".jpg", ".jpeg":
		return download{kind: "image/jpeg", blob: d.Blob}
	case ".pdf":
		return download{name: path.Base(d.Name), kind: "application/pdf", blob: d.Blob}
	}
	return download{name: path.Base(d.Name), kind: octetType, blob: d.Blob}
}

// send sends a file, unless the client has it.
func (s *Server) send(ctx context.Context, f download, has string) (*huma.StreamResponse, error) {
	tag := `"` + f.blob.Ref + `"`
	if tagged(has, tag) {
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			hc.SetHeader("ETag", tag)
			hc.SetStatus(http.StatusNotModified)
		}}, nil
	}
	r, err := s.Packages.Open(ctx, f.blob)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", f.kind)
		hc.SetHeader("Content-Length", strconv.FormatInt(f.blob.Size, 10))
		hc.SetHeader("Cache-Control", "private, no-cache") // kept, and asked for each time
		hc.SetHeader("ETag", tag)
		if f.name != "" {
			hc.SetHeader("Content-Disposition", disposition(f.name))
		}
		hc.SetStatus(http.StatusOK)
		err := errors.Join(copyChecked(hc.BodyWriter(), r), r.Close())
		if err != nil && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "file not sent whole", "request_id", requestID(ctx), "sha256", f.blob.Ref, "error", err)
		}
	}}, nil
}

// copyChecked copies all but what was read last before it knows that all was
// right: of a damaged file the client gets less than was announced.
func copyChecked(w io.Writer, r io.Reader) error {
	var held []byte
	buf, other := make([]byte, 32<<10), make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if err != nil && err != io.EOF { // never another error that wraps it
			return err
		}
		if n > 0 || err != nil {
			if _, err := w.Write(held); err != nil {
				return err
			}
			held = buf[:n]
			buf, other = other, buf
		}
		if err != nil {
			_, err := w.Write(held)
			return err
		}
	}
}

// disposition says that a file is to be downloaded under a name.
func disposition(name string) string {
	if d := mime.FormatMediaType("attachment", map[string]string{"filename": name}); d != "" {
		return d
	}
	return "attachment"
}

// tagged reports whether an If-None-Match names a tag.
func tagged(header, tag string) bool {
	for t := range strings.SplitSeq(header, ",") {
		if t = strings.TrimPrefix(strings.TrimSpace(t), "W/"); t == tag || t == "*" {
			return true
		}
	}
	return false
}
