package read_test

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Shows that case and white space of a statement do not matter, but for those of what stands in quotes.
func TestStatements(t *testing.T) {
	const said = "INSERT  INTO people (name, \"Town\")\n VALUES ('Ann McKay', 'O''Neil  Road')"
	for pattern, fits := range map[string]bool{
		"insert into people (name, \"Town\") values ('Ann McKay', 'O''Neil  Road')": true,
		"INSERT INTO people (name, \"town\") VALUES ('Ann McKay', 'O''Neil  Road')": false,
		"INSERT INTO people (name, \"Town\") VALUES ('ann mckay', 'O''Neil  Road')": false,
		"INSERT INTO people (name, \"Town\") VALUES ('Ann McKay', 'O''Neil Road')":  false,
		"INSERT INTO people (name, \"Town\") VALUES ('Ann McKay', 'O''neil  Road')": false,
		"insert into people*'Ann McKay'*":                                           true,
		"insert into people*'ann mckay'*":                                           false,
		"insert into people*'ann*'*":                                                true, // part of a text
		"*mckay', 'o''neil road')":                                                  true, // begins inside of one
		"*mckay*":                                                                   true,
		"*'Ann McKay'*'Ann McKay'*":                                                 false,
		"INSERT INTO people*":                                                       true,
		"UPDATE people*":                                                            false,
	} {
		got := read.Folded(pattern) == read.Folded(said)
		if strings.Contains(pattern, "*") {
			got = read.FitsStatement(pattern, said, wild)
		}
		if got != fits {
			t.Errorf("%s: %t, want %t", pattern, got, fits)
		}
	}
	for a, b := range map[string]string{"select 'A'": "select  'a'", "VALUES ('A', 'a')": "VALUES ('a', 'A')", "select a b": "select ab"} {
		if read.Folded(a) == read.Folded(b) {
			t.Errorf("%s is as %s", a, b)
		}
	}
}

// wild is a pattern of whole parts that come in order.
func wild(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(text, parts[0]) || !strings.HasSuffix(text, parts[len(parts)-1]) {
		return false
	}
	for _, p := range parts {
		_, after, found := strings.Cut(text, p)
		if !found {
			return false
		}
		text = after
	}
	return true
}
