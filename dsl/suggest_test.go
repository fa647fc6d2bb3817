package dsl

import (
	"strings"
	"testing"
)

// A mistyped name finds the one that was meant; a name that resembles nothing
// finds nothing, and the order of the known names breaks a tie.
func TestSuggest(t *testing.T) {
	for _, c := range []struct {
		given string
		known []string
		want  string
	}{
		{"anwser", []string{"classify", "answer"}, "answer"},
		{"retrys", []string{"retries", "retry"}, "retry"},
		{"status_cod", []string{"status", "status_code"}, "status_code"},
		{"bat", []string{"cat", "hat"}, "cat"},
		{"bat", []string{"hat", "cat"}, "hat"},
		{"zebra", []string{"answer", "classify"}, ""},
		{"x", []string{"y"}, ""},
		{"at", []string{"target", "at_ms"}, "at_ms"},
		{"elapsed", []string{"target", "elapsed_ms"}, "elapsed_ms"},
		{"", []string{"a"}, ""},
		{"base_env_url", []string{"base_url", "base_url_env", "api_key_env"}, "base_url_env"},
		{"retries_max", []string{"max_delay", "max_retries"}, "max_retries"},
		{"lmm", []string{"llm", "lam"}, "llm"},
		{"äpfel", []string{"apfel"}, "apfel"},
		{"answer", []string{"answer"}, ""},
		{strings.Repeat("a", 101), []string{strings.Repeat("a", 102)}, ""},
	} {
		if got := Suggest(c.given, c.known); got != c.want {
			t.Errorf("Suggest(%q, %q) = %q, want %q", c.given, c.known, got, c.want)
		}
	}
	if got, want := DidYouMean("anwser", []string{"answer"}), ` Did you mean "answer"?`; got != want {
		t.Errorf("DidYouMean = %q, want %q", got, want)
	}
	if got := DidYouMean("zebra", []string{"answer"}); got != "" {
		t.Errorf("DidYouMean of a name like no other = %q, want nothing", got)
	}
}
