package wording

import "testing"

// A word gets the article that is spoken before it, and a count the right form
// of its noun.
func TestWords(t *testing.T) {
	for word, want := range map[string]string{
		"assert": "an assert", "expect": "an expect", "on": "an on", "http step": "an http step", "step": "a step", "unknown": "an unknown", "usd": "a usd", `step "http"`: `a step "http"`, "": "this object", "the run": "the run",
	} {
		if got := WithArticle(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	for n, want := range []string{"no labels", "1 label", "2 labels"} {
		if got := Count(n, "label"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
