package inner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/cputime"
)

// Checks what holds for every change of any text, and gives the changes as tests write
// them down.
func sound(t *testing.T, language, text string, holes [][2]int) []string {
	t.Helper()
	var lines []string
	seen := map[string]bool{}
	for _, c := range Around(language, text, holes) {
		key := fmt.Sprintf("%d %d %q", c.From, c.To, c.Text)
		switch {
		case c.From < 0 || c.To < c.From || c.To > len(text):
			t.Fatalf("%s: %+v is not in %q", language, c, text)
		case utf8.RuneCountInString(c.Change) > 80 || c.Change == "" || strings.ContainsAny(c.Change, "\n\r\t") || !utf8.ValidString(c.Change):
			t.Errorf("%s: %q is no line of at most 80 characters", language, c.Change)
		case seen[key] || c.Apply(text) == text:
			t.Errorf("%s: %+v of %q is there twice, or changes nothing", language, c, text)
		}
		seen[key] = true
		for _, h := range holes {
			if h[0] < c.To && c.From < h[1] && (c.From > h[0] || c.To < h[1] || c.Text != "") {
				t.Errorf("%s: %+v changes a hole of %q", language, c, text)
			}
		}
		lines = append(lines, c.Operator+" "+c.Apply(text))
	}
	return lines
}

