package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"judge/api"
	"judge/judge"
	"judge/judge/store"
	"judge/judge/wire"
)

// tokenCmd makes, lists and ends tokens, on the server itself: that is how the
// first one comes to be.
type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Make a token; its secret is shown once."`
	List   tokenListCmd   `cmd:"" help:"List the tokens, without their secrets."`
	Revoke tokenRevokeCmd `cmd:"" help:"End a token at once."`
}

const maxTokenName = 100 // characters

var problemName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// madeToken is a new token as JSON, the only time with what it is used by.
type madeToken struct {
	api.Token

	Secret string `json:"secret"`
}

// tokenOf is a token as the API shows it.
func tokenOf(t judge.Token) api.Token {
	return api.Token{
		ID: t.ID, Name: t.Name, Role: string(t.Role), Scope: api.Scope{Problems: orEmpty(t.Scope.Problems), Contests: orEmpty(t.Scope.Contests)},
		CreatedAt: wire.Time(t.CreatedAt), ExpiresAt: wireTime(t.ExpiresAt), RevokedAt: wireTime(t.RevokedAt),
	}
}

func wireTime(t time.Time) *wire.Time {
	if t.IsZero() {
		return nil
	}
	w := wire.Time(t)
	return &w
}

type tokenCreateCmd struct {
	databaseFlags

	Role         string   `required:"" enum:"admin,instructor,submitter,viewer" placeholder:"ROLE" help:"admin, instructor, submitter or viewer."`
	Name         string   `required:"" placeholder:"TEXT" help:"Whose it is, for people."`
	ScopeProblem []string `placeholder:"PROBLEM" help:"Only this problem; may be given several times. None: all."`
	ScopeContest []string `placeholder:"CONTEST" help:"Only this contest, its problems and submissions; may be given several times."`
	Expires      string   `placeholder:"WHEN" help:"A date (2027-01-31: at its begin, UTC), a time (RFC 3339), or a duration (720h, 30d). None: never."`
	JSON         bool     `help:"One JSON object."`
}

// Help is shown by judge token create --help.
func (tokenCreateCmd) Help() string {
	return `admin may do all. An instructor uploads problems and sees everything of their submissions. A submitter submits, and sees its own submissions as the feedback policy lets it. A viewer reads problems and verdicts.

The secret goes to standard output, once: only its hash is kept.

Examples:
  judge token create --role admin --name ops
  judge token create --role submitter --name "course platform" --expires 365d
  judge token create --role instructor --name "spring jury" --scope-contest spring`
}

// Run makes a token, on record.
func (c *tokenCreateCmd) Run(a *app) error {
	t, err := c.token(time.Now())
	if err != nil {
		return badInput{err}
	}
	return a.withDatabase(c.DatabaseURL, func(ctx context.Context, db *database) error {
		var secret string
		err := db.Tx(ctx, func(tx *store.Tx) (err error) {
			if t, secret, err = tx.CreateToken(ctx, t); err != nil {
				return err
			}
			return tx.Audit(ctx, judge.AuditEntry{Action: "token.create", Object: t.ID, Reason: "judge token create"})
		})
		if err != nil {
			return err
		}
		if c.JSON {
			return jsonLines(a.out).Encode(madeToken{tokenOf(t), secret}) //nolint:gosec // that is what was asked for
		}
		a.notef("token %s (%s, %s) is made. Its secret, which is not shown again:\n", t.ID, t.Name, t.Role)
		_, err = fmt.Fprintln(a.out, secret)
		return err
	})
}

func (c *tokenCreateCmd) token(now time.Time) (judge.Token, error) {
	t := judge.Token{Name: strings.TrimSpace(c.Name), Role: judge.Role(c.Role), Scope: judge.Scope{Problems: c.ScopeProblem, Contests: c.ScopeContest}}
	if t.Name == "" || len([]rune(t.Name)) > maxTokenName || judge.SafeText([]byte(t.Name), 4*maxTokenName) != t.Name {
		return t, fmt.Errorf("--name %q: 1 to %d printable characters are wanted", c.Name, maxTokenName)
	}
	if t.Role == judge.RoleAdmin && len(c.ScopeProblem)+len(c.ScopeContest) > 0 {
		return t, errors.New("--scope-problem, --scope-contest: an admin may do all; choose another --role, or no scope")
	}
	for _, name := range c.ScopeContest {
		if !problemName.MatchString(name) {
			return t, fmt.Errorf("--scope-contest %q: no name of a contest; they are like spring-2027: small letters, digits, dots, dashes", name)
		}
	}
	for _, p := range c.ScopeProblem {
		if !problemName.MatchString(p) {
			return t, fmt.Errorf("--scope-problem %q: no name of a problem; they are like aplusb: small letters, digits, dots, dashes", p)
		}
	}
	var err error
	t.ExpiresAt, err = parseExpiry(c.Expires, now)
	return t, err
}

