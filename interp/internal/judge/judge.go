package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/dsl/valuediff"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/judge/band"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/judge/unretried"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/observe/lacking"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// finished is a run that came to its end, as its judge sees it.
type finished struct {
	Plan    *plan.Plan
	Obs     *observe.Observed
	watcher *Watcher
	others  *otherwise.Others // nil while the run goes on
	earlier []earlier         // nil before they are asked for
}

// Judge checks what must hold of a run that has finished and gives the verdict.
// All that it knows of the run was in the trace.
func (w *Watcher) Judge(result *plan.Result) {
	r := w.finished()
	r.unexpected(result)
	r.unexpectedCalls(result)
	r.gates(result)
	r.invariants(result, false)
	r.premises(result)
	c := r.checker()
	empty := r.expectations(c, result)
	idle, unmet := r.assertions(c, result)
	empty = append(empty, idle...)
	r.unread(result)
	r.hiddenInvariants(c, result)
	c.searchedPartly(result)
	empty = append(empty, r.snapshots(c, result)...)
	r.nothing(result, empty, unmet)
	r.contracts(c, result)
	r.ignored(result)
	r.rubric(result)
	r.follows(result)
	r.verdict(result)
}

// JudgeEvery checks of a run that has finished what must hold of every run of its
// workflow, whatever struck it: its gates and the invariants. What the scenario
// expects of the run that it describes is left out.
func (w *Watcher) JudgeEvery(result *plan.Result) {
	r := w.finished()
	r.gates(result)
	r.invariants(result, true)
	r.premises(result)
	r.unread(result)
	r.hiddenInvariants(&checker{}, result)
	r.verdict(result)
}

func (w *Watcher) finished() *finished {
	w.obs.CountChecks()
	return &finished{Plan: w.obs.Plan, Obs: w.obs, watcher: w, others: otherwise.Of(w.obs, w.others...)}
}

func (r *finished) checker() *checker { return r.checkerOf(r.Plan.Needs, nil) }

// checkerOf evaluates conditions that read no more than needs say, with null for some
// attributes of what queries find.
func (r *finished) checkerOf(n *read.Needs, a lacking.Attrs) *checker {
	return &checker{run: r, needs: n, ctx: r.Obs.ObservedContext(n, a), idle: sync.OnceValue(func() bool { return idleSteps(r.Obs) })}
}

// gates adds the gates that the run broke.
func (r *finished) gates(result *plan.Result) {
	p := r.Plan
	result.Way, result.Program = r.Obs.Way, r.Obs.Sut.LastWords(p.Secrets.Text)
	for _, g := range r.Obs.Gates {
		if p.Allow[g.Name] {
			result.Relaxed = append(result.Relaxed, g)
		} else {
			result.Problems = append(result.Problems, g)
		}
	}
	if p.BenchRun != nil && p.BenchRun.Scoring {
		result.Problems = append(result.Problems, observe.Unreached(r.Plan, r.Obs)...)
	}
}

// invariants adds those that were broken, and counts them. Of every run of a workflow
// they say what they do where they can be evaluated.
func (r *finished) invariants(result *plan.Result, every bool) {
	result.Problems = append(result.Problems, r.watcher.Problems()...)
	open, broken := r.watcher.late(every)
	result.Relaxed, result.Problems = append(result.Relaxed, open...), append(result.Problems, broken...)
	result.Invariants = r.watcher.counts()
	for _, i := range result.Invariants {
		if i.Evaluated > 0 {
			result.Checks++
		}
	}
}

// unread adds invariants that rest on a variable of the environment that nobody gave.
func (r *finished) unread(result *plan.Result) {
	for _, i := range r.Plan.Invariants {
		if r.unseen(result, "invariant", i.Name, i.Unseen.In(r.Obs.Way), i.Condition.Range()) {
			continue
		}
		if len(r.Plan.Placeholders) == 0 {
			continue
		}
		if problem := r.checkerOf(i.Needs, i.Lacking).unread(&i.Assertion); problem != nil {
			problem.Kind = "invariant"
			result.Problems = append(result.Problems, *problem)
		}
	}
}

