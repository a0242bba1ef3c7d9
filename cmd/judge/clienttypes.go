package main

import (
	"context"
	"net/http"
	"net/url"

	"judge/judge"
	"judge/judge/wire"
)

// What the API says, as far as client commands read it.

type problemInfo struct {
	Name      string    `json:"name"`
	Title     string    `json:"title"`
	Enabled   bool      `json:"enabled"`
	Published *int      `json:"published"`
	CreatedAt wire.Time `json:"created_at"`
}

type versionInfo struct {
	Problem  string        `json:"problem"`
	Number   int           `json:"number"`
	State    string        `json:"state"`
	Digest   string        `json:"digest"`
	Findings []findingInfo `json:"findings"`
}

type findingInfo struct {
	Severity string `json:"severity"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Message  string `json:"message"`
}

type workerInfo struct {
	Slots int               `json:"slots"`
	State judge.WorkerState `json:"state"`
}

type submissionInfo struct {
	ID        string         `json:"id"`
	Problem   string         `json:"problem"`
	Language  string         `json:"language"`
	Judgement wire.Judgement `json:"judgement"`
	Place     *struct {
		Ahead int      `json:"ahead"`
		Wait  *float64 `json:"wait_s"`
	} `json:"place"`
}

// newSubmission is what is posted.
type newSubmission struct {
	Problem   string         `json:"problem"`
	Language  string         `json:"language,omitempty"`
	Entry     string         `json:"entry,omitempty"`
	Files     []newFile      `json:"files"`
	Submitter *submitterInfo `json:"submitter,omitempty"`
	Contest   string         `json:"contest,omitempty"`
}

type newFile struct {
	Name string `json:"name"`
	Data []byte `json:"data_base64"`
}

type submitterInfo struct {
	ID   string `json:"id"`
	Team string `json:"team,omitempty"`
}

// eventInfo is the data of a stream's event.
type eventInfo struct {
	Type         string          `json:"type"`
	SubmissionID string          `json:"submission_id"`
	JudgementID  string          `json:"judgement_id"`
	Attempt      int             `json:"attempt"`
	Run          *wire.Run       `json:"run"`
	Judgement    *wire.Judgement `json:"judgement"`
}

// listAll reads all pages of a list.
func listAll[T any](ctx context.Context, c *client, path string, each func(T) error) error {
	return listPages(ctx, c, path, url.Values{}, each)
}

// listPages is listAll with a query, whose cursor it sets.
func listPages[T any](ctx context.Context, c *client, path string, query url.Values, each func(T) error) error {
	for {
		var page struct {
			Items []T     `json:"items"`
			Next  *string `json:"next_cursor"`
		}
		if _, err := c.do(ctx, apiCall{method: http.MethodGet, path: path, query: query}, &page); err != nil {
			return err
		}
		for _, item := range page.Items {
			if err := each(item); err != nil {
				return err
			}
		}
		if page.Next == nil || *page.Next == "" {
			return nil
		}
		query.Set("cursor", *page.Next)
	}
}
