package faults

import (
	"github.com/scenario-lang/scenario/dsl/schema"
	"github.com/scenario-lang/scenario/wire"
)

const exceptionName = "error"

var exception = &Kind{
	Name:    exceptionName,
	Summary: "An error value of a given type, as a program's own exception: the one fault without a form on the wire.",
	For:     waits,
	Attrs: []schema.Attr{
		{Name: "message", Type: schema.String, Default: `"injected error"`, Doc: "What the error says."},
		{Name: "type", Type: schema.String, Default: `"Exception"`, Doc: "The name of its type; the taxonomy's rules read it."},
		{Name: "mode", Type: schema.String, Doc: "The mode of the taxonomy that it has, whatever its rules say."},
	},
	Script: strikeError,
}

// An Error is the error value of the fault "error". It names its own type and
// mode, so that whoever observes it needs to know nothing of this package.
type Error struct {
	Type, Message string
	// Mode is a code of the taxonomy, "" where the fault gives none.
	Mode string
}

func (e *Error) Error() string { return e.Message }

// FailureType is the name of the error's type.
func (e *Error) FailureType() string { return e.Type }

// FailureMode is the code of its mode, "" where it has none of its own.
func (e *Error) FailureMode() string { return e.Mode }

// ErrorType is FailureType, for readers that know only the type.
func (e *Error) ErrorType() string { return e.Type }

func strikeError(s Strike) (wire.WireScript, error) {
	e := &Error{Type: s.text("type"), Message: s.text("message"), Mode: s.text("mode")}
	if e.Type == "" {
		e.Type = "Exception"
	}
	if e.Message == "" {
		e.Message = "injected error"
	}
	return wire.WireScript{Delay: s.After, Err: e, Meta: s.labelled(exceptionName)}, nil
}
