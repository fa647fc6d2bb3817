package dsl

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/stdlib"
)

// What evaluations may build, in bytes: a byte of a string is one, and a value
// about as much as it takes in memory.
const (
	mostBytes    = 64 << 20 // of one expression
	mostTogether = 512 << 20
	bytesOfValue = 64
	// A turn of a for expression counts as a value. In a run both count less: it
	// goes over all that happened to find a few, and shares what answers held; a
	// file is checked while it is typed.
	bytesInRun = bytesOfValue / 4
)

// A Meter bounds what the expressions of one file build. HCL evaluates a for
// expression to its end whatever that takes, so nodes that count stand in a copy
// of every expression that can build more than it is written: in for
// expressions, splats, templates and calls. [Evaluate] finds the meter in the
// context that it evaluates in.
//
// A Meter is safe for concurrent use.
type Meter struct {
	value  int64         // what a value counts, and a turn of a for expression
	total  *atomic.Int64 // what is left for the file, nil in a run
	ctx    context.Context
	copies *sync.Map // of expressions with counting nodes, by the expression
}

// NewMeter is the meter of a file that is compiled. The end of the context ends
// every evaluation; nil never ends.
func NewMeter(ctx context.Context) *Meter {
	m := &Meter{value: bytesOfValue, total: &atomic.Int64{}, ctx: ctx, copies: &sync.Map{}}
	m.total.Store(mostTogether)
	return m
}

// Running is the meter for the runs of that file.
func (m *Meter) Running() *Meter { return &Meter{value: bytesInRun, copies: m.copies} }

// The variables of a context that hold a meter and the budget of one evaluation.
// No expression can name them.
const (
	meterVar  = " meter"
	budgetVar = " budget"
)

var (
	meterType  = cty.Capsule("meter", reflect.TypeFor[Meter]())
	budgetType = cty.Capsule("budget", reflect.TypeFor[budget]())
)

// Install makes evaluations in a context, and in those below it, use the meter.
func (m *Meter) Install(ctx *hcl.EvalContext) {
	if ctx.Variables == nil {
		ctx.Variables = map[string]cty.Value{}
	}
	ctx.Variables[meterVar] = cty.CapsuleVal(meterType, m)
}

// lookUp finds a value that a context or one around it holds.
func lookUp(ctx *hcl.EvalContext, name string) (cty.Value, bool) {
	for ; ctx != nil; ctx = ctx.Parent() {
		if v, found := ctx.Variables[name]; found {
			return v, true
		}
	}
	return cty.NilVal, false
}

// unmetered is for contexts without a meter.
var unmetered = &Meter{value: bytesOfValue}

// A budget is what one evaluation may still build.
type budget struct {
	*Meter
	left  int64
	count int
	// over is the diagnostic of the first expression for which it did not
	// suffice, nil as long as it does.
	over *hcl.Diagnostic
}

// Evaluate is the value of an expression, or an error where it builds more than
// it may. That error is not one that try could catch.
func Evaluate(e hclsyntax.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	switch e.(type) {
	case *hclsyntax.LiteralValueExpr, *hclsyntax.ScopeTraversalExpr:
		return e.Value(ctx)
	}
	m := unmetered
	if v, found := lookUp(ctx, meterVar); found {
		m = v.EncapsulatedValue().(*Meter)
	}
	counting := m.counting(e)
	if counting == nil {
		return e.Value(ctx)
	}
	b := &budget{Meter: m, left: mostBytes}
	var child *hcl.EvalContext
	if ctx == nil {
		child = &hcl.EvalContext{}
	} else {
		child = ctx.NewChild()
	}
	child.Variables = map[string]cty.Value{budgetVar: cty.CapsuleVal(budgetType, b)}
	v, diags := counting.Value(child)
	if b.over == nil && !diags.HasErrors() {
		b.spend(e, weight(v, b))
	}
	if b.over != nil {
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	return v, diags
}

// counting is the copy of an expression in which nodes count, nil for one that
// needs none.
func (m *Meter) counting(e hclsyntax.Expression) hclsyntax.Expression {
	if m.copies == nil {
		if !builds(e) {
			return nil
		}
		return withCounters(e)
	}
	found, known := m.copies.Load(e)
	if !known {
		found = hclsyntax.Expression(nil)
		if builds(e) {
			found = withCounters(e)
		}
		m.copies.Store(e, found)
	}
	c, _ := found.(hclsyntax.Expression)
	return c
}

// builds reports whether an expression may make something that is larger than
// what it reads.
func builds(e hclsyntax.Expression) bool {
	found := false
	EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ForExpr, *hclsyntax.SplatExpr, *hclsyntax.FunctionCallExpr:
			found = true
		case *hclsyntax.TemplateExpr:
			found = found || !x.IsStringLiteral()
		case *hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr:
			if _, literal := Literal(x); !literal {
				found = true
			}
		}
	})
	return found
}

