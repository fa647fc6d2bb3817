package compile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/internal/nojson"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/compile/vacuous"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// maxCases bounds the cases of a bench.
const maxCases = 100_000

func (c *compiler) compileBenches() {
	c.benches = map[string]*plan.BenchDecl{}
	for _, b := range c.Top("bench") {
		c.benches[b.Name()] = c.bench(b)
	}
}

func (c *compiler) bench(b *dsl.Block) *plan.BenchDecl {
	r := c.Read(b)
	d := &plan.BenchDecl{Block: b, Spec: bench.Defaults()}
	s := &d.Spec
	s.Name, s.Taxonomy = b.Name(), c.named(r).Known
	s.BreakdownKeys = r.Strings("breakdown_keys")
	for _, key := range s.BreakdownKeys {
		if part := bench.BannedKey(key); part != "" {
			r.Errorf("breakdown_keys", "Banned breakdown key", "The key %q contains %q: what a system says of its own answers measures nothing. Name what was observed.", key, part)
		}
	}
	s.CaseTimeout, s.RubricTimeout = r.Duration("case_timeout"), r.Duration("rubric_timeout")
	s.Concurrency, s.Trials, s.CostCap, s.Seed = r.Int("concurrency"), r.Int("trials"), r.Float("cost_cap_usd"), uint64(r.Int("seed"))
	s.Rate, s.Exclusive, s.Idempotent = r.Float("rate"), r.String("exclusive"), r.Bool("idempotent")
	for _, limit := range []struct {
		name string
		zero bool
	}{{"case_timeout", s.CaseTimeout == 0}, {"rubric_timeout", s.RubricTimeout == 0}, {"cost_cap_usd", s.CostCap == 0}, {"rate", s.Rate == 0}} {
		if limit.zero && r.Has(limit.name) && !c.Diags.HasErrors() {
			r.Errorf(limit.name, "Limit must be positive", "With %s = 0 nothing could ever end within it.", limit.name)
		}
	}
	c.bound(b, s)
	for _, gb := range b.All("gate") {
		g := c.Read(gb)
		s.Gates = append(s.Gates, bench.Gate{Name: gb.Name(), LowerBound: g.Float("lower_bound"), MinPassed: g.Int("min_passed"), PassAll: g.Float("pass_all")})
	}
	d.Sut = c.benchSUT(b.First("sut"))
	d.Rubric = c.benchRubric(b.First("rubric"), s)
	if gates := b.All("gate"); d.Sut != nil && d.Rubric == nil && len(gates) > 0 {
		c.Errorf(gates[0].DefRange, "Gate without a rubric", "Nothing scores what the system answers, so every case passes and the gate %q holds whatever it does. Give the bench a rubric.", gates[0].Name())
	}
	if d.Sut != nil && d.Sut.Workflow != nil && d.Sut.Workflow.Output == nil && d.Rubric != nil && !c.Diags.HasErrors() {
		w := d.Sut.Workflow
		c.Errorf(b.First("sut").DefRange, "Workflow without an output", "The workflow %q says nothing of what it answers, so that the output of each case is {}, whatever happened. Give it one, such as `output = { answer = step.NAME.output }`.", w.Name)
	}
	if a := b.Attr("cases"); a != nil {
		before := len(c.Diags)
		if d.Cases = c.benchCases(a.Expr); c.Diags[before:].HasErrors() {
			if c.casesLost == nil {
				c.casesLost = map[string]bool{}
			}
			c.casesLost[d.Spec.Name] = true
		}
	}
	if !c.Diags.HasErrors() {
		c.Diags = append(c.Diags, vacuous.Unmeetable(d)...)
	}
	if !c.Diags.HasErrors() {
		for _, k := range d.Cases {
			c.prepare(d, k)
			if c.Diags.HasErrors() {
				break // the others would say the same
			}
		}
		c.Diags = append(c.Diags, vacuous.Rubric(d)...)
	}
	if !c.Diags.HasErrors() {
		c.Diags = append(c.Diags, vacuous.Unread(d)...)
		c.noDependencies(b.First("sut"))
		c.noDependencies(b.First("rubric"))
	}
	return d
}

