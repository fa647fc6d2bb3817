package interp

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
)

// The strategies of on_failure.
const (
	failFast   = "fail_fast"
	goOn       = "continue"
	doRetry    = "retry"
	doFallback = "fallback"
)

func (c *compiler) compileWorkflows() {
	c.workflows = map[string]*workflow{}
	c.fanouts = map[string]*fanout{}
	for _, b := range c.file.Body.All("workflow") {
		c.compiled(b)
	}
	for _, b := range c.file.Body.All("fanout") {
		c.declaredFanout(b)
	}
}

func (c *compiler) workflow(b *dsl.Block) *workflow {
	before := len(c.diags)
	r := c.read(b)
	w := &workflow{
		name: b.Name(), timeout: r.Duration("timeout"), maxConcurrent: r.Int("max_concurrent"), onFailure: r.String("on_failure"),
		rng: b.DefRange, inputs: map[string]cty.Value{}, outputNeeds: &needs{},
	}
	w.digest, w.nodes = sync.OnceValue(w.sum), sync.OnceValue(w.tree)
	inputs := r.Value("inputs")
	w.inputsLost = inputs == nil && c.diags[before:].HasErrors()
	if m, ok := inputs.(map[string]any); ok {
		for _, name := range sortedNames(m) {
			w.inputs[name] = dsl.CtyValue(m[name])
		}
	}
	if n := b.First("budget"); n != nil {
		br := c.read(n)
		if br.Has("usd") {
			usd := br.Float("usd")
			w.budget.USD = &usd
		}
		if br.Has("tokens") {
			tokens := br.Float("tokens")
			w.budget.Tokens = &tokens
		}
	}
	wc := &workflowCompiler{compiler: c, w: w, block: b}
	w.taxonomy = c.named(r)
	wc.gateway = c.route(b, r)
	wc.adrift = wc.gateway == nil && (r.Has("gateway") || r.Has("provider"))
	c.adrift = c.adrift || wc.adrift
	wc.declare()
	wc.steps()
	wc.outputOf(b)
	return w
}

// route is the gateway that a workflow or step names, directly or by a plain
// provider; nil for none.
func (c *compiler) route(b *dsl.Block, r dsl.Reader) *gateway {
	if r.Has("gateway") && r.Has("provider") {
		r.Errorf("provider", "Two ways to one service", "Give either gateway or provider.")
		return nil
	}
	if ref := r.Ref("gateway"); ref.Name != "" {
		if g, declared := c.gateways[ref.Name]; declared {
			return g
		}
		c.unknownRef(ref, sortedNames(c.gateways))
		return nil
	}
	ref := r.Ref("provider")
	if p := lookup(c, c.providers, ref); p != nil {
		return c.direct(p, ref)
	}
	return nil
}

// workflowCompiler compiles one graph of steps.
type workflowCompiler struct {
	*compiler
	w       *workflow
	block   *dsl.Block
	gateway *gateway
	adrift  bool          // the gateway or provider that the workflow names is wrong
	shapes  *schema.Shape // of the root step
	input   *schema.Shape // of the root input, made at its first use

	// outer and loop are set in the body of a loop: what compiles the graph
	// around it, and the loop itself. Reads are the steps of that graph which
	// the body refers to.
	outer  *workflowCompiler
	loop   *step
	reads  []string
	merged bool // those around are in shapes

	// driven says that the graph is a block of a scenario, whose expressions
	// are known before the run.
	driven bool
}