// Shows what is made of each language. The changed texts stand in a row; ¶ is the end
// of a line.
func TestChanges(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"sql", "SELECT a FROM b WHERE c = 'x' AND d <= ? ORDER BY e, f DESC", `
			condition SELECT a FROM b WHERE c = 'x' AND d <= ? OR 1 = 1 ORDER BY e, f DESC
			condition SELECT a FROM b WHERE d <= ? ORDER BY e, f DESC
			compare SELECT a FROM b WHERE c <> 'x' AND d <= ? ORDER BY e, f DESC
			text SELECT a FROM b WHERE c = '' AND d <= ? ORDER BY e, f DESC
			condition SELECT a FROM b WHERE c = 'x' AND (d <= ? OR 1 = 1) ORDER BY e, f DESC
			compare SELECT a FROM b WHERE c = 'x' AND d < ? ORDER BY e, f DESC
			order SELECT a FROM b WHERE c = 'x' AND d <= ?
			order SELECT a FROM b WHERE c = 'x' AND d <= ? ORDER BY f DESC
			order SELECT a FROM b WHERE c = 'x' AND d <= ? ORDER BY e DESC, f DESC
			order SELECT a FROM b WHERE c = 'x' AND d <= ? ORDER BY e
			order SELECT a FROM b WHERE c = 'x' AND d <= ? ORDER BY e, f ASC`},
		{"sql", "select a from b where not c or d is null limit 3", `
			condition select a from b limit 3
			condition select a from b where d is null limit 3
			compare select a from b where c or d is null limit 3
			condition select a from b where not c limit 3
			compare select a from b where not c or d IS NOT NULL limit 3
			argument select a from b where not c or d is null
			number select a from b where not c or d is null limit 4`},
		{"sql", "SELECT DISTINCT COUNT(a), SUM(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY f, g HAVING h LIKE 'i%'", `
			call SELECT COUNT(a), SUM(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY f, g HAVING h LIKE 'i%'
			related SELECT DISTINCT COUNT(*), SUM(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY f, g HAVING h LIKE 'i%'
			related SELECT DISTINCT COUNT(DISTINCT a), SUM(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY f, g HAVING h LIKE 'i%'
			related SELECT DISTINCT COUNT(a), MAX(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY f, g HAVING h LIKE 'i%'
			related SELECT DISTINCT COUNT(a), SUM(b) FROM c JOIN d ON d.e = c.e GROUP BY f, g HAVING h LIKE 'i%'
			compare SELECT DISTINCT COUNT(a), SUM(b) FROM c LEFT JOIN d ON d.e <> c.e GROUP BY f, g HAVING h LIKE 'i%'
			argument SELECT DISTINCT COUNT(a), SUM(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY g HAVING h LIKE 'i%'
			argument SELECT DISTINCT COUNT(a), SUM(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY f HAVING h LIKE 'i%'
			condition SELECT DISTINCT COUNT(a), SUM(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY f, g
			related SELECT DISTINCT COUNT(a), SUM(b) FROM c LEFT JOIN d ON d.e = c.e GROUP BY f, g HAVING h LIKE '%i%'`},
		{"sql", "UPDATE a SET b = ?, c = b * 2 WHERE d IN ('x', 'y')", `
			argument UPDATE a SET b = CASE WHEN 1 = 1 THEN b ELSE ? END, c = b * 2 WHERE d IN ('x', 'y')
			argument UPDATE a SET b = ? WHERE d IN ('x', 'y')
			arithmetic UPDATE a SET b = ?, c = 2 WHERE d IN ('x', 'y')
			arithmetic UPDATE a SET b = ?, c = b WHERE d IN ('x', 'y')
			arithmetic UPDATE a SET b = ?, c = b / 2 WHERE d IN ('x', 'y')
			number UPDATE a SET b = ?, c = b * 3 WHERE d IN ('x', 'y')
			condition UPDATE a SET b = ?, c = b * 2
			argument UPDATE a SET b = ?, c = b * 2 WHERE d IN ('y')
			text UPDATE a SET b = ?, c = b * 2 WHERE d IN ('', 'y')
			argument UPDATE a SET b = ?, c = b * 2 WHERE d IN ('x')
			text UPDATE a SET b = ?, c = b * 2 WHERE d IN ('x', '')`},
		{"sql", "CREATE TABLE a (b VARCHAR(20) NOT NULL UNIQUE DEFAULT 'x', PRIMARY KEY (b, c))", `
			argument CREATE TABLE a (b VARCHAR(20) UNIQUE DEFAULT 'x', PRIMARY KEY (b, c))
			argument CREATE TABLE a (b VARCHAR(20) NOT NULL DEFAULT 'x', PRIMARY KEY (b, c))
			argument CREATE TABLE a (b VARCHAR(20) NOT NULL UNIQUE, PRIMARY KEY (b, c))
			text CREATE TABLE a (b VARCHAR(20) NOT NULL UNIQUE DEFAULT '', PRIMARY KEY (b, c))
			argument CREATE TABLE a (b VARCHAR(20) NOT NULL UNIQUE DEFAULT 'x')`},
		{"sql", "INSERT INTO a VALUES (?) ON CONFLICT (b) DO NOTHING", "argument INSERT INTO a VALUES (?)"},
		{"sql", "SELECT a FROM b WHERE c BETWEEN ? AND ? UNION SELECT COALESCE(d, 0) FROM e FOR UPDATE", `
			condition SELECT a FROM b WHERE c BETWEEN ? AND ? OR 1 = 1 UNION SELECT COALESCE(d, 0) FROM e FOR UPDATE
			compare SELECT a FROM b WHERE c > ? AND c <= ? UNION SELECT COALESCE(d, 0) FROM e FOR UPDATE
			compare SELECT a FROM b WHERE c >= ? AND c < ? UNION SELECT COALESCE(d, 0) FROM e FOR UPDATE
			related SELECT a FROM b WHERE c BETWEEN ? AND ? UNION ALL SELECT COALESCE(d, 0) FROM e FOR UPDATE
			call SELECT a FROM b WHERE c BETWEEN ? AND ? UNION SELECT d FROM e FOR UPDATE
			number SELECT a FROM b WHERE c BETWEEN ? AND ? UNION SELECT COALESCE(d, 1) FROM e FOR UPDATE
			argument SELECT a FROM b WHERE c BETWEEN ? AND ? UNION SELECT COALESCE(d, 0) FROM e`},
		{"jq", ".a[] | select(.b > 1 and (.c | not)) | .d // 0", `
			condition .a[] | select((.c | not)) | .d // 0
			condition .a[] | select(true) | .d // 0
			compare .a[] | select(.b >= 1 and (.c | not)) | .d // 0
			number .a[] | select(.b > 2 and (.c | not)) | .d // 0
			condition .a[] | select(.b > 1) | .d // 0
			compare .a[] | select(.b > 1 and (.c)) | .d // 0
			condition .a[] | select(.b > 1 and (.c | not)) | .d
			number .a[] | select(.b > 1 and (.c | not)) | .d // 1`},
		{"jq", "sort_by(.a) | first | {b, c: \"\\(.d | round)\"}", `
			order first | {b, c: "\(.d | round)"}
			together last | {b, c: "\(.d | round)"}
			call sort_by(.a) | {b, c: "\(.d | round)"}
			related sort_by(.a) | last | {b, c: "\(.d | round)"}
			argument sort_by(.a) | first | {c: "\(.d | round)"}
			argument sort_by(.a) | first | {b}
			call sort_by(.a) | first | {b, c: "\(.d)"}
			related sort_by(.a) | first | {b, c: "\(.d | floor)"}`},
		{"jq", "max_by(.a) | .b", `
			together first | .b
			together last | .b
			related min_by(.a) | .b`},
		{"sql", "SELECT a FROM b ORDER BY c DESC LIMIT 1", `
			order SELECT a FROM b LIMIT 1
			together SELECT a FROM b ORDER BY rowid LIMIT 1
			together SELECT a FROM b ORDER BY rowid DESC LIMIT 1
			order SELECT a FROM b ORDER BY c ASC LIMIT 1
			argument SELECT a FROM b ORDER BY c DESC
			number SELECT a FROM b ORDER BY c DESC LIMIT 2`},
		{"jq", ".a | sort | reverse | .[0]", `
			order .a | reverse | .[0]
			order .a | sort | .[0]
			together .a | first
			related .a | sort | reverse | .[-1]`},
		{"jq", "sort_by(.a)[-1]", `
			together first
			call .[-1]
			related sort_by(.a)[0]`},
		{"jq", "[.[] | .a] | max", `
			together [.[] | .a] | first
			together [.[] | .a] | last
			call [.[] | .a]
			related [.[] | .a] | min`},
		{"jq", "map(.a * .b | round) | add", `
			call map(.a * .b) | add | round
			call add
			arithmetic map(.b | round) | add
			arithmetic map(.a | round) | add
			arithmetic map(.a / .b | round) | add
			call map(.a * .b) | add
			related map(.a * .b | floor) | add
			call map(.a * .b | round)
			call map(.a * .b | round) | .[0]`},
		{"jq", "[recurse(.a[]?) | .b]", `
			call [(., (.a[]?)) | .b]`},
		{"jq", "reduce (.a | sort_by(.b))[] as $e ({}; .[$e.c] = $e.d)", `
			together reduce (.a)[] as $e ({}; .[$e.c] //= $e.d)
			order reduce (.a)[] as $e ({}; .[$e.c] = $e.d)
			call reduce (.a | sort_by(.b))[] as $e ({}; .[$e.c] //= $e.d)`},
		{"jq", "reduce .[] as $x ({}; .[$x.a] += $x.n)", `
			call reduce .[] as $x ({}; .[$x.a] = $x.n)`},
		{"jq", "def join(f): f; {limit: .a, split} | join(.b) | @uri \"\\(.c)\"", `
			argument def join(f): f; {split} | join(.b) | @uri "\(.c)"
			argument def join(f): f; {limit: .a} | join(.b) | @uri "\(.c)"`},
		{"jq", `test("^[a-z.]+\\.b{2,3}$")`, `
			related test("[a-z.]+\\.b{2,3}$")
			related test("^.+\\.b{2,3}$")
			related test("^[a-z.]+.b{2,3}$")
			related test("^[a-z.]+\\.b{2,}$")
			related test("^[a-z.]+\\.b{2,3}")`},
		{"jq", `test("^a[0-9]*")`, `
			related test("a[0-9]*")`},
		{"jq", `sub("a[0-9]*"; "")`, `
			call .
			related gsub("a[0-9]*"; "")
			related sub("a.*"; "")
			text sub("a[0-9]*"; "other")`},
		{"jq", "unique_by(.a)[0] | .b | @csv", `
			call unique[0] | .b | @csv
			related sort_by(.a)[0] | .b | @csv
			related unique_by(.a)[-1] | .b | @csv
			call unique_by(.a)[0] | .b | (map(tostring) | join(","))`},
		{"jq", "if .[0] == \"a\" then test(\"^b\") else gsub(\"c\"; \"d\") end", `
			related if .[-1] == "a" then test("^b") else gsub("c"; "d") end
			condition if false then test("^b") else gsub("c"; "d") end
			condition if true then test("^b") else gsub("c"; "d") end
			compare if .[0] != "a" then test("^b") else gsub("c"; "d") end
			text if .[0] == "" then test("^b") else gsub("c"; "d") end
			related if .[0] == "a" then test("b") else gsub("c"; "d") end
			call if .[0] == "a" then test("^b") else . end
			related if .[0] == "a" then test("^b") else sub("c"; "d") end
			text if .[0] == "a" then test("^b") else gsub("c"; "") end`},
		{"awk", "NR > 1 && $3 == \"x\" { n[$1] += int($2) }\nEND { printf \"%d\\n\", n[1] }", `
			condition { n[$1] += int($2) }¶END { printf "%d\n", n[1] }
			condition $3 == "x" { n[$1] += int($2) }¶END { printf "%d\n", n[1] }
			compare NR >= 1 && $3 == "x" { n[$1] += int($2) }¶END { printf "%d\n", n[1] }
			number NR > 2 && $3 == "x" { n[$1] += int($2) }¶END { printf "%d\n", n[1] }
			condition NR > 1 { n[$1] += int($2) }¶END { printf "%d\n", n[1] }
			related NR > 1 && $4 == "x" { n[$1] += int($2) }¶END { printf "%d\n", n[1] }
			compare NR > 1 && $3 != "x" { n[$1] += int($2) }¶END { printf "%d\n", n[1] }
			text NR > 1 && $3 == "" { n[$1] += int($2) }¶END { printf "%d\n", n[1] }
			statement NR > 1 && $3 == "x" {  }¶END { printf "%d\n", n[1] }
			related NR > 1 && $3 == "x" { n[$2] += int($2) }¶END { printf "%d\n", n[1] }
			related NR > 1 && $3 == "x" { n[$1] = int($2) }¶END { printf "%d\n", n[1] }
			arithmetic NR > 1 && $3 == "x" { n[$1] -= int($2) }¶END { printf "%d\n", n[1] }
			call NR > 1 && $3 == "x" { n[$1] += ($2) }¶END { printf "%d\n", n[1] }
			related NR > 1 && $3 == "x" { n[$1] += int($3) }¶END { printf "%d\n", n[1] }
			statement NR > 1 && $3 == "x" { n[$1] += int($2) }¶END {  }
			related NR > 1 && $3 == "x" { n[$1] += int($2) }¶END { printf "%.2f\n", n[1] }`},
		{"sql", "SELECT to_char(a, 'YYYY-MM') FROM b", `
			text SELECT to_char(a, '') FROM b
			format SELECT to_char(a, 'MM') FROM b
			format SELECT to_char(a, 'YYYY') FROM b`},
		{"jq", ".a | strftime(\"%Y-%m\")", `
			text .a | strftime("")
			format .a | strftime("%m")
			format .a | strftime("%Y")`},
		{"awk", "NR == FNR { a[$1] = 1; next } a[$2]", `
			condition { a[$1] = 1; next } a[$2]
			compare NR != FNR { a[$1] = 1; next } a[$2]
			statement NR == FNR { ; next } a[$2]
			related NR == FNR { a[FNR] = 1; next } a[FNR]
			related NR == FNR { a[$2] = 1; next } a[$2]
			number NR == FNR { a[$1] = 2; next } a[$2]
			statement NR == FNR { a[$1] = 1;  } a[$2]
			condition NR == FNR { a[$1] = 1; next } 1
			related NR == FNR { a[$1] = 1; next } a[$3]`},
		{"awk", "!seen[$1]++\n/^a/ { if ($2 > 3) next; else print > \"f\" }", `
			condition 1¶/^a/ { if ($2 > 3) next; else print > "f" }
			related !seen[$2]++¶/^a/ { if ($2 > 3) next; else print > "f" }
			condition !seen[$1]++¶{ if ($2 > 3) next; else print > "f" }
			related !seen[$1]++¶/a/ { if ($2 > 3) next; else print > "f" }
			condition !seen[$1]++¶/^a/ { if (1) next; else print > "f" }
			condition !seen[$1]++¶/^a/ { if (0) next; else print > "f" }
			related !seen[$1]++¶/^a/ { if ($3 > 3) next; else print > "f" }
			compare !seen[$1]++¶/^a/ { if ($2 >= 3) next; else print > "f" }
			number !seen[$1]++¶/^a/ { if ($2 > 4) next; else print > "f" }`},
		{"sed", "s/^a/b/g; 2d", `
			statement ; 2d
			related s/a/b/g; 2d
			related s/^a/b/; 2d
			statement s/^a/b/g;
			number s/^a/b/g; 3d
			condition s/^a/b/g; d`},
	} {
		got := sound(t, c.language, c.text, nil)
		want := strings.Split(strings.TrimSpace(c.want), "\n")
		for n := range got {
			got[n] = strings.TrimSpace(strings.ReplaceAll(got[n], "\n", "¶"))
		}
		for n := range want {
			if want[n] = strings.TrimSpace(want[n]); !slices.Contains(got, want[n]) {
				t.Errorf("%s %s: missing:\n%s", c.language, c.text, want[n])
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				t.Errorf("%s %s: too much:\n%s", c.language, c.text, g)
			}
		}
	}
}

