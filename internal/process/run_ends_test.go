package process

import (
	"fmt"
	"strings"
	"testing"
)

// Of a long standard error the first lines and the last are kept, whole, with what is
// missing between them counted; a short one is kept as it is.
func TestEnds(t *testing.T) {
	var all strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&all, "line %04d\n", i)
	}
	for _, size := range []int{1, 7, 32 << 10} {
		e := &ends{most: 200}
		for rest := all.String(); rest != ""; {
			n := min(size, len(rest))
			e.take([]byte(rest[:n]))
			rest = rest[n:]
		}
		got := string(e.bytes())
		// 100 bytes are ten lines of ten bytes. The last hundred begin with a whole line,
		// which is dropped, as nobody knows that it is whole; and one more makes room
		// for the line between them.
		want := all.String()[:100] + fmt.Sprintf("… %d bytes …\n", 10000-100-80) + all.String()[10000-80:]
		if got != want {
			t.Errorf("in pieces of %d:\n%s\nwant\n%s", size, got, want)
		}
	}
	e := &ends{most: 200}
	e.take([]byte(all.String()[:120]))
	e.take([]byte(all.String()[120:200]))
	if got := string(e.bytes()); got != all.String()[:200] {
		t.Errorf("what fits is not kept as it is: %q", got)
	}
}
