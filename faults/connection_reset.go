package faults

import (
	"fmt"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const connectionResetName = "connection_reset"

// cutMax bounds after_bytes, so that a default answer of that size can be made.
const cutMax = 16 << 20

var connectionReset = &Kind{
	Name:       connectionResetName,
	AlsoCalled: []string{"reset", "reset_peer", "connection_reset_by_peer", "disconnect", "econnreset", "epipe", "socket hang up", "broken pipe", "eof", "connection reset by peer"},
	Summary:    "The connection is reset before any byte of the answer, or after some of its body.",
	For:        services,
	Groups:     []Group{GroupConnection},
	Connects:   true,
	Attrs: []schema.Attr{
		{Name: "after_bytes", Type: schema.Int, Min: 0, HasMin: true, Max: cutMax, HasMax: true, Doc: "How many bytes of the body come through, after the whole head. Without it there is no answer at all."},
	},
	Tried:      each(5, schema.Values{}, schema.Values{"after_bytes": 1}),
	Answerless: func(args schema.Values) bool { return args["after_bytes"] == nil },
	Script:     strikeConnectionReset,
}

// strikeConnectionReset resets the connection before any answer.
func strikeConnectionReset(s Strike) (wire.WireScript, error) {
	meta := s.labelled(connectionResetName)
	if !s.has("after_bytes") {
		return wire.WireScript{Ops: []wire.Op{{Wait: s.After, End: wire.EndRST}}, Meta: meta}, nil
	}
	n, err := s.cutSize("after_bytes")
	if err != nil {
		return wire.WireScript{}, err
	}
	resp := s.longEnough(n)
	harmed := resp.Count(wire.PartDone) == 0
	if err := tooFar("after_bytes", n, len(resp.Body()), harmed, "bytes"); err != nil {
		return wire.WireScript{}, err
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.CutBytes(n, wire.EndRST).Script(meta), nil
}

func (s Strike) cutSize(name string) (int, error) {
	n := s.number(name, 0)
	if n < 0 || n > cutMax {
		return 0, fmt.Errorf("%s is %d: it is between 0 and %d", name, n, cutMax)
	}
	return n, nil
}