// declare makes the steps and says what their results can be asked for, so that
// any expression may refer to any of them.
func (wc *workflowCompiler) declare() {
	blocks := wc.block.All("step")
	wc.w.index = make(map[string]int, len(blocks))
	wc.shapes = directory("step", wc.within(), make(map[string]*schema.Shape, len(blocks)))
	if len(blocks) > maxSteps {
		wc.tooMany(blocks[maxSteps].DefRange)
		return
	}
	for _, b := range blocks {
		if _, dup := wc.w.index[b.Name()]; dup {
			continue // reported by the decoder
		}
		s := &step{index: len(wc.w.steps), kind: b.Kind(), name: b.Name(), block: b, rng: b.DefRange, taxonomy: wc.w.taxonomy, fallback: -1, needs: &needs{}, args: map[string]*dsl.Attr{}}
		wc.w.index[s.name] = s.index
		s.shape = wc.contain(s)
		wc.shapes.Attrs[s.name] = s.shape
		wc.w.steps = append(wc.w.steps, s)
	}
	wc.measure()
	wc.markTools()
}

// tooMany complains once: what runs a workflow that is too large is so, too.
func (wc *workflowCompiler) tooMany(rng hcl.Range) {
	if wc.swollen {
		return
	}
	wc.swollen = true
	wc.errorf(rng, "Too many steps", "A workflow may have at most %d steps, those of the loops and workflows inside it included.", maxSteps)
}

func (wc *workflowCompiler) steps() {
	for _, s := range wc.w.steps {
		wc.step(s)
	}
	for _, s := range wc.w.steps {
		wc.dependencies(s)
	}
	if !wc.findCycle() {
		wc.awaitTools()
	}
}

// maxSteps bounds a workflow (language.md §2).
const maxSteps = 10000

func (wc *workflowCompiler) step(s *step) {
	b := s.block
	r := wc.read(b)
	s.timeout, s.attemptTimeout = r.Duration("timeout"), r.Duration("attempt_timeout")
	s.required = r.Bool("required")
	s.bulkhead = wc.bulkhead(b)
	if wc.bodies[s] != nil {
		wc.bodies[s].repeat()
	}
	if r.Has("idempotent") {
		v := r.Bool("idempotent")
		s.idempotent = &v
	}
	if p := find(wc.compiler, wc.world.retries, r.Ref("retry")); p != nil {
		s.retry = *p
		wc.checkRetry(r.Ref("retry"))
	}
	wc.serve(s, r)
	wc.onward(s, r)
	if a := b.Attr("when"); a != nil {
		s.when = a.Expr
	}
	if a := b.Attr("output"); a != nil {
		s.output = a.Expr
	}
	wc.arguments(s, r)
	wc.warnOfMethod(s)
	wc.warnOfStatement(s)
	for _, v := range b.All("validate") {
		vr := wc.read(v)
		s.validates = append(s.validates, &validation{name: v.Name(), condition: exprOf(v, "condition"), retry: vr.Bool("retry"), mode: wc.contractMode(vr)})
	}
	for _, t := range b.All("tool") {
		s.tools = append(s.tools, wc.tool(s, t))
	}
	if n := b.First("consumer"); n != nil {
		cr := wc.read(n)
		s.consumer = &consumer{chunks: cr.Int("abort_after_chunks"), after: cr.Duration("abort_after")}
		if s.consumer.chunks == 0 && s.consumer.after == 0 {
			wc.errorf(n.DefRange, "Consumer that never stops", "Give abort_after_chunks or abort_after.")
		}
		if !s.stream {
			wc.errorf(n.DefRange, "Consumer without a stream", "A consumer reads a stream: set stream = true in step %q.", s.name)
		}
	}
	wc.checkExpressions(s)
}

