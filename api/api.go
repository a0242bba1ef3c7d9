// Package api is responsible for what is said over HTTP: who speaks (tokens,
// roles, scope), how much (limits), what they may see (feedback policy), and the
// words of requests, answers and errors. gin carries it, huma describes it.
//
// It judges nothing, keeps nothing and knows neither tables nor Docker: records
// are kept behind Records, packages are read behind Packages. It imports only
// judge and judge/wire.
//
// Every route passes through register or plain (register.go), which look its
// operation up in the table of access.go: a route that is not in it cannot be
// made, and what the table says is asked before a handler runs.
package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"reflect"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"judge/judge/wire"
)

// Config is what a Server works with. Fields without a default must be set.
type Config struct {
	Records   Records
	Packages  Packages
	Languages Languages
	Endpoints Endpoints

	// Unavailable tells errors of Records that pass by themselves: they are
	// answered 503, not 500.
	Unavailable func(error) bool
	// Ready are asked by /readyz, all of them each time, for at most 2 s.
	Ready []Check
	Log   *slog.Logger
	// Metrics is where the server's metrics go, and what /metrics shows.
	Metrics *prometheus.Registry
	Build   string // shown by /healthz and /openapi.json

	Limits  Limits
	Proxies []netip.Prefix // whose X-Forwarded-For is believed; none by default
	Origins []string       // that browsers may call from (CORS); none by default
}

// Check is something that must be so before requests are to be sent here.
type Check struct {
	Name string
	Ask  func(context.Context) error // nil: it is so
}

// Server answers requests. Its methods may be called by many goroutines.
type Server struct {
	Config

	engine  *gin.Engine
	api     huma.API
	meters  *meters
	limiter *limiter
	hub     *Hub
	boards  *boards
	waiting *seats // requests that wait for a verdict
	streams *seats // event streams
	places  *rate.Limiter
	now     func() time.Time

	stopping chan struct{}
	stop     func() // closes stopping

	routed  map[string]bool // operations that have a route
	invalid []error         // what is wrong with the routes
}

// placesPerSecond bounds how often the queue is counted for those who wait in it.
const placesPerSecond = 20

// New makes a server. It fails where the routes and the table of access differ.
func New(c Config) (*Server, error) {
	if c.Records == nil || c.Packages == nil || c.Languages == nil || c.Endpoints == nil || c.Unavailable == nil || c.Log == nil || c.Metrics == nil {
		return nil, errors.New("make server: Records, Packages, Languages, Endpoints, Unavailable, Log and Metrics are wanted")
	}
	c.Limits = c.Limits.withDefaults()
	configureHuma()
	gin.SetMode(gin.ReleaseMode)
	s := &Server{
		Config: c, engine: gin.New(), hub: NewHub(c.Records, c.Log), limiter: newLimiter(c.Limits, time.Now),
		places: rate.NewLimiter(placesPerSecond, placesPerSecond), now: time.Now, routed: map[string]bool{},
	}
	s.boards = newBoards(s)
	s.stopping = make(chan struct{})
	s.stop = sync.OnceFunc(func() { close(s.stopping) })
	var err error
	if s.meters, err = newMeters(c.Metrics); err != nil {
		return nil, fmt.Errorf("make server: %w", err)
	}
	if err := c.Metrics.Register(newQueueLoad(c.Records.Load)); err != nil {
		return nil, fmt.Errorf("make server: %w", err)
	}
	s.waiting = newSeats("requests that wait", c.Limits.Waiters, c.Limits.WaitersPerToken, s.meters.waiters)
	s.streams = newSeats("event streams", c.Limits.Streams, c.Limits.StreamsPerToken, s.meters.streams)
	s.engine.HandleMethodNotAllowed = true
	s.engine.RedirectTrailingSlash = false
	s.engine.UseRawPath = true // a name with a slash, written %2F, is one part of the path
	s.engine.Use(s.outermost, s.recovered, s.secured)
	s.engine.NoRoute(func(g *gin.Context) { s.refuse(g.Writer, g.Request, noRoute(g.Request)) })
	s.engine.NoMethod(func(g *gin.Context) { s.refuse(g.Writer, g.Request, noMethod(g.Request)) })
	s.api = humagin.New(s.engine, humaConfig(c.Build))
	s.invalid = append(s.invalid, s.routes())
	if err := errors.Join(s.invalid...); err != nil {
		return nil, fmt.Errorf("make server: %w", err)
	}
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.engine.ServeHTTP(w, r) }

var configureHuma = sync.OnceFunc(func() {
	huma.DefaultArrayNullable = false
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError { return humaError(status, msg, errs) }
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		e := humaError(status, msg, errs)
		e.RequestID = requestID(ctx.Context())
		return e
	}
})

func humaConfig(build string) huma.Config {
	c := huma.DefaultConfig("judge", build)
	c.Info.Description = description
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil // no $schema in answers
	c.RejectUnknownQueryParameters = true
	c.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[wire.Time](), reflect.TypeFor[time.Time]())
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A token made by `judge token create` or POST /api/v1/tokens."},
	}
	return c
}

const description = `An online-judge grading engine: source in, verdict out.

Times are RFC 3339 in UTC, durations seconds (_s), sizes bytes (_bytes); unknown is null. Lists are
{"items": [...], "next_cursor": ...}; cursors are opaque. Errors are RFC 9457 problem details.`
