package faults

import (
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const sessionExpiredName = "session_expired"

var sessionExpired = &Kind{
	Name:    sessionExpiredName,
	Summary: "The server no longer knows the client's session, and answers with status 404. The next attempt opens a new session.",
	For:     httpServer,
	Groups:  []Group{GroupOwn},
	Attrs: []schema.Attr{
		{Name: "message", Type: schema.String, Default: `"Session not found"`, Doc: "What the answer says."},
	},
	Answerless: answerless,
	Script:     strikeSessionExpired,
}

func strikeSessionExpired(s Strike) (wire.WireScript, error) {
	return s.typed(sessionExpiredName, failure.SessionExpired, s.textOr("message", "Session not found"), "")
}
