package providers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Shows that content is cut after each word's trailing space and that nothing
// is lost or added.
func TestSplitWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":              nil,
		"one":           {"one"},
		"one two":       {"one ", "two"},
		"one  two ":     {"one  ", "two "},
		"  lead in":     {"  lead ", "in"},
		" ":             {" "},
		"a\nb\tc":       {"a\n", "b\t", "c"},
		"λ⁻⁴ 🌈 \u00a0x": {"λ⁻⁴ ", "🌈 \u00a0", "x"},
	} {
		got := SplitWords(text)
		if !cmp.Equal(got, want) || strings.Join(got, "") != text {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
