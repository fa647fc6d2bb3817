package faults

import (
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/wire"
)

const refuseName = "refuse"

var refuse = &Kind{
	Name:       refuseName,
	Summary:    "The service answers that it accepts nothing: the failure is `target_unavailable`, and no work was started.",
	For:        parts,
	Groups:     []Group{GroupOwn},
	Early:      true,
	Connects:   true,
	Answerless: answerless,
	Script:     strikeRefuse,
}

func strikeRefuse(s Strike) (wire.WireScript, error) {
	return s.typed(refuseName, failure.TargetUnavailable, "the service refuses calls", "")
}