// noDependencies warns of a program whose files are said by a pattern that matches none, so
// that no change of it counts.
func (c *compiler) noDependencies(b *dsl.Block) {
	if b == nil || b.Attr("depends_on") == nil {
		return
	}
	if e := b.Expr("depends_on"); plan.CallsFileset(e) && len(c.Read(b).Strings("depends_on")) == 0 {
		c.Warnf(e.Range(), "Dependencies that match no file", "%s matches no file, so that --resume and --cache keep results whatever changes in what the program reads. A pattern is relative to the directory of the scenario file; without depends_on all files of that directory count.", dsl.Excerpt(e))
	}
}

func (c *compiler) bound(b *dsl.Block, s *bench.Spec) {
	n := b.First("lower_bound")
	if n == nil {
		return
	}
	r := c.Read(n)
	s.Bound = bench.Bound{Method: r.String("method"), Level: r.Float("level"), Resamples: r.Int("resamples"), MinCases: r.Int("min_cases")}
	if r.Has("level") && (s.Bound.Level <= 0 || s.Bound.Level >= 1) {
		r.Errorf("level", "Wrong value", `The attribute "level" lies between 0 and 1, such as 0.95.`)
		s.Bound.Level = 0.95
	}
}

// benchSUT compiles the system under test, nil where there is none.
func (c *compiler) benchSUT(b *dsl.Block) *plan.BenchSUT {
	if b == nil {
		return nil
	}
	r := c.Read(b)
	s := &plan.BenchSUT{Block: b, Program: b.Attr("command") != nil, Output: r.String("output")}
	c.checkCommands(b, "command", "stdin", "inputs")
	ref := r.Ref("run")
	switch {
	case s.Program && ref.Name != "":
		r.Errorf("run", "Two systems under test", "A bench scores a program (command) or a workflow (run), not both.")
	case !s.Program && !r.Has("run"):
		c.Errorf(b.DefRange, "Missing attribute", `A sut block needs "command", the program that is scored, or "run", a workflow.`)
	case s.Program:
		c.notWith(r, "a program", "inputs")
		for _, typ := range []string{"on", "cassette"} {
			if n := b.First(typ); n != nil {
				c.Errorf(n.DefRange, "Answers for a program", "A program calls its services by itself, so nothing here can answer it. Scripts and cassettes are for a workflow: run = workflow.NAME.")
			}
		}
	default:
		c.notWith(r, "a workflow", "env", "pass_env", "depends_on", "stdin", "output")
		if s.Workflow = unit.Find(c.Unit, c.workflows, ref); s.Workflow != nil {
			s.Plan, s.Open = c.casePlan(s.Workflow, b, b.Parent.Name(), c.Options.Wanted == nil)
		}
	}
	return s
}

func (c *compiler) notWith(r dsl.Reader, what string, names ...string) {
	for _, name := range names {
		if r.Has(name) {
			r.Errorf(name, "Attribute that means nothing here", "The attribute %q means nothing for %s.", name, what)
		}
	}
}

// casePlan is the plan of a workflow's run for a case, whose inputs are not
// known yet. b has the scripts and the cassette that answer it. The cassette is
// read where the plan is known to be wanted, and else when open is called.
func (c *compiler) casePlan(w *plan.Workflow, b *dsl.Block, name string, wanted bool) (p *plan.Plan, open func()) {
	p = c.planOf(b)
	p.Name, p.Seed, p.Workflow, p.Inputs = name, 1, w, cty.EmptyObjectVal
	p.Allow[plan.GateNoAssertion] = true
	p.Excuses.All("run")
	sc := &scenarioCompiler{compiler: c, p: p, block: b, referred: map[string]bool{}, played: &wanted, openCassette: func() {}}
	sc.recording()
	for _, on := range b.All("on") {
		sc.on(on)
	}
	sc.population()
	return p, sc.openCassette
}

