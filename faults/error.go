package faults

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const exceptionName = "error"

var exception = &Kind{
	Name:    exceptionName,
	Summary: "An exception of a given type, as a program might throw itself: the one fault that has no form on the wire.",
	For:     works,
	Groups:  []Group{GroupOwn},
	Attrs: []schema.Attr{
		{Name: "message", Type: schema.String, Default: `"injected error"`, Doc: "What the error says."},
		{Name: "type", Type: schema.String, Default: `"Exception"`, Doc: "The name of its type; the taxonomy's rules read it."},
		{Name: "mode", Type: schema.String, Doc: "The mode of the taxonomy that it has, whatever its rules say."},
		{Name: "caused_by", Type: schema.Strings, Doc: "The errors beneath it, the nearest first, each as \"TYPE: message\" or as a message alone."},
		{Name: "stack", Type: schema.String, Doc: "The stack trace that comes with it."},
	},
	Answerless: answerless,
	Script:     strikeError,
}

// An Error is the error value of the fault "error". It names its own type and
// mode, so that whoever observes it needs to know nothing of this package.
type Error struct {
	Type, Message string
	// Mode is a code of the taxonomy, "" where the fault gives none.
	Mode string
	// Stack is a stack trace, "" without one.
	Stack string
	// Beneath is the error that brought this one about, nil for none.
	Beneath error
}

func (e *Error) Error() string { return e.Message }

// FailureType is the name of the error's type.
func (e *Error) FailureType() string { return e.Type }

// FailureMode is the code of its mode, "" where it has none of its own.
func (e *Error) FailureMode() string { return e.Mode }

// ErrorType is FailureType, for readers that know only the type.
func (e *Error) ErrorType() string { return e.Type }

// FailureStack is the stack trace that comes with it.
func (e *Error) FailureStack() string { return e.Stack }

// Unwrap is the error that brought this one about.
func (e *Error) Unwrap() error { return e.Beneath }

// because chains errors that are written as "TYPE: message", the first on top.
func because(texts []string) error {
	var beneath error
	for _, text := range slices.Backward(texts) {
		e := &Error{Message: text, Beneath: beneath}
		if name, message, ok := strings.Cut(text, ": "); ok && !strings.ContainsAny(name, " \t") {
			e.Type, e.Message = name, message
		}
		beneath = e
	}
	return beneath
}

func strikeError(s Strike) (wire.WireScript, error) {
	e := &Error{Type: s.text("type"), Message: s.text("message"), Mode: s.text("mode"), Stack: s.text("stack"), Beneath: because(s.texts("caused_by"))}
	if e.Type == "" {
		e.Type = "Exception"
	}
	if e.Message == "" {
		e.Message = "injected error"
	}
	return wire.WireScript{Delay: s.After, Err: e, Meta: s.labelled(exceptionName)}, nil
}
