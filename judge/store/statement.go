package store

import (
	"context"

	"judge/judge"
)

// MaxStatementPage is the longest HTML of a statement that is kept, in bytes.
const MaxStatementPage = 4 << 20

// PutStatementPage keeps what was made of a statement in TeX, by the hex SHA-256 of
// its source. What is there already stays. judge.ErrInvalid: it has more than
// MaxStatementPage bytes.
func (q queries) PutStatementPage(ctx context.Context, source, html string) error {
	if len(html) > MaxStatementPage {
		return wrap(judge.ErrInvalid, "keep the page of a statement, which is too long")
	}
	err := q.in(ctx).Exec(`INSERT INTO statement_pages (source, html) VALUES (?, ?) ON CONFLICT DO NOTHING`, source, html).Error
	return wrap(err, "keep the page of statement "+source)
}

// StatementPage is what PutStatementPage kept; judge.ErrNotFound: nothing is.
func (q queries) StatementPage(ctx context.Context, source string) (html string, err error) {
	var row struct{ HTML string }
	err = q.in(ctx).Table("statement_pages").Select("html").Where("source = ?", source).Take(&row).Error
	return row.HTML, wrap(err, "read the page of statement "+source)
}
