package report

import (
	"bytes"
	"fmt"
	"testing"
)

// Shows that a line of a source is what walking through it finds, also after another source
// was asked for, and that there is none before the first and behind the last.
func TestLine(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "a\r\nb", "\n\n", "one\ntwo\n\nfour\n", "ä\n ö"} {
		source := []byte(text)
		var want []string
		for l := range bytes.Lines(source) {
			want = append(want, string(bytes.TrimRight(l, "\r\n")))
		}
		for n := -1; n <= len(want)+2; n++ {
			_, _ = line([]byte("another\nsource\n"), 2)
			for range 2 {
				got, is := line(source, n)
				if should := n >= 1 && n <= len(want); is != should || is && string(got) != want[n-1] {
					t.Errorf("%s: %q, %v", fmt.Sprintf("line %d of %q", n, text), got, is)
				}
			}
		}
	}
}
