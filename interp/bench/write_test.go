package bench

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// Shows that a report of many cases that is written in pieces is the one that is
// encoded at once, whatever the names in it look like, and that no piece is large or
// ends within a character.
func TestReportInPieces(t *testing.T) {
	r := &Report{Bench: `a "cases":[] of "before":[]`, Warnings: []string{`"cases":[]`}}
	for i := range 3000 {
		r.Cases = append(r.Cases, CaseResult{
			ID: fmt.Sprintf(`"cases":[] %d`, i), Ran: true, Input: Excerpt{Text: `{"cases":[],"before":[]}`},
			Trials: []Trial{{Kept: &Kept{Output: Excerpt{Text: strings.Repeat("ö", i%100)}}}},
		})
	}
	for _, against := range []*Comparison{nil, {}, {Broken: []string{`"before":[]`}, Before: r.Cases[:1500]}} {
		r.Against = against
		var got strings.Builder
		pieces := 0
		err := r.WriteJSON(func(piece []byte) error {
			pieces++
			if len(piece) > 2*pieceBytes || !utf8.Valid(piece) {
				t.Errorf("a piece has %d bytes, of characters: %v", len(piece), utf8.Valid(piece))
			}
			got.Write(piece)
			return nil
		})
		if err != nil || pieces < 5 {
			t.Fatalf("%d pieces, %v", pieces, err)
		}
		if diff := cmp.Diff(string(r.AppendJSON(nil)), got.String()); diff != "" {
			t.Error(diff)
		}
	}
	full := errors.New("no space left")
	if err := r.WriteJSON(func([]byte) error { return full }); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
}