// expectations checks the expect blocks. It returns those that hold of nothing, as
// assertions and snapshots do.
func (r *finished) expectations(c *checker, result *plan.Result) (empty []plan.Problem) {
	for _, x := range r.Plan.Expects {
		seen := *x
		seen.Attrs = slices.DeleteFunc(slices.Clone(x.Attrs), func(a *dsl.Attr) bool {
			return r.unseen(result, "expect", x.Address, x.Unseen[a.Name].In(r.Obs.Way), a.Range)
		})
		if len(seen.Attrs) == 0 {
			continue
		}
		result.Checks++
		problems := c.expect(&seen)
		result.Problems = append(result.Problems, problems...)
		if why := cmp.Or(c.metByNothing(&seen), r.neverBegan(func(c *checker) bool { return len(c.expect(&seen)) > 0 })); len(problems) == 0 && why != "" {
			empty = append(empty, overNothing("expect", x.Address, why, x.Rng))
		} else if len(problems) == 0 {
			for _, a := range seen.Attrs {
				if why := r.others.PartExpected(x.Address, a); why != "" {
					result.Relaxed = append(result.Relaxed, partlyNothing("expect", x.Address, why, x.Rng))
				}
			}
		}
	}
	return empty
}

// assertions checks the assert blocks. Unmet are those that show nothing in this row.
func (r *finished) assertions(c *checker, result *plan.Result) (empty, unmet []plan.Problem) {
	for _, a := range r.Plan.Asserts {
		if r.unseen(result, "assert", a.Name, r.untold(a.Unseen), a.Condition.Range()) {
			continue
		}
		result.Checks++
		c.look(a, func() {
			before := r.Obs.Work()
			if problem := c.assert(a); problem != nil {
				result.Problems = append(result.Problems, *problem)
			} else if r.Obs.TookMuch(before) {
				return // to ask whether it shows anything takes some fifteen times as long
			} else if why := c.aboutNothing(a); why != "" {
				empty = append(empty, overNothing("assert", a.Name, why, a.Condition.Range()))
			} else if why := c.inPart(a); why != "" {
				result.Relaxed = append(result.Relaxed, partlyNothing("assert", a.Name, why, a.Condition.Range()))
			} else {
				unmet = append(unmet, c.inRows("assert", a)...)
			}
		})
	}
	return empty, unmet
}

func (r *finished) snapshots(c *checker, result *plan.Result) (empty []plan.Problem) {
	for _, s := range r.Plan.SnapshotChecks {
		if r.unseen(result, "snapshot", s.Name, r.untold(s.Unseen), s.Rng) {
			continue
		}
		result.Checks++
		seen, problem := c.snapshot(s)
		result.Snapshots = append(result.Snapshots, seen)
		if problem != nil {
			result.Problems = append(result.Problems, *problem)
		} else if why := c.recordsNothing(s); why != "" {
			empty = append(empty, overNothing("snapshot", s.Name, why, s.Rng))
		}
	}
	return empty
}

// unseen reports whether a check reads something that this way of running does not
// observe, which what names, and notes it.
func (r *finished) unseen(result *plan.Result, kind, name, what string, rng hcl.Range) bool {
	// A file of the library is for all ways, and none is expected to observe all of it.
	if what != "" && !strings.HasPrefix(rng.Filename, stdlib.ModulePrefix) {
		result.Unseen = append(result.Unseen, plan.UnseenCheck{Kind: kind, Name: name, What: what, Range: rng})
		result.Relaxed = append(result.Relaxed, plan.Problem{
			Kind: plan.KindUnseen, Name: kind + " " + strconv.Quote(name), Range: rng, Message: unobserved(r.Obs.Way, what, rng.Filename),
		})
	}
	return what != ""
}

