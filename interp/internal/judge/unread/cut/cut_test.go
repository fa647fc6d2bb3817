package cut_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/judge/unread/cut"
)

// Shows where texts of each form are cut, and that a piece inside of another one lies in it.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		cut  func(string) []cut.Piece
		text string
		want []string
	}{
		{cut.Text, "one", nil},
		{cut.Text, "o-7", nil},
		{cut.Text, "a=1&b=2", []string{"a=1", "b=2"}},
		{cut.Text, "<P><A n=\"1\">x</A><B/></P>", []string{"<A n=\"1\">x</A>", "<B/>"}},
		{cut.Text, "first line\n----\nsecond line", []string{"first line", "second line"}},
		{cut.Text, "Say one word. Never two, e.g. none.", []string{"Say one word.", "Never two, e.g. none."}},
		{cut.Text, "team = a AND x IN (b, c) ORDER BY p", []string{"team = a", "AND x IN (b, c)", "ORDER BY p"}},
		{cut.Text, "find . -name '*.log' -delete", []string{"find .", "-name '*.log'", "-delete"}},
		{cut.Text, "f(a: 1, b: 2)", []string{"a: 1", "b: 2"}},
		{cut.Columns, "SELECT a, sum(b, c) AS d", []string{"SELECT a", "sum(b, c) AS d"}},
		{cut.Field, "text/plain; charset=utf-8", []string{"text/plain", "charset=utf-8"}},
	} {
		pieces := c.cut(c.text)
		var got []string
		for _, p := range pieces {
			got = append(got, c.text[p.From:p.To])
			for _, in := range p.Inner {
				if in.From < p.From || in.To > p.To || in.From >= in.To {
					t.Errorf("%q: %d to %d is not in %q", c.text, in.From, in.To, c.text[p.From:p.To])
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// Shows that any text is cut in bounds.
func FuzzCut(f *testing.F) {
	for _, s := range []string{"a (b, c", "it's, 'x, y'", "<a>b</a>", "a=1&b=", ")]}{[(", "é AND ü, ä"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var look func(list []cut.Piece)
		look = func(list []cut.Piece) {
			for i := range list {
				if now := list[i].Without(text); len(now) >= len(text) || !strings.HasPrefix(now, text[:list[i].From]) {
					t.Errorf("%q without %q is %q", text, list[i].Name, now)
				}
				look(list[i].Inner)
			}
		}
		look(cut.Text(text))
		look(cut.Field(text))
		look(cut.Columns(text))
	})
}