func (c *compiler) benchRubric(b *dsl.Block, s *bench.Spec) *plan.BenchRubric {
	if b == nil {
		return nil
	}
	r := c.Read(b)
	k := &plan.BenchRubric{
		Block: b, Program: b.Attr("command") != nil, Source: c.sources[dsl.Place(b.DefRange).Filename],
		Passed: b.Expr("passed"), Score: b.Expr("score"), Breakdown: b.Expr("breakdown"), Cost: b.Expr("cost_usd"),
	}
	c.checkCommands(b, "command")
	inline, observed, sees := b.First("failure_mode") != nil, false, map[string]bool{}
	for _, e := range []struct {
		name string
		expr hclsyntax.Expression
	}{{"passed", k.Passed}, {"score", k.Score}, {"breakdown", k.Breakdown}, {"cost_usd", k.Cost}} {
		if e.expr != nil {
			inline = true
			sees[e.name] = c.answerExpr(e.expr, "the attribute "+e.name+" of a rubric")
			observed = sees[e.name] && e.name != "cost_usd" || observed
		}
	}
	switch {
	case k.Program && inline:
		r.Errorf("command", "Two rubrics", "A rubric is a program (command) or made of conditions, not both.")
	case !k.Program && k.Passed == nil && k.Score == nil && !inline:
		c.Errorf(b.DefRange, "Missing attribute", `A rubric needs "command", the program that scores, or "passed", a condition.`)
	case !k.Program:
		c.notWith(r, "a rubric of conditions", "env", "pass_env", "depends_on")
	}
	if v, written := literalOf(k.Passed); written && v.Type() == cty.String {
		c.Errorf(k.Passed.Range(), "Wrong value", "The attribute \"passed\" is a condition, true or false, and not a string. Compare the answer with what the case has, such as passed = output.answer == case.input.expected.")
	}
	if k.Breakdown != nil {
		c.breakdown(k.Breakdown, s)
	}
	for _, mb := range b.All("failure_mode") {
		m := &plan.ModeRule{Code: mb.Name(), When: mb.Expr("when"), Detail: mb.Expr("detail")}
		if b.Parent.Attr("taxonomy") != nil && s.Taxonomy.Name() == plan.DefaultTaxonomy().Known.Name() && c.Diags.HasErrors() {
			// There may be no such taxonomy, as an error says: then nobody knows its modes.
		} else if !bench.Reserved(m.Code) && s.Taxonomy.Lookup(m.Code) == nil {
			c.Errorf(mb.LabelRanges[0], "Unknown mode", "The taxonomy %q has no mode %q.%s", s.Taxonomy.Name(), m.Code, declareMode(s.Taxonomy.Name(), m.Code, s.Taxonomy.Codes()))
		} else if bench.Reserved(m.Code) {
			c.Errorf(mb.LabelRanges[0], "Reserved failure mode", "The code %q is the bench's own and no rubric may give it. The reserved ones are: %s.", m.Code, strings.Join(bench.Codes(), ", "))
		}
		if m.When != nil {
			reads := c.answerExpr(m.When, "a failure_mode block")
			observed, sees["block"] = reads || observed, sees["block"] || reads && vacuous.Blocks(s, m.Code)
		}
		if m.Detail != nil {
			c.answerExpr(m.Detail, "a failure_mode block")
		}
		k.Modes = append(k.Modes, m)
	}
	switch {
	case c.Diags.HasErrors(): // what an expression with a mistake reads says nothing of the gates
	case inline && !observed:
		c.Errorf(b.DefRange, "Rubric about nothing observed", "Nothing in the rubric reads output, so a case passes or fails whatever the system answers. Compare it, such as passed = output.answer == case.input.expected.")
	default:
		always := vacuous.Gates(k, s, sees)
		c.Diags = append(c.Diags, always...)
		if len(always) == 0 {
			c.Diags = append(append(c.Diags, vacuous.Floored(k, s)...), vacuous.Unrelated(k, s)...)
		}
	}
	return k
}

// literalOf is the value of an expression that is written out, which may be nil.
func literalOf(e hclsyntax.Expression) (v cty.Value, written bool) {
	if e == nil {
		return cty.NilVal, false
	}
	v, written = dsl.Literal(e)
	return v, written && !v.IsNull()
}

