package aside

import "testing"

// Shows which texts are found in statements about the session alone, by how they are sought:
// those that another statement may have are not.
func TestVerbs(t *testing.T) {
	for _, c := range []struct {
		name string
		verb func(string) string
		text string
		want string
	}{
		{"beginning", beginning, "COMMIT", "COMMIT"},
		{"beginning", beginning, "commit;", "COMMIT"},
		{"beginning", beginning, " Begin Transaction ", "BEGIN"},
		{"beginning", beginning, "SET search_path TO shop", "SET"},
		{"beginning", beginning, "END", "END"},
		{"beginning", beginning, "START TRANSACTION", "START"},
		{"beginning", beginning, "COMMITTED", ""},
		{"beginning", beginning, "commit_log", ""},
		{"beginning", beginning, "SE", ""},
		{"beginning", beginning, "UPDATE t SET a = 1", ""},
		{"beginning", beginning, "'commit'", ""},
		{"beginning", beginning, "", ""},
		{"within", within, "commit", "COMMIT"},
		{"within", within, "ROLLBACK TO", "ROLLBACK"},
		{"within", within, "start transaction", "START"},
		{"within", within, "set local", "SET"},
		{"within", within, "release savepoint", "RELEASE"},
		{"within", within, "set", ""},     // UPDATE … SET
		{"within", within, "end", ""},     // CASE … END
		{"within", within, "release", ""}, // a column
		{"within", within, "set price", ""},
		{"within", within, "commits", ""},
		{"within", within, "commit_id", ""},
		{"within", within, "insert", ""},
		{"within", within, " ; ", ""},
		{"matched", matched, "(?i)commit", "COMMIT"},
		{"matched", matched, `(?i)^\s*(commit|rollback)\b`, "COMMIT"},
		{"matched", matched, `^BEGIN$`, "BEGIN"},
		{"matched", matched, `(?i)^set\b`, "SET"},
		{"matched", matched, `(?i)\bset\b`, ""},
		{"matched", matched, `(?i)commit|insert into`, ""},
		{"matched", matched, `(?i)commit|.*`, ""},
		{"matched", matched, `(?i)commits`, ""},
		{"matched", matched, `.`, ""},
		{"matched", matched, `(`, ""},
	} {
		if got := c.verb(c.text); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}
