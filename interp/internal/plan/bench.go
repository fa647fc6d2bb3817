package plan

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// Plain are the cases as package bench knows them.
func (b *BenchRun) Plain() []bench.Case {
	cases := make([]bench.Case, len(b.Cases))
	for i, k := range b.Cases {
		cases[i] = k.Case
	}
	return cases
}

// KeptPerTrial is how many bytes are kept of a trial for people to look at.
func (b *BenchRun) KeptPerTrial() int { return b.Spec.KeptPerTrial(len(b.Cases)) }

// OfTrial is what a list says of a trial, counted from 1; the last element is for
// all further trials.
func OfTrial[T any](list []*T, n int) *T { return list[min(n, len(list))-1] }

// WithCases is the plan of a bench with those of its cases that keep wants. Where
// that are not all of them its gates are not asked: they are about all cases.
func (p *Plan) WithCases(keep func(id string) bool) *Plan {
	q := *p
	own := *p.BenchRun
	q.BenchRun = &own
	own.Cases = nil
	for _, k := range p.BenchRun.Cases {
		if keep(k.ID) {
			own.Cases = append(own.Cases, k)
		}
	}
	if len(own.Cases) < len(p.BenchRun.Cases) {
		own.Spec.Gates, own.Spec.Of = nil, len(p.BenchRun.Cases)
	}
	q.Core, q.HashOnce = sync.OnceValue(q.Sum), sync.OnceValue(q.Digest)
	return &q
}

// WithBench is the plan of a bench with other numbers; what is 0 stays.
func (p *Plan) WithBench(trials, concurrency int) *Plan {
	q := *p
	own := *p.BenchRun
	q.BenchRun = &own
	if trials > 0 {
		own.Spec.Trials = trials
	}
	if concurrency > 0 {
		own.Spec.Concurrency = concurrency
	}
	q.Core, q.HashOnce = sync.OnceValue(q.Sum), sync.OnceValue(q.Digest)
	return &q
}

// Bench is what the plan's bench asks for; ok is false for a plan without one.
func (p *Plan) Bench() (spec bench.Spec, ok bool) {
	if p.BenchRun == nil {
		return spec, false
	}
	return p.BenchRun.Spec, true
}

// BenchCases are the ids of the cases of the plan's bench, sorted.
func (p *Plan) BenchCases() []string {
	if p.BenchRun == nil {
		return nil
	}
	return CaseIDs(p.BenchRun.Cases)
}

// Unscorable says why a plan of Suite.Benches cannot be run, "" where it can.
func (p *Plan) Unscorable() string {
	switch b := p.BenchRun; {
	case b.Decl.Sut == nil:
		return fmt.Sprintf("the bench %q has no sut block, so there is nothing to score", b.Spec.Name)
	case len(b.Cases) == 0 && CallsFileset(b.Decl.Block.Expr("cases")):
		return fmt.Sprintf("the bench %q has no cases: cases = %s matches no file; a pattern is relative to the directory of the scenario file", b.Spec.Name, dsl.Excerpt(b.Decl.Block.Expr("cases")))
	case len(b.Cases) == 0:
		return fmt.Sprintf("the bench %q has no cases: give it cases = fileset(\"cases/*.json\")", b.Spec.Name)
	}
	return ""
}

// StoodIn says of the plan's bench which of its parts every case has a result in the place of: the workflow that it
// runs, "" for none, and the conditions of its rubric. The name is "" where no scenario has simulated cases.
func (p *Plan) StoodIn() (name, workflow string, rubric bool) {
	b := p.BenchRun
	if b == nil || b.Scoring || len(b.Cases) == 0 {
		return "", "", false
	}
	if b.Decl.Sut != nil && b.Decl.Sut.Workflow != nil {
		workflow = b.Decl.Sut.Workflow.Name
	}
	rubric = b.Decl.Rubric != nil && !b.Decl.Rubric.Program
	for _, k := range b.Cases {
		if len(k.Sut) == 0 {
			workflow = ""
		}
		rubric = rubric && len(k.Rubric) > 0
	}
	return b.Spec.Name, workflow, rubric
}

