package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"judge/judge"
)

// outermost gives a request its id, and logs and measures it when it has ended.
func (s *Server) outermost(g *gin.Context) {
	began := time.Now()
	q := &request{id: idFor(g.Request), r: g.Request, w: g.Writer}
	g.Request = g.Request.WithContext(context.WithValue(g.Request.Context(), requestKey{}, q))
	g.Header("X-Request-Id", q.id)
	g.Next()
	took := time.Since(began)
	s.meters.request(q.operation, g.Request.Method, g.Writer.Status(), took)
	level := slog.LevelInfo
	if ru, ok := access[q.operation]; ok && ru.class == free && g.Writer.Status() < http.StatusBadRequest {
		level = slog.LevelDebug // health checks and metrics, every few seconds
	}
	s.Log.Log(g.Request.Context(), level, "request", "request_id", q.id, "operation", q.operation, "method", g.Request.Method,
		"path", g.Request.URL.Path, "status", g.Writer.Status(), "duration_s", took.Seconds(), "bytes", max(g.Writer.Size(), 0),
		"remote", s.clientOf(g.Request).String(), "token", q.token.ID)
}

var goodID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

func idFor(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); goodID.MatchString(id) {
		return id
	}
	return strings.ToLower(rand.Text())
}

// recovered answers for a handler that panicked. Nothing of the panic is said.
func (s *Server) recovered(g *gin.Context) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(v) // net/http wants it to come through
		}
		s.Log.ErrorContext(g.Request.Context(), "handler panicked", "request_id", requestID(g.Request.Context()), "panic", v, "stack", string(debug.Stack()))
		if !g.Writer.Written() {
			s.refuse(g.Writer, g.Request, fault("internal", "an error of ours, which the log has by the request's id"))
		}
	}()
	g.Next()
}

// admit asks who calls, whether that role may, and how often: the one gate that
// every route lies behind. Where it answers by itself, ok is false.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, id string, ru rule) (ctx context.Context, ok bool) {
	ctx = r.Context()
	q := requestOf(ctx)
	q.operation = id
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(readTime)) // a recorder has none
	_ = control.SetWriteDeadline(time.Now().Add(writeTime))
	if ru.body != nil && r.Body != nil {
		r.Body = http.MaxBytesReader(w, r.Body, ru.body(&s.Limits)+1) // huma reads one more to see that it is too much
	}
	if len(ru.roles) == 0 {
		return ctx, true
	}
	token, err := s.authenticate(r)
	if err == nil {
		q.token = token
		switch {
		case !ru.roles.hold(token.Role):
			err = fault("forbidden", "%s is not for the role %s; it is for %v", id, token.Role, ru.roles)
		case ru.unscoped && scoped(token):
			err = fault("forbidden", "%s is for tokens without a scope", id)
		default:
			err = s.limiter.request(w.Header(), token.ID, ru.class)
		}
	}
	if err != nil {
		s.refuse(w, r, s.explain(ctx, err))
		return ctx, false
	}
	return ctx, true
}

func (s *Server) authenticate(r *http.Request) (judge.Token, error) {
	const wanted = `send the header "Authorization: Bearer TOKEN"; an admin makes tokens by judge token create`
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || secret == "" {
		return judge.Token{}, fault("unauthorized", "%s", wanted).header("WWW-Authenticate", `Bearer realm="judge"`)
	}
	token, err := s.Records.Authenticate(r.Context(), strings.TrimSpace(secret))
	if errors.Is(err, judge.ErrNotFound) {
		// Only those are held up that show what is no token: behind one address there
		// may be many.
		if err := s.limiter.failed(s.clientOf(r).String()); err != nil {
			return token, err
		}
		return token, fault("unauthorized", "this token is not known, has expired or was revoked; %s", wanted).
			header("WWW-Authenticate", `Bearer realm="judge", error="invalid_token"`)
	}
	return token, err
}

// refuse answers with an error where huma does not.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, e *Error) {
	e.RequestID = requestID(r.Context())
	maps.Copy(w.Header(), e.headers)
	w.Header().Set("Content-Type", e.ContentType(""))
	w.WriteHeader(e.Status)
	_ = json.NewEncoder(w).Encode(e) // the client may have left
}
