package mutate

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Shows what becomes of a pattern.
func TestPatternsAreChanged(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"^a$", "a$; ^a"},
		{"^(a|b|cd)", "(a|b|cd); ^(b|cd); ^(a|cd); ^(a|b)"},
		{"a|b", "b; a"},
		{`\bno\b`, `no\b; \bno`},
		{`a\.b\.c`, `a.b\.c`},
		{"(?i)no", "no"},
		{"(?i:no)", "(?:no)"},
		{"(?P<n>a|b)", "(?P<n>b); (?P<n>a)"},
		{"[^|$]x{2}", "[^|$]x+"},
		{"[]|]x", ""},
		{"[[:alpha:]|]x", ""},
		{`\(a\|b`, ""},
		{"(", ""},
		{"^", ""},
		{`\Qa|b\E`, ""},
	} {
		var got []string
		for _, d := range patternChanges(c.pattern) {
			got = append(got, c.pattern[:d.from]+d.with+c.pattern[d.to:])
		}
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "; ")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.pattern, got, want)
		}
	}
}

// Whatever a pattern is, what is made of it is another pattern.
func FuzzPatternChanges(f *testing.F) {
	for _, p := range []string{"^(a|b)$", `(?i)\bx{2,}\.`, "[[:^alpha:]]|", `[\]|]`, "(?P<n>a|)", "a{,", "(?)", `\`, strings.Repeat("^", 500)} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		list := patternChanges(p)
		if len(list) > variantsMax {
			t.Fatalf("%d changes", len(list))
		}
		for _, c := range list {
			if c.from < 0 || c.to > len(p) || c.from > c.to {
				t.Fatalf("%q: %d to %d", p, c.from, c.to)
			}
			if _, err := regexp.Compile(p[:c.from] + c.with + p[c.to:]); err != nil {
				t.Fatalf("%q: %s: %v", p, c.what, err)
			}
		}
	})
}

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
