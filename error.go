package scenario

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// An Error says why files cannot be loaded, or why an expression cannot be
// evaluated. It prints as the command does.
type Error struct {
	// Diagnostics are what is wrong with the contents of the files, warnings
	// included. They are nil if something else is wrong.
	Diagnostics hcl.Diagnostics

	sources map[string][]byte
	text    string
	err     error
}

func (e *Error) Error() string {
	if e.Diagnostics == nil {
		return e.text
	}
	return diagnosticsText(e.Diagnostics, e.sources)
}

// Unwrap returns the underlying error, nil if the error is about the contents of
// files.
func (e *Error) Unwrap() error { return e.err }

// diagnosticsText is what the command prints.
func diagnosticsText(diags hcl.Diagnostics, sources map[string][]byte) string {
	var b strings.Builder
	dsl.WriteDiagnostics(&b, diags, sources, dsl.WriteOptions{})
	return b.String()
}
