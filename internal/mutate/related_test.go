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
		{`regexmatch("^https://([a-z-]+\\.)?teapot\\.example(/|$)", x)`, `regexmatch("^https://([a-z-]+\\.)?teapo… → strcontains(x, "teapot.example")`},
		{`regexmatch("abcd", x)`, ""},
		{`regexmatch("^ab$", x)`, ""},
		{`regexmatch("^colou?rs$", x)`, `regexmatch("^colou?rs$", x) → strcontains(x, "colo")`},
		{`regexmatch(p, x)`, ""},
		{`percentile(x, 95)`, "percentile(x, 95) → sum(x) / length(x); percentile(x, 95) → max(x...)"},
		{`9 - step.a.ended_ms`, "step.a.ended_ms → step.a.elapsed_ms"},
		{`step.a.elapsed_ms`, "step.a.elapsed_ms → step.a.ended_ms"},
		{`input.ended_ms`, ""},
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
