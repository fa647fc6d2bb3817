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
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/dsl/tally"
	"github.com/scenario-lang/scenario/stdlib"
)

// What evaluations may build, in bytes: a byte of a string is one, and a value
// about as much as it takes in memory.
const (
	mostBytes    = 64 << 20  // of one expression
	mostTogether = 512 << 20 // of those of a file
	bytesOfValue = 64
	// A turn of a for expression counts as a value. In a run both count less: it
	// goes over all that happened to find a few, and shares what answers held; a
	// file is checked while it is typed.
	bytesInRun = bytesOfValue / 4
	// Each expression in a turn takes as long there as so many values.
	turnsInRun = 2
)

// A Meter bounds what the expressions of one file build. HCL evaluates a for
// expression to its end whatever that takes, so nodes that count stand in a copy
// of every expression that may build far more than it reads (see [growthOf]): in
// for expressions, splats, templates and calls. [Evaluate] finds the meter in the
// context that it evaluates in.
//
// A Meter is safe for concurrent use.
type Meter struct {
	value  int64        // what a value counts, and a turn of a for expression
	many   int64        // see [manyBytes]
	work   *tally.Tally // of the file, or of the run; nil for one without a limit
	large  atomic.Int64 // what its large values take together
	ctx    context.Context
	copies *sync.Map // of expressions with counting nodes, by the expression
	over   *sync.Map // of what an expression took too much, by its place in the file

	follower Follower // told of every evaluation; nil for most files
}

// NewMeter is the meter of a file that is compiled. The end of the context ends
// every evaluation; nil never ends.
func NewMeter(ctx context.Context) *Meter {
	return &Meter{value: bytesOfValue, many: manyBytes, work: tally.New(mostTogether), ctx: ctx, copies: &sync.Map{}, over: &sync.Map{}}
}

// Running is the meter for what is evaluated of that file when it is compiled,
// with no limit but that of each evaluation. [Run] makes one for a run.
func (m *Meter) Running() *Meter {
	running := &Meter{value: bytesInRun, many: manyBytes, copies: m.copies}
	running.large.Store(m.large.Load())
	return running
}

// The variables of a context that hold a meter and the budget of one evaluation.
// No expression can name them, and no name resembles them.
const (
	meterVar  = "\x00 the meter of this file"
	budgetVar = "\x00 the budget of this evaluation"
)

var (
	meterType  = cty.Capsule("meter", reflect.TypeFor[Meter]())
	budgetType = cty.Capsule("budget", reflect.TypeFor[budget]())
)

// Over adds to what is said of a file that it took more than it may: not everyone
// who asks for a value tells why there is none.
func (m *Meter) Over(file string, said hcl.Diagnostics) hcl.Diagnostics {
	if !m.work.Over() || said.HasErrors() {
		return said
	}
	return append(said, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summaryBudget, Detail: m.work.Together(), Subject: &hcl.Range{Filename: file, Start: hcl.InitialPos, End: hcl.InitialPos}})
}

// Bounded is the static context of a file for one run: what is evaluated in it, and
// in contexts below it, counts as work of that run.
func Bounded(static *hcl.EvalContext, work *tally.Tally) *hcl.EvalContext {
	file := meterOf(static)
	m := &Meter{value: bytesInRun, many: manyInRun, work: work, copies: file.copies, follower: file.follower}
	m.large.Store(file.large.Load())
	return withMeter(static, m)
}

// Grow tells the meter of a run that what its expressions can read has grown by so
// many bytes.
func Grow(static *hcl.EvalContext, bytes int64) { meterOf(static).large.Add(bytes) }

// Built counts what a context has of its own as work: it was made to evaluate
// something in it. While a run is small that is not worth looking at.
func Built(ctx *hcl.EvalContext) {
	for name, v := range ctx.Variables {
		Made(ctx, name, v)
	}
}

// Made counts a value of that name, as [Built] does those of a context.
func Made(ctx *hcl.EvalContext, name string, v cty.Value) {
	if m := meterOf(ctx); m.work != nil && m.large.Load() > m.many {
		m.work.Spend(tally.Weight(v, m.value, mostBytes), func() tally.Part { return tally.Part{Name: name} })
	}
}

