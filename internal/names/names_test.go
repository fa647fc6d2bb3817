package names

import (
	"slices"
	"testing"
)

// Shows what the words of a name are, whichever way it is written.
func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"X-Hub-Signature-256": {"x", "hub", "signature", "256"},
		"orderId":             {"order", "id"},
		"order_id":            {"order", "id"},
		"HTTPServer":          {"httpserver"},
		"Ärger über v2":       {"ärger", "über", "v2"},
		"--":                  nil,
		"":                    nil,
	} {
		if got := Words(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Shows that a sentence mentions a name with all of its words, and also in the plural.
func TestMentioned(t *testing.T) {
	for _, c := range []struct {
		sentence, name string
		want           bool
	}{
		{"an order has an id", "orderId", true},
		{"ids of orders", "order_id", true},
		{"an order", "order_id", false},
		{"reorder the idle", "order_id", false},
		{"an order", "", false},
		{"", "", false},
	} {
		if got := Mentioned([]string{"something else", c.sentence}, c.name); got != c.want {
			t.Errorf("%q in %q: %t", c.name, c.sentence, got)
		}
	}
}
