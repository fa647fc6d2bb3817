package forms

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Shows that every form can be looked for: it has a name, words in lower case, and patterns
// that compile.
func TestForms(t *testing.T) {
	for _, f := range All() {
		if f.ID == "" || len(f.Words) == 0 || slices.ContainsFunc(f.Words, func(w string) bool { return w == "" || w != strings.ToLower(w) }) {
			t.Errorf("%q has the words %q", f.ID, f.Words)
		}
		for _, p := range append([]string{f.Pattern}, f.Allowed...) {
			if _, err := regexp.Compile(p); err != nil {
				t.Errorf("%s: %v", f.ID, err)
			}
		}
	}
	if n := len(published); n < 180 {
		t.Errorf("there are %d published forms", n)
	}
}