var days = regexp.MustCompile(`^[1-9][0-9]{0,4}d$`)

// parseExpiry reads when a token ends; zero is never.
func parseExpiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, ok := time.Time{}, false
	if days.MatchString(text) {
		var n int
		_, err := fmt.Sscanf(text, "%dd", &n)
		at, ok = now.AddDate(0, 0, n), err == nil
	} else if d, err := time.ParseDuration(text); err == nil {
		at, ok = now.Add(d), true
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			at, ok = t, true
		}
	}
	if !ok {
		return at, fmt.Errorf("--expires %q: write a date (2027-01-31), a time (2027-01-31T12:00:00Z), or how long it is good for (720h, 30d)", text)
	}
	if !at.After(now) {
		return at, fmt.Errorf("--expires %q: %s is not after now", text, at.UTC().Format(time.RFC3339))
	}
	return at.UTC(), nil
}

type tokenListCmd struct {
	databaseFlags

	JSON bool `help:"One token a line, as JSON."`
}

// Run lists the tokens, oldest first.
func (c *tokenListCmd) Run(a *app) error {
	return a.withDatabase(c.DatabaseURL, func(ctx context.Context, db *database) error {
		list, err := db.Tokens(ctx)
		if err != nil {
			return err
		}
		var rows [][]string
		for _, t := range list {
			if c.JSON {
				if err := jsonLines(a.out).Encode(tokenOf(t)); err != nil {
					return err
				}
				continue
			}
			rows = append(rows, []string{t.ID, string(t.Role), judge.SafeText([]byte(t.Name), maxName), cmp.Or(strings.Join(slices.Concat(t.Scope.Problems, t.Scope.Contests), " "), "all"), inForce(t, time.Now())})
		}
		if c.JSON {
			return nil
		}
		out := &table{out: a.out, columns: []column{{title: "id"}, {title: "role"}, {title: "name"}, {title: "scope"}, {title: "in force"}}}
		return out.all(rows)
	})
}

func inForce(t judge.Token, now time.Time) string {
	switch {
	case !t.RevokedAt.IsZero():
		return "no: revoked " + t.RevokedAt.UTC().Format(time.DateOnly)
	case t.ExpiresAt.IsZero():
		return "yes"
	case t.ExpiresAt.After(now):
		return "until " + t.ExpiresAt.UTC().Format(time.RFC3339)
	}
	return "no: expired " + t.ExpiresAt.UTC().Format(time.DateOnly)
}

type tokenRevokeCmd struct {
	databaseFlags

	ID     string `arg:"" name:"id" help:"The token's id, as judge token list shows it."`
	Reason string `placeholder:"TEXT" help:"Why, for the audit log."`
}

// Run ends a token, on record.
func (c *tokenRevokeCmd) Run(a *app) error {
	return a.withDatabase(c.DatabaseURL, func(ctx context.Context, db *database) error {
		err := db.Tx(ctx, func(tx *store.Tx) error {
			if err := tx.RevokeToken(ctx, c.ID); err != nil {
				return err
			}
			return tx.Audit(ctx, judge.AuditEntry{Action: "token.revoke", Object: c.ID, Reason: cmp.Or(c.Reason, "judge token revoke")})
		})
		if errors.Is(err, judge.ErrNotFound) || errors.Is(err, judge.ErrInvalid) {
			return badInput{fmt.Errorf("there is no token %q; judge token list shows them", c.ID)}
		}
		if err == nil {
			a.notef("token %s is revoked\n", c.ID)
		}
		return err
	})
}
