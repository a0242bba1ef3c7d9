package embedded

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// roleConnections is what a role of MakeRole may have open at once, so that
// whoever holds its password leaves the owner enough of max_connections.
const roleConnections = 100

// Role is MakeRole on this server, with a password that is new and is written
// nowhere; the one before is not good any more. It returns where the role connects.
func (s *Server) Role(ctx context.Context, name string) (url string, err error) {
	conn, err := pgx.Connect(ctx, s.URL())
	if err != nil {
		return "", fmt.Errorf("make role %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	password := rand.Text()
	if err := MakeRole(ctx, conn, name, password); err != nil {
		return "", err
	}
	return s.connection(name, password, database), nil
}

// Session is what MakeRole speaks to: a pgx connection or pool.
type Session interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// MakeRole makes sure that there is a role with this password that reads and
// writes rows, in the tables that there are and in those that the session's role
// makes later, and can do nothing else: no table, function or trigger is its own,
// so what it writes is never run by another session. The session's role must own
// the tables and be allowed to make roles. It is for any server.
func MakeRole(ctx context.Context, db Session, name, password string) error {
	role := pgx.Identifier{name}.Sanitize()
	var exists bool
	if err := db.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", name).Scan(&exists); err != nil {
		return fmt.Errorf("make role %s: %w", name, err)
	}
	verb := "CREATE"
	if exists {
		verb = "ALTER"
	}
	// The statement takes no parameters. E'' means the same under all settings.
	quoted := "E'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(password) + "'"
	for _, statement := range []string{
		fmt.Sprintf("%s ROLE %s LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT %d PASSWORD %s",
			verb, role, roleConnections, quoted),
		"REVOKE CREATE ON SCHEMA public FROM PUBLIC", // as it is from version 15 on
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role,
		"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO " + role,
		"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO " + role,
		"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO " + role,
	} {
		if _, err := db.Exec(ctx, statement); err != nil {
			return fmt.Errorf("make role %s: %w", name, err)
		}
	}
	return nil
}
