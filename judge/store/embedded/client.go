package embedded

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// roleConnections is what a role of Role may have open at once, so that whoever
// holds its password leaves the owner enough of max_connections.
const roleConnections = 100

// URL is where clients connect to the server that another process runs for dir:
// what its Server.URL says. It takes a reader of the password; whether the server
// answers is seen when it is connected to.
func URL(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find Postgres in %s: %w", dir, err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", fmt.Errorf("find Postgres in %s: %w", dir, err)
	}
	s := &Server{dir: abs}
	b, err := os.ReadFile(filepath.Join(abs, "password"))
	if errors.Is(err, fs.ErrPermission) {
		return "", fmt.Errorf("find Postgres in %s: %w: run this as who runs judge serve", dir, err)
	}
	if err != nil {
		return "", fmt.Errorf("find Postgres in %s: %w", dir, err)
	}
	s.password = strings.TrimSpace(string(b))
	return s.URL(), nil
}

// Role makes sure that there is a role that reads and writes rows, in the tables
// that there are and in those to come, and can do nothing else: no table,
// function or trigger is its own, so what it writes is never run by another
// session. It returns where the role connects, with a password that is new and
// is written nowhere; the one before is not good any more.
func (s *Server) Role(ctx context.Context, name string) (url string, err error) {
	conn, err := pgx.Connect(ctx, s.URL())
	if err != nil {
		return "", fmt.Errorf("make role %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	role, password := pgx.Identifier{name}.Sanitize(), rand.Text() // letters and digits
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", name).Scan(&exists); err != nil {
		return "", fmt.Errorf("make role %s: %w", name, err)
	}
	verb := "CREATE"
	if exists {
		verb = "ALTER"
	}
	for _, statement := range []string{
		fmt.Sprintf("%s ROLE %s LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT %d PASSWORD '%s'",
			verb, role, roleConnections, password),
		"REVOKE CREATE ON SCHEMA public FROM PUBLIC", // as it is from version 15 on
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role,
		"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO " + role,
		"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO " + role,
		"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO " + role,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return "", fmt.Errorf("make role %s: %w", name, err)
		}
	}
	return s.connection(name, password, database), nil
}