// unobserved says why a check is none in a way of running, and where it is one.
func unobserved(w plan.Way, what, file string) string {
	said := "it reads " + what + ", which "
	switch {
	case !w.Driven():
		return said + "only a program under test has, and the workflow runs without one, so this is not a check here.\nhint: scenario exec " + file + " -- ./program checks it; if there is no program, ask what the steps came to"
	case w == plan.Exec:
		return said + "no request of a program shows, so this is not a check here.\nhint: scenario test checks it of a workflow; of a program, read endpoint.NAME, sut or run"
	case w == plan.Embedded:
		return said + "a Go test does not show: nothing of the workflow runs, no program is started, and what is asked over s.Client() comes over no connection. So this is not a check here.\nhint: read what endpoint.NAME came to, or run; scenario exec " + file + " -- ./program observes connections and the program"
	}
	return said + "is not observed where nothing of the workflow runs and no program is started, so this is not a check here.\nhint: read endpoint.NAME or run"
}

// untold names what of a check this way of running does not observe, or what the
// program did not say; "" for nothing.
func (r *finished) untold(u plan.Unseen) string {
	if what := u.In(r.Obs.Way); what != "" || r.Obs.Sut.Said != nil {
		return what
	}
	return u.Said
}

// verdict is what all the problems come to.
func (r *finished) verdict(result *plan.Result) {
	p := r.Plan
	result.Verdict = plan.Pass
	if p.BenchRun != nil && p.BenchRun.Scoring && len(p.BenchRun.Spec.Gates) == 0 {
		result.Verdict = plan.Done
	}
	if len(result.Problems) > 0 {
		result.Verdict = plan.Fail
	}
	if len(r.Obs.Defects) > 0 {
		result.Verdict, result.Problems = plan.Error, append(slices.Clone(r.Obs.Defects), result.Problems...)
	}
}

// unexpected reports a run that ended in anything but success where nothing in
// the scenario is about that. A run that failed because a gate was broken is
// reported as that gate.
func (r *finished) unexpected(result *plan.Result) {
	run, sut := r.Obs.Run, &r.Obs.Sut
	left, died := r.leftByServer(), r.diedUnasked()
	if !left && !died && (run.Status == read.StatusSuccess || r.excused("run", run.Status, 0) || r.failedAtGate()) || r.excusedProgram() {
		return
	}
	text := unretried.Because(r.Obs, fmt.Sprintf("the run ended as %q", run.Status), "", run.Err) + "\nhint: if that is what must happen, add `expect \"run\" { status = \"" + run.Status + "\" }`"
	switch end := sut.End(); {
	case left:
		text = strings.Replace(programEnded(end), ".\n", ", and nobody had told it to: it is a server.\n", 1)
	case died:
		text = strings.Replace(programEnded(end), ".\n", ", before it had asked anything: it may not have begun.\n", 1)
	case end != nil && r.Plan.Sut.Serving() == nil:
		text = programEnded(end)
	}
	p := plan.Problem{Kind: "run", Name: plan.GateUnexpected, Message: text, Range: hcl.Range{
		Filename: r.Plan.File, Start: hcl.Pos{Line: r.Plan.Line, Column: 1}, End: hcl.Pos{Line: r.Plan.Line, Column: 1},
	}}
	if r.Plan.Allow[plan.GateUnexpected] {
		result.Relaxed = append(result.Relaxed, p)
		return
	}
	result.Problems = append(result.Problems, p)
}

// diedUnasked reports whether the program failed before it had asked anything,
// and the scenario reads nothing of how: as one does whose file is missing. That
// the run failed is then no effect of what the scenario injects.
func (r *finished) diedUnasked() bool {
	sut := &r.Obs.Sut
	end := sut.End()
	if end == nil || end.Stopped || r.Plan.Sut.Serving() != nil || sut.Signal == "" && (sut.ExitCode == nil || *sut.ExitCode == 0) || len(sut.Refused) > 0 {
		return false
	}
	for _, s := range r.Obs.Steps {
		if len(s.Asked()) > 0 {
			return false
		}
	}
	asked := []string{plan.GateUnmatched, plan.GateOverConsumed, plan.GateDrifted, plan.GateAmbiguous, plan.GateUnlistedHost, plan.GateNotDone}
	if slices.ContainsFunc(r.Obs.Gates, func(g plan.Problem) bool { return slices.Contains(asked, g.Name) }) {
		return false
	}
	reads := r.Plan.Needs.Of("sut")
	return !slices.ContainsFunc([]string{"exit_code", "signal", "stdout", "stderr"}, func(name string) bool { return reads.Of(name) != nil })
}

