package mcp

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Shows that a short output is kept as it is, and of a long one the beginning and the
// end, in whole characters, with the number of bytes that are not there.
func TestBounded(t *testing.T) {
	for _, pieces := range [][]string{{"ab", "cdef", "g"}, {"abcdefgh"}, {""}, {"äöü"}} {
		b := &bounded{most: 4}
		for _, p := range pieces {
			if n, err := b.Write([]byte(p)); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
		if got := b.String(); got != strings.Join(pieces, "") || b.Cut() {
			t.Errorf("%q is %q", pieces, got)
		}
	}
	b := &bounded{most: 4}
	for _, p := range []string{"aäö", strings.Repeat("x", 1000), "ö", "üa"} { // the cuts go through ö and ö
		b.Write([]byte(p))
	}
	got := b.String()
	if !utf8.ValidString(got) || !strings.HasPrefix(got, "aä\n… ") || !strings.HasSuffix(got, "…\nüa") || !strings.Contains(got, " 1004 bytes ") || !b.Cut() {
		t.Errorf("%q", got)
	}
}
