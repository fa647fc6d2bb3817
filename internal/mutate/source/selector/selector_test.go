package selector_test

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source/selector"
)

// Shows what is chosen more of, and that other texts stay as they are.
func TestOf(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"./invoice[@state='open']", "./invoice"},
		{".//a[b='c'][@d]/e", ".//a[@d]/e|.//a[b='c']/e"},
		{`a[href^="http"] > b`, "a > b"},
		{"//a[2]", ""},
		{"a[b] and what we know", ""},
		{"[draft] hello", ""},
		{"outbox/*.csv", "outbox/*.csv*|outbox/*"},
		{"report-*.csv.gz", "report-*.csv.gz*|report-*.csv"},
		{"*", ""},
		{"2 * 3.a", ""},
		{"query Open($page: Int) {\n  orders(state: OPEN, page: $page) { id }\n}", "query Open($page: Int) {\n  orders(page: $page) { id }\n}"},
		{"{ orders(state: OPEN) { id } }", "{ orders { id } }"},
		{"mutation { a(b: 1, c: \"d\") { e } }", "mutation { a(c: \"d\") { e } }|mutation { a(b: 1) { e } }"},
		{"{name} (id: 3)", ""},
	} {
		var got []string
		for _, x := range selector.Of(c.text) {
			got = append(got, c.text[:x.From]+x.Text+c.text[x.To:])
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: got %q, want %q", c.text, s, c.want)
		}
	}
}

// Shows what a pattern of a shell and a regular expression match beside what they did.
func TestLoose(t *testing.T) {
	for _, c := range []struct {
		text, want string
		of         func(string) []selector.Change
	}{
		{"a*", "*a*", selector.Loose},
		{"*.a", "*.a*", selector.Loose},
		{"a", "", selector.Loose},
		{"*", "", selector.Loose},
		{"a*b", "", selector.Loose},
		{"^a$", "a$|^a", selector.Anchored},
		{`a\$`, "", selector.Anchored},
	} {
		var got []string
		for _, x := range c.of(c.text) {
			got = append(got, c.text[:x.From]+x.Text+c.text[x.To:])
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: got %q, want %q", c.text, s, c.want)
		}
	}
}