// declareMode ends a message about a mode that a taxonomy lacks: the one that was meant,
// those that there are, and how it is declared.
func declareMode(taxonomy, code string, known []string) string {
	if taxonomy == plan.DefaultTaxonomy().Known.Name() {
		return dsl.DidYouMean(code, known) + fmt.Sprintf(" Declare it in a taxonomy of your own: `taxonomy \"mine\" { mode %q { severity = \"block\" } }`, and give the bench taxonomy = taxonomy.mine.", code)
	}
	hint := dsl.DidYouMean(code, known)
	if own := slices.DeleteFunc(slices.Clone(known), func(c string) bool { return plan.DefaultTaxonomy().Known.Lookup(c) != nil }); hint == "" && len(own) > 0 {
		hint = dsl.Instead(code, own)
	}
	return hint + fmt.Sprintf(" Declare it in taxonomy %q: `mode %q { severity = \"block\" }`.", taxonomy, code)
}

// breakdown checks the keys of a breakdown that are written out: the bench names all that
// there may be.
func (c *compiler) breakdown(e hclsyntax.Expression, s *bench.Spec) {
	object, written := dsl.Bare(e).(*hclsyntax.ObjectConsExpr)
	if !written {
		return
	}
	for _, item := range object.Items {
		key, written := dsl.WrittenKey(item.KeyExpr)
		if !written || slices.Contains(s.BreakdownKeys, key) {
			continue
		}
		if hint := dsl.DidYouMean(key, s.BreakdownKeys); hint != "" {
			c.Errorf(item.KeyExpr.Range(), "Undeclared breakdown key", "The bench has no key %q among its breakdown_keys, so no answer would get a score.%s", key, hint)
			continue
		}
		all := append(slices.Clone(s.BreakdownKeys), key)
		for i, k := range all {
			all[i] = strconv.Quote(k)
		}
		c.Errorf(item.KeyExpr.Range(), "Undeclared breakdown key", "The bench does not list the key %q, so no answer would get a score. Give the bench breakdown_keys = [%s].", key, strings.Join(all, ", "))
	}
}

var caseShape = &schema.Shape{Kind: schema.ShapeObject, Name: "case", Attrs: map[string]*schema.Shape{
	"id": {Kind: schema.ShapeString, Doc: "The case's id."}, "input": {Nullable: true, Doc: "What the case asks."},
	"file": {Kind: schema.ShapeString, Nullable: true, Doc: "The path of its file, null where it has none."},
}}

// caseExpr checks an expression that reads a case.
func (c *compiler) caseExpr(e hclsyntax.Expression, where string) bool {
	return c.inferWith(e, where, map[string]*schema.Shape{"case": caseShape})
}

// answerExpr checks an expression that reads a case and its answer, and reports
// whether it reads the answer.
func (c *compiler) answerExpr(e hclsyntax.Expression, where string) (observed bool) {
	dsl.Strict(e)
	c.inferWith(e, where, map[string]*schema.Shape{"case": caseShape, "output": {Nullable: true, Observed: true}})
	for t := range dsl.Variables(e) {
		observed = observed || t.RootName() == "output"
	}
	return observed
}

// ofAnswers says of names that a rubric does not know where what they stand for is.
var ofAnswers = map[string]string{
	"sut":      "What a program answered is output: output.stdout and output.exit_code, where its sut has output = \"process\".",
	"expected": "What a case expects is in its input: case.input.NAME.",
}

func (c *compiler) inferWith(e hclsyntax.Expression, where string, roots map[string]*schema.Shape) bool {
	env := *c.Static
	env.Where, env.Roots = where, roots
	for _, name := range []string{"var", "local"} {
		env.Roots[name] = c.Static.Roots[name]
	}
	if roots["output"] != nil {
		env.Elsewhere = maps.Clone(env.Elsewhere)
		maps.Copy(env.Elsewhere, ofAnswers)
	}
	_, diags := dsl.Infer(e, &env)
	c.Diags = append(c.Diags, diags...)
	return !diags.HasErrors()
}

