package mutate

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/trace"
)

// Rows are alike where what differs between them is only in a text that the program sends on.
func TestAlike(t *testing.T) {
	const text = `
workflow "w" {
  provider   = provider.api
  on_failure = "continue"
  inputs     = { id = "i", role = "r" }
  step "http" "a" {
    when = input.role != "guest"
    path = PATH
  }
}
scenario "nobody" {
  EACH
  run    = workflow.w
  inputs = INPUTS
  on "a" {
    reply { ANSWER }
  }
  assert "a" { condition = CHECK }
}
`
	for _, c := range []struct{ each, inputs, path, answer, check, want string }{
		{"", "", "", "", "", `rows "a", "b" and "c" of "nobody" run the same: each.value is only in a text of inputs.id, which decides nothing`},
		{`for_each = toset(["a"])`, "", "", "", "", ""},
		{`for_each = toset(["a", "b", "c", "d"])`, "", "", "", "", `rows "a", "b", "c" and 1 more of "nobody" run the same: each.value is only in a text of inputs.id, which decides nothing`},
		{`matrix { n = [1, 2] }`, `{ id = "x-${matrix.n}" }`, "", "", "", `rows "n=1" and "n=2" of "nobody" run the same: matrix.n is only in a text of inputs.id, which decides nothing`},
		{"", `{ id = each.value }`, "", "", "", ""},
		{"", `{ id = "x-${each.value}", role = each.value }`, "", "", "", ""},
		{"", `{ id = "x" }`, "", "", "", ""},
		{"", `{ role = "x-${each.value}" }`, "", "", "", ""},
		{"", "", `"/${lower(input.id)}"`, "", "", ""},
		{"", "", "", "json = { a = each.value }", "", ""},
		{"", "", "", "", `step.a.attempts[0].request.url == "https://api.example/x-${each.value}"`, ""},
	} {
		or := func(given, usual string) string {
			if given == "" {
				return usual
			}
			return given
		}
		file := strings.NewReplacer("EACH", or(c.each, `for_each = toset(["a", "b", "c"])`), "INPUTS", or(c.inputs, `{ id = "x-${each.value}" }`), "PATH", or(c.path, `"/${input.id}"`),
			"ANSWER", c.answer, "CHECK", or(c.check, "length(step.a.attempts) == 1")).Replace(text)
		r := mutated(t, map[string]string{"a.scenario.hcl": provided + file}, "", Options{Only: []string{"retry"}})
		got := ""
		for _, x := range r.Alike {
			got += x.String()
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c, got, c.want)
		}
	}
}

// Runs have another course where something else happens, or at another time.
func TestSameCourse(t *testing.T) {
	usual := []trace.Event{{Type: "a", Step: "s"}, {Type: "b", At: 1}}
	for name, other := range map[string][]trace.Event{
		"another type": {{Type: "a", Step: "s"}, {Type: "c", At: 1}}, "another time": {{Type: "a", Step: "s"}, {Type: "b", At: 2}},
		"another step": {{Type: "a", Step: "t"}, {Type: "b", At: 1}}, "one less": usual[:1],
	} {
		if sameCourse(usual, other) {
			t.Errorf("%s is the same", name)
		}
	}
	if !sameCourse(usual, []trace.Event{{Type: "a", Step: "s", Seq: 3}, {Type: "b", At: 1}}) {
		t.Error("the same is not")
	}
}

// Rows of which not all are run are not told of.
func TestAlikeIsOfAllRows(t *testing.T) {
	const text = `
workflow "w" {
  provider = provider.api
  inputs   = { id = null }
  step "http" "a" { path = "/${input.id}" }
}
scenario "all" {
  for_each = toset(["a1", "a2", "b"])
  run      = workflow.w
  inputs   = { id = "x-${each.value}" }
  on "a" {
    reply { json = {} }
  }
  assert "a" { condition = length(step.a.attempts) == 1 }
}
`
	r := mutated(t, map[string]string{"a.scenario.hcl": provided + text}, "all[a", Options{Only: []string{"retry"}})
	if len(r.Alike) > 0 {
		t.Errorf("of two rows of three: %s", r.Alike[0])
	}
}
