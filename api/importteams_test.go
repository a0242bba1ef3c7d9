package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"judge/api"
)

// imported asks for a dry run.
func imported(tb testing.TB, s *api.Server, table string) (api.TeamsImported, api.Error) {
	tb.Helper()
	w := ask(s, "admin", "POST", v1+"/contests/cup/teams/import?dry_run=true", table, "Content-Type", "text/csv")
	var out api.TeamsImported
	var refused api.Error
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		tb.Fatalf("%v: %s", err, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil {
		tb.Fatal(err)
	}
	return out, refused
}

func TestImportTeams(t *testing.T) {
	s := newServer(t, newFake(), nil)
	for name, tt := range map[string]struct{ table, want string }{
		"teams.tsv": {
			"teams\t1\n1\t447047\t24\t¡i¡i¡\tLund University\tLU\tSWE\tINST-1\n2\t\t24\tPleading \"not\" FAULTY\tLund University\tLU\tSWE\n",
			"1,¡i¡i¡,Lund University,SWE,[24] 2,Pleading \"not\" FAULTY,Lund University,SWE,[24]",
		},
		"without institution": {"File_Version\t2\r\nnull\tx7\tnull\tSeven\r\n\r\n", "x7,Seven,,,[]"},
		"plain":               {"id,name\na,Ada\nb,\"Bob, jr.\"\n", "a,Ada,,,[] b,Bob, jr.,,,[]"},
		"of a spreadsheet":    {"\ufeffTeam Name;Team ID;Institution;Country;Site\nAda;7;Universität X;deu;North | South\n", "7,Ada,Universität X,DEU,[North South]"},
		"of the ICPC":         {"Team Id\tReservation Id\tTeam\tInstitution Name\n1\t99\tOne\tX\n", "1,One,X,,[]"},
		"our own quotes":      {"id,name\na,'=1+1\n", "a,=1+1,,,[]"},
	} {
		out, e := imported(t, s, tt.table)
		var got []string
		for _, p := range out.Items {
			text := p.ID + "," + p.Name + ","
			for _, v := range []*string{p.Affiliation, p.Country} {
				if v != nil {
					text += *v
				}
				text += ","
			}
			got = append(got, text+"["+strings.Join(p.Groups, " ")+"]")
		}
		if strings.Join(got, " ") != tt.want || !out.DryRun {
			t.Errorf("%s: %s, want %s (%s)", name, got, tt.want, e.Detail)
		}
	}
}

// TestImportFaults: all faults are told, by line and column.
func TestImportFaults(t *testing.T) {
	s := newServer(t, newFake(), nil)
	for name, tt := range map[string]struct {
		table string
		want  []string // fields
	}{
		"blank":         {"\n", []string{"body"}},
		"header alone":  {"id,name\n", []string{"line 1"}},
		"no id":         {"name\nAda\n", []string{"line 1"}},
		"no text":       {"id\n\xff\n", []string{"body"}},
		"NUL":           {"id\na\x00\n", []string{"body"}},
		"quote":         {"id,name\na,\"Ada\nb,Bob\n", []string{"line 3, column 7"}},
		"several":       {"id,name,hidden,start\na,Ada,maybe,\na,Bob,,now\n,Eve,no\n", []string{"line 2, column 7", "line 3, column 8", "line 4", "line 3", "line 4"}},
		"country":       {"id,country\na,Germany\n", []string{"line 2"}},
		"version":       {"teams\t3\n1\t1\t1\tOne\n", []string{"line 1, column 7"}},
		"tsv too short": {"teams\t1\n1\t1\n", []string{"line 2"}},
	} {
		_, e := imported(t, s, tt.table)
		var got []string
		for _, f := range e.Errors {
			got = append(got, f.Field)
		}
		if e.Status != 422 || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %d %v %s, want %v", name, e.Status, got, e.Detail, tt.want)
		}
	}
}

func FuzzImportTeams(f *testing.F) {
	for _, text := range []string{"id,name\na,Ada\n", "teams\t1\n1\t2\t3\tn\n", "id;start;extra_s\na;2027-01-31T09:00:00Z;1e300\n", "\"", "id\n\"\n"} {
		f.Add(text)
	}
	s := newServer(f, newFake(), nil)
	f.Fuzz(func(t *testing.T, table string) {
		out, e := imported(t, s, table)
		if (len(out.Items) > 0) == (e.Status == 422) && table != "" {
			t.Errorf("%d items, and %d %s", len(out.Items), e.Status, e.Detail)
		}
	})
}
