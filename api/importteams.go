package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

func (s *Server) importRoutes() {
	register(s, huma.Operation{
		OperationID: "import-teams", Method: http.MethodPost, Path: "/contests/{contest}/teams/import", DefaultStatus: http.StatusOK, Tags: []string{"exports"},
		Summary: "Write contestants from a table, all or none",
		Description: `teams.tsv as the ICPC's contest control systems have it (its first line is teams or File_Version and a tab), or a table with a header, apart by commas, semicolons or tabs.
Columns are found by their names, in any case: id (team id, external id, reservation id), name (team, team name), affiliation (institution, university, school, organization), country (ISO 3166-1 alpha-3), groups (group, site, region; several apart by |), hidden, disqualified, start (RFC 3339), extra_s. One for the id is wanted; others are left aside.
Contestants that are not in the table stay, unless replace is set.`,
	}, s.importTeams)
}

type importTeamsInput struct {
	ContestPath

	DryRun  bool   `query:"dry_run" doc:"Change nothing: say what would be written."`
	Replace bool   `query:"replace" doc:"Remove those that are not in the table. Who has handed something in cannot be removed."`
	Reason  string `query:"reason" maxLength:"1000"`
	Match   string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	RawBody []byte `contentType:"text/csv"`
}

// TeamsImported says what an import wrote, or would write.
type TeamsImported struct {
	ContestantsWritten

	DryRun bool         `json:"dry_run"`
	Items  []Contestant `json:"items" doc:"As they were read."`
}

func (s *Server) importTeams(ctx context.Context, in *importTeamsInput) (*answer[TeamsImported], error) {
	if _, err := s.staffContest(ctx, in.Contest); err != nil {
		return nil, err
	}
	all, err := readTeams(in.RawBody)
	if err != nil {
		return nil, err
	}
	out := TeamsImported{DryRun: in.DryRun, Items: []Contestant{}}
	for i := range all {
		out.Items = append(out.Items, newContestant(&all[i]))
	}
	stop := errors.New("dry run")
	entry := judge.AuditEntry{Action: "contest.import-teams", Object: in.Contest, Reason: in.Reason}
	err = s.changeContestants(ctx, in.Contest, in.Match, entry, func(tx Tx) (_ any, err error) {
		if out.Changed, err = tx.PutContestants(ctx, in.Contest, all, in.Replace); err != nil {
			return nil, err
		}
		c, err := tx.ContestInfo(ctx, in.Contest)
		if err != nil {
			return nil, err
		}
		out.Revision = c.Revision
		out.Contestants, err = tx.CountContestants(ctx, in.Contest, judge.ContestantFilter{})
		if err == nil && in.DryRun {
			err = stop
		}
		return map[string]any{"contestants": len(all), "replace": in.Replace}, err
	})
	if err != nil && !errors.Is(err, stop) {
		return nil, err
	}
	return answered(out), nil
}

// maxTeamFaults is how many faults of a table are told.
const maxTeamFaults = 50

// table is one that is read: where its cells are, and what is wrong with them.
type table struct {
	rows   [][]string
	lines  []int   // of each row
	starts [][]int // columns of each row's cells, in bytes from 1
	faults []FieldError
}

func (t *table) fault(row, cell int, format string, args ...any) {
	if len(t.faults) == maxTeamFaults {
		return
	}
	at := fmt.Sprintf("line %d", t.lines[row])
	if cell >= 0 && cell < len(t.starts[row]) {
		at += fmt.Sprintf(", column %d", t.starts[row][cell])
	}
	t.faults = append(t.faults, FieldError{at, judge.SafeText(fmt.Appendf(nil, format, args...), 1000)})
}

