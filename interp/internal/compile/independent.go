package compile

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// Independent finds what else is wrong with a file whose blocks or attributes are
// wrong, which said says, so that all can be corrected at once. It finds
// nothing where the syntax is wrong or an import is missing, and it leaves out
// what may only follow from what was reported: whatever is not there because it
// could not be read.
func Independent(file *dsl.File, said hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range said {
		if !decoded[d.Summary] || d.Subject == nil {
			return nil
		}
	}
	_, all := Compile(file, Options{Partial: true})
	var found hcl.Diagnostics
	for _, d := range all {
		if d.Severity == hcl.DiagError && d.Subject != nil && (independent[d.Summary] || mistyped(d, file)) {
			found = append(found, d)
		}
	}
	return found
}

// decoded are the errors after which the rest of a file can be relied on.
var decoded = set(
	"Unknown attribute", "Unknown block type", "Unknown kind", "Missing attribute", "Missing block", "Wrong number of labels", "Empty label",
	"Duplicate name", "Too many blocks", "Block written as an attribute", "Attribute written as a block",
	"Kind is not in this version", "Attribute set twice",
)

// independent are the errors about what stands in one place, whatever the rest
// of the file may be.
var independent = set(
	"Wrong value", "Wrong reference", "Wrong operand", "Wrong index", "Comparison can never hold", "Unknown function", "Wrong number of arguments",
	"Unknown metric", "Unknown label", "Unknown gate", "Unknown failure kind", "Values that can never be equal", "Filter for null",
	"Condition about nothing observed", "Cycle among locals", "Cycle among workflows", "Loop read from the inside",
	"Limit must be positive", "Breaker that can never open", "Breaker that is always open", "Two modes of one breaker", "Wrong pattern",
)

// mistyped reports whether a name that was not found is near one that was, and
// not a part of the file that could not be read.
func mistyped(d *hcl.Diagnostic, file *dsl.File) bool {
	switch d.Summary {
	case "Unknown name", "Unknown attribute", "Unknown address", "Reference to nothing":
	default:
		return false
	}
	_, rest, _ := strings.Cut(d.Detail, `"`)
	name, rest, _ := strings.Cut(rest, `"`)
	return strings.Contains(rest, "Did you mean ") && !strings.Contains(string(file.Source), strconv.Quote(name)+" {")
}

func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}
