package interp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/schema"
)

// benchDecl is a declared bench.
type benchDecl struct {
	spec  bench.Spec
	cases []*benchCase
	sut   *benchSUT
	// rubric is nil where every answer passes.
	rubric *benchRubric
	block  *dsl.Block
}

// benchCase is one case with all that does not depend on its answer.
type benchCase struct {
	bench.Case
	// ctx holds the case for expressions.
	ctx *hcl.EvalContext
	rng hcl.Range
	// sut and rubric are what the case does where it is simulated, else nil.
	sut    *simulatedSUT
	rubric *simulatedRubric
	// program and scored are the programs that are run for it.
	program, scored *benchProgram
	// inputs are those of the workflow that is run for it.
	inputs cty.Value
}

// benchSUT is the system under test: a program or a workflow.
type benchSUT struct {
	program  bool
	output   string
	workflow *workflow
	// plan is what is run for a case, but for its inputs; open reads its cassette,
	// once somebody wants it.
	plan  *Plan
	open  func()
	block *dsl.Block
}

// outputProcess is the output of a program whose status and text are the answer.
const outputProcess = "process"

// benchRubric is a program or a set of expressions.
type benchRubric struct {
	program                        bool
	passed, score, breakdown, cost hclsyntax.Expression
	modes                          []*modeRule
	block                          *dsl.Block
}

// modeRule is a failure mode with its condition.
type modeRule struct {
	code         string
	when, detail hclsyntax.Expression
}

// maxCases bounds the cases of a bench.
const maxCases = 100_000

func (c *compiler) compileBenches() {
	c.benches = map[string]*benchDecl{}
	for _, b := range c.file.Body.All("bench") {
		c.benches[b.Name()] = c.bench(b)
	}
}

func (c *compiler) bench(b *dsl.Block) *benchDecl {
	r := c.read(b)
	d := &benchDecl{block: b, spec: bench.Defaults()}
	s := &d.spec
	s.Name, s.Taxonomy = b.Name(), c.named(r).known
	s.BreakdownKeys = r.Strings("breakdown_keys")
	for _, key := range s.BreakdownKeys {
		if part := bench.BannedKey(key); part != "" {
			r.Errorf("breakdown_keys", "Banned breakdown key", "The key %q contains %q: what a system says of its own answers measures nothing. Name what was observed.", key, part)
		}
	}
	s.CaseTimeout, s.RubricTimeout = r.Duration("case_timeout"), r.Duration("rubric_timeout")
	s.Concurrency, s.Trials, s.CostCap, s.Seed = r.Int("concurrency"), r.Int("trials"), r.Float("cost_cap_usd"), uint64(r.Int("seed"))
	for _, limit := range []struct {
		name string
		zero bool
	}{{"case_timeout", s.CaseTimeout == 0}, {"rubric_timeout", s.RubricTimeout == 0}, {"cost_cap_usd", s.CostCap == 0}} {
		if limit.zero && r.Has(limit.name) && !c.diags.HasErrors() {
			r.Errorf(limit.name, "Limit must be positive", "With %s = 0 nothing could ever end within it.", limit.name)
		}
	}
	c.bound(b, s)
	for _, gb := range b.All("gate") {
		g := c.read(gb)
		s.Gates = append(s.Gates, bench.Gate{Name: gb.Name(), LowerBound: g.Float("lower_bound"), MinPassed: g.Int("min_passed")})
	}
	d.sut = c.benchSUT(b.First("sut"))
	d.rubric = c.benchRubric(b.First("rubric"), s)
	if a := b.Attr("cases"); a != nil {
		d.cases = c.benchCases(a.Expr)
	}
	if !c.diags.HasErrors() {
		for _, k := range d.cases {
			c.prepare(d, k)
			if c.diags.HasErrors() {
				break // the others would say the same
			}
		}
	}
	return d
}