// serve finds the gateway of a step that calls a service, and refuses one on a
// step that does not.
func (wc *workflowCompiler) serve(s *step, r dsl.Reader) {
	own := wc.route(s.block, r)
	if s.family() == "" {
		repeats := s.kind == kindCall // by its own policy
		for _, name := range []string{"gateway", "provider", "retry", "attempt_timeout", "idempotent"} {
			if r.Has(name) && !(repeats && (name == "retry" || name == "idempotent")) {
				r.Errorf(name, "Attribute without a call", "A step of kind %q calls no service, so %q means nothing on it.", s.kind, name)
			}
		}
		return
	}
	s.gateway = own
	if own == nil && !r.Has("gateway") && !r.Has("provider") {
		s.gateway = wc.gateway
		if wc.gateway != nil && wc.gateway.family() != s.family() {
			s.gateway = nil
		}
	}
	s.adrift = s.gateway == nil && (wc.adrift || r.Has("gateway") || r.Has("provider"))
	wc.compiler.adrift = wc.compiler.adrift || s.adrift
	switch {
	case s.adrift:
	case s.gateway == nil:
		if wc.driven {
			wc.errorf(s.rng, "Step without a service", "%q calls an %s service and none is named: set gateway or provider.", s.name, s.family())
			return
		}
		wc.errorf(s.rng, "Step without a service", "Step %q calls an %s service and none is named: set gateway or provider here, or in workflow %q for all its steps.", s.name, s.family(), wc.w.name)
	case s.gateway != nil && s.gateway.family() != s.family():
		t := s.gateway.targets[0]
		at := "gateway"
		if r.Has("provider") {
			at = "provider"
		}
		wc.errorf(r.Range(at), "Provider of another kind", "Step %q is of kind %q, and provider.%s is of kind %q.", s.name, s.kind, t.provider.name, t.provider.kind.Name)
	}
}

// onward settles what the failure of a step means (semantics.md §7).
func (wc *workflowCompiler) onward(s *step, r dsl.Reader) {
	own := ""
	if r.Has("on_failure") {
		own = r.String("on_failure")
	}
	hasFallback := r.Has("fallback")
	strategy := own
	if strategy == "" {
		strategy = wc.w.onFailure
		if hasFallback {
			strategy = doFallback
		}
	}
	if own == doFallback && !hasFallback {
		r.Errorf("on_failure", "Fallback to nothing", "on_failure = \"fallback\" needs fallback = step.name, the step that runs in the place of %q.", s.name)
	}
	if hasFallback && strategy == doFallback {
		ref := r.Ref("fallback")
		if i, ok := wc.w.index[ref.Name]; ok {
			s.fallback = i
			s.fallbackAny = r.String("fallback_on") == "any"
			if i == s.index {
				wc.errorf(ref.Range, "Cycle among steps", "Step %q is its own fallback: the cycle is %s -> %s.", s.name, s.name, s.name)
				s.fallback = -1
			}
		} else if ref.Name != "" {
			wc.unknownStep(ref.Range, ref.Name)
		}
	}
	if strategy == doRetry && s.block.Attr("retry") == nil && s.gateway != nil {
		s.retry = defaultRetry()
	}
	s.onward = failFast
	if strategy == goOn || strategy == doFallback && wc.w.onFailure == goOn {
		s.onward = goOn
	}
}

func (wc *workflowCompiler) unknownStep(rng hcl.Range, name string) {
	wc.errorf(rng, "Reference to nothing", "No step %q is declared %s.%s", name, wc.within(), dsl.DidYouMean(name, sortedNames(wc.w.index)))
}