// Install makes evaluations in a context, and in those below it, use the meter.
// What the context has of its own counts as built.
func (m *Meter) Install(ctx *hcl.EvalContext) {
	if ctx.Variables == nil {
		ctx.Variables = map[string]cty.Value{}
	}
	for _, v := range ctx.Variables {
		if m.work != nil && v.Type() != meterType {
			m.large.Add(tally.Weight(v, m.value, mostBytes))
		}
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

// Knows reports whether a context, or one around it, has a variable.
func Knows(ctx *hcl.EvalContext, name string) bool {
	_, found := lookUp(ctx, name)
	return found
}

// unmetered is for contexts without a meter.
var unmetered = &Meter{value: bytesOfValue, many: manyBytes}

// meterOf is the meter of a context.
func meterOf(ctx *hcl.EvalContext) *Meter {
	if v, found := lookUp(ctx, meterVar); found {
		return v.EncapsulatedValue().(*Meter)
	}
	return unmetered
}

// A budget is what one evaluation may still build.
type budget struct {
	*Meter
	left  int64
	count int
	over  *hcl.Diagnostic // of the first expression for which it did not suffice
}

// Evaluate is the value of an expression, or an error where it builds more than
// it may. That error is not one that try could catch.
func Evaluate(e hclsyntax.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	m := meterOf(ctx)
	v, diags := m.evaluate(e, ctx)
	if m.follower != nil {
		return m.follow(Evaluation{e, v, diags, ctx})
	}
	return v, diags
}

func (m *Meter) evaluate(e hclsyntax.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	g := growthOf(e)
	inRun := m.value == bytesInRun && m.work != nil
	large := m.large.Load()
	much := large > m.many && m.work != nil
	if g.kind == flat && (g.free || !inRun && !much && !m.work.Over()) {
		return e.Value(ctx)
	}
	b := budget{Meter: m, left: mostBytes}
	if !inRun && m.work.Over() {
		b.share(e, 0)
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	if inRun && !b.spend(e, bytesOfEvaluation) {
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	if g.kind == unbounded || large > m.many && (g.kind == bounded || g.compares) {
		return b.once(e, func() (cty.Value, hcl.Diagnostics) { return b.counting(e, g, ctx) })
	} else if g.kind == flat && much {
		return b.passedOn(e, ctx)
	}
	v, diags := b.turning(e, g, ctx)
	if b.over != nil {
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	if g.kind == bounded && !diags.HasErrors() && !b.made(e, v, int64(g.readers)*large/guessedFor) {
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	return v, diags
}

// once evaluates an expression that may take too much. One that did is not evaluated
// again for the other instances of its block, and takes a good part of what a file may
// take together: the file is refused anyway.
func (b *budget) once(e hclsyntax.Expression, evaluate func() (cty.Value, hcl.Diagnostics)) (cty.Value, hcl.Diagnostics) {
	if b.Meter.over == nil {
		return evaluate()
	}
	at := Place(e.Range())
	if said, over := b.Meter.over.Load(at); over {
		return cty.DynamicVal, hcl.Diagnostics{said.(*hcl.Diagnostic)}
	}
	v, diags := evaluate()
	if b.over != nil && b.left < 0 {
		b.Meter.over.Store(at, b.over)
		b.work.Spend(mostTogether/2, func() tally.Part { return partOf(e) })
	}
	return v, diags
}

// bytesOfEvaluation is what it takes in a run to evaluate anything, whatever it is.
const bytesOfEvaluation = 64

// manyBytes is what the large values of a file take from where on every function
// that reads them counts; largeBytes is what a large one takes.
const (
	manyBytes  = 256 << 10
	largeBytes = 1 << 10
	// In a run it is less: there one expression is evaluated after every event.
	manyInRun = 32 << 10
)

// readsFor is how many values a function reads for the price of building one. It
// reads all that it is given: whatever it does, its arguments are looked through
// for what is unknown or marked before it is called. The bytes of a string are as
// dear to read as to write.
const readsFor = 4

// walksToRead is how often a function walks through what it reads, apart from what
// it does: where it looks for marks, for unknown values, and for what is not plain.
const walksToRead = 3

// guessedFor is the same for calls whose arguments are not looked at: most read
// little of what there is.
const guessedFor = 16

// usesOfValue is how often a large result is gone through again before a run, by
// who asked for it: it is checked, converted, and written into a plan.
const usesOfValue = 3

// made takes a result off the budget, and what reading for it cost.
func (b *budget) made(e hclsyntax.Expression, v cty.Value, reading int64) bool {
	w := tally.Weight(v, b.value, b.left)
	if b.work != nil && w > largeBytes {
		if b.large.Add(w); b.value == bytesOfValue && !b.share(e, w*usesOfValue) {
			return false
		}
	}
	return b.spend(e, w+reading)
}

// passedOn evaluates what makes nothing: who asks for a large value goes over it,
// however often.
func (b *budget) passedOn(e hclsyntax.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	v, diags := e.Value(ctx)
	if w := tally.Weight(v, b.value, b.left); w > largeBytes && !b.share(e, w*usesOfValue) {
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	return v, diags
}

// turning evaluates an expression that takes little for what it reads. Its turns are counted
// all the same: a loop may leave nothing of what it goes over, and be evaluated often.
func (b *budget) turning(e hclsyntax.Expression, g growth, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if !g.loops && !g.writes || b.work == nil {
		return e.Value(ctx)
	}
	return b.copied(e, true).Value(b.counted(ctx))
}

// counted is a context for a copy in which nodes count.
func (b *budget) counted(ctx *hcl.EvalContext) *hcl.EvalContext {
	child := &hcl.EvalContext{}
	if ctx != nil {
		child = ctx.NewChild()
	}
	child.Variables = map[string]cty.Value{budgetVar: cty.CapsuleVal(budgetType, b)}
	return child
}

// counting evaluates the copy of an expression in which nodes count.
func (b *budget) counting(e hclsyntax.Expression, g growth, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	child := b.counted(ctx)
	if g.queries {
		child.Functions = map[string]function.Function{"jq": stdlib.CountedJQ(func(work int64) bool {
			return b.spend(e, work*b.value/bytesOfValue)
		})}
	}
	v, diags := b.copied(e, false).Value(child)
	if b.over == nil && !diags.HasErrors() {
		b.made(e, v, 0)
	}
	if b.over != nil {
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	return v, diags
}

// copied is the copy of an expression in which nodes count: turns alone, or all that can grow.
func (m *Meter) copied(e hclsyntax.Expression, turns bool) hclsyntax.Expression {
	if m.copies == nil {
		return withCounters(e, turns)
	}
	key := copyKey{e, turns}
	found, known := m.copies.Load(key)
	if !known {
		found, _ = m.copies.LoadOrStore(key, withCounters(e, turns))
	}
	return found.(hclsyntax.Expression)
}

// A copyKey is what copies are kept by.
type copyKey struct {
	of    hclsyntax.Expression
	turns bool
}

func withCounters(e hclsyntax.Expression, turns bool) hclsyntax.Expression {
	c := &copier{mark: e.Range().Filename, counts: true, turnsOnly: turns}
	return c.expr(e)
}

// What a counting node counts.
type counted int

const (
	turns     counted = iota // of a for expression or a splat
	results                  // what a function makes
	choices                  // what it takes to give two values one type
	reads                    // what it reads, or a comparison does
	equals                   // what a comparison for equality reads
	digits                   // of a number that is compared with another, which may be equal
	allDigits                // of the numbers in a list that is written or compared
	names                    // what the attributes of an object are called
	templateParts
	sums // the digits of numbers beyond all others: what is summed up is made quick to read
)

// A counter is an expression that takes what it comes to off the budget of the
// evaluation.
type counter struct {
	hclsyntax.Expression
	of counted
	// whole is the expression to complain about.
	whole hclsyntax.Expression
	// parts says how much more of all that there is a value takes than of what one
	// evaluation may build: as often, as a turn evaluates expressions, or as what is
	// read is walked through.
	parts int64
}

func (c *counter) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	found, _ := lookUp(ctx, budgetVar)
	b := found.EncapsulatedValue().(*budget)
	e := c.Expression
	if b.over == nil && (c.of == results || c.of == choices) {
		var work, dear int64
		work, dear, e = c.work(ctx, b.value == bytesInRun)
		b.spend(c.whole, work*b.value/bytesOfValue+dear)
	}
	if b.over != nil {
		return cty.DynamicVal, hcl.Diagnostics{b.over}
	}
	v, diags := e.Value(ctx)
	if diags.HasErrors() {
		return v, diags
	}
	if c.of == sums && b.spend(c.whole, stdlib.WorkOfDigits(v)) {
		return stdlib.Short(v), diags
	}
	cost := c.cost(v, b)
	if b.spend(c.whole, cost) && b.share(c.whole, cost*c.parts*b.perTurn(c.of)) {
		if c.of == templateParts {
			v = stdlib.Written(v)
		}
		return v, diags
	}
	return cty.DynamicVal, hcl.Diagnostics{b.over}
}

// work is what an expression does that neither what it reads nor its result tells: for values,
// which count less in a run, and what is as dear there. With it comes the expression with its
// parts evaluated.
func (c *counter) work(ctx *hcl.EvalContext, inRun bool) (work, dear int64, e hclsyntax.Expression) {
	switch x := c.Expression.(type) {
	case *hclsyntax.FunctionCallExpr:
		if len(x.Args) == 0 {
			break
		}
		args, once := make([]cty.Value, len(x.Args)), *x
		once.Args = make([]hclsyntax.Expression, len(x.Args))
		for i, a := range x.Args {
			once.Args[i], args[i] = beforehand(a, ctx)
		}
		if x.ExpandFinal {
			args = spread(args)
		}
		if works := stdlib.Work(x.Name); works != nil {
			work = works(args)
		}
		return work, stdlib.Dear(x.Name, args, inRun), &once
	case *hclsyntax.ConditionalExpr:
		once := *x
		var a, b cty.Value
		once.TrueResult, a = beforehand(x.TrueResult, ctx)
		once.FalseResult, b = beforehand(x.FalseResult, ctx)
		return stdlib.WorkOfUnifying(a.Type(), b.Type()), 0, &once
	}
	return 0, 0, c.Expression
}

// spread are the arguments that a call f(a, xs...) has.
func spread(args []cty.Value) []cty.Value {
	last := len(args) - 1
	if v := args[last]; v.IsKnown() && !v.IsNull() && v.CanIterateElements() {
		args = args[:last:last]
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			bare, _ := e.Unmark()
			args = append(args, bare)
		}
	}
	return args
}

// A known is an expression that has been evaluated.
type known struct {
	hclsyntax.Expression
	value cty.Value
	diags hcl.Diagnostics
}

func beforehand(e hclsyntax.Expression, ctx *hcl.EvalContext) (*known, cty.Value) {
	k := &known{Expression: e}
	k.value, k.diags = e.Value(ctx)
	bare, _ := k.value.Unmark()
	return k, bare
}

func (k *known) Value(*hcl.EvalContext) (cty.Value, hcl.Diagnostics) { return k.value, k.diags }

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
		return tally.Weight(bare, bytesOfValue/readsFor, b.left) // as long in a run
	case equals:
		return tally.Weight(bare, bytesOfValue/readsFor, b.left) + stdlib.WorkOfEquating(bare)
	case digits:
		return stdlib.WorkOfDigitsOf(bare)
	case allDigits:
		return stdlib.WorkOfEquating(bare)
	case choices:
		return 1
	case templateParts, names:
		if bare.Type() != cty.String {
			return stdlib.WorkOfWriting(bare)
		}
		return int64(len(bare.AsString()))
	}
	return tally.Weight(bare, b.value, b.left)
}

// perTurn is how much more of all that there is a turn of a loop takes in a run: there what a
// value counts is less than what it takes to evaluate an expression.
func (b *budget) perTurn(of counted) int64 {
	if of == turns && b.value == bytesInRun {
		return turnsInRun
	}
	return 1
}

// looksEvery is how many costs are taken between two looks at the context.
const looksEvery = 1000

// spend takes a cost off the budget and reports whether it sufficed.
func (b *budget) spend(e hclsyntax.Expression, cost int64) bool {
	if b.over != nil {
		return false
	}
	b.left, b.count = b.left-cost, b.count+1
	if b.count%looksEvery == 1 && b.ctx != nil && b.ctx.Err() != nil {
		b.over = Interrupted(b.ctx, e.Range())
		return false
	}
	if b.left < 0 {
		b.over = budgetError(e, fmt.Sprintf("Evaluating %s takes more than %d MiB or %s values and turns. Go over less at one time: an inner loop runs as often as the outer one has elements. What is that large belongs into a file, which file(…) reads where it is needed, or into a cassette.",
			Excerpt(e), mostBytes>>20, render.Thousands(mostBytes/int(b.value))))
		return false
	}
	return b.share(e, cost)
}

// share takes a cost off what all evaluations have together.
func (b *budget) share(e hclsyntax.Expression, cost int64) bool {
	if b.over == nil && !b.work.Spend(cost, func() tally.Part { return partOf(e) }) {
		b.over = budgetError(e, b.work.Together())
	}
	return b.over == nil
}

// partOf names an expression in a tally. One with a variable in the place of an
// operand is not as it was written, and has its place alone.
func partOf(e hclsyntax.Expression) tally.Part {
	part := tally.Part{Range: Place(e.Range()), Name: Excerpt(e)}
	for t := range Variables(e) {
		if !hclsyntax.ValidIdentifier(t.RootName()) {
			part.Name = "an expression"
		}
	}
	return part
}

// Interrupted is the diagnostic of a check that the end of its context ended. No
// file is the cause of it.
func Interrupted(ctx context.Context, at hcl.Range) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summaryInterrupted, Detail: fmt.Sprintf("The check stopped here before its end: %v.", context.Cause(ctx)), Subject: &at}
}

const summaryInterrupted = "Interrupted"

const summaryBudget = "Too much to compute"

func budgetError(e hclsyntax.Expression, detail string) *hcl.Diagnostic {
	rng := e.Range()
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summaryBudget, Detail: detail, Subject: &rng}
}

// isTooMuch reports whether an evaluation was ended because it took too much.
func isTooMuch(diags hcl.Diagnostics) bool {
	return diags.HasErrors() && diags[0].Summary == summaryBudget
}