func (c *compiler) bound(b *dsl.Block, s *bench.Spec) {
	n := b.First("lower_bound")
	if n == nil {
		return
	}
	r := c.read(n)
	s.Bound = bench.Bound{Method: r.String("method"), Level: r.Float("level"), Resamples: r.Int("resamples"), MinCases: r.Int("min_cases")}
	if r.Has("level") && (s.Bound.Level <= 0 || s.Bound.Level >= 1) {
		r.Errorf("level", "Wrong value", `The attribute "level" lies between 0 and 1, such as 0.95.`)
		s.Bound.Level = 0.95
	}
}

// benchSUT compiles the system under test, nil where there is none.
func (c *compiler) benchSUT(b *dsl.Block) *benchSUT {
	if b == nil {
		return nil
	}
	r := c.read(b)
	s := &benchSUT{block: b, program: b.Attr("command") != nil, output: r.String("output")}
	c.checkCommands(b, "command", "stdin", "inputs")
	ref := r.Ref("run")
	switch {
	case s.program && ref.Name != "":
		r.Errorf("run", "Two systems under test", "A bench scores a program (command) or a workflow (run), not both.")
	case !s.program && !r.Has("run"):
		c.errorf(b.DefRange, "Missing attribute", `A sut block needs "command", the program that is scored, or "run", a workflow.`)
	case s.program:
		c.notWith(r, "a program", "inputs")
		for _, typ := range []string{"on", "cassette"} {
			if n := b.First(typ); n != nil {
				c.errorf(n.DefRange, "Answers for a program", "A program calls its services by itself, so nothing here can answer it. Scripts and cassettes are for a workflow: run = workflow.NAME.")
			}
		}
	default:
		c.notWith(r, "a workflow", "env", "pass_env", "stdin", "output")
		if s.workflow = lookup(c, c.workflows, ref); s.workflow != nil {
			s.plan, s.open = c.casePlan(s.workflow, b, b.Parent.Name(), c.opts.Wanted == nil)
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
func (c *compiler) casePlan(w *workflow, b *dsl.Block, name string, wanted bool) (p *Plan, open func()) {
	p = c.planOf(b)
	p.Name, p.Seed, p.workflow, p.inputs = name, 1, w, cty.EmptyObjectVal
	p.allow[gateNoAssertion], p.statusExpected = true, true
	sc := &scenarioCompiler{compiler: c, p: p, block: b, referred: map[string]bool{}, played: &wanted, openTape: func() {}}
	sc.tape()
	for _, on := range b.All("on") {
		sc.on(on)
	}
	sc.population()
	return p, sc.openTape
}

func (c *compiler) benchRubric(b *dsl.Block, s *bench.Spec) *benchRubric {
	if b == nil {
		return nil
	}
	r := c.read(b)
	k := &benchRubric{
		block: b, program: b.Attr("command") != nil,
		passed: exprOf(b, "passed"), score: exprOf(b, "score"), breakdown: exprOf(b, "breakdown"), cost: exprOf(b, "cost_usd"),
	}
	c.checkCommands(b, "command")
	inline := b.First("failure_mode") != nil
	for _, e := range []struct {
		name string
		expr hclsyntax.Expression
	}{{"passed", k.passed}, {"score", k.score}, {"breakdown", k.breakdown}, {"cost_usd", k.cost}} {
		if e.expr != nil {
			inline = true
			c.answerExpr(e.expr, "the attribute "+e.name+" of a rubric")
		}
	}
	switch {
	case k.program && inline:
		r.Errorf("command", "Two rubrics", "A rubric is a program (command) or made of conditions, not both.")
	case !k.program && k.passed == nil && k.score == nil && !inline:
		c.errorf(b.DefRange, "Missing attribute", `A rubric needs "command", the program that scores, or "passed", a condition.`)
	case !k.program:
		c.notWith(r, "a rubric of conditions", "env", "pass_env")
	}
	for _, mb := range b.All("failure_mode") {
		m := &modeRule{code: mb.Name(), when: exprOf(mb, "when"), detail: exprOf(mb, "detail")}
		if !bench.Reserved(m.code) && s.Taxonomy.Lookup(m.code) == nil {
			c.errorf(mb.LabelRanges[0], "Unknown mode", "The taxonomy %q has no mode %q.%s Declare it: `taxonomy \"mine\" { mode %q { severity = \"block\" } }`.", s.Taxonomy.Name(), m.code, dsl.DidYouMean(m.code, s.Taxonomy.Codes()), m.code)
		} else if bench.Reserved(m.code) {
			c.errorf(mb.LabelRanges[0], "Reserved failure mode", "The code %q is the bench's own and no rubric may give it. The reserved ones are: %s.", m.code, strings.Join(bench.Codes(), ", "))
		}
		if m.when != nil {
			c.answerExpr(m.when, "a failure_mode block")
		}
		if m.detail != nil {
			c.answerExpr(m.detail, "a failure_mode block")
		}
		k.modes = append(k.modes, m)
	}
	return k
}

var caseShape = &schema.Shape{Kind: schema.ShapeObject, Name: "case", Attrs: map[string]*schema.Shape{
	"id": {Kind: schema.ShapeString, Doc: "The case's id."}, "input": {Nullable: true, Doc: "What the case asks."},
	"file": {Kind: schema.ShapeString, Nullable: true, Doc: "The path of its file, null where it has none."},
}}

// caseExpr checks an expression that reads a case.
func (c *compiler) caseExpr(e hclsyntax.Expression, where string) bool {
	return c.inferWith(e, where, map[string]*schema.Shape{"case": caseShape})
}

// answerExpr checks an expression that reads a case and its answer.
func (c *compiler) answerExpr(e hclsyntax.Expression, where string) bool {
	dsl.Strict(e)
	return c.inferWith(e, where, map[string]*schema.Shape{"case": caseShape, "output": {Nullable: true, Observed: true}})
}

func (c *compiler) inferWith(e hclsyntax.Expression, where string, roots map[string]*schema.Shape) bool {
	env := *c.staticEnv
	env.Where, env.Roots = where, roots
	for _, name := range []string{"var", "local"} {
		env.Roots[name] = c.staticEnv.Roots[name]
	}
	_, diags := dsl.Infer(e, &env)
	c.diags = append(c.diags, diags...)
	return !diags.HasErrors()
}

// newCase is a case that expressions can read.
func (c *compiler) newCase(k bench.Case, rng hcl.Range) *benchCase {
	input := null
	if len(k.Input) > 0 {
		input = jsonValue(string(k.Input))
	}
	ctx := c.statics.NewChild()
	ctx.Variables = map[string]cty.Value{"case": cty.ObjectVal(map[string]cty.Value{"id": text(k.ID), "input": input, "file": textOrNull(k.File)})}
	return &benchCase{Case: k, ctx: ctx, rng: rng}
}

// prepare finds what is run for a case: everything but the answer is known.
func (c *compiler) prepare(d *benchDecl, k *benchCase) {
	if d.sut != nil && k.sut == nil {
		if d.sut.program {
			k.program = c.programFor(d.sut.block, k)
		} else if d.sut.workflow != nil {
			c.caseInputs(d.sut, k)
		}
	}
	if d.rubric != nil && d.rubric.program && k.rubric == nil {
		k.scored = c.programFor(d.rubric.block, k)
	}
}

// caseInputs gives every input of the workflow its value for a case.
func (c *compiler) caseInputs(s *benchSUT, k *benchCase) {
	given := k.ctx.Variables["case"].GetAttr("input")
	at := k.rng
	if e := exprOf(s.block, "inputs"); e != nil {
		at = e.Range()
		if given = c.evalCase(e, k, "inputs"); given == cty.NilVal {
			return
		}
	}
	values := map[string]cty.Value{}
	if given.Type().IsObjectType() && !given.IsNull() {
		values = given.AsValueMap()
	} else if !given.IsNull() {
		c.errorf(at, "Inputs that are no object", "The inputs of workflow %q for the case %q are %s: give sut the attribute inputs = { … }, which may read case.input.", s.workflow.name, k.ID, dsl.Render(given, 60))
		return
	}
	c.caseValues(s, k, values, at)
}

func (c *compiler) caseValues(s *benchSUT, k *benchCase, given map[string]cty.Value, at hcl.Range) {
	if s.workflow.inputsLost {
		return
	}
	declared := s.workflow.inputs
	for _, name := range sortedNames(given) {
		if _, known := declared[name]; !known && exprOf(s.block, "inputs") != nil {
			c.errorf(at, "Unknown input", "Workflow %q has no input %q.%s", s.workflow.name, name, dsl.DidYouMean(name, sortedNames(declared)))
			return
		}
	}
	values := make(map[string]cty.Value, len(declared))
	for _, name := range sortedNames(declared) {
		values[name] = declared[name]
		if v, ok := given[name]; ok && !v.IsNull() {
			values[name] = v
		}
		if values[name].IsNull() {
			c.errorf(at, "Missing input", "Workflow %q needs the input %q, and the case %q has none: give it in the case, or in inputs = { %s = … } of the sut block.", s.workflow.name, name, k.ID, name)
			return
		}
	}
	k.inputs = cty.ObjectVal(values)
}

// evalCase evaluates an expression for a case, NilVal where that is wrong.
func (c *compiler) evalCase(e hclsyntax.Expression, k *benchCase, what string) cty.Value {
	v, diags := e.Value(k.ctx)
	if diags.HasErrors() {
		c.errorf(e.Range(), "Wrong value for a case", "For the case %q %s cannot be evaluated: %s", k.ID, what, firstError(diags))
		return cty.NilVal
	}
	return normalise(v)
}

// benchProgram is a program that is run for a case.
type benchProgram struct {
	command []string
	env     map[string]string
	pass    []string
	// stdin is what it gets where the file says so, nil for what it gets by
	// default.
	stdin []byte
}

// programFor evaluates what a sut or rubric block runs for a case.
func (c *compiler) programFor(b *dsl.Block, k *benchCase) *benchProgram {
	r := c.read(b)
	p := &benchProgram{env: r.StringMap("env"), pass: r.Strings("pass_env")}
	e := exprOf(b, "command")
	v := c.evalCase(e, k, "command")
	if v == cty.NilVal {
		return nil
	}
	if v.IsNull() || !v.Type().IsTupleType() || v.LengthInt() == 0 {
		c.errorf(e.Range(), "Wrong value", `The attribute "command" is a tuple of texts, such as ["./run-agent", "--case", case.id].`)
		return nil
	}
	for it := v.ElementIterator(); it.Next(); {
		_, arg := it.Element()
		word, err := argText(arg)
		if err != nil || strings.ContainsRune(word, 0) {
			c.errorf(e.Range(), "Wrong value", `An argument of "command" is %s for the case %q, and has to be a text.`, dsl.Render(arg, 60), k.ID)
			return nil
		}
		p.command = append(p.command, word)
	}
	if p.command[0] == "" {
		c.errorf(e.Range(), "Wrong value", "The program has no name for the case %q.", k.ID)
		return nil
	}
	if e := exprOf(b, "stdin"); e != nil {
		v := c.evalCase(e, k, "stdin")
		if v == cty.NilVal {
			return nil
		}
		word, err := argText(v)
		if err != nil {
			c.errorf(e.Range(), "Wrong value", `"stdin" is a text for every case, and for the case %q it is %s; jsonencode(…) makes a text of any value.`, k.ID, dsl.Render(v, 60))
		}
		p.stdin = []byte(word)
	}
	return p
}

func argText(v cty.Value) (string, error) {
	return argReader{{name: "arg", raw: v}}.Text("arg")
}

// checkCommands checks the expressions of a block once, before they are
// evaluated for every case.
func (c *compiler) checkCommands(b *dsl.Block, names ...string) {
	for _, name := range names {
		if e := exprOf(b, name); e != nil {
			c.caseExpr(e, "the attribute "+name+" of a "+b.Type+" block")
		}
	}
}

// maxTold is how many wrong cases are complained about.
const maxTold = 20

// benchCases reads the cases of a bench.
func (c *compiler) benchCases(e hclsyntax.Expression) []*benchCase {
	env := *c.staticEnv
	env.Where = "the cases of a bench"
	if _, diags := dsl.Infer(e, &env); diags.HasErrors() {
		c.diags = append(c.diags, diags...)
		return nil
	}
	v, diags := e.Value(c.statics)
	if diags.HasErrors() {
		c.diags = append(c.diags, diags...)
		return nil
	}
	if v = normalise(v); v.IsNull() || !v.Type().IsTupleType() {
		c.errorf(e.Range(), "Wrong value", `The attribute "cases" is a tuple of paths, such as fileset("cases/*.json"), or of objects with an id.`)
		return nil
	}
	if v.LengthInt() > maxCases {
		c.tooManyCases(e)
		return nil
	}
	var list []*benchCase
	wrong := 0
	for it := v.ElementIterator(); it.Next() && wrong < maxTold; {
		_, element := it.Element()
		found, err := c.casesOf(element)
		if err != nil {
			wrong++
			c.errorf(e.Range(), "Wrong case", "%s", sentence(err.Error()))
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
	c.errorf(e.Range(), "Too many cases", "A bench has at most %d.", maxCases)
}

// sameCases refuses two cases of one id.
func (c *compiler) sameCases(list []*benchCase, rng hcl.Range) {
	seen := make(map[string]*benchCase, len(list))
	for _, k := range list {
		prev := seen[k.ID]
		if prev == nil {
			seen[k.ID] = k
			continue
		}
		from := ""
		if prev.File != "" && k.File != "" {
			from = fmt.Sprintf(" in %s and %s", prev.File, k.File)
		}
		c.errorf(rng, "Duplicate name", "Two cases have the id %q%s.", k.ID, from)
		return
	}
}

// casesOf are the cases that one element stands for: an object, or a file.
func (c *compiler) casesOf(v cty.Value) ([]bench.Case, error) {
	if v.Type() == cty.String && !v.IsNull() {
		return c.casesIn(v.AsString())
	}
	object, ok := dsl.GoValue(v).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a case is a path or an object with an id, not %s", dsl.Render(v, 60))
	}
	k, err := caseOf(object, "")
	return []bench.Case{k}, err
}

// caseOf is the case of an object: its id, and the rest as its input; a member
// input alone beside the id is the input itself.
func caseOf(object map[string]any, file string) (bench.Case, error) {
	id, _ := object["id"].(string)
	if id == "" || len(id) > 200 || strings.ContainsFunc(id, func(r rune) bool { return r < ' ' }) {
		return bench.Case{}, fmt.Errorf("a case needs an id, a text of at most 200 characters on one line")
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
	read := c.functions.context.Functions["file"]
	v, err := read.Call([]cty.Value{text(path)})
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
			return nil, fmt.Errorf("line %d of %s is no JSON object", n+1, path)
		}
		k, err := caseOf(object, path)
		if err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", n+1, path, err)
		}
		cases = append(cases, k)
	}
	return cases, nil
}

// caseIDs are the ids of cases, sorted.
func caseIDs(cases []*benchCase) []string {
	ids := make([]string, len(cases))
	for i, k := range cases {
		ids[i] = k.ID
	}
	slices.Sort(ids)
	return ids
}
