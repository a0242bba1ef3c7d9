package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"judge/judge"
)

// A token is given as judge_ID_SECRET: the id finds the row, so that only the
// hash of the secret is compared, in constant time. The secret has 128 random
// bits and more (rand.Text), so a plain hash is as good as a slow one.
const tokenPrefix = "judge_"

type tokenRow struct {
	ID        string
	Name      string
	Hash      []byte
	Role      judge.Role
	Scope     []byte
	CreatedAt time.Time
	ExpiresAt *time.Time
	RevokedAt *time.Time
}

func (tokenRow) TableName() string { return "tokens" }

func (r *tokenRow) token() (judge.Token, error) {
	t := judge.Token{ID: r.ID, Name: r.Name, Role: r.Role, CreatedAt: r.CreatedAt.UTC(), ExpiresAt: moment(r.ExpiresAt), RevokedAt: moment(r.RevokedAt)}
	if err := json.Unmarshal(r.Scope, &t.Scope); err != nil {
		return t, fmt.Errorf("read scope of token %s: %w", r.ID, err)
	}
	return t, nil
}

// CreateToken makes a token of t's name, role, scope and end, and returns it with
// what to give to whoever shall use it: it cannot be read again.
func (q queries) CreateToken(ctx context.Context, t judge.Token) (token judge.Token, secret string, err error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return t, "", fmt.Errorf("create token: %w", err)
	}
	scope, err := json.Marshal(t.Scope)
	if err != nil {
		return t, "", fmt.Errorf("create token: %w", err)
	}
	text := rand.Text()
	hash := sha256.Sum256([]byte(text))
	row := tokenRow{
		ID: id.String(), Name: t.Name, Hash: hash[:], Role: t.Role, Scope: scope,
		CreatedAt: time.Now().UTC().Truncate(time.Microsecond), ExpiresAt: optional(t.ExpiresAt),
	}
	if err := q.in(ctx).Create(&row).Error; err != nil {
		return t, "", wrap(err, "create token")
	}
	token, err = row.token()
	return token, tokenPrefix + hex.EncodeToString(id[:]) + "_" + text, err
}

// Authenticate finds the token that a secret is of; judge.ErrNotFound where
// there is none, or it is not in force any more.
func (q queries) Authenticate(ctx context.Context, secret string) (judge.Token, error) {
	unknown := fmt.Errorf("token: %w", judge.ErrNotFound)
	idText, text, ok := strings.Cut(strings.TrimPrefix(secret, tokenPrefix), "_")
	id, err := uuid.Parse(idText)
	if !ok || err != nil || len(idText) != 32 {
		return judge.Token{}, unknown
	}
	var rows []tokenRow
	err = q.in(ctx).Where("id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())", id.String()).Find(&rows).Error
	if err != nil {
		return judge.Token{}, wrap(err, "read token")
	}
	hash := sha256.Sum256([]byte(text))
	if len(rows) == 0 || subtle.ConstantTimeCompare(rows[0].Hash, hash[:]) != 1 {
		return judge.Token{}, unknown
	}
	return rows[0].token()
}

// Tokens lists all tokens, oldest first, those that are revoked too.
func (q queries) Tokens(ctx context.Context) ([]judge.Token, error) {
	var rows []tokenRow
	if err := q.in(ctx).Order("created_at, id").Find(&rows).Error; err != nil {
		return nil, wrap(err, "list tokens")
	}
	out := make([]judge.Token, 0, len(rows))
	for i := range rows {
		t, err := rows[i].token()
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// RevokeToken ends a token; again does nothing more.
func (q queries) RevokeToken(ctx context.Context, id string) error {
	if err := checkID("token", id); err != nil {
		return err
	}
	res := q.in(ctx).Exec("UPDATE tokens SET revoked_at = coalesce(revoked_at, now()) WHERE id = ?", id)
	return changed(res.Error, res.RowsAffected, "revoke token "+id)
}
