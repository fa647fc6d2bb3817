package interp

import (
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/schema"
)

// benchRun is the part of a plan that is a bench.
type benchRun struct {
	decl  *benchDecl
	spec  bench.Spec
	cases []*benchCase
	// workflow is what is run for a case, but for its inputs, nil where the
	// system is none.
	workflow *Plan
	// scoring says that the bench is run for its own sake, and not by a scenario
	// that says what must hold: then its gates are what must.
	scoring bool
	// meaning encodes what the result of every case depends on, computed once.
	meaning func() []byte
}

func newBenchRun(d *benchDecl, seed uint64) *benchRun {
	b := &benchRun{decl: d, spec: d.spec, cases: d.cases}
	b.spec.Seed = seed
	b.meaning = sync.OnceValue(func() []byte { return planWriter{}.benchMeaning(b).AppendJSON(nil) })
	return b
}

// simulatedSUT is what the system does in a scenario.
type simulatedSUT struct {
	takes    time.Duration
	output   any
	costUSD  float64
	fault    *faults.Kind
	args     schema.Values
	after    time.Duration
	hasAfter bool
	rng      hcl.Range
}

// simulatedRubric is what the rubric says in a scenario.
type simulatedRubric struct {
	takes          time.Duration
	score          bench.Score
	exit           int
	stdout, stderr string
	hasStdout      bool
}

// newBenchPlan is the plan that `scenario bench` runs for a bench.
func (c *compiler) newBenchPlan(d *benchDecl) *Plan {
	b := d.block
	p := c.planOf(b)
	p.Name, p.Seed = b.Name(), d.spec.Seed
	p.workflow, p.inputs = c.nothing(b), cty.EmptyObjectVal
	p.bench = newBenchRun(d, p.Seed)
	p.bench.scoring = true
	if d.sut != nil {
		p.bench.workflow = d.sut.plan
		if d.sut.plan != nil && (c.opts.Wanted == nil || c.opts.Wanted(p)) {
			d.sut.open()
		}
	}
	p.statusExpected = true
	return p
}

// benchOf gives a scenario the bench that it runs.
func (sc *scenarioCompiler) benchOf(d *benchDecl) {
	p := sc.p
	p.bench = newBenchRun(d, p.Seed)
	if blocks := sc.block.All("case"); len(blocks) > 0 {
		p.bench.cases = nil
		for _, b := range blocks {
			p.bench.cases = append(p.bench.cases, sc.simulated(d, b))
		}
	}
	if d.sut != nil && d.sut.workflow != nil {
		p.bench.workflow = d.sut.plan
		switch {
		case sc.block.First("on") != nil || sc.block.First("cassette") != nil:
			p.bench.workflow, _ = sc.casePlan(d.sut.workflow, sc.block, p.Name, sc.wanted())
		case sc.wanted():
			d.sut.open()
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
			sc.errorf(b.DefRange, "Answers for a program", "The bench %q runs no workflow that could be answered. What its system does in a scenario is said by case blocks: case \"id\" { sut { output = { … } } }.", sc.p.bench.decl.spec.Name)
		}
	}
}

// needsPrograms refuses a scenario that could only be run with the programs of
// its bench: a test starts none.
func (sc *scenarioCompiler) needsPrograms(d *benchDecl) {
	run := sc.p.bench
	for _, k := range run.cases {
		switch {
		case k.sut == nil && (d.sut == nil || d.sut.program) && len(sc.block.All("case")) == 0:
			sc.errorf(sc.block.DefRange, "Bench of programs", "The bench %q runs a program, and a test starts none: simulate its cases with case blocks, such as case %q { sut { output = { … } } }, or run it with scenario bench.", d.spec.Name, k.ID)
			return
		case k.rubric == nil && d.rubric != nil && d.rubric.program && len(sc.block.All("case")) == 0:
			sc.errorf(sc.block.DefRange, "Bench of programs", "The rubric of bench %q is a program, and a test starts none: simulate its cases with case blocks, such as case %q { rubric { score = 0.5 } }, or run it with scenario bench.", d.spec.Name, k.ID)
			return
		}
	}
	if len(run.cases) == 0 {
		sc.errorf(sc.block.DefRange, "Bench without cases", "Nothing would be run: the bench %q has no cases, and the scenario has no case blocks.", d.spec.Name)
	}
}

