package faults

import (
	"strconv"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const protocolErrorName = "protocol_error"

var protocolError = &Kind{
	Name:    protocolErrorName,
	Summary: "A JSON-RPC error in place of a result: the server did not understand the request, or failed outside of its tools.",
	For:     servers,
	Groups:  []Group{GroupOwn},
	Attrs: []schema.Attr{
		{Name: "code", Type: schema.Int, Default: "-32603", Doc: "The code of the error: -32603 is an internal error, -32601 an unknown method, -32602 wrong parameters."},
		{Name: "message", Type: schema.String, Default: `"Internal error"`, Doc: "What the error says. With the code -32602, `Unknown tool: …` is observed as `tool_not_found`."},
	},
	Answerless: answerless,
	Fails:      fails,
	Script:     strikeProtocolError,
}

func strikeProtocolError(s Strike) (wire.WireScript, error) {
	return s.typed(protocolErrorName, failure.ProtocolError, s.textOr("message", "Internal error"), strconv.Itoa(s.number("code", -32603)))
}
