package api

import (
	"context"
	"net/http"

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
	register(s, huma.Operation{OperationID: "whoami", Method: http.MethodGet, Path: "/whoami", Summary: "The token that asks", Tags: []string{"tokens"}}, s.whoami)
}

func (s *Server) whoami(ctx context.Context, _ *struct{}) (*answer[Token], error) {
	return answered(newToken(tokenOf(ctx))), nil
}
