package compile

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/aside"
	"github.com/scenario-lang/scenario/interp/internal/compile/excuse"
	"github.com/scenario-lang/scenario/interp/internal/compile/said"
	"github.com/scenario-lang/scenario/interp/internal/compile/vacuous"
	"github.com/scenario-lang/scenario/interp/internal/observe/lacking"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/schema"
)

// conditions compiles what must hold.
func (sc *scenarioCompiler) conditions() {
	env := sc.observedEnv()
	judging := said.Judging(env, sc.p, sc.Functions)
	for _, b := range sc.block.All("assert") {
		a, diags := sc.condition(b, judging)
		sc.Diags = append(sc.Diags, diags...)
		if a != nil {
			sc.p.Needs.Add(a.Condition)
			excuse.Find(sc.p, sc.Statics, a, nil)
			sc.seesLess(a.Condition)
			sc.rulesLastPass(a.Condition)
			sc.readsLastSession(a.Condition)
			sc.p.Asserts = append(sc.p.Asserts, a)
		}
	}
	sc.invariants(env)
	for _, b := range sc.block.All("expect") {
		sc.expectation(b)
	}
	for _, a := range sc.p.Asserts {
		sc.p.Needs.Add(a.Message)
	}
	for _, b := range sc.block.All("snapshot") {
		sc.snapshot(b, judging)
	}
	sc.until(judging)
	sc.unseen()
	sc.Diags = append(sc.Diags, said.Conditions(sc.p, sc.block.First("sut"))...)
}

// seesLess warns of a condition that sees less of the run than it seems to: the last pass of
// a step alone, or the attempts without what a program says of its session.
func (sc *scenarioCompiler) seesLess(e hclsyntax.Expression) {
	sc.readsLastPass(e)
	sc.Diags = append(sc.Diags, aside.Find(sc.p, e, sc.nodes(), sc.Statics)...)
}

// condition compiles a block with a condition, nil where it cannot be.
func (sc *scenarioCompiler) condition(b *dsl.Block, env *dsl.Env) (*plan.Assertion, hcl.Diagnostics) {
	return sc.conditionOf(b, b.Expr("condition"), env)
}

// conditionOf compiles a condition of a block.
func (sc *scenarioCompiler) conditionOf(b *dsl.Block, e hclsyntax.Expression, env *dsl.Env) (*plan.Assertion, hcl.Diagnostics) {
	a := &plan.Assertion{Name: b.Name(), Condition: e, Message: b.Expr("error_message"), Rng: b.DefRange, Source: sc.sources[dsl.Place(b.DefRange).Filename]}
	if a.Condition == nil {
		return nil, nil
	}
	shape, observed, diags := dsl.InferObserved(a.Condition, env)
	if a.Message != nil {
		_, more := dsl.Infer(a.Message, env)
		diags = append(diags, more...)
	}
	if diags.HasErrors() {
		return nil, diags
	}
	wrong := func(summary, format string, args ...any) {
		rng := a.Condition.Range()
		diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
	}
	_, quoted := a.Condition.(*hclsyntax.TemplateExpr)
	if quoted && shape != nil && shape.Kind == schema.ShapeString {
		wrong("Condition in quotes", "A condition is an expression, and this is a string: remove the quotes around it.")
		return nil, diags
	}
	if !observed {
		wrong("Condition about nothing observed", "The condition refers to nothing that the run does, so it would hold or fail whatever happens. Refer to step, run, target, breaker, gateway or a query such as metric().")
	}
	if shape != nil && shape.Kind != schema.ShapeBool && shape.Kind != schema.ShapeUnknown {
		wrong("Condition that is no condition", "A condition is true or false; this one is %s.%s", shape.KindName(), dsl.HowCompared(a.Condition, shape))
	}
	if diags.HasErrors() {
		return nil, diags
	}
	a.Lacking = lacking.In(a.Condition, a.Message)
	return a, diags
}

// expected checks one expected value of what has an address: what it refers to, its type where that
// is known, and the names inside an object.
func (sc *scenarioCompiler) expected(address string, a *dsl.Attr, of, known *schema.Shape) {
	env := *sc.Static
	env.Where, env.Members = "an expect block", sc.members
	given, diags := dsl.Infer(a.Expr, &env)
	sc.Diags = append(sc.Diags, diags...)
	if diags.HasErrors() || given == nil {
		return
	}
	sc.Diags = append(append(sc.Diags, dsl.Fit{Env: &env, Ref: sc.refTo(address, a.Name), Path: a.Name, Expr: a.Expr, Given: given, Known: known, Of: of}.Check()...), vacuous.Expected(a)...)
}

// refTo is how a condition refers to an attribute of what has an address, "" where
// it cannot.
func (sc *scenarioCompiler) refTo(address, attr string) string {
	if n := sc.nodes()[address]; n != nil {
		return rootFor(n) + "." + address + "." + attr
	}
	return ""
}

func (sc *scenarioCompiler) snapshot(b *dsl.Block, env *dsl.Env) {
	s := &plan.SnapshotCheck{Name: b.Name(), Value: b.Expr("value"), Source: sc.sources[dsl.Place(b.DefRange).Filename], Rng: b.DefRange}
	if s.Value == nil {
		return
	}
	_, observed, diags := dsl.InferObserved(s.Value, env)
	sc.Diags = append(sc.Diags, diags...)
	if diags.HasErrors() {
		return
	}
	if !observed {
		sc.Errorf(s.Value.Range(), "Snapshot of nothing observed", "The value refers to nothing that the run does, so it would be the same whatever happens. Refer to step, run, target, breaker, gateway or a query such as events().")
		return
	}
	s.Path = plan.SnapshotPath(sc.p.File, sc.p.Name, s.Name)
	var err error
	if sc.Options.ReadSnapshot != nil {
		s.Golden, err = sc.Options.ReadSnapshot(s.Path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		sc.Errorf(s.Rng, "Snapshot cannot be read", "%s", sentence(err.Error()))
		return
	}
	sc.p.Needs.Add(s.Value)
	sc.p.SnapshotChecks, sc.p.Snapshots = append(sc.p.SnapshotChecks, s), append(sc.p.Snapshots, s.Path)
}