// leftByServer reports whether the program is a server that ended by itself while
// it was there to be asked.
func (r *finished) leftByServer() bool {
	end := r.Obs.Sut.End()
	return end != nil && !end.Stopped && r.Plan.Sut.Serving() != nil && len(r.Obs.Defects) == 0
}

// programEnded tells of a program that did not succeed. The reports tell what it
// said last.
func programEnded(e *plan.ProgramEnd) string {
	hint := fmt.Sprintf("sut.signal == %q", e.Signal)
	if e.ExitCode != nil {
		hint = fmt.Sprintf("sut.exit_code == %d", *e.ExitCode)
	}
	return fmt.Sprintf("the program %s.\nhint: if that is what must happen, say so: assert \"NAME\" { condition = %s }", e, hint)
}

// failedAtGate reports whether a broken gate, which is reported, made a call
// fail.
func (r *finished) failedAtGate() bool {
	return slices.ContainsFunc(r.Obs.Gates, func(g plan.Problem) bool {
		return plan.FailsCalls(g.Name) && !r.Plan.Allow[g.Name]
	})
}

// unexpectedCalls reports what the scenario does by itself and did not succeed,
// where nothing in the scenario is about that.
func (r *finished) unexpectedCalls(result *plan.Result) {
	for _, d := range r.Plan.Actions {
		for i, s := range r.Obs.Calls[d.Name] {
			if s.Status == read.StatusSuccess || r.excused(d.Address(), s.Status, i) {
				continue
			}
			text := fmt.Sprintf("the %s %q ended as %q", d.What(), d.Name, s.Status)
			asks := fmt.Sprintf("add `expect %q { status = %q }`", d.Name, s.Status)
			if d.Call != nil && d.Call.Several { // whose expect block is about all of them
				text = fmt.Sprintf("%s[%d] ended as %q", d.Address(), i, s.Status)
				asks = fmt.Sprintf("say so of this one, such as %s[%d].status == %q", d.Address(), i, s.Status)
			}
			if s.Err != nil {
				text += ": " + s.Err.Message
			}
			p := plan.Problem{Kind: "run", Name: plan.GateUnexpected, Range: d.Rng, Message: strings.TrimSuffix(text, ".") + ".\nhint: if that is what must happen, " + asks}
			if r.Plan.Allow[plan.GateUnexpected] {
				result.Relaxed = append(result.Relaxed, p)
			} else {
				result.Problems = append(result.Problems, p)
			}
			break
		}
	}
}

// longOperand is from when on, in bytes of source, an operand is no help beside
// a difference.
const longOperand = 100

// checker evaluates conditions.
type checker struct {
	run *finished
	ctx *hcl.EvalContext
	// needs is what its conditions read, nil while the run goes on.
	needs *read.Needs
	// of is what the file of the run says, nil before it was asked for.
	of *given.File
	// puts is the condition put as it is put to other runs, the last one that was.
	put  hclsyntax.Expression
	puts *dsl.Absence
	// idle reports whether there are steps that never ran.
	idle func() bool
	// measures are those that are 0 whatever is under test, once they were asked for.
	measures []observe.Measure
	measured bool
	// amid says that the run goes on, and the condition is an invariant.
	amid bool
	// strict says that no other row of the scenario is thought of.
	strict bool
	// recorded says that what is looked at was recorded: nobody wrote it down on purpose.
	recorded bool
	// searched are the checks that looked for something in texts with hidden parts.
	searched []plan.Problem
	// source is the file of the condition that is looked at.
	source []byte
	// written are the texts of the file, by the placeholders that would stand for them.
	written map[string]string
}