// newCase is a case that expressions can read.
func (c *compiler) newCase(k bench.Case, rng hcl.Range) *plan.BenchCase {
	input := read.Null
	if len(k.Input) > 0 {
		input = read.JsonValue(string(k.Input))
	}
	ctx := c.Statics.NewChild()
	ctx.Variables = map[string]cty.Value{"case": cty.ObjectVal(map[string]cty.Value{"id": read.Text(k.ID), "input": input, "file": read.TextOrNull(k.File)})}
	return &plan.BenchCase{Case: k, Ctx: ctx, Rng: rng}
}

// prepare finds what is run for a case: everything but the answer is known.
func (c *compiler) prepare(d *plan.BenchDecl, k *plan.BenchCase) {
	if d.Sut != nil && len(k.Sut) == 0 {
		if d.Sut.Program {
			k.Program = c.programFor(d.Sut.Block, k)
		} else if d.Sut.Workflow != nil {
			c.caseInputs(d.Sut, k)
		}
	}
	if d.Rubric != nil && d.Rubric.Program && len(k.Rubric) == 0 {
		k.Scored = c.programFor(d.Rubric.Block, k)
	}
}

// caseInputs gives every input of the workflow its value for a case.
func (c *compiler) caseInputs(s *plan.BenchSUT, k *plan.BenchCase) {
	given := k.Ctx.Variables["case"].GetAttr("input")
	at := k.Rng
	if e := s.Block.Expr("inputs"); e != nil {
		at = e.Range()
		if given = c.evalCase(e, k, "inputs"); given == cty.NilVal {
			return
		}
	}
	values := map[string]cty.Value{}
	if given.Type().IsObjectType() && !given.IsNull() {
		values = given.AsValueMap()
	} else if !given.IsNull() {
		c.Errorf(at, "Inputs that are no object", "The inputs of workflow %q for the case %q are %s: give sut the attribute inputs = { … }, which may read case.input.", s.Workflow.Name, k.ID, render.Value(given, 60))
		return
	}
	c.caseValues(s, k, values, at)
}

func (c *compiler) caseValues(s *plan.BenchSUT, k *plan.BenchCase, given map[string]cty.Value, at hcl.Range) {
	if s.Workflow.InputsLost {
		return
	}
	declared := s.Workflow.Inputs
	for _, name := range read.SortedNames(given) {
		if _, known := declared[name]; !known && s.Block.Expr("inputs") != nil {
			c.Errorf(at, "Unknown input", "Workflow %q has no input %q.%s", s.Workflow.Name, name, dsl.Instead(name, read.SortedNames(declared)))
			return
		}
	}
	values := make(map[string]cty.Value, len(declared))
	for _, name := range read.SortedNames(declared) {
		values[name] = declared[name]
		if v, ok := given[name]; ok && !v.IsNull() {
			values[name] = v
		}
		if values[name].IsNull() {
			c.Errorf(at, "Missing input", "Workflow %q needs the input %q, and the case %q has none: give it in the case, or in inputs = { %s = … } of the sut block.", s.Workflow.Name, name, k.ID, name)
			return
		}
	}
	k.Inputs = cty.ObjectVal(values)
}

// evalCase evaluates an expression for a case, NilVal where that is wrong.
func (c *compiler) evalCase(e hclsyntax.Expression, k *plan.BenchCase, what string) cty.Value {
	v, diags := dsl.Evaluate(e, k.Ctx)
	if diags.HasErrors() {
		c.Errorf(e.Range(), "Wrong value for a case", "For the case %q %s cannot be evaluated: %s", k.ID, what, plan.FirstError(diags))
		return cty.NilVal
	}
	return read.Normalise(v)
}

