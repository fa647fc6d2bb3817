package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
)

// finished is a run that came to its end, as its judge sees it.
type finished struct {
	plan *Plan
	obs  *observed
	// gates are those that were broken, and defects why the scenario could not
	// be played as it is written.
	gates, defects []Problem
	watcher        *watcher
}

// judge checks what must hold of a finished run and gives the verdict.
func (r *finished) judge(result *Result) {
	p := r.plan
	r.unexpected(result)
	r.unexpectedCalls(result)
	for _, g := range r.gates {
		if p.allow[g.Name] {
			result.Relaxed = append(result.Relaxed, g)
		} else {
			result.Problems = append(result.Problems, g)
		}
	}
	if p.bench != nil && p.bench.scoring {
		result.Problems = append(result.Problems, unreached(r.plan, r.obs)...)
	}
	result.Problems = append(result.Problems, r.watcher.problems()...)
	result.Checks += len(p.invariants)
	c := &checker{run: r, ctx: r.obs.observedContext(p.needs)}
	for _, x := range p.expects {
		result.Checks++
		result.Problems = append(result.Problems, c.expect(x)...)
	}
	for _, a := range p.asserts {
		result.Checks++
		if problem := c.assert(a); problem != nil {
			result.Problems = append(result.Problems, *problem)
		}
	}
	for _, s := range p.snapshots {
		result.Checks++
		seen, problem := c.snapshot(s)
		result.Snapshots = append(result.Snapshots, seen)
		if problem != nil {
			result.Problems = append(result.Problems, *problem)
		}
	}
	result.Verdict = Pass
	if len(result.Problems) > 0 {
		result.Verdict = Fail
	}
	if len(r.defects) > 0 {
		result.Verdict, result.Problems = Error, append(r.defects, result.Problems...)
	}
}

// unexpected reports a run that ended in anything but success where nothing in
// the scenario is about that. A run that failed because a gate was broken is
// reported as that gate.
func (r *finished) unexpected(result *Result) {
	run := r.obs.run
	if run.status == statusSuccess || r.plan.statusExpected {
		return
	}
	if r.failedAtGate() {
		return
	}
	text := because(fmt.Sprintf("the run ended as %q", run.status), "", run.err) + "\nhint: if that is what must happen, add `expect \"run\" { status = \"" + run.status + "\" }`"
	p := Problem{Kind: "run", Name: gateUnexpected, Message: text, Range: hcl.Range{
		Filename: r.plan.File, Start: hcl.Pos{Line: r.plan.Line, Column: 1}, End: hcl.Pos{Line: r.plan.Line, Column: 1},
	}}
	if r.plan.allow[gateUnexpected] {
		result.Relaxed = append(result.Relaxed, p)
		return
	}
	result.Problems = append(result.Problems, p)
}

// failedAtGate reports whether a broken gate, which is reported, made a call
// fail.
func (r *finished) failedAtGate() bool {
	return slices.ContainsFunc(r.gates, func(g Problem) bool {
		switch g.Name {
		case gateUnmatched, gateOverConsumed, gateDrifted, gateAmbiguous, gateDeadlock, gateBroken:
			return !r.plan.allow[g.Name]
		}
		return false
	})
}

// unexpectedCalls reports calls that did not succeed in a scenario that runs
// nothing but them, where nothing refers to them.
func (r *finished) unexpectedCalls(result *Result) {
	if r.plan.workflow.name != "" {
		return
	}
	for _, d := range r.plan.drivers {
		if r.obs.calls[d.name] == nil || r.plan.refersTo(d) {
			continue
		}
		for _, s := range r.obs.calls[d.name] {
			if s.status == statusSuccess {
				continue
			}
			text := fmt.Sprintf("the %s %q ended as %q", d.what(), d.name, s.status)
			if s.err != nil {
				text += ": " + s.err.Message
			}
			p := Problem{Kind: "run", Name: gateUnexpected, Range: d.rng, Message: strings.TrimSuffix(text, ".") + fmt.Sprintf(".\nhint: if that is what must happen, add `expect %q { status = %q }`", d.name, s.status)}
			if r.plan.allow[gateUnexpected] {
				result.Relaxed = append(result.Relaxed, p)
			} else {
				result.Problems = append(result.Problems, p)
			}
			break
		}
	}
}

// refersTo reports whether a condition or expectation reads what a block came
// to.
func (p *Plan) refersTo(d *driver) bool {
	for _, x := range p.expects {
		if x.address == d.name {
			return true
		}
	}
	if p.needs.of(d.what()).of(d.name) != nil {
		return true
	}
	for _, i := range p.invariants {
		if i.needs.of(d.what()).of(d.name) != nil {
			return true
		}
	}
	return false
}

// longOperand is from when on, in bytes of source, an operand is no help beside
// a difference.
const longOperand = 100

// checker evaluates conditions.
type checker struct {
	run *finished
	ctx *hcl.EvalContext
}

