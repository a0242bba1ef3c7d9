package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"judge/judge"
)

type contestantRow struct {
	Contest, ID, Name, Affiliation, Country string
	Groups                                  []byte
	Hidden, Disqualified                    bool
	StartAt                                 *time.Time
	ExtraNs                                 int64
}

func (contestantRow) TableName() string { return "contestants" }

func (r *contestantRow) contestant() (judge.Contestant, error) {
	p := judge.Contestant{
		ID: r.ID, Name: r.Name, Affiliation: r.Affiliation, Country: r.Country, Hidden: r.Hidden, Disqualified: r.Disqualified,
		Start: moment(r.StartAt), Extra: time.Duration(r.ExtraNs),
	}
	if err := json.Unmarshal(r.Groups, &p.Groups); err != nil {
		return p, fmt.Errorf("read contestant %s of contest %s: %w", r.ID, r.Contest, err)
	}
	return p, nil
}

// Contestant finds a contestant by its ID.
func (q queries) Contestant(ctx context.Context, contest, id string) (judge.Contestant, error) {
	var row contestantRow
	if err := q.in(ctx).Where("contest = ? AND id = ?", contest, id).Take(&row).Error; err != nil {
		return judge.Contestant{}, wrap(err, fmt.Sprintf("read contestant %s of contest %s", id, contest))
	}
	return row.contestant()
}

// Contestants lists contestants after an ID, in order of ID, at most limit; 0: all.
func (q queries) Contestants(ctx context.Context, contest string, f judge.ContestantFilter, after string, limit int) ([]judge.Contestant, error) {
	doing := "list contestants of contest " + contest
	look := which(q.in(ctx), contest, f).Where("id > ?", after).Order("id")
	if limit > 0 {
		look = look.Limit(limit)
	}
	var rows []contestantRow
	if err := look.Find(&rows).Error; err != nil {
		return nil, wrap(err, doing)
	}
	out := make([]judge.Contestant, 0, len(rows))
	for i := range rows {
		p, err := rows[i].contestant()
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// CountContestants counts those of a contest that a filter chooses.
func (q queries) CountContestants(ctx context.Context, contest string, f judge.ContestantFilter) (int, error) {
	var n int64
	err := which(q.in(ctx).Model(&contestantRow{}), contest, f).Count(&n).Error
	return int(n), wrap(err, "count contestants of contest "+contest)
}

func which(look *gorm.DB, contest string, f judge.ContestantFilter) *gorm.DB {
	look = look.Where("contest = ?", contest)
	if len(f.IDs) > 0 {
		look = look.Where("id IN ?", f.IDs)
	}
	if f.Group != "" {
		look = look.Where("groups @> to_jsonb(?::text)", f.Group)
	}
	if f.Affiliation != "" {
		look = look.Where("affiliation = ?", f.Affiliation)
	}
	if f.Text != "" {
		like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(f.Text) + "%"
		look = look.Where("(id ILIKE ? OR name ILIKE ? OR affiliation ILIKE ?)", like, like, like)
	}
	if f.Hidden != nil {
		look = look.Where("hidden = ?", *f.Hidden)
	}
	return look
}

// PutContestants writes contestants, new ones and those that are there, and where
// whole is set removes all others; changed says whether anything is other than
// before. judge.ErrConflict: one that would be removed has handed something in. The
// contest is to be locked (LockContest).
func (tx *Tx) PutContestants(ctx context.Context, contest string, all []judge.Contestant, whole bool) (changed bool, err error) {
	n, err := tx.upsertContestants(ctx, contest, all)
	if err != nil {
		return false, err
	}
	if whole {
		ids := make([]string, 0, len(all))
		for i := range all {
			ids = append(ids, all[i].ID)
		}
		gone, err := tx.removeContestants(ctx, contest, "id NOT IN (SELECT jsonb_array_elements_text(?::text::jsonb))", ids)
		if err != nil {
			return false, err
		}
		n += gone
	}
	if n == 0 {
		return false, nil
	}
	return true, tx.touchContest(ctx, contest)
}

// DeleteContestant removes a contestant; judge.ErrConflict where it has handed
// something in.
func (tx *Tx) DeleteContestant(ctx context.Context, contest, id string) error {
	n, err := tx.removeContestants(ctx, contest, "id = ?::text::jsonb->>0", []string{id})
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("delete contestant %s of contest %s: %w", id, contest, judge.ErrNotFound)
	}
	return tx.touchContest(ctx, contest)
}

func (tx *Tx) removeContestants(ctx context.Context, contest, which string, ids []string) (int, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return 0, fmt.Errorf("remove contestants: %w", err)
	}
	res := tx.in(ctx).Exec("DELETE FROM contestants WHERE contest = ? AND "+which, contest, string(list))
	err = wrap(res.Error, "remove contestants of contest "+contest)
	// What refers to them are submissions: those are kept.
	if errors.Is(err, judge.ErrNotFound) {
		err = fmt.Errorf("remove contestants of contest %s: some have handed something in: %w", contest, judge.ErrConflict)
	}
	return int(res.RowsAffected), err
}

// upsertContestants returns how many are other than before.
func (tx *Tx) upsertContestants(ctx context.Context, contest string, all []judge.Contestant) (int, error) {
	rows := make([]map[string]any, 0, len(all))
	for i := range all {
		p := &all[i]
		row := map[string]any{
			"id": p.ID, "name": p.Name, "affiliation": p.Affiliation, "country": p.Country, "groups": append([]string{}, p.Groups...),
			"hidden": p.Hidden, "disqualified": p.Disqualified, "extra_ns": int64(p.Extra),
		}
		if !p.Start.IsZero() {
			row["start_at"] = p.Start
		}
		rows = append(rows, row)
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return 0, fmt.Errorf("write contestants: %w", err)
	}
	// In order of id, so that two who write some of the same wait and do not block each other.
	res := tx.in(ctx).Exec(`INSERT INTO contestants AS c (contest, id, name, affiliation, country, groups, hidden, disqualified, start_at, extra_ns)
		SELECT ?, r.* FROM jsonb_to_recordset(?::text::jsonb) AS r(id text, name text, affiliation text, country text, groups jsonb,
			hidden boolean, disqualified boolean, start_at timestamptz, extra_ns bigint) ORDER BY r.id
		ON CONFLICT (contest, id) DO UPDATE SET name = excluded.name, affiliation = excluded.affiliation, country = excluded.country, groups = excluded.groups,
			hidden = excluded.hidden, disqualified = excluded.disqualified, start_at = excluded.start_at, extra_ns = excluded.extra_ns
		WHERE c IS DISTINCT FROM excluded`, contest, string(list))
	return int(res.RowsAffected), wrap(res.Error, "write contestants of contest "+contest)
}

// touchContest counts a change of a contest's contestants.
func (tx *Tx) touchContest(ctx context.Context, contest string) error {
	res := tx.in(ctx).Exec("UPDATE contests SET revision = revision + 1 WHERE name = ?", contest)
	if err := changed(res.Error, res.RowsAffected, "change contest "+contest); err != nil {
		return err
	}
	return tx.contestUpdated(ctx, contest)
}
