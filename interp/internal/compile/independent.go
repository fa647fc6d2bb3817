package compile

import (
	"slices"
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
		if d.Severity == hcl.DiagError && d.Subject != nil && (independent[d.Summary] || mistyped(d, func(name string) bool { return mayDeclare(file.Source, name) })) && !slices.ContainsFunc(said, func(e *hcl.Diagnostic) bool {
			return e.Summary == d.Summary && *e.Subject == *d.Subject // of each instance of a block that was multiplied
		}) {
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

// withoutFollowing leaves out of what is wrong with a file what may only follow from a
// reference to a service that is wrong: the calls that it was for are not known then,
// nor what they answer.
func (c *compiler) withoutFollowing() hcl.Diagnostics {
	if slices.ContainsFunc(c.Diags, func(d *hcl.Diagnostic) bool { return d.Summary == "Variable without a value" }) {
		c.Diags = slices.DeleteFunc(slices.Clone(c.Diags), func(d *hcl.Diagnostic) bool {
			return d.Summary == "Wrong value" && strings.HasSuffix(d.Detail, dsl.NotKnown+".")
		})
	}
	if !c.unresolved && !slices.ContainsFunc(c.Diags, func(d *hcl.Diagnostic) bool { return referring[d.Summary] }) {
		return c.Diags
	}
	kept := slices.DeleteFunc(slices.Clone(c.Diags), func(d *hcl.Diagnostic) bool {
		ofProgram := d.Summary == "Not available here" && strings.HasPrefix(d.Detail, "sut.")
		return ofProgram || following[d.Summary] && !mistyped(d, func(name string) bool { return declaredIn(c.File.Body, name) })
	})
	if !kept.HasErrors() {
		return c.Diags
	}
	return kept
}

// referring are the errors about a reference, and following those that name what is not
// there because of one.
var (
	referring = set("Wrong reference", "Reference to nothing")
	following = set("Unknown address", "Unknown name", "Unknown attribute", "Unknown target", "Condition about nothing observed", "Program without a part")
)

// mistyped reports whether a name that was not found is near one that was, and
// nothing that could not be read declares it.
func mistyped(d *hcl.Diagnostic, declared func(name string) bool) bool {
	switch d.Summary {
	case "Unknown name", "Unknown attribute", "Unknown address", "Reference to nothing":
	default:
		return false
	}
	_, rest, _ := strings.Cut(d.Detail, `"`)
	name, rest, _ := strings.Cut(rest, `"`)
	return strings.Contains(rest, "Did you mean ") && !declared(name)
}

// speaking are the blocks whose label is the name of something declared elsewhere.
var speaking = []string{"on", "expect", "override"}

// declaredIn reports whether a block inside of this one declares something of that name.
func declaredIn(b *dsl.Block, name string) bool {
	return slices.ContainsFunc(b.Blocks, func(n *dsl.Block) bool {
		return !slices.Contains(speaking, n.Type) && (len(n.Labels) > 0 && n.Name() == name || declaredIn(n, name))
	})
}

// mayDeclare reports whether a line of a file may be the header of a block of that name
// which declares something.
func mayDeclare(src []byte, name string) bool {
	for line := range strings.Lines(string(src)) {
		words := strings.Fields(line)
		if len(words) > 1 && !slices.Contains(speaking, words[0]) && !strings.ContainsAny(words[0], "=#/") && words[1] != "=" && slices.Contains(words[1:], strconv.Quote(name)) {
			return true
		}
	}
	return false
}

func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}
