package adaptertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// A Suite is an adapter and the replies that it is tried with.
type Suite struct {
	Adapter providers.Adapter
	Replies []Reply
}

// A Reply is rendered and read back.
type Reply struct {
	Name string
	In   providers.Input
	Out  providers.Output
	// Want is what must be read back, beside status and headers; a nil body is
	// not compared.
	Want providers.Output
	// Unmarked says that the protocol cannot tell this answer from one that was
	// cut with valid framing.
	Unmarked bool
}

// Run checks every reply of the suite.
func Run(t *testing.T, s Suite) {
	t.Helper()
	for _, r := range s.Replies {
		t.Run(r.Name, func(t *testing.T) {
			t.Run("round trip", func(t *testing.T) { s.roundTrip(t, r) })
			t.Run("broken at every byte", func(t *testing.T) { s.broken(t, r) })
			if !r.Unmarked {
				t.Run("cut at every byte", func(t *testing.T) { s.cut(t, r) })
			}
			t.Run("same bytes", func(t *testing.T) { s.same(t, r) })
		})
	}
}

func (s Suite) roundTrip(t *testing.T, r Reply) {
	p := s.play(t, r, s.Adapter.Render(r.In, r.Out).Script(wire.Meta{}))
	if p.Failed != nil {
		t.Fatalf("failed with %s: %s", p.Failed.Kind, p.Failed.Message)
	}
	if got, want := p.Out, r.Want; !equal(got, want) {
		t.Errorf("read back\n%s\nbody %q\nwant\n%s\nbody %q", Summary(got), got.Body, Summary(want), want.Body)
	}
	if !p.Out.Complete {
		t.Error("the answer is not called complete")
	}
	if !slices.Equal(p.Chunks, r.Want.Chunks) {
		t.Errorf("the consumer got %q, want %q", p.Chunks, r.Want.Chunks)
	}
	wait := r.Out.Latency
	if n := len(r.Want.Chunks); r.In.Stream && n > 1 {
		wait += r.Out.ChunkDelay * time.Duration(n-1)
	}
	if p.Elapsed != wait {
		t.Errorf("it took %s, want %s", p.Elapsed, wait)
	}
}

// broken ends the connection after every byte that is sent, both ways.
func (s Suite) broken(t *testing.T, r Reply) {
	script := s.Adapter.Render(r.In, r.Out).Script(wire.Meta{})
	for n := range len(script.Bytes()) {
		for _, end := range []wire.End{wire.EndFIN, wire.EndRST} {
			s.neverPartial(t, r, fmt.Sprintf("%d bytes and end %d", n, end), script.Cut(n, end), failure.MalformedResponse,
				failure.Connection, failure.StreamInterrupted)
		}
	}
}

// cut takes bytes of the body away behind valid framing.
func (s Suite) cut(t *testing.T, r Reply) {
	resp := s.Adapter.Render(r.In, r.Out)
	for n := range len(resp.Body()) {
		script := resp.CutBytes(n, wire.EndNone).Script(wire.Meta{})
		s.neverPartial(t, r, fmt.Sprintf("%d bytes of the body", n), script, failure.MalformedResponse, failure.StreamIncomplete)
	}
}

// neverPartial accepts a success only if nothing is missing, and a failure only
// of the given kinds and with a beginning of the content.
func (s Suite) neverPartial(t *testing.T, r Reply, what string, script wire.WireScript, kinds ...failure.Kind) {
	t.Helper()
	p := s.play(t, r, script)
	switch {
	case p.Failed == nil && !equal(p.Out, r.Want):
		t.Fatalf("%s: a success with\n%s\nof\n%s", what, Summary(p.Out), Summary(r.Want))
	case p.Failed != nil && !slices.Contains(kinds, p.Failed.Kind):
		t.Fatalf("%s: failed with %s (%s), want one of %v", what, p.Failed.Kind, p.Failed.Message, kinds)
	case p.Failed != nil && p.Failed.Message == "":
		t.Fatalf("%s: failed with %s and says nothing", what, p.Failed.Kind)
	case !strings.HasPrefix(r.Want.Content, p.Out.Content):
		t.Fatalf("%s: content %q is no beginning of %q", what, p.Out.Content, r.Want.Content)
	}
}

// equal compares bodies only where the wanted one says something.
func equal(got, want providers.Output) bool {
	return Summary(got) == Summary(want) && (want.Body == nil || string(got.Body) == string(want.Body))
}

func (s Suite) same(t *testing.T, r Reply) {
	first := s.Adapter.Render(r.In, r.Out).Script(wire.Meta{}).Bytes()
	for range 3 {
		if again := s.Adapter.Render(r.In, r.Out).Script(wire.Meta{}).Bytes(); string(again) != string(first) {
			t.Fatalf("rendered twice, it differs:\n%s\n%s", first, again)
		}
	}
}

func (s Suite) play(t *testing.T, r Reply, script wire.WireScript) Played {
	t.Helper()
	p, err := Play(s.Adapter, r.In, script)
	if err != nil {
		t.Fatal(err)
	}
	if p.Unclosed {
		t.Error("the body was left open")
	}
	return p
}
