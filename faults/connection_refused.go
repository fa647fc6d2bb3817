package faults

import "github.com/scenario-lang/scenario/wire"

const connectionRefusedName = "connection_refused"

var connectionRefused = &Kind{
	Name:       connectionRefusedName,
	AlsoCalled: []string{"refused", "econnrefused"},
	Summary:    "Nothing listens on the target's port.",
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