// arguments collects the expressions that are evaluated when the step runs,
// and reads the ones that are known now.
func (wc *workflowCompiler) arguments(s *step, r dsl.Reader) {
	for _, a := range s.block.Attrs {
		if a.Schema != nil && (a.Schema.Runtime || a.Schema.Type == schema.Expr) && a.Name != "when" && a.Name != "output" && a.Name != "while" && !(s.kind == kindCall && a.Name == "target") {
			s.args[a.Name] = a
			if a.Schema.Runtime && isLiteral(a.Expr) {
				r.Value(a.Name) // reports one of another type
			}
		}
	}
	switch s.kind {
	case "llm":
		s.stream, s.maxTurns = r.Bool("stream"), r.Int("max_tool_iterations")
		if s.args["prompt"] == nil && s.args["messages"] == nil {
			wc.errorf(s.rng, "Missing attribute", "Step %q asks nothing: give prompt or messages.", s.name)
		}
		if s.args["prompt"] != nil && s.args["messages"] != nil {
			wc.errorf(s.args["prompt"].NameRange, "Two prompts", "Give either prompt or messages.")
		}
	case "http":
		s.stream = r.Bool("stream")
		if s.args["path"] != nil && s.args["url"] != nil {
			wc.errorf(s.args["url"].NameRange, "Two addresses", "Give either path or url.")
		}
		if s.args["body"] != nil && s.args["json"] != nil {
			wc.errorf(s.args["json"].NameRange, "Two bodies", "Give either body or json.")
		}
		expect, err := statusTest(r.Value("expect_status"))
		if err != nil {
			r.Errorf("expect_status", "Wrong value", "%s", sentence(err.Error()))
		}
		s.expectStatus = expect
	case kindMCP:
		wc.asksServer(s, r)
	case kindClassify:
		wc.classifies(s, r)
	case kindCall:
		s.target, _ = wc.actorTarget(exprOf(s.block, "target"), "target")
	case kindLoop:
		s.while, s.iterations = exprOf(s.block, "while"), r.Int("max_iterations")
		if s.while == nil && !r.Has("max_iterations") {
			wc.errorf(s.rng, "Loop without an end", "Give the loop %q a condition with while, a bound with max_iterations, or both.", s.name)
		}
	}
}

func (wc *workflowCompiler) tool(s *step, b *dsl.Block) *tool {
	r := wc.read(b)
	t := &tool{name: b.Name(), description: r.String("description"), parameters: r.Value("parameters"), output: exprOf(b, "output"), step: -1}
	if ref := r.Ref("step"); ref.Name != "" {
		if i, ok := wc.w.index[ref.Name]; ok {
			t.step = i
			wc.w.steps[i].stands, wc.w.steps[i].tool = true, true
		} else {
			wc.unknownStep(ref.Range, ref.Name)
		}
	}
	if (t.output == nil) == (b.Attr("step") == nil) {
		wc.errorf(b.DefRange, "Tool without an answer", "Give the tool %q either output or step.", t.name)
	}
	return t
}

// stepRoots is what the expressions of a step may refer to.
func (wc *workflowCompiler) stepRoots(extra map[string]*schema.Shape, where string) *dsl.Env {
	env := *wc.staticEnv
	env.Where = where
	env.Roots = map[string]*schema.Shape{"step": wc.visible(), "input": wc.inputShape(), "var": wc.staticEnv.Roots["var"], "local": wc.staticEnv.Roots["local"]}
	if wc.loop != nil {
		env.Roots["loop"] = loopShape
	}
	if wc.driven {
		delete(env.Roots, "step")
		delete(env.Roots, "input")
	}
	for name, s := range extra {
		env.Roots[name] = s
	}
	return &env
}

func (wc *workflowCompiler) within() string {
	if wc.loop != nil {
		return fmt.Sprintf("in loop %q of workflow %q", wc.loop.name, wc.w.name)
	}
	if wc.driven {
		return "in this scenario"
	}
	return fmt.Sprintf("in workflow %q", wc.w.name)
}

func (wc *workflowCompiler) inputShape() *schema.Shape {
	if wc.input == nil {
		wc.input = directory("input", wc.within(), make(map[string]*schema.Shape, len(wc.w.inputs)))
		wc.input.Open = wc.w.inputsLost
		for name := range wc.w.inputs {
			wc.input.Attrs[name] = nullableShape
		}
	}
	return wc.input
}

// argumentsKnown is what a tool may refer to besides what every step may.
var argumentsKnown = map[string]*schema.Shape{"arguments": schema.UnknownShape}

// nullableShape is a value of which nothing is known, not even that there is
// one. It is shared and must not be changed.
var nullableShape = &schema.Shape{Nullable: true}

