package scenario

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// An Error says why a suite cannot be loaded. It prints as the command does.
type Error struct {
	// Diagnostics are what is wrong with the files, warnings included; nil where
	// it is not about the inside of a file.
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

// Unwrap is the error of the file system, nil where there is none.
func (e *Error) Unwrap() error { return e.err }

// diagnosticsText is what the command prints.
func diagnosticsText(diags hcl.Diagnostics, sources map[string][]byte) string {
	var b strings.Builder
	dsl.WriteDiagnostics(&b, diags, sources, dsl.WriteOptions{})
	return b.String()
}
