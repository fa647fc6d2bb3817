package mutate

import (
	"slices"
	"strings"
	"testing"
)

// A pattern is changed where it is written: at the call, or in a local that leads to it.
func TestPatternsOfLocals(t *testing.T) {
	for _, c := range []struct{ value, locals, want string }{
		{`regexmatch("^ab", x)`, "", `step.s value: ^ left out in ^ab`},
		{`regexmatch("^a\\.b", x)`, "", `step.s value: ^ left out in ^a\.b; step.s value: \. → . in ^a\.b`},
		{`regexmatch(local.p, x)`, `p = "^ab"`, `local.p ^ left out in ^ab`},
		{`[for q in local.qs : q.path if regexmatch(q.pattern, x)]`, `qs = { a = { path = "^a", pattern = "^ab" }, b = { path = "^b", pattern = "cd$" } }`, `local.qs a.pattern: ^ left out in ^ab; local.qs b.pattern: $ left out in cd$`},
		{`anytrue([for p in local.ps : regexmatch(p, x)])`, `ps = ["^ab", "cd"]`, `local.ps ^ left out in ^ab`},
		{`anytrue([for p, q in local.ps : regexmatch(p, x)])`, `ps = { "^ab" = 1 }`, `local.ps ^ left out in ^ab`},
		{`regexall(local.qs[0].p, x)`, `qs = [{ p = "^ab" }]`, `local.qs p: ^ left out in ^ab`},
		{`regexmatch(local.qs[y], x)`, `qs = { a = "^ab" }`, `local.qs a: ^ left out in ^ab`},
		{`replace(x, "/^ab/", "")`, "", `step.s value: ^ left out in ^ab`},
		{`replace(x, "^ab", "")`, "", ""},
		{`regexmatch("^a[b-d]*$", x)`, "", `step.s value: ^ left out in ^a[b-d]*$; step.s value: $ left out in ^a[b-d]*$; step.s value: [b-d] → . in ^a[b-d]*$`},
		{`regexmatch("^a[b-d]*", x)`, "", `step.s value: ^ left out in ^a[b-d]*`},
		{`regex("^a[b-d]*", x)`, "", `step.s value: ^ left out in ^a[b-d]*; step.s value: [b-d] → . in ^a[b-d]*`},
		{`can(regex("^a[b-d]*", x))`, "", `step.s value: ^ left out in ^a[b-d]*`},
		{`replace(x, "/[0-9]{2,3}$/", "")`, "", `step.s value: {2,3} → + in [0-9]{2,3}$; step.s value: $ left out in [0-9]{2,3}$; step.s value: [0-9] → . in [0-9]{2,3}$; step.s value: {2,3} → {2,} in [0-9]{2,3}$`},
		{`regexmatch("^${y}", x)`, "", ""},
		{`regexmatch(local.a, x)`, `a = local.b` + "\n  b = local.a", ""},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"s\" {\n    value = " + c.value + "\n  }\n}\nlocals {\n  " + c.locals + "\n}\n"
		var want, got []string
		if c.want != "" {
			want = strings.Split(c.want, "; ")
		}
		for _, m := range changesOf(t, text, "related") {
			if !strings.Contains(m, "q.p") && !strings.Contains(m, "strcontains(") {
				got = append(got, m)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}
