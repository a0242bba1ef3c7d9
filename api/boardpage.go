package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"

	"judge/judge"
	"judge/judge/leaderboard"
	"judge/judge/wire"
)

// boardPages is how many answers a version of a view keeps.
const boardPages = 64

// boardPage is an answer that is made once for all that ask for it while the view
// stays as it is.
type boardPage struct {
	gzip bool
	make func() (body []byte, tag string, err error)

	once sync.Once
	body []byte
	tag  string
	err  error
}

func (p *boardPage) read() ([]byte, string, error) {
	p.once.Do(func() {
		p.body, p.tag, p.err = p.make()
		if p.err == nil && p.gzip {
			p.tag = p.tag[:len(p.tag)-1] + `-gz"`
			p.body, p.err = zipped(p.body)
		}
		p.make = nil
	})
	return p.body, p.tag, p.err
}

func zipped(body []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

// answer finds what was asked for before, or is to be made.
func (b *liveBoard) answer(v boardView, key string, zip bool, make func() ([]byte, string, error)) *boardPage {
	b.mu.Lock()
	defer b.mu.Unlock()
	pages := b.views[v].pages
	key += strconv.FormatBool(zip)
	p := pages[key]
	if p == nil {
		if len(pages) >= boardPages {
			clear(pages)
		}
		p = &boardPage{gzip: zip, make: make}
		pages[key] = p
	}
	return p
}

// tag is a strong one: of a version, and of what was asked of it.
func (b *liveBoard) tag(v boardView, version, key string) string {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d %s", v, key) // never fails
	return fmt.Sprintf(`"%s-%x"`, version, h.Sum64())
}

// version names what a view shows now. b.mu is held.
func (b *liveBoard) version(v boardView) string {
	return fmt.Sprintf("%s-%d", b.epoch, b.views[v].version)
}

// page is a page of a view.
func (b *liveBoard) page(v boardView, f leaderboard.Filter, offset, limit int, zip bool) *boardPage {
	key := fmt.Sprintf("page %q %q %d %d", f.Group, f.Affiliation, offset, limit)
	return b.answer(v, key, zip, func() ([]byte, string, error) {
		b.mu.RLock()
		head, cache := b.head(v), b.rows
		rows, total := b.board.Page(v.fold(), f, offset, limit)
		b.mu.RUnlock()
		head.Total = total
		body, err := cache.write(v, &head, rows)
		return body, b.tag(v, head.Version, key), err
	})
}

// problems is what was done at each problem.
func (b *liveBoard) problems(v boardView, zip bool) *boardPage {
	return b.answer(v, "problems", zip, func() ([]byte, string, error) {
		b.mu.RLock()
		defer b.mu.RUnlock()
		out := BoardProblems{Contest: b.contest, View: v.String(), At: wire.Time(b.views[v].at), Version: b.version(v), Items: []BoardProblem{}}
		stats := b.board.Problems(v.fold())
		for i := range stats {
			out.Items = append(out.Items, newBoardProblem(b.board.Contest(), &stats[i]))
		}
		body, err := json.Marshal(out)
		return body, b.tag(v, out.Version, "problems"), err
	})
}

// head is a page without its rows. b.mu is held.
func (b *liveBoard) head(v boardView) Board {
	c, s := b.board.Contest(), &b.views[v]
	start, end := c.Window(nil)
	out := Board{
		Contest: c.Name, Title: c.Title, Kind: string(c.Kind), View: v.String(), At: wire.Time(s.at), Start: moment(start), End: moment(end),
		FreezeAt: moment(leaderboard.FreezeAt(c)), Elapsed: elapsedAt(c, s), State: string(s.state), Frozen: b.frozen(v), Version: b.version(v),
		Problems: []BoardProblemName{}, Items: []BoardRow{},
	}
	for i := range c.Problems {
		out.Problems = append(out.Problems, newBoardProblemName(&c.Problems[i]))
	}
	return out
}

func elapsedAt(c *judge.Contest, s *boardState) float64 {
	elapsed := max(c.Elapsed(nil, s.at), 0)
	if c.Duration > 0 {
		elapsed = min(elapsed, c.Duration)
	}
	return *seconds(elapsed)
}

// frozen reports whether a view hides results.
func (b *liveBoard) frozen(v boardView) bool {
	return v == publicBoard && leaderboard.Hides(b.board.Contest(), b.views[v].at)
}

// rowCache keeps rows as they are written, one of each contestant and view: most
// stay as they are from one version to the next.
type rowCache struct {
	contest *judge.Contest

	mu   sync.Mutex
	kept map[rowKey]writtenRow
}

type rowKey struct {
	view       boardView
	contestant *judge.Contestant
}

type writtenRow struct {
	revision uint64
	json     []byte // without its first brace
}

func newRowCache(c *judge.Contest) *rowCache {
	return &rowCache{contest: c, kept: map[rowKey]writtenRow{}}
}

// write writes a page.
func (w *rowCache) write(v boardView, head *Board, rows []leaderboard.Row) ([]byte, error) {
	body, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	const none = "[]}" // items come last
	body = append(bytes.TrimSuffix(body, []byte(none)), '[')
	for i := range rows {
		if i > 0 {
			body = append(body, ',')
		}
		if body, err = w.row(body, v, &rows[i]); err != nil {
			return nil, err
		}
		if i == 0 { // all are about as long
			body = slices.Grow(body, len(rows)*(len(body)+len(body)/8))
		}
	}
	return append(body, "]}"...), nil
}

func (w *rowCache) row(body []byte, v boardView, r *leaderboard.Row) ([]byte, error) {
	key := rowKey{v, r.Contestant}
	w.mu.Lock()
	kept, ok := w.kept[key]
	w.mu.Unlock()
	if !ok || kept.revision != r.Revision {
		data, err := json.Marshal(newBoardStanding(w.contest, r))
		if err != nil {
			return body, err
		}
		kept = writtenRow{r.Revision, data[1:]}
		w.mu.Lock()
		w.kept[key] = kept
		w.mu.Unlock()
	}
	body = append(body, `{"rank":`...)
	body = appendRank(body, r.Rank)
	if r.FilterRank > 0 {
		body = append(body, `,"filter_rank":`...)
		body = appendRank(body, r.FilterRank)
	}
	return append(append(body, ','), kept.json...), nil
}

func appendRank(body []byte, rank int) []byte {
	if rank == 0 {
		return append(body, "null"...)
	}
	return strconv.AppendInt(body, int64(rank), 10)
}