// Shows what is left alone, as it could not show, or would be no program any more.
func TestLeftAlone(t *testing.T) {
	for _, c := range []struct{ language, text string }{
		{"sql", "SELECT 1"},
		{"sql", "INSERT INTO a (b) VALUES (?)"},
		{"sql", "CREATE TABLE IF NOT EXISTS a (b TEXT, c NUMERIC(10, 2))"},
		{"sql", "SELECT a.*, b FROM c"},
		{"sql", "SELECT (a"},
		{"sql", "SELECT 'a"},
		{"jq", ".a"},
		{"jq", "\"\\(.a)\""},
		{"jq", "{a}"},
		{"awk", "BEGIN { a["},
		{"awk", "1"},
		{"sed", "s/a/b/"},
		{"sed", "a\\ text"},
		{"python", "a and b"},
		{"sql", "SELECT a FROM b WHERE c AND d" + strings.Repeat(" ", limit)},
	} {
		if got := sound(t, c.language, c.text, nil); len(got) > 0 {
			t.Errorf("%s %.60s: %q", c.language, c.text, got)
		}
	}
}

// Shows that what another language computes in a text stays, or is left out as a whole.
func TestHoles(t *testing.T) {
	text := "SELECT a FROM {t['x']} WHERE b = '{n}' AND c > {m}"
	holes := [][2]int{{14, 22}, {34, 37}, {47, 50}}
	got := strings.Join(sound(t, "sql", text, holes), "\n")
	for _, want := range []string{
		"condition SELECT a FROM {t['x']}",
		"condition SELECT a FROM {t['x']} WHERE c > {m}",
		"condition SELECT a FROM {t['x']} WHERE b = '{n}'",
		"compare SELECT a FROM {t['x']} WHERE b = '{n}' AND c >= {m}",
	} {
		if !strings.Contains("\n"+got+"\n", "\n"+want+"\n") {
			t.Errorf("missing %s in\n%s", want, got)
		}
	}
}

