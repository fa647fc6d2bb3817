package mutate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What stands in several places is left out in all of them at once, in the nearest scope that has them, and once.
func TestEverywhere(t *testing.T) {
	step := func(attrs string) string {
		return "workflow \"w\" {\n  step \"http\" \"a\" {\n    " + attrs + "\n  }\n}\n"
	}
	for _, c := range []struct{ text, want string }{
		{step(`when = lower(x) == lower(y)`), "step.a when: lower(…) left out in 2 places: lower(x), lower(y)"},
		{step(`when = lower(x) == y`), ""},
		{step(`when = lower(x) == upper(y)`), "step.a when: upper(…) and lower(…) left out in 2 places: lower(x), upper(y)"},
		{step(`when = lower(lower(x)) == "a"`), "step.a when: lower(…) left out in 2 places: lower(lower(x)), lower(x)"},
		{step(`json = { for k in x : upper(k) => substr(k, 0, upper(k)) }`), "step.a json: upper(…) left out in 2 places: upper(k), upper(k)"},
		{step("when = trimspace(x) == \"\"\n    path = trimspace(y)"), "step.a trimspace(…) left out in 2 places: trimspace(x), trimspace(y) (line 4)"},
		{step(`when = formatdate("YYYY", x) == formatdate("YYYY", y)`), `step.a when: formatdate(…) left out in 2 places: formatdate("YYYY", x), formatdate("YYYY", y)`},
		{step(`when = max(x...) == max(y...)`), ""},
		{step(`when = length(x) == length(y)`), ""},
		{step(`headers = { K = "o-${x}" }`), "step.a headers: ${x} left out"},
		{step(`headers = { K = "o-${x}-${y}" }`), ""},
		{step(`headers = { K = x, L = "fixed" }`), "step.a headers: x → always the same"},
		{step("prompt = \"o-${x}\"\n    system = \"o-${x}\""), ""},
		{step("path = \"/${x}/${y}\"\n    body = \"/${x}/${y}\""), "step.a ${x} left out in 2 places: path, body (line 4); step.a ${y} left out in 2 places: path, body (line 4)"},
		{"workflow \"w\" {\n  step \"http\" \"a\" { path = \"/a/${x}\" }\n  step \"http\" \"b\" { path = \"/a/${x}\" }\n}\n", "workflow.w ${x} left out in 2 places: step.a path, step.b path (line 3)"},
		{"locals {\n  a = lower(\"X\")\n  b = lower(local.a)\n  c = lower(\"Z\")\n}\nworkflow \"w\" {\n  step \"value\" \"s\" { value = 1 }\n  output = local.b\n}\n", `workflow.w lower(…) left out in 2 places: lower("X"), lower(local.a) (line 3)`},
		{"locals { a = [lower(\"X\"), lower(\"Y\")] }\nworkflow \"w\" {\n  step \"value\" \"s\" { value = 1 }\n  output = local.a\n}\n", `local.a lower(…) left out in 2 places: lower("X"), lower("Y")`},
		{
			"workflow \"w\" {\n  step \"loop\" \"a\" {\n    while = lower(x)\n    step \"value\" \"b\" { value = lower(y) }\n    step \"value\" \"c\" { value = [lower(z), lower(z)] }\n  }\n  output = lower(o)\n}\n",
			"step.a lower(…) left out in 4 places: lower(x), lower(y) (line 4), lower(z) (line 5), lower(z) (line 5); step.c value: lower(…) left out in 2 places: lower(z), lower(z); workflow.w lower(…) left out in 5 places: lower(x), lower(y) (line 4), lower(z) (line 5), lower(z) (line 5), lower(o) (line 7)",
		},
		{step(`when = [` + strings.Repeat("lower(x), ", 10) + `]`), "step.a when: lower(…) left out in 10 places: " + strings.Repeat("lower(x), ", 8) + "2 more"},
	} {
		got := changesOf(t, c.text, "everywhere")
		slices.Sort(got)
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.text, strings.Join(got, "; "), c.want)
		}
	}
}

