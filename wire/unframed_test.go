package wire_test

import (
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that what is left of an answer without HTTP is its content, in as many
// operations with the same waits and ends, whole, chunked, cut inside of a chunk,
// and that what is no answer stays as it is.
func TestUnframed(t *testing.T) {
	stream := wire.Response{Stream: true, Parts: []wire.Part{{Data: []byte("one\n")}, {Wait: time.Second, Data: []byte("two\n")}}}.Script(wire.Meta{})
	for name, c := range map[string]struct {
		script wire.WireScript
		want   string
	}{
		"whole":   {wire.Response{Parts: []wire.Part{{Data: []byte("one\n")}}}.Script(wire.Meta{}), "one\n"},
		"chunked": {stream, "one\ntwo\n"},
		"cut":     {stream.Cut(len(stream.Bytes())-len("o\n\r\n0\r\n\r\n"), wire.EndRST), "one\ntw"},
		"raw":     {wire.Raw([]byte("no answer"), wire.EndFIN), "no answer"},
	} {
		got := c.script.Unframed()
		if string(got.Bytes()) != c.want || len(got.Ops) != len(c.script.Ops) {
			t.Errorf("%s: %q in %d operations of %d", name, got.Bytes(), len(got.Ops), len(c.script.Ops))
			continue
		}
		for i, op := range c.script.Ops {
			if got.Ops[i].Wait != op.Wait || got.Ops[i].End != op.End {
				t.Errorf("%s: operation %d is %+v", name, i, got.Ops[i])
			}
		}
	}
}