// programFor evaluates what a sut or rubric block runs for a case.
func (c *compiler) programFor(b *dsl.Block, k *plan.BenchCase) *plan.BenchProgram {
	r := c.Read(b)
	p := &plan.BenchProgram{Env: r.StringMap("env"), Pass: r.Strings("pass_env"), Block: b}
	if r.Has("depends_on") {
		p.DependsOn = append([]string{}, r.Strings("depends_on")...)
	}
	e := b.Expr("command")
	v := c.evalCase(e, k, "command")
	if v == cty.NilVal {
		return nil
	}
	if v.IsNull() || !v.Type().IsTupleType() || v.LengthInt() == 0 {
		c.Errorf(e.Range(), "Wrong value", `The attribute "command" is a list of the program and its arguments, such as ["./run-agent", "--case", case.id].%s`, asWritten(e))
		return nil
	}
	for it := v.ElementIterator(); it.Next(); {
		_, arg := it.Element()
		word, err := plan.ArgText(arg)
		if err != nil || strings.ContainsRune(word, 0) {
			c.Errorf(e.Range(), "Wrong value", `An argument of "command" is %s for the case %q, and has to be a text.`, render.Value(arg, 60), k.ID)
			return nil
		}
		p.Command = append(p.Command, word)
	}
	if p.Command[0] == "" {
		c.Errorf(e.Range(), "Wrong value", "The program has no name for the case %q.", k.ID)
		return nil
	}
	if e := b.Expr("stdin"); e != nil {
		v := c.evalCase(e, k, "stdin")
		if v == cty.NilVal {
			return nil
		}
		word, err := plan.ArgText(v)
		if err != nil {
			c.Errorf(e.Range(), "Wrong value", `"stdin" is a text for every case, and for the case %q it is %s; jsonencode(…) makes a text of any value.`, k.ID, render.Value(v, 60))
		}
		p.Stdin = []byte(word)
	}
	return p
}

// checkCommands checks the expressions of a block once, before they are
// evaluated for every case.
func (c *compiler) checkCommands(b *dsl.Block, names ...string) {
	for _, name := range names {
		if e := b.Expr(name); e != nil {
			c.caseExpr(e, "the attribute "+name+" of a "+b.Type+" block")
		}
	}
}

// maxTold is how many wrong cases are complained about.
const maxTold = 20

// benchCases reads the cases of a bench.
func (c *compiler) benchCases(e hclsyntax.Expression) []*plan.BenchCase {
	env := *c.Static
	env.Where = "the cases of a bench"
	if _, diags := dsl.Infer(e, &env); diags.HasErrors() {
		c.Diags = append(c.Diags, diags...)
		return nil
	}
	v, diags := dsl.Evaluate(e, c.Statics)
	if diags.HasErrors() {
		c.Diags = append(c.Diags, diags...)
		return nil
	}
	if v = read.Normalise(v); v.IsNull() || !v.Type().IsTupleType() {
		c.Errorf(e.Range(), "Wrong value", `The attribute "cases" is a list of paths, such as fileset("cases/*.json"), or of objects with an id.%s`, inList(v))
		return nil
	}
	if v.LengthInt() > maxCases {
		c.tooManyCases(e)
		return nil
	}
	var list []*plan.BenchCase
	wrong := 0
	for it := v.ElementIterator(); it.Next() && wrong < maxTold; {
		_, element := it.Element()
		found, err := c.casesOf(element)
		if err != nil {
			wrong++
			hint := ""
			if path := element; path.Type() == cty.String && !path.IsNull() && strings.HasPrefix(err.Error(), "there is no file") {
				hint = c.fileMeant(path.AsString())
			}
			c.Errorf(e.Range(), "Wrong case", "%s%s", sentence(err.Error()), hint)
			continue
		}
		for _, k := range found {
			list = append(list, c.newCase(k, e.Range()))
		}
		if len(list) > maxCases {
			c.tooManyCases(e)
			return nil
		}
	}
	c.sameCases(list, e.Range())
	return list
}

func (c *compiler) tooManyCases(e hclsyntax.Expression) {
	c.Errorf(e.Range(), "Too many cases", "A bench has at most %d.", maxCases)
}

// sameCases refuses two cases of one id.
func (c *compiler) sameCases(list []*plan.BenchCase, rng hcl.Range) {
	seen := make(map[string]*plan.BenchCase, len(list))
	for _, k := range list {
		prev := seen[k.ID]
		if prev == nil {
			seen[k.ID] = k
			continue
		}
		from := ""
		if prev.File != "" && k.File != "" {
			from = fmt.Sprintf(" in %s and %s", prev.File, k.File)
			if lines := c.linesWith(k.File, k.ID); prev.File == k.File && len(lines) > 1 {
				from = fmt.Sprintf(" in lines %d and %d of %s", lines[0], lines[1], k.File)
			} else if prev.File == k.File {
				from = fmt.Sprintf(" in %s", k.File)
			}
		}
		c.Errorf(rng, "Duplicate name", "Two cases have the id %q%s.", k.ID, from)
		return
	}
}

