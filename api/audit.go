package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// changed makes a change and the line of the audit log that says who made it, in
// one transaction. The token is the caller's.
func (s *Server) changed(ctx context.Context, e judge.AuditEntry, change func(Tx) error) error {
	return s.Records.Tx(ctx, func(tx Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		return audit(ctx, tx, e)
	})
}

// audit writes a line of the audit log about something that the caller did.
func audit(ctx context.Context, tx Tx, e judge.AuditEntry) error {
	e.TokenID = tokenOf(ctx).ID
	return tx.Audit(ctx, e)
}

// detail is v as the JSON of an audit log's line.
func detail(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return nil // v is one of our own types, which all can be written
	}
	return b
}

// AuditEntry is a change, who made it and why.
type AuditEntry struct {
	At      wire.Time       `json:"at"`
	TokenID *string         `json:"token_id" doc:"Null: the judge itself, or somebody on the server."`
	Action  string          `json:"action" example:"judgement.review"`
	Object  string          `json:"object"`
	Reason  string          `json:"reason"`
	Detail  json.RawMessage `json:"detail"`
}

type auditQuery struct {
	Object string `query:"object" maxLength:"200" doc:"What was changed; else everything."`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

func (s *Server) auditRoutes() {
	register(s, huma.Operation{OperationID: "list-audit", Method: http.MethodGet, Path: "/audit", Summary: "Changes, newest first", Tags: []string{"audit"}}, s.listAudit)
}

func (s *Server) listAudit(ctx context.Context, in *auditQuery) (*answer[List[AuditEntry]], error) {
	list, err := s.Records.AuditLog(ctx, in.Object, in.Limit)
	if err != nil {
		return nil, err
	}
	items := make([]AuditEntry, 0, len(list))
	for _, e := range list {
		if e.Detail == nil {
			e.Detail = []byte("null")
		}
		items = append(items, AuditEntry{At: wire.Time(e.At), TokenID: wire.Known(e.TokenID), Action: e.Action, Object: e.Object, Reason: e.Reason, Detail: e.Detail})
	}
	return answered(newList(items, "")), nil
}