// look lets f look at one condition, which may have attributes of its own that are null
// where what a query finds lacks them.
func (c *checker) look(a *plan.Assertion, f func()) {
	if len(a.Lacking) > 0 {
		whole := c.ctx
		defer func() { c.ctx = whole }()
		c.ctx = whole.NewChild()
		c.ctx.Variables, c.ctx.Functions = whole.Variables, a.Lacking.Null(whole.Functions)
	}
	f()
}

// assert returns what is wrong with an assertion, or nil when it holds.
func (c *checker) assert(a *plan.Assertion) *plan.Problem {
	v, diags := dsl.Evaluate(a.Condition, c.ctx)
	return c.judged(a, v, diags)
}

// judged is assert for a condition whose result is known.
func (c *checker) judged(a *plan.Assertion, v cty.Value, diags hcl.Diagnostics) *plan.Problem {
	p := &plan.Problem{Kind: "assert", Name: a.Name, Range: a.Condition.Range()}
	switch {
	case diags.HasErrors():
		p.Message = "the condition cannot be evaluated: " + plan.FirstError(diags)
	case v.IsNull() || !v.IsKnown():
		p.Message = "the condition is null, neither true nor false."
	case v.Type() != cty.Bool:
		p.Message = fmt.Sprintf("the condition is %s, neither true nor false.", render.Value(c.run.Plan.Secrets.Value(v), 80))
	default:
		if v.True() {
			return cmp.Or(c.unread(a), c.hidden("assert", a, v), c.asWritten("assert", a))
		}
		p.Message, p.Bare = "the condition does not hold.", true
		if hint := band.Hint(a.Condition, a.Source); c.realTime() && hint != "" {
			p.Message, p.Bare = p.Message+hint, false
		}
		if hidden, _ := c.restsOnHidden(a, v); hidden {
			p.Message, p.Bare = "the condition does not hold: "+ofHidden, false
		}
		p.Diff = c.diff(a.Condition)
	}
	parts := dsl.Operands(a.Condition, c.ctx, a.Source, diags)
	for _, o := range parts {
		if p.Diff != "" && len(o.Text) > longOperand {
			continue // the difference tells what this would repeat
		}
		if failsInside(o, parts) {
			continue // the part of it that fails is told
		}
		if o.Err != "" && diags.HasErrors() && strings.HasSuffix(p.Message, o.Err) {
			continue // the message says it
		}
		value := o.Err
		if value == "" {
			value = c.run.Plan.Secrets.Rendered(o.Text, o.Value) + counted(o, parts)
		}
		p.Operands = append(p.Operands, plan.Operand{Text: o.Text, Value: value})
	}
	if a.Message != nil {
		if m, diags := dsl.Evaluate(a.Message, c.ctx); !diags.HasErrors() && !m.IsNull() && m.Type() == cty.String {
			p.Message, p.Bare = m.AsString(), false
		}
	}
	return p
}

// Operands shows what a condition that does not hold is made of, a line each.
func (w *Watcher) Operands(i *plan.Invariant, d observe.Decision) string {
	if d.Context == nil {
		return "" // it waits for the end of the run
	}
	c := &checker{run: &finished{Plan: w.obs.Plan, Obs: w.obs}, ctx: d.Context}
	var lines []string
	for _, o := range c.judged(&i.Assertion, cty.False, nil).Operands {
		lines = append(lines, "  "+o.Text+" is "+o.Value)
	}
	return strings.Join(lines, "\n")
}

// failsInside reports whether an operand has no value because a part of it,
// another operand, has none.
func failsInside(o dsl.Operand, parts []dsl.Operand) bool {
	return o.Err != "" && slices.ContainsFunc(parts, func(p dsl.Operand) bool {
		return p.Err == o.Err && p.Range != o.Range && p.Range.Start.Byte >= o.Range.Start.Byte && p.Range.End.Byte <= o.Range.End.Byte
	})
}