// Two things that undo each other are left out at once, in all places of both, and what is left is an expression.
func TestOpposites(t *testing.T) {
	for _, c := range []struct{ write, read, want, wrote, reads string }{
		{`base64encode(x)`, `[base64decode(y), base64decode(z)]`, "base64encode(…) and base64decode(…) left out in 3 places", `(x)`, `[(y), (z)]`},
		{`base64encode(x)`, `y`, "", "", ""},
		{`jsonencode({ a = 1 })`, `jsondecode(y).a`, "jsonencode(…) and jsondecode(…) left out in 2 places", `({ a = 1 })`, `(y).a`},
		{`upper(lower(x))`, `y`, "upper(…) and lower(…) left out in 2 places", `((x))`, `y`},
		{`split(",", x)`, `join(",", y)`, `split(",", …) and join(",", …) left out in 2 places`, `(x)`, `(y)`},
		{`split(",", x)`, `join(";", y)`, "", "", ""},
		{`x * 100 + 100 * y`, `(a + b) / 100`, "* 100 and / 100 left out in 3 places", `(x) + (y)`, `((a + b))`},
		{`x * 100`, `y / 10`, "", "", ""},
		{`x * 100`, `100 / y`, "", "", ""},
		{`x - 1`, `y + 1`, "+ 1 and - 1 left out in 2 places", `(x)`, `(y)`},
		{`trimprefix(x, "ORD-")`, `["/orders/ORD-${y}", "ORD-${z}", "ORD-"]`, `"ORD-" before a text left out in 3 places`, `(x)`, `["/orders/${y}", "${z}", "ORD-"]`},
		{`trimsuffix(x, ".csv")`, `"/f/${y}.csv?a=${z}"`, `".csv" behind a text left out in 2 places`, `(x)`, `"/f/${y}?a=${z}"`},
		{`trimprefix(x, "ORD-")`, `"${y}ORD-"`, "", "", ""},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"a\" { value = " + c.write + " }\n  step \"value\" \"b\" { value = " + c.read + " }\n}\n"
		u := &unit{path: "a.scenario.hcl", source: []byte(text)}
		got, wrote, reads := "", "", ""
		for _, m := range u.mutants([]string{"everywhere"}) {
			what, _, _ := strings.Cut(m.Change, ": ")
			if what = strings.TrimPrefix(strings.TrimPrefix(what, "value"), ": "); what == "" {
				_, what, _ = strings.Cut(m.Change, ": ")
				what, _, _ = strings.Cut(what, ": ")
			}
			if !strings.Contains(what, " and ") && !strings.Contains(what, " a text ") {
				continue
			}
			got = what
			var values []string
			for line := range strings.Lines(string(m.Text())) {
				if _, value, ok := strings.Cut(line, "value = "); ok {
					values = append(values, strings.TrimSuffix(value, " }\n"))
				}
			}
			wrote, reads = values[0], values[1]
		}
		if got != c.want || wrote != c.wrote || reads != c.reads {
			t.Errorf("%s, %s: got %q, %s, %s", c.write, c.read, got, wrote, reads)
		}
	}
}

// The text of a mutant keeps its lines where they are, and nothing is left of a call in what is left out.
func TestEverywhereKeepsLines(t *testing.T) {
	const text = "workflow \"w\" {\n  step \"value\" \"s\" { value = 1 }\n  output = [lower(\n    lower(x)\n  ), substr(lower(y), 0, length(lower(z)))]\n}\nretry \"linear\" \"r\" {}\n"
	u := &unit{path: "a.scenario.hcl", source: []byte(text)}
	list := u.mutants([]string{"everywhere"})
	if len(list) != 1 {
		t.Errorf("%d mutants, want 1", len(list))
	}
	for _, m := range list {
		const want = "workflow \"w\" {\n  step \"value\" \"s\" { value = 1 }\n  output = [(\n(x)\n), substr((y), 0, length((z)))]\n}\nretry \"linear\" \"r\" {}\n"
		if got := string(m.Text()); got != want || strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", m.Change, got, want)
		}
	}
}

// A mutant of places that are far from each other keeps what is changed there, and not what stands between them.
func TestEverywhereKeepsLittle(t *testing.T) {
	var b strings.Builder
	const n = 200
	for range 2 {
		for i := range n {
			fmt.Fprintf(&b, "  step \"http\" \"s%d\" {\n    path = \"/%d/${input.x}\"\n  }\n", b.Len(), i)
		}
	}
	u := &unit{path: "a.scenario.hcl", source: []byte("workflow \"w\" {\n" + b.String() + "}\n")}
	list := u.mutants([]string{"everywhere"})
	if len(list) != n {
		t.Errorf("%d mutants, want %d", len(list), n)
	}
	for _, m := range list {
		kept := len(m.with)
		for _, c := range m.cuts {
			kept += len(c.with)
		}
		if kept > 100 {
			t.Fatalf("%s keeps %d bytes", m.Change, kept)
		}
	}
}

// Of places of which one alone goes unnoticed nothing is said of all of them.
func TestEverywhereTogether(t *testing.T) {
	const text = `
workflow "w" {
  inputs = { a = "", b = "" }
  step "value" "s" { value = [upper(input.a), upper(input.b)] }
}
scenario "one" {
  run    = workflow.w
  inputs = { a = "ab", b = "AB" }
  assert "both" { condition = step.s.output == ["AB", "AB"] }
}
scenario "both" {
  run    = workflow.w
  inputs = { a = "AB", b = "AB" }
  assert "both are equal" { condition = step.s.output[0] == step.s.output[1] }
}
scenario "two" {
  run    = workflow.w
  inputs = { a = "ab", b = "ab" }
  assert "both are equal" { condition = step.s.output[0] == step.s.output[1] }
}
`
	const alone, all = "step.s value: upper(input.b) → input.b", "step.s value: upper(…) left out in 2 places: upper(input.a), upper(input.b)"
	for names, want := range map[string]string{
		"both": "step.s value: upper(input.a) → input.a: unshown; " + alone + ": unshown",
		"two":  "step.s value: upper(input.a) → input.a: killed; " + alone + ": killed; " + all + ": survived",
		"one":  "step.s value: upper(input.a) → input.a: killed; " + alone + ": unshown; " + all + ": killed",
	} {
		var got []string
		for _, m := range mutated(t, map[string]string{"a.scenario.hcl": text}, names, Options{Only: []string{"computation", "everywhere"}}).Mutants {
			got = append(got, m.Declaration+" "+m.Change+": "+string(m.Verdict))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: got\n  %s\nwant\n  %s", names, strings.Join(got, "\n  "), strings.ReplaceAll(want, "; ", "\n  "))
		}
	}
}
