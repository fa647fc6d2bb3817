package exchange

import (
	"net/http"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a script is taken for the reply as it was rendered only where nothing of
// what its client gets was changed: what its reader made of the reply is then true of it.
// The place that a script names and the wait before it change nothing of that.
func TestRenderedIs(t *testing.T) {
	script := func() wire.WireScript {
		r := wire.Response{Status: 200, Parts: []wire.Part{{Data: []byte("Rayleigh scattering.")}}}
		return r.Script(wire.Meta{})
	}
	r := &Rendered{script: script()}
	for what, c := range map[string]struct {
		change func(s *wire.WireScript)
		want   bool
	}{
		"nothing":                   {func(*wire.WireScript) {}, true},
		"the place":                 {func(s *wire.WireScript) { s.Meta.Step = "ask" }, true},
		"the wait before it":        {func(s *wire.WireScript) { s.Delay = time.Second }, true},
		"another of the same bytes": {func(s *wire.WireScript) { *s = script() }, false},
		"cut":                       {func(s *wire.WireScript) { s.Ops = s.Ops[:len(s.Ops)-1] }, false},
		"copied":                    {func(s *wire.WireScript) { s.Ops = append([]wire.Op(nil), s.Ops...) }, false},
		"nothing is written":        {func(s *wire.WireScript) { s.Ops = nil }, false},
		"a live answer":             {func(s *wire.WireScript) { s.Through = http.DefaultTransport }, false},
	} {
		s := r.script
		c.change(&s)
		if got := r.Is(s); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	if (&Rendered{}).Is(wire.WireScript{}) {
		t.Error("a script without a part is taken for a reply")
	}
}
