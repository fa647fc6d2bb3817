package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/observe/lacking"
	"github.com/scenario-lang/scenario/interp/internal/plain"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Invariant is a condition that must hold after every event of a run that
// decides it.
type Invariant struct {
	Assertion
	// Own says that the scenario itself has it, and not its file.
	Own bool
	// Absence is the condition for as long as something that it reads is not
	// there, and Needs is what it reads.
	Absence *dsl.Absence
	Needs   *read.Needs
	// Checks is what the condition asks of every step by itself, nil for one
	// that asks more.
	Checks []*StepCheck
	// Plain is the condition where it is plain, nil for any other.
	Plain *plain.Condition
	// Standard says that the condition is that of the standard library, so that what Go
	// knows of it may stand for it.
	Standard bool
}

// StepCheck is a condition that holds when it holds of every step by itself. It
// is looked at again for the steps that an event changed, and not for all that
// ran before.
type StepCheck struct {
	Each *hclsyntax.ForExpr
	// Want is what the value of an element must be; where it is neither true
	// nor false, no element may be there at all.
	Want cty.Value
}

// Holds reports whether the check holds of a step for certain.
func (c *StepCheck) Holds(ctx *hcl.EvalContext, step cty.Value) bool {
	child := ctx.NewChild()
	child.Variables = map[string]cty.Value{c.Each.ValVar: step}
	if c.Each.CondExpr != nil {
		v, diags := dsl.Evaluate(c.Each.CondExpr, child)
		switch {
		case diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.Bool:
			return false
		case v.False():
			return true
		}
	}
	if c.Want.IsNull() {
		return false
	}
	v, diags := dsl.Evaluate(c.Each.ValExpr, child)
	return !diags.HasErrors() && !v.IsNull() && v.IsKnown() && v.Type() == cty.Bool && v.RawEquals(c.Want)
}

// Conditions are the expressions over the run that the scenario checks: those
// evaluated at its end, and its invariants.
func (p *Plan) Conditions() []hclsyntax.Expression {
	var list []hclsyntax.Expression
	for _, a := range p.Asserts {
		list = append(list, a.Condition)
	}
	for _, i := range p.Invariants {
		list = append(list, i.Condition)
	}
	for _, s := range p.SnapshotChecks {
		list = append(list, s.Value)
	}
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			list = append(list, a.Expr)
		}
	}
	return list
}

// AsksProgram reports whether a condition asks what the program says of itself, by
// a query whose name begins so.
func (p *Plan) AsksProgram(query string) bool {
	return asks(p.Needs, query) || p.Sut != nil && p.Sut.Until != nil && p.Sut.Until.AsksProgram(query)
}

// AsksProgram reports whether the condition does.
func (i *Invariant) AsksProgram(query string) bool { return asks(i.Needs, query) }

// ReadsSeries reports whether a condition reads sut.metrics.
func (p *Plan) ReadsSeries() bool {
	return series(p.Needs) || p.Sut != nil && p.Sut.Until != nil && series(p.Sut.Until.Needs)
}

func asks(n *read.Needs, query string) bool {
	if n == nil {
		return false
	}
	return strings.HasPrefix("sut.metrics", query) && series(n) ||
		slices.ContainsFunc(n.Calls, func(name string) bool { return read.AsksProgram(name) && strings.HasPrefix(name, query) })
}

func series(n *read.Needs) bool { return n.Of("sut").Of("metrics") != nil }

// FirstError explains the first error among diagnostics, "" where there is
// none.
func FirstError(diags hcl.Diagnostics) string {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return dsl.Explain(d)
		}
	}
	return ""
}

// IsTrue reports whether a value is known and true.
func IsTrue(v cty.Value) bool {
	return v.IsKnown() && !v.IsNull() && v.Type() == cty.Bool && v.True()
}

// Because says of something what it failed with, and where that was unless it
// is at the address here.
func Because(what, here string, f *failure.Failure) string {
	if f == nil {
		return what + "."
	}
	who := fmt.Sprintf("step %q", f.Step)
	if f.Step != "" && f.Step != here && !strings.HasPrefix(f.Message, who) {
		what += ": " + who
	}
	return strings.TrimSuffix(what+": "+f.Message, ".") + "."
}

// An Assertion is a condition with a name and, where the file has one, a
// message.
type Assertion struct {
	Name      string
	Source    []byte // of the file that it stands in
	Condition hclsyntax.Expression
	Message   hclsyntax.Expression
	Rng       hcl.Range
	// Unseen says where it is not observed.
	Unseen Unseen
	// Lacking are attributes that are null to it where what a query finds lacks them.
	Lacking lacking.Attrs
}

// Expectation is one expect block: attributes that a result must have.
type Expectation struct {
	Address string // "run" or a step
	Attrs   []*dsl.Attr
	Rng     hcl.Range
	// Unseen says of each attribute by its name where it is not observed; those
	// that every way observes are missing.
	Unseen map[string]Unseen
}

// DiagText says why an expression has no value.
func DiagText(diags hcl.Diagnostics) string {
	return strings.TrimSpace("cannot be evaluated: " + FirstError(diags))
}