// Shows which texts are programs, and that prose is none.
func TestLanguage(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT a FROM b", "sql"},
		{"\n  select id,\n    name\n  from customers where id = ?", "sql"},
		{"-- all\nSELECT a FROM b", "sql"},
		{"INSERT INTO a VALUES (?)", "sql"},
		{"insert or ignore into a (b) values (?)", "sql"},
		{"UPDATE a SET b = 1", "sql"},
		{"update jobs j set state = ?", "sql"},
		{"DELETE FROM a", "sql"},
		{"delete from a where b = ?", "sql"},
		{"WITH x AS (SELECT 1) SELECT * FROM x", "sql"},
		{"CREATE TABLE IF NOT EXISTS a (b)", "sql"},
		{"CREATE UNIQUE INDEX a ON b (c)", "sql"},
		{"PRAGMA foreign_keys = ON; CREATE TABLE a (b)", "sql"},
		{"SELECT COUNT(*) AS n FROM b", "sql"},
		{" AND state = 'open'", "sql"},
		{" ORDER BY id", "sql"},
		{"LIMIT 10", "sql"},
		{"map(select(.a > 1)) | length", "jq"},
		{".items[] | select(.a)", "jq"},
		{"[.[] | {a}] | sort_by(.a)", "jq"},
		{"$3 > 1 { print $1 }", "awk"},
		{"{ n += $2 } END { print n }", "awk"},
		{"", ""},
		{"a", ""},
		{"Select a row from the table", ""},
		{"select one from each, please.", ""},
		{"delete from cart", ""},
		{"Update the settings, then set the clock = 5.", ""},
		{"With a knife as (one) does", ""},
		{"create table reservations", ""},
		{"Insert into the slot the value of the card.", ""},
		{"Create a table (of contents)", ""},
		{"AND so on", ""},
		{"Order by phone", ""},
		{"items.map(x => x.a)", ""},
		{"[info] first | second", ""},
		{"./run | sort", ""},
		{"{\"a\": 1}", ""},
		{"function f() { n += 1; }", ""},
	} {
		if got := Language(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

var samples = []struct{ language, text string }{
	{"sql", "WITH a AS (SELECT b, CASE WHEN c = 'd''e' OR f BETWEEN 1 AND 2 THEN -3 ELSE g END h FROM i LEFT JOIN j USING (k)) SELECT DISTINCT COUNT(l) FROM a WHERE m IN ('n', ?) AND NOT o -- p\nGROUP BY q, r HAVING s IS NULL ORDER BY t DESC LIMIT 5 OFFSET 6; /* u */ UPDATE v SET w = $1, x = x + 1 WHERE y LIKE 'z%' FOR UPDATE"},
	{"sql", "CREATE TABLE a (b INT PRIMARY KEY NOT NULL, c TEXT DEFAULT 'd' REFERENCES e(f) ON DELETE CASCADE CHECK (g > 1 AND h), UNIQUE (b, c)); INSERT OR IGNORE INTO a VALUES (1) ON CONFLICT (b) DO UPDATE SET c = 2, d = 3"},
	{"jq", ".a[0] | map(select(.b and .c // \"d\\(.e | f(\"g\"))\") | {h, i: (.j * -2 | round)}) | add | if . > 1 then sort_by(.k, -.l) else .[-1] end | test(\"^m$\") # n"},
	{"awk", "BEGIN { FS = \",\" }\n$1 ~ /^a[/]b$/ && NR > 1, /c/ { if (d == \"e\") next; else f[$2] += int($3) / 4 } # g\nEND { for (h in f) printf \"%d %.2f\\n\", h, f[h] > \"i\" }"},
	{"sed", "/^a/,$!s/b\\/c/d/gi; 3p; s|^e|f|2; { g; /h/d }"},
}

// Shows that no bytes stop the readers, and that what holds for every change holds for
// those of any text with any holes.
func FuzzChanges(f *testing.F) {
	for i, s := range samples {
		f.Add(uint8(i), s.text, uint16(3), uint16(9))
	}
	f.Fuzz(func(t *testing.T, which uint8, text string, a, b uint16) {
		var holes [][2]int
		if from, to := int(min(a, b)), int(max(a, b)); from < to && to <= len(text) {
			holes = [][2]int{{from, to}}
		}
		sound(t, samples[int(which)%len(samples)].language, text, holes)
		Language(text)
	})
}

// Shows that every beginning of a text, and a text without any of its bytes, can be read.
func TestDamaged(t *testing.T) {
	for _, s := range samples {
		for i := range len(s.text) {
			sound(t, s.language, s.text[:i], nil)
			sound(t, s.language, s.text[i:], nil)
			sound(t, s.language, s.text[:i]+s.text[i+1:], [][2]int{{i / 2, i}})
			Language(s.text[i:])
		}
		if len(Changes(s.language, s.text)) < 5 {
			t.Errorf("%s: nothing is made of the whole text", s.language)
		}
	}
}

// Shows that the work grows with a text as it does, and not with its square.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ language, from, part, to string }{
		{"sql", "SELECT a FROM b WHERE c", " AND d = 1", ""},
		{"sql", "SELECT a FROM b WHERE ", "(c OR ", "d)"},
		{"sql", "", "UPDATE a SET b = 1, c = 2 WHERE d; ", ""},
		{"sql", "SELECT ", "CASE WHEN a THEN ", "1 END"},
		{"jq", ".", " | map(select(.a and .b))", ""},
		{"jq", "", "map(if .a then .b else ", ". end)"},
		{"jq", "", "\"\\(.a | round)\", ", "1"},
		{"awk", "", "$1 > 2 && $3 { a[$1] += 2 }\n", ""},
		{"awk", "{ a = ", "(1 + b * ", "2)"},
		{"sed", "", "s/^a/b/g; ", ""},
	} {
		cost := func(bytes int) time.Duration {
			n := bytes / (len(c.part) + len(c.to))
			text := c.from + strings.Repeat(c.part, n) + strings.Repeat(c.to, n)
			best := time.Hour
			for range 3 {
				start := cputime.Spent()
				Changes(c.language, text)
				best = min(best, cputime.Spent()-start)
			}
			return best
		}
		small := cost(1_500)
		if large := cost(15_000); large > 40*small+20*time.Millisecond {
			t.Errorf("%s %s: ten times the text takes %v instead of %v", c.language, c.part, large, small)
		}
	}
}

