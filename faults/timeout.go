package faults

import (
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const timeoutName = "timeout"

var timeout = &Kind{
	Name:       timeoutName,
	AlsoCalled: []string{"etimedout", "esockettimedout", "context deadline exceeded", "deadlineexceeded", "deadline_exceeded", "readtimeout"},
	Summary:    "Silence. At `after` the transport reports a timeout; without `after` the silence lasts until the caller's own deadline.",
	For:        waits,
	Groups:     []Group{GroupHang},
	Slow:       true,
	Silent:     true,
	Tried:      once(2, true),
	Told:       func(schema.Values) string { return "silence" },
	Answerless: answerless,
	Script:     strikeTimeout,
}

// strikeTimeout is silence, then a timeout. A deadline of the caller that is
// shorter than after wins by itself: it ends the silence first.
func strikeTimeout(s Strike) (wire.WireScript, error) {
	silence := wire.Op{End: wire.EndHang}
	if s.HasAfter {
		silence = wire.Op{Wait: s.After, End: wire.EndTimeout}
	}
	return wire.WireScript{Ops: []wire.Op{silence}, Meta: s.labelled(timeoutName)}, nil
}
