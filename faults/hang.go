package faults

import "github.com/scenario-lang/scenario/wire"

const hangName = "hang"

var hang = &Kind{
	Name:       hangName,
	Summary:    "The work never ends, and keeps what it holds (locks, connections), until a deadline or a cancellation ends it.",
	For:        works,
	Groups:     []Group{GroupHang},
	Answerless: answerless,
	Endless:    true,
	Silent:     true,
	Script:     strikeHang,
}

func strikeHang(s Strike) (wire.WireScript, error) {
	if open := s.opening(); open != nil {
		return wire.WireScript{Ops: []wire.Op{{Data: open}, {Wait: s.After, End: wire.EndHang}}, Meta: s.labelled(hangName)}, nil
	}
	return wire.WireScript{Delay: s.After, Ops: []wire.Op{{End: wire.EndHang}}, Meta: s.labelled(hangName)}, nil
}