func withCounters(e hclsyntax.Expression) hclsyntax.Expression {
	c := &copier{mark: e.Range().Filename, counts: true}
	return c.expr(e)
}

// What a counting node counts.
type counted int

const (
	turns   counted = iota // of a for expression or a splat
	results                // what a function makes
	reads                  // what it reads
	templateParts
)

// A counter is an expression that takes what it comes to off the budget of the
// evaluation.
type counter struct {
	hclsyntax.Expression
	of counted
	// whole is the expression to complain about.
	whole hclsyntax.Expression
}

func (c *counter) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	found, _ := lookUp(ctx, budgetVar)
	b := found.EncapsulatedValue().(*budget)
	if b.over != nil {
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	v, diags := c.Expression.Value(ctx)
	if diags.HasErrors() {
		return v, diags
	}
	if b.spend(c.whole, c.cost(v, b)) {
		return v, diags
	}
	return cty.DynamicVal, hcl.Diagnostics{b.over}
}

func (c *counter) cost(v cty.Value, b *budget) int64 {
	bare, _ := v.Unmark()
	if !bare.IsKnown() || bare.IsNull() {
		return 1
	}
	switch c.of {
	case turns:
		if !bare.CanIterateElements() {
			return b.value
		}
		return int64(bare.LengthInt()+1) * b.value
	case reads:
		return weight(bare, b) / b.value
	case templateParts:
		if bare.Type() != cty.String {
			return b.value
		}
		return int64(len(bare.AsString()))
	}
	return weight(bare, b)
}

// looksEvery is how many costs are taken between two looks at the context.
const looksEvery = 1000

// spend takes a cost off the budget and reports whether it sufficed.
func (b *budget) spend(e hclsyntax.Expression, cost int64) bool {
	if b.over != nil {
		return false
	}
	b.left -= cost
	if b.count++; b.count%looksEvery == 1 && b.ctx != nil && b.ctx.Err() != nil {
		b.over = Interrupted(b.ctx, e.Range())
		return false
	}
	switch {
	case b.left < 0:
		b.over = budgetError(e, "Too much to compute", fmt.Sprintf("Evaluating %s takes more than %d MiB or %s values and turns. Go over less at one time: an inner loop runs as often as the outer one has elements. What is that large belongs into a file, which file(…) reads where it is needed, or into a cassette.",
			Excerpt(e), mostBytes>>20, thousands(mostBytes/int(b.value))))
	case b.total != nil && b.total.Add(-cost) < 0:
		b.over = budgetError(e, "Too much to compute", fmt.Sprintf("The expressions of this file, up to %s, take more than %d MiB together. Compute once in a local what several expressions need, or keep it in a file.", Excerpt(e), mostTogether>>20))
	default:
		return true
	}
	return false
}

// Interrupted is the diagnostic of a check that the end of its context ended. No
// file is the cause of it.
func Interrupted(ctx context.Context, at hcl.Range) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summaryInterrupted, Detail: fmt.Sprintf("The check stopped here before its end: %v.", context.Cause(ctx)), Subject: &at}
}

const summaryInterrupted = "Interrupted"

func budgetError(e hclsyntax.Expression, summary, detail string) *hcl.Diagnostic {
	rng := e.Range()
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &rng}
}

// weight is what a value takes written out in full, in bytes; as soon as that is
// more than is left it stops looking.
func weight(v cty.Value, b *budget) int64 {
	left := b.left
	weigh(v, b.value, &left)
	return b.left - left
}

func weigh(v cty.Value, each int64, left *int64) {
	if *left -= each; *left < 0 {
		return
	}
	if v.IsMarked() {
		v, _ = v.Unmark()
	}
	if !v.IsKnown() || v.IsNull() {
		return
	}
	switch t := v.Type(); {
	case t == cty.String:
		*left -= int64(len(v.AsString()))
	case t.IsTupleType():
		for i := 0; i < t.Length() && *left >= 0; i++ {
			weigh(stdlib.At(v, i), each, left)
		}
	case t.IsObjectType():
		for name := range t.AttributeTypes() {
			if weigh(v.GetAttr(name), each, left); *left < 0 {
				return
			}
		}
	case v.CanIterateElements():
		for it := v.ElementIterator(); *left >= 0 && it.Next(); {
			_, e := it.Element()
			weigh(e, each, left)
		}
	}
}