// checkExpressions checks what a step's expressions refer to and notes what
// they read.
func (wc *workflowCompiler) checkExpressions(s *step) {
	var tool map[string]*schema.Shape
	if wc.called(s) {
		tool = argumentsKnown
	}
	plain := wc.stepRoots(tool, fmt.Sprintf("an argument of step %q", s.name))
	for _, a := range s.block.Attrs {
		if s.args[a.Name] == a || a.Name == "when" {
			wc.fitsArgument(s, a, wc.expression(s, a.Expr, plain))
		}
	}
	if s.output != nil || len(s.validates) > 0 {
		self := wc.stepRoots(tool, fmt.Sprintf("the output of step %q", s.name))
		self.Roots["self"] = s.shape
		wc.expression(s, s.output, self)
		for _, v := range s.validates {
			wc.expression(s, v.condition, self)
		}
	}
	if s.kind == kindFanout && s.fanout != nil && !s.fanout.declared {
		for _, sub := range s.inner.steps {
			wc.expression(s, sub.sub.arguments, plain)
		}
	}
	if wc.bodies[s] != nil {
		wc.expression(s, s.while, wc.bodies[s].stepRoots(tool, fmt.Sprintf("the condition of loop %q", s.name)))
	}
	if len(s.tools) == 0 {
		return
	}
	withArguments := wc.stepRoots(argumentsKnown, fmt.Sprintf("a tool of step %q", s.name))
	for _, t := range s.tools {
		wc.expression(s, t.output, withArguments)
	}
}

// fitsArgument complains about a value that can never be the text that an
// attribute takes.
func (wc *workflowCompiler) fitsArgument(s *step, a *dsl.Attr, given *schema.Shape) {
	if a.Schema == nil || a.Schema.Type != schema.String || given == nil || given.Kind != schema.ShapeObject && given.Kind != schema.ShapeTuple {
		return
	}
	instead := "jsonencode(…) makes a text of it."
	if s.kind == "http" && a.Name == "body" {
		instead = "a value is given with json, in place of body."
	}
	wc.errorf(a.Expr.Range(), "Wrong value", "The attribute %q must be a string, not %s: %s", a.Name, given.KindName(), instead)
}

// expression checks an expression of a step, and returns what it gives, nil
// where that is not known.
func (wc *workflowCompiler) expression(s *step, e hclsyntax.Expression, env *dsl.Env) *schema.Shape {
	if e == nil || isLiteral(e) && e != s.while {
		return nil
	}
	dsl.Strict(e)
	shape, diags := dsl.Infer(e, env)
	wc.diags = append(wc.diags, diags...)
	if wc.readsItself(s, e, env) || !diags.HasErrors() && wc.computedSteps(e) {
		return nil
	}
	s.needs.add(e)
	if e == s.while && shape != nil && shape.Kind != schema.ShapeBool && shape.Kind != schema.ShapeUnknown {
		wc.errorf(e.Range(), "Condition that is no condition", "A condition is true or false; this one is %s.", shape.KindName())
	}
	if diags.HasErrors() {
		return nil
	}
	return shape
}

// dependencies finds the edges of the graph: references and depends_on. A step
// that a fallback replaces, directly or through the fallback of its fallback,
// is no dependency of it: its error is there to be read before it has settled.
func (wc *workflowCompiler) dependencies(s *step) {
	var first *step
	for _, owner := range wc.w.steps {
		switch {
		case owner.fallback != s.index:
		case first == nil:
			first, s.stands = owner, true
		default:
			wc.errorf(owner.rng, "Fallback of two steps", "Step %q is the fallback of %q already. A step runs once, so it can stand in for one other: give %q a fallback of its own.", s.name, first.name, owner.name)
		}
	}
	add := func(i int) {
		if !wc.replaces(s.index, i) && !slices.Contains(s.after, i) {
			s.after = append(s.after, i)
		}
	}
	for _, name := range wc.readsOf(s) {
		if i, ok := wc.w.index[name]; ok {
			add(i)
		} else {
			wc.readOutside(name)
		}
	}
	r := dsl.Reader{Block: s.block, Ctx: wc.statics, Diags: &wc.diags}
	for _, ref := range r.Refs("depends_on") {
		if loop := wc.loopAround(s, false, ref.Name); loop != nil {
			wc.errorf(ref.Range, "Loop read from the inside", "step.%s is the loop around this step, which ends after it: nothing inside can wait for that. Take it out.", ref.Name)
		} else if i, ok := wc.w.index[ref.Name]; ok {
			add(i)
		} else if !wc.readOutside(ref.Name) {
			wc.unknownStep(ref.Range, ref.Name)
		}
	}
	slices.Sort(s.after)
}

