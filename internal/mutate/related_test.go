package mutate

import (
	"slices"
	"strings"
	"testing"
)

// Shows what is put in the place of a part of an expression as one that is easily taken for it, and that what hardly
// any data tells is left as it is.
func TestRelatedExpressions(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`startswith(x, "gpt-")`, `startswith(x, "gpt-") → strcontains(x, "gpt-")`},
		{`startswith(f, "${t}-")`, `startswith(f, "${t}-") → strcontains(f, "${t}-"); startswith(f, "${t}-") → startswith(f, "${t}")`},
		{`endswith(f, ".${t}")`, `endswith(f, ".${t}") → strcontains(f, ".${t}"); endswith(f, ".${t}") → endswith(f, "${t}")`},
		{`endswith(f, "-a${t}")`, `endswith(f, "-a${t}") → strcontains(f, "-a${t}")`},
		{`strcontains(x, y)`, "strcontains(x, y) → try(regexmatch(y, x), false)"},
		{`strcontains(x, "a.b")`, `strcontains(x, "a.b") → try(regexmatch("a.b", x), false)`},
		{`strcontains(x, "ab")`, ""},
		{`regexmatch("^https://([a-z-]+\\.)?teapot\\.example(/|$)", x)`, `regexmatch("^https://([a-z-]+\\.)?teapo… → strcontains(x, "teapot.example"); ^ left out in ^https://([a-z-]+\.)?teapot\.example(/|…; \. → . in ^https://([a-z-]+\.)?teapot\.example(/|…; $ left out in ^https://([a-z-]+\.)?teapot\.example(/|…; / left out in ^https://([a-z-]+\.)?teapot\.example(/|…; [a-z-] → . in ^https://([a-z-]+\.)?teapot\.example(/|…`},
		{`regexmatch("abcd", x)`, ""},
		{`regexmatch("^ab$", x)`, "^ left out in ^ab$; $ left out in ^ab$"},
		{`regexmatch("^colou?rs$", x)`, `regexmatch("^colou?rs$", x) → strcontains(x, "colo"); ^ left out in ^colou?rs$; $ left out in ^colou?rs$`},
		{`regexmatch(p, x)`, ""},
		{`percentile(x, 95)`, "percentile(x, 95) → sum(x) / length(x); percentile(x, 95) → max(x...)"},
		{`9 - step.a.ended_ms`, "step.a.ended_ms → step.a.elapsed_ms"},
		{`step.a.elapsed_ms`, "step.a.elapsed_ms → step.a.ended_ms"},
		{`input.ended_ms`, ""},
		{`"${x}-${y.z}"`, "${x} left out; ${y.z} left out"},
		{`"a${ x }b${~ y ~}"`, "${x} left out; ${y} left out"},
		{`"${x}-%{if y}a%{endif}"`, ""},
		{`"${x}-"`, ""},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"b\" {\n    value = " + c.value + "\n  }\n}\n"
		var want []string
		for _, w := range strings.Split(c.want, "; ") {
			if w != "" {
				want = append(want, "step.b value: "+w)
			}
		}
		if got := changesOf(t, text, "related"); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// Shows which member is read in the place of another one, by what scenarios give, and that whole elements are compared
// where they are known by a member.
func TestOtherMembers(t *testing.T) {
	const given = `
scenario "s" {
  run    = workflow.w
  inputs = { order = "o-7", cents = 4200, delivery = "d-81", other = "x" }
  on "get" {
    reply { json = { id = "o-7", price = 65, voucher = 20, paid = 65, open = true, rows = [{ sku = "a", cents = 3 }, { sku = "b", cents = 4 }] } }
  }
  assert "a" { condition = x == { paid = 1, due = 1 } }
}
`
	for _, c := range []struct{ attr, want string }{
		{`value = step.get.json.paid`, "value: step.get.json.paid → step.get.json.price"},
		{`value = "key-${input.order}"`, "value: input.order → input.delivery"},
		{`value = input.cents`, ""},
		{`value = step.get.json.open`, ""},
		{`value = step.get.status_code`, ""},
		{`value = step.get.json.rows[0].sku`, ""},
		{`value = [for r in step.get.json.rows : r.id]`, ""},
		{`value = [for r in x : r if r.paid == max([for y in x : y.paid]...)]`, "value: r.paid → r.price, 2 times"},
		{`value = [for r in x : [for y in z : y.paid] if r.paid > 1]`, "value: y.paid → y.price; value: r.paid → r.price"},
		{`value = { voucher = step.get.json.voucher, of = step.get.json.id }`, "value: { voucher = step.get.json.voucher, of =… → with all that step.get.json has; value: step.get.json.voucher → step.get.json.price"},
		{`value = [for r in step.get.json.rows : { sku = r.sku, cents = r.cents }]`, ""},
		{`value = { a = input.order, b = input.cents }`, "value: input.order → input.delivery"},
		{`arguments = { a = step.get.json.paid, b = step.get.json.voucher }`, "arguments: step.get.json.paid → step.get.json.price"},
		{`value = [for i, e in x : e if index([for y in x : y.k], e.k) == i]`, "value: y.k → y and e.k → e"},
		{`value = [for e in x : e if contains([for y in z : y.k], e.k)]`, "value: y.k → y and e.k → e"},
		{`value = [for e in x : e if contains([for y in z : y.k], e.j)]`, ""},
		{`value = distinct([for e in x : e.k])`, "value: e.k → e in distinct(…)"},
		{`value = { for e in x : e.k => e... }`, "value: e.k → all of e"},
		{`value = { for e in x : e.k => e.j }`, ""},
	} {
		kind := "value"
		if strings.HasPrefix(c.attr, "arguments") {
			kind, c.attr = "call", "target = actor.a.h\n    "+c.attr
		}
		text := "workflow \"w\" {\n  inputs = { order = null, cents = null, delivery = null }\n  step \"" + kind + "\" \"b\" {\n    " + c.attr + "\n  }\n}\n" + given
		var want []string
		for _, w := range strings.Split(c.want, "; ") {
			if w != "" {
				want = append(want, "step.b "+w)
			}
		}
		if got := changesOf(t, text, "related"); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.attr, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}
