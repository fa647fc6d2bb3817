package exchange

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/providers"
)

// Shows that what different answers say counts as kept, in whatever part of an answer it stands, and what the
// same answer says again does not.
func TestAnswersThatAreKept(t *testing.T) {
	const size = 10_000
	text := func(n int) string { return strings.Repeat(fmt.Sprintf("%09d ", n), size/10) }
	for name, output := range map[string]func(n int) providers.Output{
		"body":    func(n int) providers.Output { return providers.Output{Body: []byte(text(n))} },
		"content": func(n int) providers.Output { return providers.Output{Content: text(n)} },
		"chunks":  func(n int) providers.Output { return providers.Output{Chunks: []string{text(n), text(n + 1)}} },
	} {
		m := &Recall{}
		tell := func(n int) {
			out := output(n)
			m.Ended(&Ended{Output: &out})
		}
		for n := range 5 {
			tell(n)
		}
		if m.Kept() < 5*size {
			t.Errorf("%s: 5 different answers of %d bytes count as %d", name, size, m.Kept())
		}
		before := m.Kept()
		for range 5 {
			tell(4)
		}
		if name != "chunks" && m.Kept() != before { // of a stream, each has its own
			t.Errorf("%s: the same answer again counts as %d", name, m.Kept()-before)
		}
	}
}