// statementsOfSQL asks a database what it thinks of statements.
const statementsOfSQL = `
import json, sqlite3, sys
bad = []
for text in json.load(sys.stdin):
    db = sqlite3.connect(":memory:")
    db.executescript("CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT UNIQUE, c INT, d INT); CREATE TABLE e (id INT, a INT, f TEXT)")
    try:
        if text.count(";"):
            db.executescript(text)
        else:
            db.execute(text, (1,) * text.count("?")).fetchall()
    except sqlite3.IntegrityError:
        pass # of the data
    except sqlite3.Error as error:
        bad.append(text + ": " + str(error))
json.dump(bad, sys.stdout)`

// Shows that what is made of statements is SQL.
func TestStatements(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	if err := exec.Command(python, "-c", "import sqlite3").Run(); err != nil {
		t.Skip("python3 has no sqlite3 here")
	}
	var all []string
	for _, text := range []string{
		"SELECT a.id, COUNT(*) AS n, SUM(c * d) s, COALESCE(e.f, 'x') FROM a LEFT JOIN e ON e.a = a.id AND e.f <> 'y' JOIN e g USING (id) WHERE (b IS NOT NULL OR c NOT IN (1, 2)) AND d BETWEEN ? AND ? AND b LIKE 'm%' GROUP BY a.id, e.f HAVING COUNT(e.f) > 1 ORDER BY n DESC, a.id LIMIT 10 OFFSET ?",
		"WITH x AS (SELECT DISTINCT b, MAX(c) m FROM a WHERE d > 3 OR d = ? GROUP BY b) SELECT * FROM x WHERE m <= 7 UNION ALL SELECT f, 1 FROM e WHERE EXISTS (SELECT 1 FROM a WHERE a.id = e.a AND NOT c) ORDER BY 1",
		"UPDATE a SET b = ?, c = c + 1, d = CASE WHEN c > 2 AND b = 'x' OR d THEN 1 WHEN b THEN ? ELSE d - 1 END WHERE id = ? AND (d IS NULL OR d < ?)",
		"INSERT INTO a (b, c, d) VALUES (?, 1, 'x') ON CONFLICT (b) DO UPDATE SET c = excluded.c, d = d + 1 WHERE d < 3 RETURNING id",
		"INSERT OR IGNORE INTO a (b) SELECT f FROM e WHERE a > 3 ORDER BY id LIMIT 1",
		"DELETE FROM a WHERE id IN (SELECT a FROM e WHERE f = ? AND id > 2) AND c",
		"CREATE TABLE x (id INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT NOT NULL UNIQUE DEFAULT 'x' COLLATE NOCASE, c NUMERIC(10, 2) CHECK (c > 0 AND c < 9) DEFAULT (1 + 2), d INT REFERENCES a(id) ON DELETE CASCADE ON UPDATE SET NULL, UNIQUE (b, c), CHECK (b <> 'y'), FOREIGN KEY (d) REFERENCES a (id)); CREATE UNIQUE INDEX y ON x (b) WHERE c > 1; INSERT INTO x (b, c) VALUES ('a', 1), ('b', 2)",
	} {
		for _, c := range Changes("sql", text) {
			all = append(all, c.Apply(text))
		}
	}
	if len(all) < 100 {
		t.Errorf("only %d statements are made", len(all))
	}
	in, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", statementsOfSQL)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var bad []string
	if err := json.Unmarshal(out, &bad); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d are refused", len(bad), len(all))
	for _, b := range bad {
		t.Error(b)
	}
}