// assert returns what is wrong with an assertion, or nil when it holds.
func (c *checker) assert(a *assertion) *Problem {
	p := &Problem{Kind: "assert", Name: a.name, Range: a.condition.Range()}
	v, diags := a.condition.Value(c.ctx)
	switch {
	case diags.HasErrors():
		p.Message = "the condition cannot be evaluated: " + firstError(diags)
	case v.IsNull() || !v.IsKnown():
		p.Message = "the condition is null, neither true nor false."
	case v.Type() != cty.Bool:
		p.Message = fmt.Sprintf("the condition is %s, neither true nor false.", dsl.Render(c.run.plan.secrets.value(v), 80))
	default:
		if v.True() {
			return nil
		}
		p.Message, p.Bare = "the condition does not hold.", true
		p.Diff = c.diff(a.condition)
	}
	parts := dsl.Operands(a.condition, c.ctx, a.source)
	for _, o := range parts {
		if p.Diff != "" && len(o.Text) > longOperand {
			continue // the difference tells what this would repeat
		}
		if failsInside(o, parts) {
			continue // the part of it that fails is told
		}
		value := o.Err
		if value == "" {
			value = dsl.Render(c.run.plan.secrets.operand(o.Text, o.Value), 200)
		}
		p.Operands = append(p.Operands, Operand{Text: o.Text, Value: value})
	}
	if a.message != nil {
		if m, diags := a.message.Value(c.ctx); !diags.HasErrors() && !m.IsNull() && m.Type() == cty.String {
			p.Message, p.Bare = m.AsString(), false
		}
	}
	return p
}

// failsInside reports whether an operand has no value because a part of it,
// another operand, has none.
func failsInside(o dsl.Operand, parts []dsl.Operand) bool {
	return o.Err != "" && slices.ContainsFunc(parts, func(p dsl.Operand) bool {
		return p.Err == o.Err && p.Range != o.Range && p.Range.Start.Byte >= o.Range.Start.Byte && p.Range.End.Byte <= o.Range.End.Byte
	})
}

func firstError(diags hcl.Diagnostics) string {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return dsl.Explain(d)
		}
	}
	return ""
}

func isTrue(v cty.Value) bool {
	return v.IsKnown() && !v.IsNull() && v.Type() == cty.Bool && v.True()
}

// expect returns what is wrong with an expectation.
func (c *checker) expect(x *expectation) []Problem {
	if n := len(c.run.obs.calls[x.address]); n > 1 {
		var problems []Problem
		for i := range n {
			problems = append(problems, c.attributes(x, c.call(x.address, i), c.run.obs.calls[x.address][i].err)...)
		}
		return problems
	}
	return c.attributes(x, c.result(x.address), c.failure(x.address))
}

// failure is why the run or a step did not succeed, nil where it did.
func (c *checker) failure(address string) *failure.Failure {
	switch calls := c.run.obs.calls[address]; {
	case address == "run":
		return c.run.obs.run.err
	case calls != nil:
		return calls[0].err
	}
	if s := c.run.obs.steps[address]; s != nil {
		return s.err
	}
	return nil
}

// because says of something what it failed with, and where that was unless it
// is at the address here.
func because(what, here string, f *failure.Failure) string {
	if f == nil {
		return what + "."
	}
	who := fmt.Sprintf("step %q", f.Step)
	if f.Step != "" && f.Step != here && !strings.HasPrefix(f.Message, who) {
		what += ": " + who
	}
	return strings.TrimSuffix(what+": "+f.Message, ".") + "."
}

// call is the result of one of the calls of a block.
func (c *checker) call(address string, i int) cty.Value {
	return stepVal(c.run.obs.calls[address][i], c.run.plan.needs.of(c.run.plan.driver(address).what()).of(address))
}

// attributes returns what is wrong with the attributes of one result, which
// failed with err where that is not nil.
func (c *checker) attributes(x *expectation, actual cty.Value, err *failure.Failure) []Problem {
	var problems []Problem
	for _, a := range x.attrs {
		want, diags := a.Expr.Value(c.ctx)
		rng := a.Range
		if diags.HasErrors() {
			problems = append(problems, Problem{Kind: "expect", Name: x.address, Message: "the expected value cannot be evaluated: " + firstError(diags), Range: rng})
			continue
		}
		got := actual.GetAttr(a.Name)
		want = normalise(want)
		if len(dsl.DiffPartial(got, want)) == 0 {
			continue
		}
		hidden := c.run.plan.secrets
		diffs := dsl.DiffPartial(hidden.operand(a.Name, got), hidden.operand(a.Name, want))
		for i := range diffs {
			diffs[i].Path = a.Name + diffs[i].Path
		}
		p := Problem{Kind: "expect", Name: x.address, Message: c.name(x.address, a.Name) + " is not what is expected.", Bare: true, Diff: dsl.FormatDiffs(diffs), Range: rng}
		if a.Name == "status" && err != nil && !c.run.failedAtGate() {
			p.Message, p.Bare = because(fmt.Sprintf("%s is %s", c.name(x.address, a.Name), dsl.Render(got, 60)), x.address, err), false
		}
		problems = append(problems, p)
	}
	return problems
}

// name is how a condition would read an attribute of a result.
func (c *checker) name(address, attr string) string {
	switch {
	case address == "run":
		return "run." + attr
	case c.run.obs.scored != nil:
		return "report.case." + address + "." + attr
	case c.run.obs.calls[address] != nil:
		return c.run.plan.driver(address).what() + "." + address + "." + attr
	}
	return "step." + address + "." + attr
}

func (c *checker) result(address string) cty.Value {
	if address == "run" {
		return runVal(&c.run.obs.run, c.run.plan.needs.of("run"))
	}
	if c.run.obs.calls[address] != nil {
		return c.call(address, 0)
	}
	if c.run.obs.scored != nil {
		read := c.run.plan.needs.of("report").of("case").of(address)
		return object(caseFields, c.run.obs.report(nil).Case(address), read)
	}
	s := c.run.obs.steps[address]
	return stepVal(s, s.node.read(c.run.plan.needs.of("step")))
}
