package beside_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
	"github.com/scenario-lang/scenario/internal/mutate/source/beside"
)

// Shows what stands in the place of a member that decides, and that nothing does where the answers tell the two apart.
func TestFind(t *testing.T) {
	const (
		errors = `503 {"error": {"code": "down", "again": true}}|422 {"error": {"code": "bad", "again": false}}`
		apart  = errors + `|503 {"error": {"code": "down", "again": false}}`
		jobs   = `200 [{"id": "a", "due": "05-04", "made": "04-02", "size": 2}, {"id": "b", "due": "05-03", "made": "04-01", "size": 1}, {"id": "c", "due": "05-09", "made": "04-06", "size": 3}]`
		mixed  = `200 [{"due": "05-04", "made": "04-01"}, {"due": "05-03", "made": "04-02"}]`
		people = `200 {"user": "ann", "known": true, "n": 4}|200 {"user": "bob", "known": false, "n": 0}`
		same   = `200 {"user": "ann", "known": true}|200 {"user": "bob", "known": true}`
		states = `200 {"state": "done", "left": 0, "ready": true}|200 {"state": "busy", "left": 3, "ready": false}|200 {"state": "busy", "left": 2, "ready": false}`
	)
	for _, c := range []struct{ name, file, given, text, want string }{
		{"a truth", "a.mjs", errors, "if (a.ok) b();\nif (!c.error.again) d();\n", `(a.status === 503)|(c.error.code === "down")`},
		{"a truth, told apart", "a.mjs", apart, "if (a.ok) b();\nif (!c.error.again) d();\n", ""},
		{"without a status", "a.py", errors, "if c['error']['again']:\n    d()\n", "(c['error']['code'] == 'down')"},
		{"get", "a.py", errors, "if c.get(\"error\").get(\"again\"):\n    d()\n", `(c.get("error").get("code") == "down")`},
		{"a status", "a.py", errors, "if a.status_code > 1 and c[\"error\"][\"again\"]:\n    d()\n", `(a.status_code == 503)|(c["error"]["code"] == "down")`},
		{"what is put there", "a.py", errors, "c[\"again\"] = 1\n", ""},
		{"nothing that answers have", "a.py", errors, "if c[\"other\"]:\n    d()\n", ""},
		{"one answer", "a.py", `503 {"again": true, "code": "down"}`, "if c[\"again\"]:\n    d()\n", ""},
		{"a text", "a.mjs", states, "if (a.state === 'done') b();\n", `(a.left === 0)|a.ready`},
		{"a text, the other way", "a.rb", states, "b if 'done' != a['state']\n", `(a['left'] != 0)|!a['ready']`},
		{"a number", "a.go", states, "package a\n\nfunc f() {\n\tif a[\"left\"] < 1 {\n\t}\n}\n", `a["ready"]|(a["state"] == "done")`},
		{"a part of a sum", "a.mjs", states, "if (a.left + 1 > 2) b();\n", ""},
		{"compared with another", "a.py", people, "if a[\"owner\"] != b[\"user\"]:\n    c()\n", `b["known"]|(not b["known"])`},
		{"compared with another, on the left", "a.mjs", people, "if (b.user === a.owner(d)) c();\n", `!!b.known|!b.known`},
		{"which no truth tells apart", "a.py", same, "if a[\"owner\"] != b[\"user\"]:\n    c()\n", ""},
		{"an order", "a.py", jobs, "a = sorted(b, key=lambda c: c[\"due\"])\n", `"made"|"size"`},
		{"an order, told apart", "a.py", mixed, "a = sorted(b, key=lambda c: c[\"due\"])\n", ""},
		{"itemgetter", "a.py", jobs, "a = sorted(b, key=itemgetter(\"due\"))\n", `"made"|"size"`},
		{"a comparator", "a.mjs", jobs, "a.sort((b, c) => b.due < c.due ? -1 : 1);\n", `made < c.made|size < c.size`},
		{"sort_by", "a.rb", jobs, "a = b.sort_by { |c| c['due'] }\n", `'made'|'size'`},
		{"no order", "a.py", jobs, "print(a[\"due\"])\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := source.Mutants(c.file, []byte(c.text))
			all, _ := source.Changes(c.file, []byte(c.text), facts(t, c.given))
			var got []string
			for _, m := range all {
				if !slices.Contains(before, m) {
					got = append(got, m.Text)
				}
				if len(m.Change) > 90 {
					t.Errorf("%q is long", m.Change)
				}
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("made %q, want %q", strings.Join(got, "|"), c.want)
			}
		})
	}
}

func facts(t *testing.T, given string) *beside.Facts {
	t.Helper()
	var answers []beside.Answer
	for answer := range strings.SplitSeq(given, "|") {
		a := beside.Answer{Of: "a"}
		code, body, _ := strings.Cut(answer, " ")
		if err := json.Unmarshal([]byte(code), &a.Status); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(body), &a.JSON); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	return beside.Of(answers)
}

// Shows that a file with many such places has no more than a few changes, and that the work grows with it.
func TestBounds(t *testing.T) {
	list := facts(t, `503 {"code": "down", "again": true}|422 {"code": "bad", "again": false}`)
	text := []byte(strings.Repeat("if a[\"again\"]: b(c.status_code)\nd = sorted(e, key=lambda f: f[\"again\"])\n", 2000))
	n := 0
	all, _ := source.Changes("a.py", text, list)
	for _, m := range all {
		if strings.Contains(m.Text, "down") || strings.Contains(m.Text, "503") {
			n++
		}
	}
	if n != 24 {
		t.Errorf("there are %d changes, want 24", n)
	}
}

// Shows that anything in the place of a source or an answer is taken.
func FuzzFind(f *testing.F) {
	f.Add("a.py", "if a[\"b\"] == 1 != c.d: sorted(e, key=lambda f: f[\"b\"])\n", `[{"b": 1, "d": true}, {"b": 2, "d": false}]`)
	f.Add("a.mjs", "a.b === 'c' ? d.b : !e?.b; f.sort((g, h) => g.b - h.b)\n", `{"a": [{"b": "c", "d": 1}, {"b": "e", "d": 0}]}`)
	f.Add("a.rb", "a.sort_by { |b| b['c'] }.min_by!{ d[:c] }\n", `[{"c": 1, "d": "x"}, {"c": 2, "d": "y"}]`)
	f.Fuzz(func(_ *testing.T, name, text, answer string) {
		var v any
		if json.Unmarshal([]byte(answer), &v) != nil {
			return
		}
		all, _ := source.Changes(name, []byte(text), beside.Of([]beside.Answer{{Of: "a", Status: 200, JSON: v}, {Of: "a", Status: 404, JSON: v}}))
		for _, m := range all {
			m.Apply([]byte(text))
		}
	})
}
