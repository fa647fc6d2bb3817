package faults

import "github.com/scenario-lang/scenario/wire"

const bookkeepingName = "bookkeeping"

var bookkeeping = &Kind{
	Name:       bookkeepingName,
	Summary:    "The work is done and its answer stands, but the record of it is lost: a warning in the trace, not a failure.",
	For:        actors,
	Groups:     []Group{GroupOwn},
	Answerless: answerless,
	Script:     strikeBookkeeping,
}

func strikeBookkeeping(s Strike) (wire.WireScript, error) {
	return s.note(bookkeepingName, "the record of the call was lost")
}
