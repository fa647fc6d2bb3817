package convert

import (
	"regexp"
	"strings"
	"testing"
)

// Shows that the example of a pattern fits it, reads as the pattern does where a
// word fits, and that a pattern of Java alone becomes something, too.
func TestExampleFits(t *testing.T) {
	for pattern, want := range map[string]string{
		"/a/.*": "/a/x", `/b/[0-9]+`: "/b/1", `/c/\d{4}-\d{2}`: "/c/1111-11", "/d/(one|two)": "/d/one", "/e/[a-f]{3}/x?": "/e/aaa/",
		`/f\.json`: "/f.json", "/g/[^/]+": "/g/x", "(?i)/H": "/H", "[é-ü]+": "é",
	} {
		got := example(pattern)
		if got != want || !regexp.MustCompile("^(?:"+pattern+")$").MatchString(got) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
	for _, pattern := range []string{"/j/(?=a)a", "/k/a++", "/l/(", "x{1000}{1000}", strings.Repeat("(", 5000)} {
		if got := example(pattern); len(got) > 10_000 {
			t.Errorf("%.20s: %d bytes", pattern, len(got))
		}
	}
}
