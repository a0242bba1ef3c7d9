package main

import (
	"errors"
	"net/http"
	"time"
)

// readyCmd is the health check of docker-compose.yml, whose image has no other
// program that speaks HTTP.
type readyCmd struct {
	URL string `arg:"" optional:"" default:"http://127.0.0.1:8080/readyz" help:"What to ask (${default})."`
}

// Help is shown by judge ready --help.
func (readyCmd) Help() string {
	return `Exit code 0 when the URL answers with status 200, else 1, with what it says is missing.`
}

// readyPatience is how long the service may take to answer.
const readyPatience = 5 * time.Second

// Run asks once.
func (c *readyCmd) Run(a *app) error {
	if ready, why := askReady(a.ctx, &http.Client{Timeout: readyPatience}, c.URL); !ready {
		return errors.New("not ready: " + why)
	}
	return nil
}