// simulated compiles a case block. What it does not say is what the bench does:
// its workflow, and the conditions of its rubric.
func (sc *scenarioCompiler) simulated(d *benchDecl, b *dsl.Block) *benchCase {
	known := bench.Case{ID: b.Name()}
	for _, k := range d.cases {
		if k.ID == known.ID {
			known = k.Case
		}
	}
	r := sc.read(b)
	if r.Has("input") {
		known.Input = schemaJSON(r.Value("input"))
	}
	k := sc.newCase(known, b.DefRange)
	if n := b.First("sut"); n != nil || d.sut == nil || d.sut.program {
		k.sut = &simulatedSUT{rng: b.DefRange, output: map[string]any{}}
		if n != nil {
			k.sut = sc.simulatedSUT(n)
		}
	}
	if n := b.First("rubric"); n != nil {
		k.rubric = sc.simulatedRubric(n)
	} else if d.rubric != nil && d.rubric.program {
		k.rubric = &simulatedRubric{score: bench.Score{Passed: true, Score: 1}}
	}
	sc.prepare(d, k)
	return k
}

func schemaJSON(v any) []byte { return valueAttr{dsl.CtyValue(v)}.AppendJSON(nil) }

func (sc *scenarioCompiler) simulatedSUT(b *dsl.Block) *simulatedSUT {
	r := sc.read(b)
	s := &simulatedSUT{takes: r.Duration("takes"), costUSD: r.Float("cost_usd"), rng: b.DefRange, output: map[string]any{}}
	if r.Has("output") {
		s.output = r.Value("output")
	}
	if n := b.First("fault"); n != nil {
		f := sc.read(n)
		s.fault = faults.Lookup(n.Labels[0])
		s.after, s.hasAfter = f.Duration("after"), f.Has("after")
		s.args = f.Values("after")
		if r.Has("output") {
			r.Errorf("output", "Answer of a system that fails", "With a fault there is no answer: drop one of the two.")
		}
	}
	return s
}

func (sc *scenarioCompiler) simulatedRubric(b *dsl.Block) *simulatedRubric {
	r := sc.read(b)
	k := &simulatedRubric{
		takes: r.Duration("takes"), exit: r.Int("exit"), stdout: r.String("stdout"), stderr: r.String("stderr"), hasStdout: r.Has("stdout"),
		score: bench.Score{Passed: r.Bool("passed"), CostUSD: r.Float("cost_usd"), Breakdown: map[string]float64{}},
	}
	if r.Has("score") {
		k.score.Score = r.Float("score")
	} else if k.score.Passed {
		k.score.Score = 1
	}
	breakdown, _ := r.Value("breakdown").(map[string]any)
	for _, name := range sortedNames(breakdown) {
		v, isNumber := breakdown[name].(float64)
		if !isNumber {
			r.Errorf("breakdown", "Wrong value", "The breakdown is an object of numbers, and %q is none.", name)
		}
		k.score.Breakdown[name] = v
	}
	for _, mb := range b.All("failure_mode") {
		m := sc.read(mb)
		k.score.FailureModes = append(k.score.FailureModes, bench.FailureMode{Code: mb.Name(), Severity: m.String("severity"), Detail: m.String("detail")})
	}
	if k.hasStdout {
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
func (c *compiler) benchedBy(b *dsl.Block, ref dsl.Reference) *workflow {
	if lookup(c, c.benches, ref) == nil {
		return nil
	}
	for _, typ := range []string{"override", "call", "event", "hold"} {
		if n := b.First(typ); n != nil {
			c.errorf(n.DefRange, "Block without a workflow", "The scenario runs a bench, and %s is for one that runs a workflow or drives actors.", article(typ))
			return nil
		}
	}
	return c.nothing(b)
}

func article(typ string) string {
	if typ == "override" || typ == "event" {
		return "an " + typ + " block"
	}
	return "a " + typ + " block"
}

// noCases refuses cases where no bench runs.
func (sc *scenarioCompiler) noCases() {
	if b := sc.block.First("case"); b != nil {
		sc.errorf(b.DefRange, "Case without a bench", "The scenario runs no bench, so it has no cases: write run = bench.NAME, or drop the block.")
	}
}

// caseShape is what the case of an address can be asked for.
func (sc *scenarioCompiler) caseShape(address string, b *dsl.Block) *schema.Shape {
	ids := caseIDs(sc.p.bench.cases)
	if contains(ids, address) {
		return caseResultShape
	}
	sc.errorf(b.LabelRanges[0], "Unknown address", "The bench %q has no case %q here.%s", sc.p.bench.spec.Name, address, dsl.DidYouMean(address, append(ids, "run")))
	return nil
}