// readTeams reads a table of contestants. Its error names all faults by line and
// column.
func readTeams(data []byte) ([]judge.Contestant, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := bytes.IndexFunc(data, func(r rune) bool { return r == 0 }); i >= 0 || !utf8.Valid(data) {
		return nil, fault("invalid", "body: it is no text in UTF-8; save the table as CSV in UTF-8").in("body", "no UTF-8")
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	separator := separatorOf(string(first))
	quotes := !strings.HasPrefix(string(first), "teams\t") && !strings.HasPrefix(string(first), "File_Version\t")
	t, err := readTable(data, separator, quotes)
	if err != nil {
		return nil, err
	}
	var all []judge.Contestant
	switch {
	case len(t.rows) == 0:
		return nil, fault("invalid", "body: the table is empty; its first line has the names of the columns").in("body", "it is empty")
	case !quotes:
		all = t.teamsTSV()
	default:
		all = t.withHeader()
	}
	t.check(all)
	if len(t.faults) > 0 {
		e := fault("invalid", "%s: %s", t.faults[0].Field, t.faults[0].Message)
		e.Errors = t.faults
		return nil, e
	}
	return all, nil
}

// separatorOf is what most likely stands between the names of columns.
func separatorOf(header string) rune {
	best, most := ',', 0
	for _, r := range "\t;," {
		if n := strings.Count(header, string(r)); n > most {
			best, most = r, n
		}
	}
	return best
}

func readTable(data []byte, separator rune, quotes bool) (*table, error) {
	t := &table{}
	if !quotes { // tab-separated values know no quotes
		for i, line := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			cells, at := strings.Split(line, "\t"), 1
			var starts []int
			for _, c := range cells {
				starts = append(starts, at)
				at += len(c) + 1
			}
			t.rows, t.lines, t.starts = append(t.rows, cells), append(t.lines, i+1), append(t.starts, starts)
		}
		return t, nil
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.FieldsPerRecord = separator, -1
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			at := fmt.Sprintf("line %d, column %d", wrong.Line, wrong.Column)
			return nil, fault("invalid", "%s: %s", at, wrong.Err).in(at, "%s", wrong.Err)
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		var starts []int
		for i := range row {
			_, column := r.FieldPos(i)
			starts = append(starts, column)
		}
		t.rows, t.lines, t.starts = append(t.rows, row), append(t.lines, line), append(t.starts, starts)
	}
}

// Columns of teams.tsv: team number, external id, group id, team name, institution,
// its short name, country, and in later versions the institution's id.
const (
	tsvNumber = iota
	tsvExternal
	tsvGroup
	tsvName
	tsvInstitution
	tsvShort
	tsvCountry
	tsvMost = tsvCountry + 2
)

// teamsTSV reads what follows the first line of a teams.tsv. The id is the team's
// number, as everywhere else in such a contest, or the external id where there is
// none.
func (t *table) teamsTSV() []judge.Contestant {
	var all []judge.Contestant
	if version := strings.TrimSpace(t.rows[0][1]); version != "1" && version != "2" {
		t.fault(0, 1, "version %q of the format is not known; 1 and 2 are", version)
		return nil
	}
	for i, row := range t.rows[1:] {
		if len(row) <= tsvName || len(row) > tsvMost {
			t.fault(i+1, -1, "there are %d cells; from the team's number to its name they are 4, with institution and country up to %d", len(row), tsvMost)
		}
		cell := func(n int) string {
			if n < len(row) && row[n] != "null" {
				return strings.TrimSpace(row[n])
			}
			return ""
		}
		p := judge.Contestant{ID: cell(tsvNumber), Name: cell(tsvName), Affiliation: cell(tsvInstitution), Country: strings.ToUpper(cell(tsvCountry))}
		if p.ID == "" {
			p.ID = cell(tsvExternal)
		}
		if g := cell(tsvGroup); g != "" {
			p.Groups = []string{g}
		}
		all = append(all, p)
	}
	return all
}

