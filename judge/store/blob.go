package store

import (
	"context"
	"fmt"
	"time"

	"judge/judge"
)

// PutBlob records test data that is kept, or that an upload counts on data that
// was kept before, so that it is not swept meanwhile. It waits for a DeleteBlob
// of the same content, after which the data must be written again: isNew says
// so.
func (q queries) PutBlob(ctx context.Context, b judge.StoredBlob) (isNew bool, err error) {
	err = q.in(ctx).Raw(`INSERT INTO blobs (sha256, size, stored_size) VALUES (?, ?, ?)
		ON CONFLICT (sha256) DO UPDATE SET touched_at = now() RETURNING xmax = 0`, b.SHA256, b.Size, b.StoredSize).Scan(&isNew).Error
	return isNew, wrap(err, "record blob "+b.SHA256)
}

// Blob finds what is known of a blob.
func (q queries) Blob(ctx context.Context, sha256 string) (judge.StoredBlob, error) {
	var row struct {
		Sha256           string
		Size, StoredSize int64
		CreatedAt        time.Time
	}
	err := q.in(ctx).Table("blobs").Where("sha256 = ?", sha256).Take(&row).Error
	return judge.StoredBlob{SHA256: row.Sha256, Size: row.Size, StoredSize: row.StoredSize, CreatedAt: row.CreatedAt.UTC()}, wrap(err, "read blob "+sha256)
}

// UnusedBlobs lists blobs that no version refers to and that no upload has
// counted on for that long.
func (q queries) UnusedBlobs(ctx context.Context, unusedFor time.Duration, limit int) ([]string, error) {
	var sums []string
	err := q.in(ctx).Raw(`SELECT sha256 FROM blobs b WHERE touched_at < now() - make_interval(secs => ?)
		AND NOT EXISTS (SELECT FROM version_blobs v WHERE v.sha256 = b.sha256) ORDER BY touched_at LIMIT ?`,
		unusedFor.Seconds(), limit).Scan(&sums).Error
	return sums, wrap(err, "list unused blobs")
}

// DeleteBlob forgets a blob that is still unused; judge.ErrConflict where it is
// not. The data itself is to be removed before the transaction ends: until then
// whoever uploads the same waits. If it fails to end after that, the next upload
// finds the data missing and writes it.
func (tx *Tx) DeleteBlob(ctx context.Context, sha256 string, unusedFor time.Duration) error {
	doing := "delete blob " + sha256
	res := tx.in(ctx).Exec(`DELETE FROM blobs b WHERE sha256 = ? AND touched_at < now() - make_interval(secs => ?)
		AND NOT EXISTS (SELECT FROM version_blobs v WHERE v.sha256 = b.sha256)`, sha256, unusedFor.Seconds())
	if res.Error == nil && res.RowsAffected == 0 {
		return fmt.Errorf("%s: it is in use: %w", doing, judge.ErrConflict)
	}
	return wrap(res.Error, doing)
}
