package store

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"judge/judge"
)

// Codes of PostgreSQL's appendix A.
const (
	uniqueViolation     = "23505"
	foreignKeyViolation = "23503"
	checkViolation      = "23514"
	notUTF8             = "22021" // NUL too
	badText             = "22P02"
	outOfRange          = "22003"
	untranslatable      = "22P05"
	serializationFailed = "40001"
	deadlock            = "40P01"
)

// wrap says what was done when err happened, and which of judge's errors it is.
func wrap(err error, doing string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return fmt.Errorf("%s: %w", doing, judge.ErrNotFound)
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return fmt.Errorf("%s: %w", doing, err)
	}
	switch pg.Code {
	case uniqueViolation:
		return fmt.Errorf("%s: %w: %w", doing, judge.ErrConflict, err)
	case foreignKeyViolation:
		return fmt.Errorf("%s: what it refers to is %w: %w", doing, judge.ErrNotFound, err)
	case checkViolation, notUTF8, badText, outOfRange, untranslatable:
		return fmt.Errorf("%s: %w: %w", doing, judge.ErrInvalid, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// Unavailable reports whether err says that the database could not be reached,
// was shutting down, or chose this transaction to give way: trying again later
// may help.
func Unavailable(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		// 08 connection exceptions, 53 insufficient resources, 57P shutdown.
		return strings.HasPrefix(pg.Code, "08") || strings.HasPrefix(pg.Code, "53") || strings.HasPrefix(pg.Code, "57P") ||
			pg.Code == serializationFailed || pg.Code == deadlock
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	_, isNet := errors.AsType[net.Error](err)
	return isNet || errors.Is(err, driver.ErrBadConn) || errors.Is(err, net.ErrClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		(err != nil && strings.Contains(err.Error(), "conn closed")) // pgx has no type for it
}

// checkID refuses what is no UUID, as an id that nothing has.
func checkID(what, id string) error {
	if uuid.Validate(id) != nil {
		return fmt.Errorf("%s %.64q: %w", what, id, judge.ErrNotFound)
	}
	return nil
}

// newID makes an id by which rows sort in order of time.
func newID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make id: %w", err)
	}
	return id.String(), nil
}
