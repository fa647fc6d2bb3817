package data

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/internal/cputime"
)

// Shows what is changed in files of each format.
func TestChanges(t *testing.T) {
	for _, row := range []struct {
		name, text string
		// want are changes with the text that they make, and not what none makes.
		want [][2]string
		not  []string
	}{
		{"rules.json", `[
  {"name": "sanctioned", "op": "in", "value": ["KP", "IR"]},
  {"max": 100, "on": true, "rate": 0.9, "none": null, "code": "^a$"}
]
`, [][2]string{
			{"2:`[0] {\"name\": \"sanctioned\", \"op\": \"in\", \"value\": [\"KP\", \"IR\"]}` left out", `[
  {"max": 100, "on": true, "rate": 0.9, "none": null, "code": "^a$"}
]
`},
			{"2:`[0].value[1] \"IR\"` left out", `"value": ["KP"]}`},
			{"2:`[0].value[0] \"KP\"` left out", `"value": ["IR"]}`},
			{"2:`[0].name \"sanctioned\"` left out", `  {"op": "in"`},
			{"3:`[1].code \"^a$\"` left out", `"none": null}`},
			{"3:`[1].max 100` → `101`", `"max": 101,`},
			{"3:`[1].max 100` → `99`", `"max": 99,`},
			{"3:`[1].rate 0.9` → `1.0`", `"rate": 1.0,`},
			{"3:`[1].on true` → `false`", `"on": false,`},
			{"3:`[1].code \"^a$\"` → `\"a$\"`", `"code": "a$"`},
			{"3:`[1].code \"^a$\"` → `\"\"`", `"code": ""`},
		}, nil},
		{"a.jsonc", "// rules\n{'max': 5, /* why */ min: -1,}", [][2]string{
			{"2:`max 5` left out", "{min: -1,}"}, {"2:`min -1` → `0`", "min: 0,"}, {"2:`min -1` → `-2`", "min: -2,"},
		}, nil},
		{"limits.yaml", "# limits\nlimits:\n  max: 20 # why\n  hosts:\n  - a.example\n  - b.example\n  on: yes\n  strict: true\nrules: [{a: 1, b: x}, 3]\ntext: |\n  one\n  two\nlast: \"n\"\n", [][2]string{
			{"3:`limits.max 20` → `21`", "max: 21 # why\n"},
			{"5:`limits.hosts[0] a.example` left out", "  hosts:\n  - b.example\n"},
			{"6:`limits.hosts[1] b.example` left out", "  - a.example\n  on: yes"},
			{"8:`limits.strict true` → `false`", "strict: false\n"},
			{"9:`rules[0] {a: 1, b: x}` left out", "rules: [3]\n"},
			{"9:`rules[0].b x` left out", "[{a: 1}, 3]"},
			{"9:`rules[1] 3` left out", "rules: [{a: 1, b: x}]\n"},
			{"12:`two` left out", "  one\nlast:"},
			{"13:`last \"n\"` left out", "  two\n"},
			{"13:`last \"n\"` → `\"\"`", "last: \"\"\n"},
		}, nil},
		{"list.yml", "- name: a\n  max: 1\n- name: b\n", [][2]string{
			{"1:`[0] name: a max: 1` left out", "- name: b\n"},
			{"1:`[0].name a` left out", "- max: 1\n"},
			{"3:`[1] name: b` left out", "  max: 1\n"},
			{"1:`[0].name a` → `\"\"`", "- name: \"\"\n"},
		}, nil},
		{"two.yaml", "a: 1\n---\nb: 2\n", [][2]string{
			{"1:`a 1` → `2`", "a: 2\n---\n"}, {"3:`b 2` → `3`", "b: 3\n"},
		}, nil},
		{"app.toml", "# x\n[limits]\nmax = 20 # why\nhosts = [\"a\", \"b\"]\nwide = [\n  \"c\",\n  \"d\",\n]\nstrict = true\nname = \"n\"\n", [][2]string{
			{"3:`max = 20 # why` left out", "[limits]\nhosts"},
			{"3:`max = 20 # why` → `max = 21 # why`", "max = 21 # why\n"},
			{"4:`hosts[1] \"b\"` left out", "hosts = [\"a\"]\n"},
			{"6:`\"c\",` left out", "wide = [\n  \"d\""},
			{"9:`strict = true` → `strict = false`", "strict = false\n"},
			{"10:`name = \"n\"` → `name = \"\"`", "name = \"\"\n"},
		}, []string{"`[limits]`", "`# x`", "`wide", "`]`"}},
		{".env", "# x\nMAX=3\nexport HOSTS=a.example,b.example\nDEBUG=on\nKEY=\n", [][2]string{
			{"2:`MAX=3` → `MAX=4`", "MAX=4\n"},
			{"3:`a.example,` left out", "HOSTS=b.example\n"},
			{"3:`,b.example` left out", "HOSTS=a.example\n"},
			{"4:`DEBUG=on` → `DEBUG=off`", "DEBUG=off\n"},
		}, nil},
		{"prices.csv", "sku,cents,open\nA-1,100,true\n\"b,\nc\",0049,no\n", [][2]string{
			{"2:`A-1,100,true` left out", "open\n\"b"},
			{"3:`\"b, c\",0049,no` left out", "A-1,100,true\n"},
			{"2:`A-1,100,true` → `A-1,101,true`", "A-1,101,true"},
			{"2:`A-1,100,true` → `A-1,100,false`", "A-1,100,false"},
		}, []string{"`sku", "0050"}},
		{"seed.sql", "-- x\nINSERT INTO a VALUES (1, 'x;y');\nDELETE FROM b;\n", [][2]string{
			{"2:`INSERT INTO a VALUES (1, 'x;y');` left out", "-- x\n\nDELETE"},
			{"3:`DELETE FROM b;` left out", "y');\n\n"},
		}, []string{"`-- x"}},
		{"due.sql", "-- x\nSELECT a FROM b\nWHERE c = 1 AND d <> 'e';\n", [][2]string{
			{"3:`c = 1 AND` left out", "FROM b\nWHERE d <> 'e'"},
			{"3:`AND d <> 'e'` left out", "WHERE c = 1;"},
		}, nil},
		{"due.jq", "map(select(.due < 3))\n| sort_by(.due)\n", [][2]string{
			{"2:`sort_by(.due)` left out", "< 3))"}, {"1:`.due < 3` → `.due <= 3`", "select(.due <= 3)"},
		}, nil},
		{"alerts.query", "load > 0.9\nstage = production\nsilenced = false\n\n# x\n", [][2]string{
			{"3:`silenced = false` left out", "production\n\n"},
			{"3:`silenced = false` → `silenced = true`", "silenced = true\n"},
			{"1:`load > 0.9` → `load > 1.0`", "load > 1.0\n"},
		}, []string{"`# x"}},
		{"system.txt", "You may refund at most 50 dollars.\nAnswer in German by 2026-11-29, 3rd floor.\n", [][2]string{
			{"1:`You may refund at most 50 dollars.` left out", "Answer in"},
			{"1:`You may refund at most 50 dollars.` → `You may refund at most 51 dollars.`", "most 51 dollars"},
		}, []string{"2027", "4rd", "11-30"}},
		{"mail.tmpl", "{{ if .Late }}\nPay {{ .Sum }} now.\n{{ end }}\n<p>\n<b>a</b>\n</p>\n", [][2]string{
			{"2:`Pay {{ .Sum }} now.` left out", "{{ if .Late }}\n{{ end }}"},
			{"5:`<b>a</b>` left out", "<p>\n</p>"},
		}, []string{"{{ if", "{{ end", "`<p>", "`</p>"}},
		{"log.jsonl", "{\"a\": 1}\n{\"a\": 2}\n", [][2]string{
			{"1:`{\"a\": 1}` left out", "{\"a\": 2}\n"}, {"2:`a 2` → `3`", "{\"a\": 3}"},
		}, nil},
		{"broken.json", "{\"a\": 1", nil, []string{"a"}},
		{"rules.json", "{\"a\": 1} {\"b\": 2}", nil, []string{"a"}},
		{"package.json", "{\"a\": 1}", nil, []string{"a"}},
		{"app.py", "a = 1", nil, []string{"a"}},
		{"a.scenario.hcl", "a = 1", nil, []string{"a"}},
		{"bin.txt", "a\x00b", nil, []string{"a"}},
	} {
		got := map[string]string{}
		for _, c := range sound(t, row.name, []byte(row.text)) {
			key := fmt.Sprintf("%d:%s", c.Line, c.Change)
			if _, twice := got[key]; twice && c.Path != "" {
				t.Errorf("%s: %s twice", row.name, key)
			}
			got[key] = string(c.Apply([]byte(row.text)))
			for _, not := range row.not {
				if strings.Contains(c.Change, not) {
					t.Errorf("%s: %s", row.name, c.Change)
				}
			}
		}
		for _, w := range row.want {
			text, ok := got[w[0]]
			if !ok {
				t.Errorf("%s: no %s among\n%s", row.name, w[0], strings.Join(keys(got), "\n"))
			} else if !strings.Contains(text, w[1]) || text == row.text {
				t.Errorf("%s: %s makes\n%s\nwithout %q", row.name, w[0], text, w[1])
			}
		}
	}
}

