package faults

import "github.com/scenario-lang/scenario/wire"

const connectionRefusedName = "connection_refused"

// overSockets is what a program meets of the faults that come before a request is there: a listener that
// takes its connections has read the request by then.
const overSockets = " A program that asks over sockets, as under `scenario exec`, has its request read and then its connection reset instead"

var connectionRefused = &Kind{
	Name:       connectionRefusedName,
	AlsoCalled: []string{"refused", "econnrefused"},
	Summary:    "Nothing listens on the target's port." + overSockets + ".",
	For:        everywhere,
	Groups:     []Group{GroupConnection},
	Tried:      once(1, true),
	Early:      true, Connects: true,
	Attrs:      reasonAttr("`connection refused`"),
	Answerless: answerless,
	Script: func(s Strike) (wire.WireScript, error) {
		return wire.WireScript{Delay: s.After, Dial: s.refused(), Meta: s.labelled(connectionRefusedName)}, nil
	},
}