// CallsFileset reports whether an expression asks for files by a pattern.
func CallsFileset(e hclsyntax.Expression) (calls bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.FunctionCallExpr)
		calls = calls || is && x.Name == "fileset"
	})
	return calls
}

// A BenchCommand is a program that a bench would start.
type BenchCommand struct {
	// Block is "sut" or "rubric", whose attribute "command" names the program.
	Block, Program string
	// Case is the first case that it is started for.
	Case string
	// Range is that of the attribute.
	Range hcl.Range
}

// BenchCommands are the programs that the plan's bench would start, each once,
// in the order in which the cases ask for them.
func (p *Plan) BenchCommands() []BenchCommand {
	if p.BenchRun == nil {
		return nil
	}
	var list []BenchCommand
	seen := map[[2]string]bool{}
	add := func(block *dsl.Block, program *BenchProgram, id string) {
		if program == nil || seen[[2]string{block.Type, program.Command[0]}] {
			return
		}
		seen[[2]string{block.Type, program.Command[0]}] = true
		list = append(list, BenchCommand{block.Type, program.Command[0], id, block.Attr("command").Expr.Range()})
	}
	for _, k := range p.BenchRun.Cases {
		if d := p.BenchRun.Decl; d.Sut != nil {
			add(d.Sut.Block, k.Program, k.ID)
		}
		if d := p.BenchRun.Decl; d.Rubric != nil {
			add(d.Rubric.Block, k.Scored, k.ID)
		}
	}
	return list
}

// BenchPrograms are the programs that the plan's bench starts, those of every
// case in turn.
func (p *Plan) BenchPrograms() []*BenchProgram {
	if p.BenchRun == nil {
		return nil
	}
	var list []*BenchProgram
	for _, k := range p.BenchRun.Cases {
		for _, program := range []*BenchProgram{k.Program, k.Scored} {
			if program != nil {
				list = append(list, program)
			}
		}
	}
	return list
}

// BenchFiles are the files that the cases of the plan's bench were read from.
func (p *Plan) BenchFiles() []string {
	if p.BenchRun == nil {
		return nil
	}
	var list []string
	for _, k := range p.BenchRun.Cases {
		if k.File != "" && (len(list) == 0 || list[len(list)-1] != k.File) {
			list = append(list, k.File)
		}
	}
	return list
}

// Document is a case as programs get it.
func (k *BenchCase) Document() []byte {
	text := append([]byte(`{"file":`), "null"...)
	if k.File != "" {
		text = trace.AppendString(text[:len(text)-len("null")], k.File)
	}
	text = trace.AppendString(append(text, `,"id":`...), k.ID)
	text = append(text, `,"input":`...)
	if len(k.Input) == 0 {
		text = append(text, "null"...)
	}
	return append(append(text, k.Input...), '}')
}

// BenchDecl is a declared bench.
type BenchDecl struct {
	Spec  bench.Spec
	Cases []*BenchCase
	Sut   *BenchSUT
	// Rubric is nil where every answer passes.
	Rubric *BenchRubric
	Block  *dsl.Block
}

// BenchCase is one case with all that does not depend on its answer.
type BenchCase struct {
	bench.Case
	// Ctx holds the case for expressions.
	Ctx *hcl.EvalContext
	Rng hcl.Range
	// Sut and Rubric are what the case does where it is simulated, trial by trial,
	// the last for all further trials; else they are empty.
	Sut    []*SimulatedSUT
	Rubric []*SimulatedRubric
	// Program and Scored are the programs that are run for it.
	Program, Scored *BenchProgram
	// Inputs are those of the workflow that is run for it.
	Inputs cty.Value
}

// BenchSUT is the system under test: a program or a workflow.
type BenchSUT struct {
	Program  bool
	Output   string
	Workflow *Workflow
	// Plan is what is run for a case, but for its inputs; Open reads its cassette,
	// once somebody wants it.
	Plan  *Plan
	Open  func()
	Block *dsl.Block
}

