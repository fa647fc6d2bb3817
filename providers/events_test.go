package providers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that every part is its own event, whatever is done to another, and also
// where more come than were expected.
func TestEvents(t *testing.T) {
	e := NewEvents(1)
	e.Add(wire.PartEvent, "", []byte("a\nb"))
	e.AddJSON(wire.PartChunk, "delta", map[string]string{"text": "<b>"})
	e.AddLine(wire.PartChunk, 1)
	e.AddJSON(wire.PartDone, "", func() {})
	for i := range e.Parts {
		_ = append(e.Parts[i].Data, "and more of it"...)
	}
	want := []string{"data: a\ndata: b\n\n", "event: delta\ndata: {\"text\":\"<b>\"}\n\n", "1\n", "data: null\n\n"}
	kinds := []wire.PartKind{wire.PartEvent, wire.PartChunk, wire.PartChunk, wire.PartDone}
	for i, p := range e.Parts {
		if diff := cmp.Diff(want[i], string(p.Data)); diff != "" || p.Kind != kinds[i] {
			t.Errorf("part %d is of kind %d: %s", i, p.Kind, diff)
		}
	}
}
