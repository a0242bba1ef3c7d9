//go:build postgres

package embedded_test

import (
	"errors"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"judge/judge/store/embedded"
)

// TestRole: the role reads and writes rows of tables made before and after it,
// and nothing more; its old password is not good any more.
func TestRole(t *testing.T) {
	s := start(t, options(folder(t)))
	owner, err := pgx.Connect(t.Context(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = owner.Close(t.Context()) }()
	exec := func(sql string) {
		t.Helper()
		if _, err := owner.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	exec("CREATE TABLE before (n int)")
	first, err := s.Role(t.Context(), "clerk")
	if err != nil {
		t.Fatal(err)
	}
	exec("CREATE TABLE later (id bigserial, n int)")
	const password = `p '"$x \\ %41/@:#?&`
	if err := embedded.MakeRole(t.Context(), owner, "clerk", password); err != nil {
		t.Fatal(err)
	}
	if conn, err := pgx.Connect(t.Context(), first); err == nil {
		_ = conn.Close(t.Context())
		t.Error("the password before is still good")
	}
	at, err := url.Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.UserPassword("clerk", password)
	clerk, err := pgx.Connect(t.Context(), at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = clerk.Close(t.Context()) }()
	const denied = "42501" // insufficient_privilege
	for sql, want := range map[string]string{
		"INSERT INTO before VALUES (1)":     "",
		"UPDATE before SET n = 2":           "",
		"INSERT INTO later (n) VALUES (1)":  "",
		"DELETE FROM later":                 "",
		"CREATE TABLE mine (n int)":         denied,
		"DROP TABLE before":                 denied,
		"TRUNCATE before":                   denied,
		"COPY before FROM PROGRAM 'echo 1'": denied,
		"COPY before FROM '/etc/passwd'":    denied,
		"ALTER ROLE clerk SUPERUSER":        denied,
		"SELECT rolpassword FROM pg_authid": denied,
		"CREATE ROLE other":                 denied,
		"CREATE TRIGGER t AFTER INSERT ON before FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()": denied,
	} {
		_, err := clerk.Exec(t.Context(), sql)
		var refused *pgconn.PgError
		switch {
		case want == "" && err != nil, want != "" && (!errors.As(err, &refused) || refused.Code != want):
			t.Errorf("%s: %v, want code %q", sql, err, want)
		}
	}
}
