package source

import (
	"slices"
	"strings"
	"testing"
)

// Shows how a program that stands in a text is changed, in all ways in which texts are
// written: each row has what is among the changed files, and what is not.
func TestInnerTexts(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string
		not              []string // parts of no change
	}{
		{"SQL in Python", "a.py", "f(\"SELECT a FROM b WHERE c = 'x' AND d\")\n", []string{
			"f(\"SELECT a FROM b WHERE d\")\n", "f(\"SELECT a FROM b WHERE c = 'x'\")\n", "f(\"SELECT a FROM b WHERE c <> 'x' AND d\")\n", "f(\"SELECT a FROM b\")\n",
		}, nil},
		{"three quotes", "a.py", "Q = \"\"\"\nSELECT a\nFROM b\nWHERE c <= ?\nORDER BY d\n\"\"\"\n", []string{
			"Q = \"\"\"\nSELECT a\nFROM b\nWHERE c < ?\nORDER BY d\n\"\"\"\n", "Q = \"\"\"\nSELECT a\nFROM b\nWHERE c <= ?\n\n\"\"\"\n",
			"Q = \"\"\"\nSELECT a\nFROM b\nWHERE c <= ? OR 1 = 1\nORDER BY d\n\"\"\"\n",
		}, nil},
		{"what is computed stays", "a.py", "f(f\"SELECT a FROM {b} WHERE c = '{d['e']}' AND f > 1\")\n", []string{
			"f(f\"SELECT a FROM {b} WHERE f > 1\")\n", "f(f\"SELECT a FROM {b} WHERE c = '{d['e']}' AND f >= 1\")\n", "f(f\"SELECT a FROM {b}\")\n",
		}, nil},
		{"braces of a format", "a.py", "f(f\"SELECT a FROM b WHERE c = '{{}}' AND {d}\")\n", []string{"f(f\"SELECT a FROM b WHERE {d}\")\n"}, nil},
		{"texts side by side", "a.py", "f(\"SELECT a FROM b \"\n  \"WHERE c AND d \"\n  \"LIMIT 3\")\n", []string{
			"f(\"SELECT a FROM b \"\n  \"WHERE d \"\n  \"LIMIT 3\")\n", "f(\"SELECT a FROM b \"\n  \"WHERE c AND d \"\n  \"LIMIT 4\")\n",
		}, nil},
		{"texts that are joined", "a.mjs", "f(\"SELECT a FROM b WHERE c = '\" + d + \"' AND e = \" + g.h(1));\n", []string{
			"f(\"SELECT a FROM b WHERE e = \" + g.h(1));\n", "f(\"SELECT a FROM b WHERE c = '\" + d + \"'\");\n", "f(\"SELECT a FROM b\");\n",
			"f(\"SELECT a FROM b WHERE c <> '\" + d + \"' AND e = \" + g.h(1));\n",
		}, nil},
		{"templates", "a.mjs", "f(`SELECT a FROM b\n  WHERE c = ${d} AND e`);\n", []string{
			"f(`SELECT a FROM b\n  WHERE e`);\n", "f(`SELECT a FROM b\n  WHERE c = ${d}`);\n", "f(`SELECT a FROM b\n  WHERE c <> ${d} AND e`);\n",
		}, nil},
		{"quotes inside of quotes", "a.mjs", "f('SELECT a FROM b WHERE c = \\'x\\' AND d');\n", []string{
			"f('SELECT a FROM b WHERE d');\n", "f('SELECT a FROM b WHERE c = \\'\\' AND d');\n",
		}, nil},
		{"raw texts of Go", "a.go", "package a\n\nvar b = `SELECT c FROM d WHERE e AND f`\n", []string{"package a\n\nvar b = `SELECT c FROM d WHERE f`\n"}, nil},
		{"ends of lines as escapes", "a.go", "package a\n\nvar b = \"SELECT c FROM d\\nWHERE e AND f\"\n", []string{"package a\n\nvar b = \"SELECT c FROM d\\nWHERE f\"\n"}, nil},
		{"Java", "A.java", "class A { String b = \"\"\"\n  SELECT c FROM d WHERE e AND f\n  \"\"\"; }\n", []string{"class A { String b = \"\"\"\n  SELECT c FROM d WHERE f\n  \"\"\"; }\n"}, nil},
		{"Ruby", "a.rb", "a(\"SELECT b FROM c WHERE d = #{e} AND f\")\n", []string{"a(\"SELECT b FROM c WHERE f\")\n"}, nil},
		{"parts of a statement", "a.py", "q += \" AND a < 3\"\n", []string{"q += \" AND a <= 3\"\n", "q += \" AND a < 4\"\n"}, nil},
		{"statements of which parts are computed", "a.py", "f(f\"UPDATE a SET b = {c} WHERE d = '{e}'\")\ng(\"SELECT a FROM b\" + c + d(e))\n", []string{"f(f\"UPDATE a SET b = {c}\")\ng(\"SELECT a FROM b\" + c + d(e))\n"}, []string{"b = WHERE", "d = ''", "\"\" + c", "→ `\"SELECT a FROM b\" + c`"}},
		{"prose", "a.py", "f(\"Select a row from the table, or none\")\n", nil, []string{"row"}},
		{"what is written to a log", "a.py", "log.info(\"SELECT a FROM b WHERE c AND d\")\n", nil, []string{"SELECT"}},
		{"commands of others", "a.py", "subprocess.run([\"jq\", \"-r\", \".a | sort\"])\n", []string{"subprocess.run([\"jq\", \"-r\", \".a\"])\n"}, []string{"-r"}},
		{"commands of JavaScript", "a.mjs", "execFile(\"awk\", [\"$1 > 2 { print }\", f]);\n", []string{"execFile(\"awk\", [\"{ print }\", f]);\n"}, nil},
		{"values in a statement", "a.py", "db.execute(\"SELECT a FROM b WHERE c = ?\", (d,))\n", []string{"db.execute(\"SELECT a FROM b WHERE c = '\" + str(d) + \"'\")\n"}, nil},
		{"values in a statement of JavaScript", "a.mjs", "db.query('SELECT a FROM b WHERE c = $1 AND d = $2', [e, f + 1]);\n", []string{
			"db.query('SELECT a FROM b WHERE c = \\'' + e + '\\' AND d = \\'' + (f + 1) + '\\'');\n",
		}, nil},
		{"values in a statement of Go", "a.go", "package a\n\nimport \"fmt\"\n\nfunc f() { db.Query(\"SELECT a FROM b WHERE c = ?\", d) }\n", []string{
			"package a\n\nimport \"fmt\"\n\nfunc f() { db.Query(\"SELECT a FROM b WHERE c = '\" + fmt.Sprint(d) + \"'\") }\n",
		}, nil},
		{"values that are written", "a.py", "db.execute(\"INSERT INTO b VALUES (?)\", (d,))\n", nil, []string{"str("}},
		{"jq", "a.sh", "x=$(cat a | jq -r --arg b c '.d[] | select(.e > 1) | .f')\n", []string{
			"x=$(cat a | jq -r --arg b c '.d[] | select(true) | .f')\n", "x=$(cat a | jq -r --arg b c '.d[] | select(.e >= 1) | .f')\n",
		}, []string{"--arg b ''"}},
		{"jq in double quotes", "a.sh", "jq \".a[] | select(.b == \\\"$c\\\" and .d)\" e\n", []string{"jq \".a[] | select(.d)\" e\n", "jq \".a[] | select(.b == \\\"$c\\\")\" e\n"}, nil},
		{"jq in parts", "a.sh", "jq '.a[] | select(.b == '$c' and .d)' e\n", []string{"jq '.a[] | select(.d)' e\n"}, nil},
		{"awk", "a.sh", "awk -F, -v a=1 'NR > 1 && $2 == \"x\" { print $1 }' f\n", []string{
			"awk -F, -v a=1 '$2 == \"x\" { print $1 }' f\n", "awk -F, -v a=1 '{ print $1 }' f\n", "awk -v a=1 'NR > 1 && $2 == \"x\" { print $1 }' f\n",
		}, nil},
		{"sed", "a.sh", "sed -e 's/^a/b/g' -e '1d' c\n", []string{"sed -e 's/a/b/g' -e '1d' c\n", "sed -e 's/^a/b/' -e '1d' c\n"}, nil},
		{"databases", "a.sh", "sqlite3 a.db \"SELECT b FROM c WHERE d = '$e' AND f\"\n", []string{"sqlite3 a.db \"SELECT b FROM c WHERE f\"\n", "sqlite3 a.db \"SELECT b FROM c WHERE d = '$e'\"\n"}, nil},
		{"what databases read", "a.sh", "sqlite3 a.db <<END\nSELECT b FROM c WHERE d = '$e' AND f;\nEND\n", []string{"sqlite3 a.db <<END\nSELECT b FROM c WHERE f;\nEND\n"}, nil},
		{"Python that stands below", "a.sh", "python3 - <<'END'\nif a < 1:\n    b('$x')\nEND\necho\n", []string{
			"python3 - <<'END'\nif a <= 1:\n    b('$x')\nEND\necho\n", "python3 - <<'END'\nif a < 1:\n    pass\nEND\necho\n",
		}, nil},
		{"Python with values of the shell", "a.sh", "python3 - <<END\nif a < 1:\n    b('$x')\nEND\n", nil, []string{"a <="}},
		{"programs in a word", "a.sh", "node -e 'if (a < 1) b()'\npython3 -c \"print(a < 1)\"\n", []string{
			"node -e 'if (a <= 1) b()'\npython3 -c \"print(a < 1)\"\n", "node -e 'if (a < 1) b()'\npython3 -c \"print(a <= 1)\"\n",
		}, nil},
		{"scripts in scripts", "a.sh", "sh -c 'a && b'\n", []string{"sh -c 'a'\n", "sh -c 'b'\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range sound(t, c.file, []byte(c.text)) {
				got = append(got, string(m.Apply([]byte(c.text))))
				for _, n := range c.not {
					if strings.Contains(m.Change, n) && (m.Operator != "statement" || strings.Contains(m.Text, n)) && len(m.Text) != 2 {
						t.Errorf("%s: %s", m.Operator, m.Change)
					}
				}
			}
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing:\n%s\nof\n%s", w, strings.Join(got, "\n"))
				}
			}
		})
	}
}

// Shows that lines are those of the file, and that the operators are those that are known.
func TestInnerLines(t *testing.T) {
	text := "Q = \"\"\"\nSELECT a FROM b\nWHERE c AND d\n\"\"\"\n"
	got := listed(sound(t, "a.py", []byte(text)))
	for _, want := range []string{"condition 3 `WHERE c AND d` left out", "condition 3 `c AND` left out", "condition 3 `AND d` left out"} {
		if !slices.Contains(got, want) {
			t.Errorf("missing: %s\n%s", want, strings.Join(got, "\n"))
		}
	}
}