// columnNames are the names by which columns are found, in small letters and
// without what is no letter, those that say it best first.
var columnNames = map[string][]string{
	"id":           {"id", "contestantid", "teamid", "teamnumber", "externalid", "icpcid", "reservationid", "username", "login"},
	"name":         {"name", "teamname", "displayname", "team", "label"},
	"affiliation":  {"affiliation", "institution", "institutionname", "organization", "organisation", "university", "universityname", "school", "institutionshortname"},
	"country":      {"country", "countrycode", "nationality"},
	"groups":       {"groups", "group", "groupname", "groupids", "groupid", "site", "region", "category"},
	"hidden":       {"hidden"},
	"disqualified": {"disqualified"},
	"start":        {"start", "starttime"},
	"extra":        {"extras", "extra", "extraseconds"},
}

// withHeader reads a table whose first row names its columns.
func (t *table) withHeader() []judge.Contestant {
	at := map[string]int{}
	plain := make([]string, len(t.rows[0]))
	for i, name := range t.rows[0] {
		plain[i] = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, strings.ToLower(name))
	}
	for field, names := range columnNames {
		for _, name := range names {
			if i := slices.Index(plain, name); i >= 0 {
				at[field] = i
				break
			}
		}
	}
	if _, ok := at["id"]; !ok {
		t.fault(0, -1, "no column for the id; name one id, team id or external id. There are: %s", strings.Join(t.rows[0], ", "))
		return nil
	}
	all := make([]judge.Contestant, 0, len(t.rows))
	for i := range t.rows[1:] {
		all = append(all, t.contestant(i+1, at))
	}
	return all
}

func (t *table) contestant(i int, at map[string]int) judge.Contestant {
	row := t.rows[i]
	if len(row) != len(t.rows[0]) {
		t.fault(i, -1, "there are %d cells, and %d columns", len(row), len(t.rows[0]))
	}
	cell := func(field string) (string, int) {
		n, ok := at[field]
		if !ok || n >= len(row) {
			return "", -1
		}
		text := strings.TrimSpace(row[n])
		// What our own exports put before it: see cellText.
		if rest, quoted := strings.CutPrefix(text, "'"); quoted && cellText(rest) == text {
			text = rest
		}
		return text, n
	}
	text := func(field string) string { s, _ := cell(field); return s }
	yes := func(field string) bool {
		s, n := cell(field)
		switch strings.ToLower(s) {
		case "", "0", "no", "false":
			return false
		case "1", "yes", "true", "x":
			return true
		}
		t.fault(i, n, "%.40q is neither yes nor no", s)
		return false
	}
	p := judge.Contestant{
		ID: text("id"), Name: text("name"), Affiliation: text("affiliation"), Country: strings.ToUpper(text("country")),
		Hidden: yes("hidden"), Disqualified: yes("disqualified"),
	}
	for g := range strings.SplitSeq(text("groups"), "|") {
		if g = strings.TrimSpace(g); g != "" {
			p.Groups = append(p.Groups, g)
		}
	}
	if s, n := cell("start"); s != "" {
		var err error
		if p.Start, err = time.Parse(time.RFC3339, s); err != nil {
			t.fault(i, n, "%.40q is no time; write it like 2027-01-31T09:00:00Z", s)
		}
		p.Start = p.Start.UTC()
	}
	if s, n := cell("extra"); s != "" {
		seconds, err := strconv.ParseFloat(s, 64)
		if err != nil || !(seconds >= 0) {
			t.fault(i, n, "%.40q is no number of seconds", s)
		}
		p.Extra = secondsOf(seconds)
	}
	return p
}

// check says of each contestant what is wrong with it.
func (t *table) check(all []judge.Contestant) {
	seen := map[string]int{}
	for i := range all {
		row := i + 1
		if before, twice := seen[all[i].ID]; twice && all[i].ID != "" {
			t.fault(row, -1, "the id %.80q is that of line %d too", all[i].ID, t.lines[before])
		}
		seen[all[i].ID] = row
		if wrong, ok := errors.AsType[*judge.Fault](judge.CheckContestants(all[i : i+1])); ok {
			t.fault(row, -1, "%s: %s", strings.TrimPrefix(wrong.Field, "contestants[0]."), wrong.Text)
		}
	}
	if len(all) == 0 && len(t.faults) == 0 {
		t.fault(0, -1, "there is nobody in the table")
	}
}