func keys(of map[string]string) (list []string) {
	for k := range of {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// sound are the changes of a file, of which each is as it has to be.
func sound(t *testing.T, name string, text []byte) []Change {
	t.Helper()
	list := Changes(name, text)
	if len(list) > most {
		t.Errorf("%s: %d changes", name, len(list))
	}
	seen := map[edit]bool{}
	for _, c := range list {
		e := edit{c.From, c.To, c.Text}
		switch made := c.Apply(text); {
		case c.From < 0 || c.To < c.From || c.To > len(text):
			t.Fatalf("%s: %+v lies outside", name, c)
		case string(made) == string(text) || seen[e]:
			t.Errorf("%s: %+v changes nothing, or twice", name, c)
		case !utf8.Valid(made):
			t.Errorf("%s: %+v makes what is no text", name, c)
		case c.Line < 1 || c.Line > strings.Count(string(text), "\n")+1:
			t.Errorf("%s: %+v is on no line", name, c)
		case utf8.RuneCountInString(c.Change) > 82 || strings.ContainsAny(c.Change, "\n\r\t") || c.Change == "":
			t.Errorf("%s: %q is no line", name, c.Change)
		}
		seen[e] = true
	}
	return list
}

// Shows that every change of JSON is JSON again, and every one of YAML is YAML.
func TestValid(t *testing.T) {
	text := []byte(`{"type": "object", "required": ["a", "b"], "deep": [[1, [2]], {"x": {"y": -0.10, "z": [true]}}], "s": "a\"b", "e": {}, "l": []}`)
	list := sound(t, "a.json", text)
	if len(list) < 20 {
		t.Errorf("only %d changes", len(list))
	}
	for _, c := range list {
		if made := c.Apply(text); !json.Valid(made) {
			t.Errorf("%s makes %s", c.Change, made)
		}
	}
	for _, text := range []string{
		"a:\n  b: [1, {c: d}]\n  e: |\n    x\n\n    y\n  f:\n    - - 1\n      - 2\n    - g: h\n      i: 'j'\n    -\n      k: -1\nl:\nm: &n {o: 1}\np: *n\nq: >-\n  r\n  s\n",
		"- 1\n- -2\n- a-b\n- \"c - d\"\n- 'it''s'\n- é: ü # ö\n  ä: 1\n",
		"{a: [1, 2], b: 'x, y'}\n",
	} {
		list := sound(t, "a.yaml", []byte(text))
		if len(list) < 8 {
			t.Errorf("only %d changes of %s", len(list), text)
		}
		for _, c := range list {
			var v any
			if err := yaml.Unmarshal(c.Apply([]byte(text)), &v); err != nil {
				t.Errorf("%s makes\n%s%v", c.Change, c.Apply([]byte(text)), err)
			}
		}
	}
}

// Shows that of many places some of each kind are changed, from the whole file.
func TestSpread(t *testing.T) {
	var b strings.Builder
	b.WriteString("[")
	for i := range 1000 {
		fmt.Fprintf(&b, "{\"n\": %d, \"on\": true, \"name\": \"x\"},\n", i)
	}
	list := sound(t, "a.json", []byte(b.String()+"0]"))
	count, last := map[string]int{}, map[string]int{}
	for _, c := range list {
		count[c.Operator]++
		last[c.Operator] = c.Line
	}
	for _, s := range shares {
		if count[s.kind] < s.share || last[s.kind] < 900 {
			t.Errorf("%s: %d changes, the last on line %d", s.kind, count[s.kind], last[s.kind])
		}
	}
	if len(list) != most {
		t.Errorf("%d changes", len(list))
	}
}

var samples = []struct{ name, text string }{
	{"a.json", `{"a": [1, {"b": -2.50, 'c': "^d$"}], e: null, /* f */ "g": true,} // h`},
	{"a.yaml", "a: [1, {b: c}]\nd:\n- e: 'f'\n  g: |\n   h\n- - i\n---\nj: \"k\" # l\n"},
	{"a.toml", "[a]\nb = [\"c\", 1]\nd = 'e'\nf = [\n1,\n]\n"},
	{".env", "export A=b,c\nD=1.5\nport=1\u00a0\n"},
	{"b.toml", "k = b #c\f\nk=b #c\u00a0\nl = 2 #\v\n"},
	{"a.csv", "a,b\n1,\"2\n3\"\n4;5\n"},
	{"a.sql", "-- a\nselect 'b', $c$ d $c$;\n/* e */ insert 1;"},
	{"a.txt", "{{ if a }}\n<b>1 c</b> 2.5s.\nd: e,f\n"},
	{"a.jq", "map(select(.a > 1)) | sort"},
	{"a.jsonl", "{\"a\": 1}\n[2]\n"},
}

// Shows that no bytes stop the readers, and that what holds for every change holds for those of any text.
func FuzzChanges(f *testing.F) {
	for i, s := range samples {
		f.Add(uint8(i), []byte(s.text))
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		sound(t, samples[int(which)%len(samples)].name, text)
	})
}

// Shows that every beginning and every end of a text can be read, and a text without any of its bytes.
func TestDamaged(t *testing.T) {
	for _, s := range samples {
		for i := range len(s.text) {
			sound(t, s.name, []byte(s.text[:i]))
			sound(t, s.name, []byte(s.text[i:]))
			sound(t, s.name, []byte(s.text[:i]+s.text[i+1:]))
		}
		if len(Changes(s.name, []byte(s.text))) == 0 {
			t.Errorf("%s: nothing is made of the whole text", s.name)
		}
	}
}

// Shows that the work grows with a text as it does, and not with its square.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ name, file, from, part, to string }{
		{"arrays", "a.json", "", "[", "]"},
		{"numbers", "a.json", "[", "1,", "]"},
		{"members", "a.yaml", "", "a: {b: 1}\n", ""},
		{"a line of YAML", "a.yaml", "[", "ü, ", "]"},
		{"dashes", "a.yaml", "", "- a-b-c\n", ""},
		{"settings", "a.toml", "", "a = [1, 2]\n", ""},
		{"one setting", "a.toml", "a = ", "1,2 ", ""},
		{"cells", "a.csv", "a\n", "1,", ""},
		{"quotes", "a.csv", "a\n", "\"\n", ""},
		{"statements", "a.sql", "", "a;$b$;--c\n", ""},
		{"words", "a.txt", "", "1 a ", ""},
		{"tags", "a.txt", "", "<a", ""},
		{"lines", "a.txt", "", "a 1\n", ""},
	} {
		cost := func(bytes int) time.Duration {
			n := bytes / len(c.part)
			end := c.to
			if c.name == "arrays" {
				end = strings.Repeat(c.to, n)
			}
			text := []byte(c.from + strings.Repeat(c.part, n) + end + "\n")
			best := time.Hour
			for range 3 { // processor time, which others on the machine do not use up
				start := cputime.Spent()
				Changes(c.file, text)
				best = min(best, cputime.Spent()-start)
			}
			return best
		}
		small := cost(10_000)
		if large := cost(100_000); large > 40*small+50*time.Millisecond {
			t.Errorf("%s: ten times the text takes %v instead of %v", c.name, large, small)
		}
	}
}
