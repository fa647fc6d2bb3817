package adaptertest

import (
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Arbitrary sends bytes that nobody rendered, raw or as the body of an answer,
// cut anywhere and ended in any way. It is the body of an adapter's fuzz
// target: nothing may panic, hang or leave the body open, and a success must
// be called complete.
func Arbitrary(t *testing.T, a providers.Adapter, in providers.Input, data []byte, media string, cut uint16, end uint8) {
	t.Helper()
	ended := wire.End(end % 5)
	answer := wire.Response{
		Header: []wire.Field{{Name: "Content-Type", Value: media}},
		Parts:  []wire.Part{{Data: data}},
		Stream: in.Stream,
	}
	for _, script := range []wire.WireScript{
		wire.Raw(data, ended),
		answer.Script(wire.Meta{}),
		answer.CutBytes(int(cut), ended).Script(wire.Meta{}),
		answer.Script(wire.Meta{}).Cut(int(cut), ended),
	} {
		p, err := Play(a, in, script)
		if err != nil {
			t.Fatal(err)
		}
		if p.Unclosed {
			t.Fatal("the body was left open")
		}
		if p.Failed == nil && !p.Out.Complete {
			t.Fatalf("a success that is not complete: %s", Summary(p.Out))
		}
		if p.Failed != nil && p.Failed.Message == "" {
			t.Fatalf("failed with %s and says nothing", p.Failed.Kind)
		}
	}
}
