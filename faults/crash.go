package faults

import "github.com/scenario-lang/scenario/wire"

const crashName = "crash"

var crash = &Kind{
	Name:       crashName,
	Summary:    "The process dies in the middle of the work: the connection is reset, and an actor is dead until something restarts it.",
	For:        dies,
	Groups:     []Group{GroupOwn},
	Kills:      true,
	Answerless: answerless,
	Script:     strikeCrash,
}

func strikeCrash(s Strike) (wire.WireScript, error) {
	return wire.WireScript{Ops: []wire.Op{{Wait: s.After, End: wire.EndRST}}, Meta: s.labelled(crashName)}, nil
}
