package faults

import (
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/wire"
)

const poolExhaustedName = "pool_exhausted"

var poolExhausted = &Kind{
	Name:       poolExhaustedName,
	Summary:    "No connection becomes free: `pool_timeout` at `after`.",
	For:        databases,
	Groups:     []Group{GroupOwn},
	Answerless: answerless,
	Script:     strikePoolExhausted,
}

func strikePoolExhausted(s Strike) (wire.WireScript, error) {
	return s.typed(poolExhaustedName, failure.PoolTimeout, "no connection became free", "")
}