// replaces reports whether step i may run in the place of step j.
func (wc *workflowCompiler) replaces(i, j int) bool {
	for range wc.w.steps {
		if j = wc.w.steps[j].fallback; j < 0 || j == i {
			return j == i
		}
	}
	return false
}

// awaits lists the steps that a step may have to wait for: its dependencies,
// and those that it asks to run.
func (wc *workflowCompiler) awaits(s *step) []int {
	list := slices.Clone(s.after)
	if s.fallback >= 0 {
		list = append(list, s.fallback)
	}
	for _, t := range s.tools {
		if t.step >= 0 {
			list = append(list, t.step)
		}
	}
	return list
}

// findCycle reports the first cycle among the steps with its path.
func (wc *workflowCompiler) findCycle() bool {
	state := make([]int, len(wc.w.steps))
	var path []string
	var visit func(i int) bool
	visit = func(i int) bool {
		s := wc.w.steps[i]
		path = append(path, s.name)
		if state[i] == 1 {
			path = path[slices.Index(path, s.name):]
			wc.errorf(s.rng, "Cycle among steps", "Steps wait for each other: the cycle is %s. A step depends on the steps that its expressions refer to and on depends_on, and waits for its fallback and for the steps that are its tools.", strings.Join(path, " -> "))
			return true
		}
		if state[i] == 0 {
			state[i] = 1
			for _, j := range wc.awaits(s) {
				if visit(j) {
					return true
				}
			}
			state[i] = 2
		}
		path = path[:len(path)-1]
		return false
	}
	for i := range wc.w.steps {
		if state[i] == 0 && visit(i) {
			return true
		}
	}
	return false
}

// awaitTools makes a step wait for what its tools depend on: a tool runs when
// the model calls it, and cannot wait then.
func (wc *workflowCompiler) awaitTools() {
	done := make([]bool, len(wc.w.steps))
	var visit func(s *step)
	visit = func(s *step) {
		if done[s.index] {
			return
		}
		done[s.index] = true
		for _, t := range s.tools {
			if t.step < 0 {
				continue
			}
			visit(wc.w.steps[t.step])
			for f := t.step; f >= 0; f = wc.w.steps[f].fallback {
				for _, i := range wc.w.steps[f].after {
					if !slices.Contains(s.after, i) {
						s.after = append(s.after, i)
					}
				}
			}
		}
		slices.Sort(s.after)
	}
	for _, s := range wc.w.steps {
		visit(s)
	}
}

func (wc *workflowCompiler) outputOf(b *dsl.Block) {
	if wc.w.output = exprOf(b, "output"); wc.w.output == nil {
		return
	}
	if wc.shapes == nil {
		return
	}
	_, diags := dsl.Infer(wc.w.output, wc.stepRoots(nil, "the output of the workflow"))
	wc.diags = append(wc.diags, diags...)
	wc.w.outputNeeds.add(wc.w.output)
}

func exprOf(b *dsl.Block, name string) hclsyntax.Expression {
	if a := b.Attr(name); a != nil {
		return a.Expr
	}
	return nil
}

// sentence makes a sentence of an error.
func sentence(s string) string { return dsl.Sentence(s) }

func fullStop(s string) string { return dsl.FullStop(s) }
