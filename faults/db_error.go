package faults

import (
	"fmt"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const dbErrorName = "db_error"

var dbError = &Kind{
	Name:    dbErrorName,
	Summary: "The database answers a statement with an error.",
	For:     databases,
	Groups:  []Group{GroupOwn},
	Attrs: []schema.Attr{
		{Name: "sqlstate", Type: schema.String, Default: `"XX000"`, Doc: "The SQLSTATE of the error; the taxonomy reads it."},
		{Name: "message", Type: schema.String, Default: `"the statement failed"`, Doc: "What the error says."},
	},
	Answerless: answerless,
	// A defect of the server, a conflict that a new transaction solves, a broken rule,
	// a missing table, a cancelled statement, too many connections.
	Tried: func(Figures) []Trial {
		var list []Trial
		for _, state := range []string{"XX000", "40001", "23505", "42P01", "57014", "53300"} {
			list = append(list, Trial{Args: schema.Values{"sqlstate": state}})
		}
		return list
	},
	Script: strikeDBError,
}

// sqlState is the form of a SQLSTATE.
var sqlState = pattern.New(`^[0-9A-Z]{5}$`)

func strikeDBError(s Strike) (wire.WireScript, error) {
	state := s.textOr("sqlstate", "XX000")
	if !sqlState().MatchString(state) {
		return wire.WireScript{}, fmt.Errorf("sqlstate is %q: it has five digits and capital letters, such as 23505", state)
	}
	return s.typed(dbErrorName, failure.DBError, s.textOr("message", "the statement failed"), state)
}
