package failure

import (
	"regexp"
	"testing"
)

// Phrases match whole words, whatever the case and the gap between them.
func TestWord(t *testing.T) {
	for _, tc := range []struct {
		text, phrase string
		want         bool
	}{
		{"Rate  Limit", "rate limit", true},
		{"rate\nlimit", "rate limit", true},
		{"rate-limit", "rate limit", true},
		{"rate--limit", "rate limit", false},
		{"rate. limit", "rate limit", false},
		{"ratelimit", "rate limit", false},
		{"(timeout)", "timeout", true},
		{"mytimeout timeout", "timeout", true},
		{"timeout2", "timeout", false},
		{"über ÜBUNG", "übung", true},
		{"a [x] b", "[x]", true},
		{"", "x", false},
		{"x", "", false},
		{"x", "  ", false},
		{"x", " x ", true},
	} {
		if got := Word(tc.text, tc.phrase); got != tc.want {
			t.Errorf("Word(%q, %q) = %v", tc.text, tc.phrase, got)
		}
	}
	if !Word("b", "a", "b") || Word("b") {
		t.Error("one of several phrases is enough, and none matches nothing")
	}
}

// For ASCII words, Word agrees with a regular expression with word boundaries.
func FuzzWord(f *testing.F) {
	f.Add("Rate Limit exceeded", "rate limit")
	f.Add("boom", "oom")
	ascii := regexp.MustCompile(`^[ a-zA-Z0-9_.,!]*$`)
	phrases := regexp.MustCompile(`^[a-zA-Z0-9_]+( [a-zA-Z0-9_]+)*$`)
	gap := regexp.MustCompile(` `)
	f.Fuzz(func(t *testing.T, text, phrase string) {
		got := Word(text, phrase)
		if !ascii.MatchString(text) || !phrases.MatchString(phrase) {
			return
		}
		want := regexp.MustCompile(`(?i)\b` + gap.ReplaceAllString(phrase, " +") + `\b`).MatchString(text)
		if got != want {
			t.Errorf("Word(%q, %q) = %v, the regular expression says %v", text, phrase, got, want)
		}
	})
}
