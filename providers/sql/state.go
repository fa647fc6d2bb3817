package sql

import (
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/failure"
)

// The states (Appendix A of PostgreSQL's manual) that mean more than their
// class.
const (
	internalError      = "XX000"
	tooManyConnections = "53300"
	queryCanceled      = "57014"
)

// refuses reports whether a state is the answer to somebody who wants a
// session: connection exceptions, authorisation, no such database, no room, and
// a server that is starting up.
func refuses(state string) bool {
	return strings.HasPrefix(state, "08") || strings.HasPrefix(state, "28") ||
		slices.Contains([]string{"3D000", tooManyConnections, "57P03"}, state)
}

// ends reports whether the session is over with a state.
func ends(state string) bool {
	return refuses(state) || slices.Contains([]string{"57P01", "57P02", "57P05", "25P03"}, state)
}

// inParse reports whether a statement meets a state before it is run: syntax
// errors and names that do not exist.
func inParse(state string) bool { return strings.HasPrefix(state, "42") }

// failureOf is what an error of the server was observed as.
func failureOf(e *pgproto3.ErrorResponse) *failure.Failure {
	f := &failure.Failure{Kind: failure.DBError, SQLState: e.Code, Message: e.Message}
	switch e.Code {
	case tooManyConnections:
		f.Kind = failure.PoolTimeout
	case queryCanceled:
		f.Kind = failure.DBTimeout
	}
	f.Message += " (SQLSTATE " + e.Code + ")"
	if e.Detail != "" {
		f.Message += ": " + e.Detail
	}
	return f
}
