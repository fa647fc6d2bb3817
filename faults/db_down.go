package faults

import (
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/wire"
)

const dbDownName = "db_down"

var dbDown = &Kind{
	Name:       dbDownName,
	Summary:    "The database is down: connecting or sending a statement fails with `db_error`. An actor whose pool gets it at startup does not start.",
	For:        databases,
	Groups:     []Group{GroupOwn},
	Tried:      once(0, true),
	Connects:   true,
	Answerless: answerless,
	Script:     strikeDBDown,
}

// cannotConnect is the SQLSTATE of a connection that could not be made.
const cannotConnect = "08001"

func strikeDBDown(s Strike) (wire.WireScript, error) {
	return s.typed(dbDownName, failure.DBError, "the database cannot be reached", cannotConnect)
}
