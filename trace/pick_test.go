package trace_test

import (
	"bytes"
	"testing"

	"github.com/scenario-lang/scenario/trace"
)

// waited is a payload with a member of each sort: one always there, one that may be
// absent and one from outside.
type waited struct {
	Delay  int    `attr:"delay_ns,always"`
	Policy string `attr:"policy"`
	Said   string `attr:"said,outside"`
}

func (*waited) EventType() trace.Type { return "waited" }

type everything struct{}

func (everything) Show(string, any) any { return "hidden" }

// Shows that a pick has the attributes that it is to have and that are set, hidden or
// not, and nothing of the others.
func TestPick(t *testing.T) {
	p := trace.NewPick(func(_ trace.Type, key string) bool { return key != "policy" })
	e := trace.Event{Type: "waited", Payload: &waited{Policy: "p", Said: "a secret"}}
	const want = "delay_ns\x000said\x00\"a secret\""
	if got := p.Append([]byte("before "), &e); string(got) != "before "+want {
		t.Errorf("it is %q, want %q", got, want)
	}
	e.Hide(everything{})
	if got := p.Append(nil, &e); string(got) != want {
		t.Errorf("hidden it is %q, want %q", got, want)
	}
	e.Payload = &waited{}
	if got := p.Append(nil, &e); string(got) != "delay_ns\x000" {
		t.Errorf("what is not set is %q", got)
	}
	e.Payload = trace.Attrs{{Key: "a", Value: 1}, {Key: "n", Value: nil}, {Key: "policy", Value: "p"}}
	if got := p.Append(nil, &e); !bytes.Equal(got, []byte("a\x001")) {
		t.Errorf("a list is %q", got)
	}
	if got := p.Append(nil, &trace.Event{Type: "waited"}); got != nil {
		t.Errorf("nothing is %q", got)
	}
}
