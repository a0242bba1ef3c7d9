package api

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Token is a key to the API as JSON, without its secret.
type Token struct {
	ID        string     `json:"id" format:"uuid"`
	Name      string     `json:"name"`
	Role      string     `json:"role" enum:"admin,instructor,submitter,viewer"`
	Scope     Scope      `json:"scope"`
	CreatedAt wire.Time  `json:"created_at"`
	ExpiresAt *wire.Time `json:"expires_at"`
	RevokedAt *wire.Time `json:"revoked_at"`
}

// Scope narrows a token; empty lists are no narrowing.
type Scope struct {
	Problems []string `json:"problems"`
	Contests []string `json:"contests"`
}

func newToken(t judge.Token) Token {
	return Token{
		ID: t.ID, Name: t.Name, Role: string(t.Role), Scope: Scope{append([]string{}, t.Scope.Problems...), append([]string{}, t.Scope.Contests...)},
		CreatedAt: wire.Time(t.CreatedAt), ExpiresAt: moment(t.ExpiresAt), RevokedAt: moment(t.RevokedAt),
	}
}

func (s *Server) tokenRoutes() {
	tags := []string{"tokens"}
	register(s, huma.Operation{OperationID: "whoami", Method: http.MethodGet, Path: "/whoami", Summary: "The token that asks", Tags: tags}, s.whoami)
	register(s, huma.Operation{OperationID: "list-tokens", Method: http.MethodGet, Path: "/tokens", Summary: "All tokens, without secrets", Tags: tags}, s.listTokens)
	register(s, huma.Operation{OperationID: "create-token", Method: http.MethodPost, Path: "/tokens", DefaultStatus: http.StatusCreated, Summary: "Make a token", Tags: tags}, s.createToken)
	register(s, huma.Operation{OperationID: "revoke-token", Method: http.MethodDelete, Path: "/tokens/{id}", Summary: "End a token", Tags: tags}, s.revokeToken)
}

func (s *Server) whoami(ctx context.Context, _ *struct{}) (*answer[Token], error) {
	return answered(newToken(tokenOf(ctx))), nil
}

func (s *Server) listTokens(ctx context.Context, _ *struct{}) (*answer[List[Token]], error) {
	list, err := s.Records.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	items := make([]Token, 0, len(list))
	for _, t := range list {
		items = append(items, newToken(t))
	}
	return answered(newList(items, "")), nil
}

// TokenRequest is a token to be made.
type TokenRequest struct {
	Name      string       `json:"name" minLength:"1" maxLength:"100"`
	Role      string       `json:"role" enum:"admin,instructor,submitter,viewer"`
	Scope     ScopeRequest `json:"scope,omitzero"`
	ExpiresAt time.Time    `json:"expires_at,omitzero" doc:"Else it does not expire."`
	Reason    string       `json:"reason,omitempty" maxLength:"1000"`
}

// ScopeRequest narrows a token; what is left out narrows nothing.
type ScopeRequest struct {
	Problems []string `json:"problems,omitempty" maxItems:"1000"`
	Contests []string `json:"contests,omitempty" maxItems:"1000"`
}

// NewToken is a token with its secret, which is shown this once.
type NewToken struct {
	Token

	Secret string `json:"token" doc:"What goes behind Bearer. It cannot be read again."`
}

type tokenInput struct {
	Body TokenRequest
}

var goodName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

func (s *Server) createToken(ctx context.Context, in *tokenInput) (*answer[NewToken], error) {
	r := &in.Body
	for i, name := range slices.Concat(r.Scope.Problems, r.Scope.Contests) {
		if !goodName.MatchString(name) {
			return nil, wrongField(fmt.Sprintf("body.scope[%d]", i), "%.80q is no name; names are [a-z0-9][a-z0-9._-]{0,63}", name)
		}
	}
	scope := judge.Scope{Problems: r.Scope.Problems, Contests: r.Scope.Contests}
	if judge.Role(r.Role) == judge.RoleAdmin && len(scope.Problems)+len(scope.Contests) > 0 {
		return nil, wrongField("body.scope", "an admin sees all; leave it out, or make an instructor")
	}
	if strings.ContainsRune(r.Name+r.Reason, 0) {
		return nil, wrongField("body.name", "name or reason has a NUL")
	}
	if !r.ExpiresAt.IsZero() && r.ExpiresAt.Before(s.now()) {
		return nil, wrongField("body.expires_at", "it has passed")
	}
	var out NewToken
	err := s.Records.Tx(ctx, func(tx Tx) error {
		t, secret, err := tx.CreateToken(ctx, judge.Token{Name: r.Name, Role: judge.Role(r.Role), Scope: scope, ExpiresAt: r.ExpiresAt})
		if err != nil {
			return err
		}
		out = NewToken{Token: newToken(t), Secret: secret}
		return audit(ctx, tx, judge.AuditEntry{Action: "token.create", Object: t.ID, Reason: r.Reason, Detail: detail(out.Token)})
	})
	return answered(out), err
}

type tokenPath struct {
	ID     string `path:"id" maxLength:"64"`
	Reason string `query:"reason" maxLength:"1000"`
}

func (s *Server) revokeToken(ctx context.Context, in *tokenPath) (*struct{}, error) {
	err := s.changed(ctx, judge.AuditEntry{Action: "token.revoke", Object: in.ID, Reason: in.Reason}, func(tx Tx) error {
		return tx.RevokeToken(ctx, in.ID)
	})
	return nil, named(err, "token", in.ID)
}
