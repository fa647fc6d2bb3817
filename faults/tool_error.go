package faults

import (
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const toolErrorName = "tool_error"

var toolError = &Kind{
	Name:    toolErrorName,
	Summary: "The tool fails with an error, which its caller receives; the service and its other tools keep working.",
	For:     tools,
	Groups:  []Group{GroupOwn},
	Attrs: []schema.Attr{
		{Name: "message", Type: schema.String, Default: `"the tool failed"`, Doc: "What the error says."},
	},
	Answerless: answerless,
	Script:     strikeToolError,
}

func strikeToolError(s Strike) (wire.WireScript, error) {
	return s.typed(toolErrorName, failure.ToolError, s.textOr("message", "the tool failed"), "")
}