// OutputProcess is the output of a program whose status and text are the answer.
const OutputProcess = "process"

// BenchRubric is a program or a set of expressions.
type BenchRubric struct {
	Program                        bool
	Passed, Score, Breakdown, Cost hclsyntax.Expression
	Modes                          []*ModeRule
	Block                          *dsl.Block
	// Source is the text of its file.
	Source []byte
}

// The names of the parts of a rubric, as messages have them.
const (
	RubricPassed    = "passed"
	RubricScore     = "score"
	RubricCost      = "cost_usd"
	RubricBreakdown = "breakdown"
	RubricWhen      = "when of failure mode "
)

// untold stands between the name of a part of a rubric and why it has no value.
const untold = " cannot be told: "

// Untold says that a part of a rubric has no value for an answer, and why.
func Untold(part, why string) string { return part + untold + why }

// UntoldAt is where the part of the rubric stands of which [Untold] said something, and the
// text of that file; nil for what says something else.
func (h *Handle) UntoldAt(said string) (*hcl.Range, []byte) {
	part, _, found := strings.Cut(said, untold)
	if !found || h.inside == nil || h.inside.BenchRun == nil || h.inside.BenchRun.Decl.Rubric == nil {
		return nil, nil
	}
	k := h.inside.BenchRun.Decl.Rubric
	e := map[string]hclsyntax.Expression{RubricPassed: k.Passed, RubricScore: k.Score, RubricCost: k.Cost, RubricBreakdown: k.Breakdown}[part]
	for _, m := range k.Modes {
		if part == RubricWhen+m.Code {
			e = m.When
		}
	}
	if e == nil {
		return nil, nil
	}
	at := e.Range()
	return &at, k.Source
}

// ModeRule is a failure mode with its condition.
type ModeRule struct {
	Code         string
	When, Detail hclsyntax.Expression
}

// BenchProgram is a program that is run for a case.
type BenchProgram struct {
	Command []string
	Env     map[string]string
	Pass    []string
	// DependsOn are the files that its results depend on, as the file names them;
	// nil where it leaves them to the command.
	DependsOn []string
	// Stdin is what it gets where the file says so, nil for what it gets by
	// default.
	Stdin []byte
	// Block says so: a sut or a rubric.
	Block *dsl.Block
}

// ArgText is a value as an argument of a command line.
func ArgText(v cty.Value) (string, error) {
	return ArgReader{{Name: "arg", Raw: v}}.Text("arg")
}

// CaseIDs are the ids of cases, sorted.
func CaseIDs(cases []*BenchCase) []string {
	ids := make([]string, len(cases))
	for i, k := range cases {
		ids[i] = k.ID
	}
	slices.Sort(ids)
	return ids
}

// BenchRun is the part of a plan that is a bench.
type BenchRun struct {
	Decl  *BenchDecl
	Spec  bench.Spec
	Cases []*BenchCase
	// Workflow is what is run for a case, but for its inputs, nil where the
	// system is none.
	Workflow *Plan
	// Scoring says that the bench is run for its own sake, and not by a scenario
	// that says what must hold: then its gates are what must.
	Scoring bool
	// Meaning encodes what the result of every case depends on, computed once.
	Meaning func() []byte
}

// SimulatedSUT is what the system does in a scenario.
type SimulatedSUT struct {
	Takes    time.Duration
	Output   any
	CostUSD  float64
	Fault    *faults.Kind
	Args     schema.Values
	After    time.Duration
	HasAfter bool
	Rng      hcl.Range
}

// SimulatedRubric is what the rubric says in a scenario.
type SimulatedRubric struct {
	Takes          time.Duration
	Score          bench.Score
	Exit           int
	Stdout, Stderr string
	HasStdout      bool
}

// SchemaJSON is a JSON schema as it is given to a model.
func SchemaJSON(v any) []byte { return event.Value{Value: dsl.CtyValue(v)}.AppendJSON(nil) }
