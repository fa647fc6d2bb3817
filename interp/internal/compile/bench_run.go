package compile

import (
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/compile/strike"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

func newBenchRun(d *plan.BenchDecl, seed uint64) *plan.BenchRun {
	b := &plan.BenchRun{Decl: d, Spec: d.Spec, Cases: d.Cases}
	b.Spec.Seed = seed
	b.Meaning = sync.OnceValue(func() []byte { return plan.PlanWriter{}.BenchMeaning(b).AppendJSON(nil) })
	return b
}

// newBenchPlan is the plan that `scenario bench` runs for a bench.
func (c *compiler) newBenchPlan(d *plan.BenchDecl) *plan.Plan {
	b := d.Block
	p := c.planOf(b)
	p.Name, p.Seed = b.Name(), d.Spec.Seed
	p.Workflow, p.Inputs = c.nothing(b), cty.EmptyObjectVal
	p.BenchRun = newBenchRun(d, p.Seed)
	p.BenchRun.Scoring = true
	if d.Sut != nil {
		p.BenchRun.Workflow = d.Sut.Plan
		if d.Sut.Plan != nil && (c.Options.Wanted == nil || c.Options.Wanted(&p.Handle)) {
			d.Sut.Open()
		}
	}
	p.Excuses.All("run")
	return p
}

// benchOf gives a scenario the bench that it runs.
func (sc *scenarioCompiler) benchOf(d *plan.BenchDecl) {
	p := sc.p
	if sc.block.Attr("seed") == nil && sc.Options.Seed == nil {
		p.Seed = d.Spec.Seed
	}
	p.BenchRun = newBenchRun(d, p.Seed)
	if blocks := sc.block.All("case"); len(blocks) > 0 {
		p.BenchRun.Cases = nil
		for _, b := range blocks {
			p.BenchRun.Cases = append(p.BenchRun.Cases, sc.simulated(d, b))
		}
	}
	if d.Sut != nil && d.Sut.Workflow != nil {
		p.BenchRun.Workflow = d.Sut.Plan
		switch {
		case sc.block.First("on") != nil || sc.block.First("cassette") != nil:
			p.BenchRun.Workflow, _ = sc.casePlan(d.Sut.Workflow, sc.block, p.Name, sc.wanted())
		case sc.wanted():
			d.Sut.Open()
		}
	} else {
		sc.answersForNothing()
	}
	sc.needsPrograms(d)
}

// answersForNothing refuses what answers a workflow where none runs.
func (sc *scenarioCompiler) answersForNothing() {
	for _, typ := range []string{"on", "cassette"} {
		if b := sc.block.First(typ); b != nil {
			sc.Errorf(b.DefRange, "Answers for a program", "The bench %q runs no workflow that could be answered. What its system does in a scenario is said by case blocks: case \"id\" { sut { output = { … } } }.", sc.p.BenchRun.Decl.Spec.Name)
		}
	}
}

// needsPrograms refuses a scenario that could only be run with the programs of
// its bench: a test starts none.
func (sc *scenarioCompiler) needsPrograms(d *plan.BenchDecl) {
	run := sc.p.BenchRun
	for _, k := range run.Cases {
		switch {
		case len(k.Sut) == 0 && (d.Sut == nil || d.Sut.Program) && len(sc.block.All("case")) == 0:
			sc.Errorf(sc.block.DefRange, "Bench of programs", "The bench %q runs a program, and a test starts none: simulate its cases with case blocks, such as case %q { sut { output = { … } } }, or run it with scenario bench.", d.Spec.Name, k.ID)
			return
		case len(k.Rubric) == 0 && d.Rubric != nil && d.Rubric.Program && len(sc.block.All("case")) == 0:
			sc.Errorf(sc.block.DefRange, "Bench of programs", "The rubric of bench %q is a program, and a test starts none: simulate its cases with case blocks, such as case %q { rubric { score = 0.5 } }, or run it with scenario bench.", d.Spec.Name, k.ID)
			return
		}
	}
	if len(run.Cases) == 0 && !sc.casesLost[d.Spec.Name] {
		sc.Errorf(sc.block.DefRange, "Bench without cases", "Nothing would be run: the bench %q has no cases, and the scenario has no case blocks.", d.Spec.Name)
	}
}

// simulated compiles a case block. What it does not say is what the bench does:
// its workflow, and the conditions of its rubric.
func (sc *scenarioCompiler) simulated(d *plan.BenchDecl, b *dsl.Block) *plan.BenchCase {
	known := bench.Case{ID: b.Name()}
	for _, k := range d.Cases {
		if k.ID == known.ID {
			known = k.Case
		}
	}
	r := sc.Read(b)
	if len(b.Blocks) == 0 && (d.Rubric == nil || d.Rubric.Program) {
		sc.Errorf(b.DefRange, "Case that says nothing", "The case %q passes by the defaults alone: say what its rubric says, rubric { passed = true }, or what the system answers, sut { output = { … } }.", b.Name())
	}
	if r.Has("input") {
		known.Input = plan.SchemaJSON(r.Value("input"))
	}
	k := sc.newCase(known, b.DefRange)
	for _, n := range sc.ofTrials(d, b.All("sut")) {
		k.Sut = append(k.Sut, sc.simulatedSUT(n))
	}
	if len(k.Sut) == 0 && (d.Sut == nil || d.Sut.Program) {
		k.Sut = []*plan.SimulatedSUT{{Rng: b.DefRange, Output: map[string]any{}}}
	}
	for _, n := range sc.ofTrials(d, b.All("rubric")) {
		k.Rubric = append(k.Rubric, sc.simulatedRubric(n))
	}
	if len(k.Rubric) == 0 && d.Rubric != nil && d.Rubric.Program {
		k.Rubric = []*plan.SimulatedRubric{{Score: bench.Score{Passed: true, Score: 1}}}
	}
	sc.prepare(d, k)
	return k
}

// ofTrials are blocks of which each says what one trial does. More than there are
// trials would say what never happens.
func (sc *scenarioCompiler) ofTrials(d *plan.BenchDecl, blocks []*dsl.Block) []*dsl.Block {
	if n := d.Spec.Trials; len(blocks) > n {
		sc.Errorf(blocks[n].DefRange, "Block for a trial that is not run", "This is the %s block %d of the case, for its trial %[2]d, and the bench %q runs every case in %d: set trials = %[2]d there, or drop the block.", blocks[n].Type, n+1, d.Spec.Name, n)
	}
	return blocks
}

func (sc *scenarioCompiler) simulatedSUT(b *dsl.Block) *plan.SimulatedSUT {
	r := sc.Read(b)
	s := &plan.SimulatedSUT{Takes: r.Duration("takes"), CostUSD: r.Float("cost_usd"), Rng: b.DefRange, Output: map[string]any{}}
	if r.Has("output") {
		s.Output = r.Value("output")
	}
	if n := b.First("fault"); n != nil {
		f := sc.Read(n)
		s.Fault = sc.File.Extensions.Fault(n.Labels[0])
		s.After, s.HasAfter = f.Duration("after"), f.Has("after")
		s.Args = f.Values("after")
		strike.WithoutEffect(f, s.Fault, s.Args)
		for _, name := range []string{"mode", "caused_by", "stack"} {
			if f.Has(name) {
				f.Errorf(name, "Attribute that means nothing here", "A bench keeps the type and the message of an exception, and nothing else of it: %q has no effect in a case.", name)
			}
		}
		if r.Has("output") {
			r.Errorf("output", "Answer of a system that fails", "With a fault there is no answer: drop one of the two.")
		}
	}
	return s
}

func (sc *scenarioCompiler) simulatedRubric(b *dsl.Block) *plan.SimulatedRubric {
	r := sc.Read(b)
	k := &plan.SimulatedRubric{
		Takes: r.Duration("takes"), Exit: r.Int("exit"), Stdout: r.String("stdout"), Stderr: r.String("stderr"), HasStdout: r.Has("stdout"),
		Score: bench.Score{Passed: r.Bool("passed"), CostUSD: r.Float("cost_usd"), Breakdown: map[string]float64{}},
	}
	if r.Has("score") {
		k.Score.Score = r.Float("score")
	} else if k.Score.Passed {
		k.Score.Score = 1
	}
	breakdown, _ := r.Value("breakdown").(map[string]any)
	for _, name := range read.SortedNames(breakdown) {
		v, isNumber := breakdown[name].(float64)
		if !isNumber {
			r.Errorf("breakdown", "Wrong value", "The breakdown is an object of numbers, and %q is none.", name)
		}
		k.Score.Breakdown[name] = v
	}
	for _, mb := range b.All("failure_mode") {
		m := sc.Read(mb)
		if m.Has("severity") {
			m.Errorf("severity", "Attribute that means nothing here", "The taxonomy of the bench gives the mode %q its severity: set it there, mode %q { severity = … }.", mb.Name(), mb.Name())
		}
		k.Score.FailureModes = append(k.Score.FailureModes, bench.FailureMode{Code: mb.Name(), Severity: m.String("severity"), Detail: m.String("detail")})
	}
	if k.HasStdout {
		for _, name := range []string{"passed", "score", "breakdown", "cost_usd"} {
			if r.Has(name) {
				r.Errorf(name, "Two scores", "stdout is the whole score: drop %s, or stdout.", name)
			}
		}
	}
	return k
}

// isBench reports whether a scenario runs a bench.
func isBench(b *dsl.Block) bool {
	var ignored hcl.Diagnostics
	return (dsl.Reader{Block: b, Diags: &ignored}).Ref("run").Type == "bench"
}

// benchedBy is what a scenario runs beside its bench: nothing.
func (c *compiler) benchedBy(b *dsl.Block, ref dsl.Reference) *plan.Workflow {
	if unit.Find(c.Unit, c.benches, ref) == nil {
		return nil
	}
	for _, typ := range []string{"override", "outage", "tolerates", "call", "hold"} {
		if n := b.First(typ); n != nil {
			c.Errorf(n.DefRange, "Block without a workflow", "The scenario runs a bench, and %s is for one that runs a workflow or drives actors.", article(typ))
			return nil
		}
	}
	for _, n := range b.All("event") {
		if n.Attr("cancel") == nil {
			c.Errorf(n.DefRange, "Block without a workflow", `The scenario runs a bench, of which an event can be cancel = "run" and nothing else.`)
			return nil
		}
	}
	return c.nothing(b)
}

func article(typ string) string {
	if typ == "override" || typ == "outage" {
		return "an " + typ + " block"
	}
	return "a " + typ + " block"
}

// noCases refuses cases where no bench runs.
func (sc *scenarioCompiler) noCases() {
	if b := sc.block.First("case"); b != nil {
		sc.Errorf(b.DefRange, "Case without a bench", "The scenario runs no bench, so it has no cases: write run = bench.NAME, or drop the block.")
	}
}

// caseShape is what the case of an address can be asked for.
func (sc *scenarioCompiler) caseShape(address string, b *dsl.Block) *schema.Shape {
	ids := plan.CaseIDs(sc.p.BenchRun.Cases)
	if read.Contains(ids, address) {
		return observe.CaseResultShape
	}
	if sc.casesLost[sc.p.BenchRun.Spec.Name] {
		return nil
	}
	sc.Errorf(b.LabelRanges[0], "Unknown address", "The bench %q has no case %q here.%s", sc.p.BenchRun.Spec.Name, address, dsl.DidYouMean(address, append(ids, "run")))
	return nil
}