// expect returns what is wrong with an expectation.
func (c *checker) expect(x *plan.Expectation) []plan.Problem {
	if n := len(c.run.Obs.Calls[x.Address]); n > 1 {
		var problems []plan.Problem
		for i := range n {
			problems = append(problems, c.attributes(x, c.call(x.Address, i), c.run.Obs.Calls[x.Address][i].Err)...)
		}
		return problems
	}
	return c.attributes(x, c.result(x.Address), c.failure(x.Address))
}

// failure is why the run or a step did not succeed, nil where it did.
func (c *checker) failure(address string) *failure.Failure {
	switch calls := c.run.Obs.Calls[address]; {
	case address == "run":
		return c.run.Obs.Run.Err
	case calls != nil:
		return calls[0].Err
	}
	if s := c.run.Obs.Steps[address]; s != nil {
		return s.Err
	}
	return nil
}

// call is the result of one of the calls of a block.
func (c *checker) call(address string, i int) cty.Value {
	return observe.StepVal(c.run.Obs.Calls[address][i], c.run.Plan.Needs.Of(c.run.Plan.ActionOf(address).What()).Of(address))
}

// attributes returns what is wrong with the attributes of one result, which
// failed with err where that is not nil.
func (c *checker) attributes(x *plan.Expectation, actual cty.Value, err *failure.Failure) []plan.Problem {
	var problems []plan.Problem
	for _, a := range x.Attrs {
		want, diags := dsl.Evaluate(a.Expr, c.ctx)
		rng := a.Range
		if diags.HasErrors() {
			problems = append(problems, plan.Problem{Kind: "expect", Name: x.Address, Message: "the expected value cannot be evaluated: " + plan.FirstError(diags), Range: rng})
			continue
		}
		got := actual.GetAttr(a.Name)
		want = read.Normalise(want)
		if len(valuediff.Partial(got, want)) == 0 {
			continue
		}
		hidden := c.run.Plan.Secrets
		diffs := valuediff.Partial(hidden.Operand(a.Name, got), hidden.Operand(a.Name, want))
		for i := range diffs {
			diffs[i].Path = a.Name + diffs[i].Path
		}
		p := plan.Problem{Kind: "expect", Name: x.Address, Message: c.name(x.Address, a.Name) + " is not what is expected.", Bare: true, Diff: valuediff.Format(diffs), Range: rng}
		if a.Name == "status" && err != nil && !c.run.failedAtGate() {
			p.Message, p.Bare = unretried.Because(c.run.Obs, fmt.Sprintf("%s is %s", c.name(x.Address, a.Name), render.Value(got, 60)), x.Address, err), false
		}
		if strings.HasSuffix(a.Name, "_ms") && c.realTime() {
			p.Message, p.Bare = p.Message+band.Write(c.name(x.Address, a.Name), want), false
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
	case c.run.Obs.Scored != nil:
		return "report.case." + address + "." + attr
	case c.run.Obs.Calls[address] != nil:
		return c.run.Plan.ActionOf(address).What() + "." + address + "." + attr
	}
	if s := c.run.Obs.Steps[address]; s != nil {
		return rootOf(s) + "." + address + "." + attr
	}
	return "step." + address + "." + attr
}

// rootOf is the root under which a condition reads a result.
func rootOf(s *observe.StepResult) string {
	if e := s.Step.Endpoint; e != nil && e.Declared {
		return "endpoint"
	}
	return "step"
}

func (c *checker) result(address string) cty.Value {
	if address == "run" {
		return observe.RunVal(&c.run.Obs.Run, c.run.Plan.Needs.Of("run"))
	}
	if c.run.Obs.Calls[address] != nil {
		return c.call(address, 0)
	}
	if c.run.Obs.Scored != nil {
		need := c.run.Plan.Needs.Of("report").Of("case").Of(address)
		return read.Object(observe.CaseFields, c.run.Obs.Report(nil).Case(address), need)
	}
	s := c.run.Obs.Steps[address]
	return observe.StepVal(s, s.Node.Read(c.run.Plan.Needs.Of(rootOf(s))))
}
