package schema

import "testing"

// A list of words reads as one would say it, whatever its length.
func TestOr(t *testing.T) {
	for want, words := range map[string][]string{
		"":             nil,
		"a":            {"a"},
		"a or b":       {"a", "b"},
		"a, b or c":    {"a", "b", "c"},
		"a, b, c or d": {"a", "b", "c", "d"},
	} {
		if got := Or(words...); got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
}
