package faults

import (
	"github.com/scenario-lang/scenario/dsl/schema"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/wire"
)

const dbErrorName = "db_error"

var dbError = &Kind{
	Name:    dbErrorName,
	Summary: "The database answers a statement with an error.",
	For:     pools,
	Attrs: []schema.Attr{
		{Name: "sqlstate", Type: schema.String, Default: `"XX000"`, Doc: "The SQLSTATE of the error; the taxonomy reads it."},
		{Name: "message", Type: schema.String, Default: `"the statement failed"`, Doc: "What the error says."},
	},
	Script: strikeDBError,
}

func strikeDBError(s Strike) (wire.WireScript, error) {
	return s.typed(dbErrorName, failure.DBError, s.textOr("message", "the statement failed"), s.textOr("sqlstate", "XX000"))
}
