package edits

import "testing"

// The distances of words, counted by hand: two neighbours that change places are one
// edit, and what was moved is not edited again.
func TestBetween(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"same", "same", 0},
		{"lmm", "llm", 1},
		{"itmes", "items", 1},
		{"form", "from", 1},
		{"retry", "retyr", 1},
		{"ab", "ba", 1},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3}, // Damerau's own distance is 2: it may put a letter between two that were moved
		{"abcd", "badc", 2},
		{"äö", "öä", 1},
		{"äpfel", "apfel", 1},
	} {
		if got := Between(c.a, c.b); got != c.want {
			t.Errorf("Between(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Between(c.b, c.a); got != c.want {
			t.Errorf("Between(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
