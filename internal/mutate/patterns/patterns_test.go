package patterns

import (
	"regexp"
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
		{"[^|$]x{2}", "[^|$]x+; .x{2}; [^|$]x{2,}"},
		{"[]|]x", ".x"},
		{"[[:alpha:]|]x", ".x"},
		{`\(a\|b`, ""},
		{"(", ""},
		{"^", ""},
		{`\Qa|b\E`, ""},
	} {
		if got := made(Changes(c.pattern, false, same), c.pattern); got != c.want {
			t.Errorf("%s: got %q, want %q", c.pattern, got, c.want)
		}
	}
}

func same(s string) string { return s }

// made are the patterns that changes make of one.
func made(list []Change, of string) string {
	var all []string
	for _, c := range list {
		all = append(all, c.Apply(of))
	}
	return strings.Join(all, "; ")
}

// Shows what a class and a count let pass, and what nobody could tell apart where a pattern only says whether something
// matches.
func TestWider(t *testing.T) {
	for _, c := range []struct{ pattern, found, asked string }{
		{"^notes/[a-z0-9/_-]+[.]md$", "^notes/.+[.]md$; ^notes/[a-z0-9/_-]+.md$", ""},
		{`^\d{3}$`, `^.{3}$; ^\d{3,}$`, ""},
		{`^\w+-\w+$`, `^.+-\w+$`, ""},
		{"^[a-z]{1,20}$", "^.{1,20}$", ""},
		{"^[a-z]{2,20}$", "^.{2,20}$; ^[a-z]{2,}$", ""},
		{"^[a-z]{2,}$", "^.{2,}$", ""},
		{"^[^/]+$", "^.+$", ""},
		{"x[0-9]*", "x.*", "-"},
		{"x[0-9]*?y", "x.*?y", ""},
		{"x[0-9]+", "x.+", ""},
		{"[a-z]*@", ".*@", "-"},
		{"x[0-9]{2,3}", "x.{2,3}; x[0-9]{2,}", "x.{2,3}"},
		{"x([0-9]{2,3})?", "x(.{2,3})?; x([0-9]{2,})?", "-"},
		{"(?:x|[0-9]*)", "(?:x|.*)", "-"},
		{"^(?:x|[0-9]*)$", "^(?:x|.*)$", ""},
		{"[a-f]*[0-9]*z", ".*[0-9]*z; [a-f]*.*z", "-"},
		{"[a-f]*[0-9]z", ".*[0-9]z; [a-f]*.z", "[a-f]*.z"},
		{"^[^\n]+$", "", ""},
		{"^[\\s\\S]+$", "", ""},
		{"^[+]$", "", ""},
		{"^[a][b-c][d-e][f-g][h-i][j-k]$", "^[a].[d-e][f-g][h-i][j-k]$; ^[a][b-c].[f-g][h-i][j-k]$; ^[a][b-c][d-e].[h-i][j-k]$; ^[a][b-c][d-e][f-g].[j-k]$", ""},
		{`\Q[a-z]\E`, "", ""},
		{"[a-z", "", ""},
		{strings.Repeat("[a-z]", lengthMax), "", ""},
	} {
		want := c.asked
		switch want {
		case "":
			want = c.found
		case "-":
			want = ""
		}
		if got := made(Wider(c.pattern, false, same), c.pattern); got != c.found {
			t.Errorf("%s: got %q, want %q", c.pattern, got, c.found)
		}
		if got := made(Wider(c.pattern, true, same), c.pattern); got != want {
			t.Errorf("whether %s matches: got %q, want %q", c.pattern, got, want)
		}
	}
}

// Patterns that are told to match the same texts do so.
func TestPlain(t *testing.T) {
	texts := []string{"", "x", "xx", "x1", "x12", "1x", "ax", "axa", "\n", "x\n", "ab", "aab", "b"}
	list := []string{"x", "x*", "^x*", "x*$", "x+", "(x)+?", "x{2}", "x{2,}", "x{2,3}", "^x{2}", "^x{2,3}$", "x[0-9]*", "x.*", "a*x", "(a|x*)", "a|x", "(?:a*|b)+", "a*b*", "a*b", "a?$", "^a?", "(?s).*x", `\bx`, `x\b`, ""}
	for _, p := range list {
		for _, q := range list {
			if plain(p, true) != plain(q, true) {
				continue
			}
			for _, text := range texts {
				if a, b := regexp.MustCompile(p).MatchString(text), regexp.MustCompile(q).MatchString(text); a != b {
					t.Errorf("%q and %q are told to be the same, and of %q are not", p, q, text)
				}
			}
		}
	}
}

// Whatever a pattern is, what is made of it is another pattern.
func FuzzPatternChanges(f *testing.F) {
	for _, p := range []string{"^(a|b)$", `(?i)\bx{2,}\.`, "[[:^alpha:]]|", `[\]|]`, "(?P<n>a|)", "a{,", "(?)", `\`, strings.Repeat("^", 500)} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		list := append(Changes(p, true, same), Changes(p, false, same)...)
		if len(list) > 2*changesMax {
			t.Fatalf("%d changes", len(list))
		}
		for _, c := range list {
			if c.From < 0 || c.To > len(p) || c.From > c.To {
				t.Fatalf("%q: %d to %d", p, c.From, c.To)
			}
			if _, err := regexp.Compile(c.Apply(p)); err != nil {
				t.Fatalf("%q: %s: %v", p, c.What, err)
			}
		}
	})
}
