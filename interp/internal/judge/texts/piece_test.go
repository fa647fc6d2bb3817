package texts

import "testing"

// Shows of which patterns that are found in a value only a piece of it is found.
func TestPatternsThatFindAPiece(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		piece         bool
	}{
		{"[0-9a-f-]+", "order-payment", true},
		{"([0-9a-f-]+)", "order-payment", true},
		{"[A-Z]+", "K-7", true},
		{`\w+`, "order-payment", true},
		{"[0-9a-f-]+", "1f0b0c5e-7f6a-4b8e-9d3c-2a1b0c9d8e7f", false},
		{"[a-z-]+", "order-payment", false},
		{"^[0-9a-f-]+", "order-payment", false},
		{"[0-9a-f-]+$", "order-payment", false},
		{"[0-9a-f-]{36}", "order-payment", false},
		{"[0-9a-f-]", "order-payment", false},
		{"[0-9]+", "order-7", false},
		{`\d+`, "order-7", false},
		{"order-[0-9a-z]+", "the-order-7", false},
		{"[a-z]+", "paid: 7", false},
		{"[a-z]+", "done\n", false},
		{"[a-z]+", "7-7", false},
		{"[a-z", "7-7", false},
	} {
		if got := IsPiece(c.pattern, c.text); got != c.piece {
			t.Errorf("%q of %q: %v, want %v", c.pattern, c.text, got, c.piece)
		}
	}
}
