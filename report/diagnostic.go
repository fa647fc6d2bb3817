package report

import (
	"encoding/json"
	"fmt"
)

// A Diagnostic is an error in a file that could not be compiled. With one of
// them nothing of the suite runs, so that a report has either diagnostics or
// entries.
type Diagnostic struct {
	Kind DiagnosticKind
	// File is where the error is, "" where it has no place. Lines and columns
	// count from 1; 0 is unknown.
	File                  string
	Line, Column, EndLine int
	// Summary is a few words that are the same for every error of its sort.
	// Detail says what was found and what to do, in one or more lines, or is "".
	Summary, Detail string
}

// A DiagnosticKind says what is at fault.
type DiagnosticKind string

// The kinds of diagnostics.
const (
	// InvalidFile is an error that the author of a scenario file made.
	InvalidFile DiagnosticKind = "invalid_file"
	// BadCassette is a cassette that cannot be loaded.
	BadCassette DiagnosticKind = "bad_cassette"
	// CompilerCrash is an error of the compiler itself.
	CompilerCrash DiagnosticKind = "internal_error"
)

// place is file:line:column as far as it is known, below a directory.
func (d *Diagnostic) place(base string) string {
	switch {
	case d.File == "":
		return ""
	case d.Line == 0:
		return base + d.File
	case d.Column == 0:
		return fmt.Sprintf("%s%s:%d", base, d.File, d.Line)
	}
	return fmt.Sprintf("%s%s:%d:%d", base, d.File, d.Line, d.Column)
}

// String is what is wrong, and where, in one line.
func (d Diagnostic) String() string {
	if at := d.place(""); at != "" {
		return at + ": " + d.Summary
	}
	return d.Summary
}

// suite is what formats that group by file put a diagnostic under.
func (d *Diagnostic) suite() string {
	if d.File == "" {
		return "scenario"
	}
	return d.File
}

// explanation is all that there is to say but for the place.
func (d *Diagnostic) explanation() string {
	if d.Detail == "" {
		return d.Summary
	}
	return d.Summary + "\n" + d.Detail
}

// diagnosticEvent is a diagnostic as a line of JSON.
type diagnosticEvent struct {
	Schema  string         `json:"schema,omitempty"`
	Type    string         `json:"type"`
	Kind    DiagnosticKind `json:"kind"`
	File    string         `json:"file"`
	Line    int            `json:"line"`
	Column  int            `json:"column"`
	EndLine int            `json:"end_line"`
	Summary string         `json:"summary"`
	Detail  string         `json:"detail"`
}

func (d *Diagnostic) event(schema string) diagnosticEvent {
	return diagnosticEvent{schema, "diagnostic", d.Kind, d.File, d.Line, d.Column, d.EndLine, d.Summary, d.Detail}
}

// ReadDiagnostic reads the line of one diagnostic that [Merge] or [JSON] wrote.
func ReadDiagnostic(line []byte) (Diagnostic, error) {
	var in diagnosticEvent
	if err := json.Unmarshal(line, &in); err != nil {
		return Diagnostic{}, err
	}
	switch in.Kind {
	case InvalidFile, BadCassette, CompilerCrash:
	default:
		return Diagnostic{}, fmt.Errorf("there is no kind of diagnostic %q", in.Kind)
	}
	return Diagnostic{in.Kind, in.File, in.Line, in.Column, in.EndLine, in.Summary, in.Detail}, nil
}