// linesWith are the lines of a file of cases that hold the case of an id.
func (c *compiler) linesWith(path, id string) (lines []int) {
	v, err := c.Functions.Context.Functions["file"].Call([]cty.Value{read.Text(path)})
	if err != nil {
		return nil
	}
	for n, line := range strings.Split(v.AsString(), "\n") {
		var object struct{ ID string }
		if json.Unmarshal([]byte(line), &object) == nil && object.ID == id {
			lines = append(lines, n+1)
		}
	}
	return lines
}

// fileMeant ends a message about a file that is not there with one beside it that was
// probably meant, "" for none.
func (c *compiler) fileMeant(written string) string {
	dir := written[:strings.LastIndex(written, "/")+1]
	v, err := c.Functions.Context.Functions["fileset"].Call([]cty.Value{read.Text(dir + "*")})
	if err != nil || !v.CanIterateElements() {
		return ""
	}
	var there []string
	for it := v.ElementIterator(); it.Next(); {
		if _, name := it.Element(); name.Type() == cty.String {
			there = append(there, name.AsString())
		}
	}
	return dsl.DidYouMean(written, there)
}

// casesOf are the cases that one element stands for: an object, or a file.
func (c *compiler) casesOf(v cty.Value) ([]bench.Case, error) {
	if v.Type() == cty.String && !v.IsNull() {
		return c.casesIn(v.AsString())
	}
	object, ok := dsl.GoValue(v).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a case is a path or an object with an id, not %s", render.Value(v, 60))
	}
	k, err := caseOf(object, "")
	return []bench.Case{k}, err
}

// caseOf is the case of an object: its id, and the rest as its input; a member
// input alone beside the id is the input itself.
func caseOf(object map[string]any, file string) (bench.Case, error) {
	id, _ := object["id"].(string)
	if id == "" || len(id) > 200 || strings.ContainsFunc(id, func(r rune) bool { return r < ' ' }) {
		return bench.Case{}, fmt.Errorf("a case needs an id, a string of at most 200 characters on one line")
	}
	var input any = object
	if v, has := object["input"]; has && len(object) == 2 {
		input = v
	}
	text, err := json.Marshal(input)
	return bench.Case{ID: id, Input: text, File: file}, err
}

// casesIn reads the cases of a file.
func (c *compiler) casesIn(path string) ([]bench.Case, error) {
	need := c.Functions.Context.Functions["file"]
	v, err := need.Call([]cty.Value{read.Text(path)})
	if err != nil {
		return nil, err
	}
	source := v.AsString()
	base := path[strings.LastIndex(path, "/")+1:]
	switch {
	case strings.HasSuffix(base, ".jsonl"), strings.HasSuffix(base, ".ndjson"):
		return casesInLines(source, path)
	case !json.Valid([]byte(source)):
		return nil, fmt.Errorf("%s is no JSON", path)
	}
	id, _, _ := strings.Cut(base, ".")
	k, err := caseOf(map[string]any{"id": id, "input": json.RawMessage(strings.TrimSpace(source))}, path)
	return []bench.Case{k}, err
}

func casesInLines(source, path string) ([]bench.Case, error) {
	var cases []bench.Case
	for n, line := range strings.Split(source, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			return nil, fmt.Errorf("line %d of %s is no JSON object%s", n+1, path, whyNoJSON(line))
		}
		k, err := caseOf(object, path)
		if err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", n+1, path, err)
		}
		cases = append(cases, k)
	}
	return cases, nil
}

// whyNoJSON says where a line is no JSON, "" where it is, but no object.
func whyNoJSON(line string) string {
	if err := nojson.Why(line); err != nil {
		return ". " + wording.Capital(err.Error())
	}
	return ""
}

// inList shows a path as the list that it has to be, "" for what is no string.
func inList(v cty.Value) string {
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return fmt.Sprintf(" Write cases = [%q].", v.AsString())
}
