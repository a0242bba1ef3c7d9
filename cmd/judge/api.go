package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"judge/api"
	"judge/images"
	"judge/judge/language"
	"judge/judge/store"
	"judge/judge/webhook"
	"judge/problems/blob"
)

// apiCmd answers HTTP, and does nothing else.
type apiCmd struct {
	databaseFlags
	apiFlags
	choreFlags
	keepFlags

	Listen string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Where the API listens (${default})."`
	Blobs  string `placeholder:"URL" help:"Where test data lie: file:///path or s3://bucket?…; else blobs below --data."`
}

// Help is shown by judge api --help.
func (apiCmd) Help() string {
	return `Needs a database with this build's schema (judge migrate), a place for test data, and the folder uploads below --data; neither root nor Docker. Any number of them may answer for one database. judge serve starts one by itself.`
}

// Run answers until it is told to end.
func (c *apiCmd) Run(a *app) (err error) {
	if c.DatabaseURL == "" {
		return badInput{errors.New("name the database with JUDGE_DATABASE_URL or --database-url; judge serve has one of its own and starts the API by itself")}
	}
	config, err := c.answering()
	if err != nil {
		return err
	}
	if _, err := c.intervals(); err != nil {
		return err
	}
	config.database, config.log = c.DatabaseURL, a.serviceLog("api")
	config.chores, config.keep = c.choreFlags, c.keepFlags
	if config.blobs, err = a.blobsURL(c.Blobs); err != nil {
		return err
	}
	if config.listener, err = a.listen(c.Listen); err != nil {
		return err
	}
	return a.runAPI(a.ctx, config)
}

// apiFlags are those of whatever runs an API.
type apiFlags struct {
	ceilingFlags
	webhookFlags

	TrustedProxies []string `placeholder:"CIDR" help:"Proxies whose X-Forwarded-For is believed, as 10.0.0.0/8 or an address; else none."`
	CORSOrigins    []string `name:"cors-origins" placeholder:"ORIGIN" help:"Pages that may call the API from a browser, as https://contest.example; else none."`

	RequestsPerMinute    int `default:"6000" placeholder:"N" help:"Reads of one token (${default})."`
	WritesPerMinute      int `default:"600" placeholder:"N" help:"Changes by one token, submissions not counted (${default})."`
	SubmissionsPerMinute int `default:"6000" placeholder:"N" help:"Submissions of one token (${default})."`
	PersonPerMinute      int `default:"60" placeholder:"N" help:"Submissions of one person of a token (${default})."`
	Waiters              int `default:"10000" placeholder:"N" help:"Requests that wait for a verdict at once (${default})."`
	Streams              int `default:"10000" placeholder:"N" help:"Event streams at once (${default})."`
}

// answering is what the flags say of an API.
func (f *apiFlags) answering() (apiConfig, error) {
	var c apiConfig
	var err error
	if c.proxies, err = prefixes("trusted-proxies", f.TrustedProxies); err != nil {
		return c, err
	}
	if c.endpoints, err = f.endpoints(); err != nil {
		return c, err
	}
	for _, origin := range f.CORSOrigins {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || origin != u.Scheme+"://"+u.Host {
			return c, badInput{fmt.Errorf("--cors-origins %q: write scheme and host, as https://contest.example", origin)}
		}
		c.origins = append(c.origins, strings.ToLower(origin))
	}
	numbers := []struct {
		flag  string
		value int
	}{
		{"requests-per-minute", f.RequestsPerMinute},
		{"writes-per-minute", f.WritesPerMinute},
		{"submissions-per-minute", f.SubmissionsPerMinute},
		{"person-per-minute", f.PersonPerMinute},
		{"waiters", f.Waiters},
		{"streams", f.Streams},
	}
	for _, n := range numbers {
		if n.value < 1 {
			return c, badInput{fmt.Errorf("--%s %d: at least 1 is wanted", n.flag, n.value)}
		}
	}
	rate := func(n int) api.Rate { return api.Rate{Count: n, Per: time.Minute} }
	c.limits = api.Limits{
		Requests: rate(f.RequestsPerMinute), Writes: rate(f.WritesPerMinute), Submissions: rate(f.SubmissionsPerMinute),
		Person: rate(f.PersonPerMinute), Waiters: f.Waiters, Streams: f.Streams,
	}
	return c, f.apply(&c.limits)
}

// apiConfig is what an API is made of.
type apiConfig struct {
	database string // URL
	blobs    string // URL
	listener net.Listener
	log      *slog.Logger
	proxies  []netip.Prefix
	origins  []string
	limits   api.Limits
	chores   choreFlags
	keep     keepFlags

	endpoints webhook.Endpoints // without a key: that of the data folder
}

// runAPI answers requests until ctx is done. The database must have this build's
// schema. It closes the listener.
func (a *app) runAPI(ctx context.Context, c apiConfig) (err error) {
	defer func() { _ = c.listener.Close() }() // Serve has closed it, where it came to that
	db, err := store.Open(ctx, c.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Check(ctx); err != nil {
		return err
	}
	if c.endpoints.Key == nil {
		if c.endpoints.Key, err = a.secretKey(); err != nil {
			return err
		}
	}
	uploads, err := blob.OpenUploads(a.uploadsDir())
	if err != nil {
		return err
	}
	blobs, err := blob.Open(ctx, c.blobs, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	records, err := newRecords(db)
	if err != nil {
		return err
	}
	config, err := apiServerConfig(records, blobs, uploads, c)
	if err != nil {
		return err
	}
	server, err := api.New(config)
	if err != nil {
		return err
	}
	stop, err := c.chores.startAPIChores(ctx, c.keep, records, blobs, uploads, config.Metrics, c.log)
	if err != nil {
		return err
	}
	defer stop()
	end, err := startSenders(ctx, records, server, c.endpoints, c.log)
	if err != nil {
		return err
	}
	defer end()
	c.log.InfoContext(ctx, "answering", "address", c.listener.Addr().String())
	return server.Serve(ctx, c.listener)
}

func apiServerConfig(records records, blobs *blob.Store, uploads *blob.Uploads, c apiConfig) (api.Config, error) {
	var none api.Config
	languages, err := language.Load(images.FS)
	if err != nil {
		return none, err
	}
	registry := prometheus.NewRegistry()
	for _, collector := range []prometheus.Collector{collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})} {
		if err := registry.Register(collector); err != nil {
			return none, fmt.Errorf("register metrics: %w", err)
		}
	}
	return api.Config{
		Records: apiRecords{records}, Packages: newPackages(records.Store, blobs, uploads), Languages: languages, Endpoints: c.endpoints, Unavailable: store.Unavailable,
		Ready: []api.Check{{Name: "blobs", Ask: func(ctx context.Context) error {
			_, err := blobs.Has(ctx, strings.Repeat("0", 64))
			return err
		}}},
		Log: c.log, Metrics: registry, Build: buildName(), Limits: c.limits, Proxies: c.proxies, Origins: c.origins,
	}, nil
}
