package compile

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/interp/internal/compile/strike"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/schema"
)

func (c *compiler) compileWorkflows() {
	c.workflows = map[string]*plan.Workflow{}
	c.fanouts = map[string]*plan.Fanout{}
	for _, b := range c.Top("workflow") {
		c.compiled(b)
	}
	for _, b := range c.Top("fanout") {
		c.declaredFanout(b)
	}
}

func (c *compiler) workflow(b *dsl.Block) *plan.Workflow {
	before := len(c.Diags)
	r := c.Read(b)
	w := &plan.Workflow{
		Name: b.Name(), Timeout: r.Duration("timeout"), MaxConcurrent: r.Int("max_concurrent"), OnFailure: r.String("on_failure"),
		Rng: b.DefRange, Inputs: map[string]cty.Value{}, OutputNeeds: &read.Needs{},
	}
	w.Digest, w.Nodes = sync.OnceValue(w.Sum), sync.OnceValue(w.Tree)
	inputs := r.Value("inputs")
	w.InputsLost = inputs == nil && c.Diags[before:].HasErrors()
	if m, ok := inputs.(map[string]any); ok {
		for _, name := range read.SortedNames(m) {
			w.Inputs[name] = dsl.CtyValue(m[name])
		}
	}
	if n := b.First("budget"); n != nil {
		br := c.Read(n)
		if br.Has("usd") {
			usd := money.Of(br.Float("usd"))
			w.Budget.USD = &usd
		}
		if br.Has("tokens") {
			tokens := br.Float("tokens")
			w.Budget.Tokens = &tokens
		}
	}
	wc := &workflowCompiler{compiler: c, w: w, block: b}
	w.Taxonomy = c.named(r)
	w.Tolerates = strike.Tolerance(c.Read, b, w.Taxonomy)
	wc.gateway = c.route(b, r)
	wc.unresolved = wc.gateway == nil && (r.Has("gateway") || r.Has("provider"))
	c.unresolved = c.unresolved || wc.unresolved
	wc.declare()
	wc.steps()
	wc.outputOf(b)
	return w
}

// route is the gateway that a workflow or step names, directly or by a plain
// provider; nil for none.
func (c *compiler) route(b *dsl.Block, r dsl.Reader) *plan.Gateway {
	if r.Has("gateway") && r.Has("provider") {
		r.Errorf("provider", "Two ways to one service", "Give either gateway or provider.")
		return nil
	}
	if ref := r.Ref("gateway"); ref.Name != "" {
		if g, declared := c.gateways[ref.Name]; declared {
			return g
		}
		c.UnknownRef(ref, read.SortedNames(c.gateways))
		return nil
	}
	ref := r.Ref("provider")
	if p := unit.Find(c.Unit, c.providers, ref); p != nil {
		return c.direct(p, ref)
	}
	return nil
}

// workflowCompiler compiles one graph of steps.
type workflowCompiler struct {
	*compiler
	w          *plan.Workflow
	block      *dsl.Block
	gateway    *plan.Gateway
	unresolved bool          // the gateway or provider that the workflow names is wrong
	shapes     *schema.Shape // of the root step
	input      *schema.Shape // of the root input, made at its first use

	// outer and loop are set in the body of a loop: what compiles the graph
	// around it, and the loop itself. Reads are the steps of that graph which
	// the body refers to.
	outer  *workflowCompiler
	loop   *plan.Step
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
	wc.w.Index = make(map[string]int, len(blocks))
	wc.shapes = plan.Directory("step", wc.within(), make(map[string]*schema.Shape, len(blocks)))
	if len(blocks) > maxSteps {
		wc.tooMany(blocks[maxSteps].DefRange)
		return
	}
	for _, b := range blocks {
		if _, dup := wc.w.Index[b.Name()]; dup {
			continue // reported by the decoder
		}
		s := &plan.Step{Index: len(wc.w.Steps), Kind: plan.Kind(b.Kind()), Name: b.Name(), Block: b, Rng: b.DefRange, Taxonomy: wc.w.Taxonomy, Fallback: -1, Needs: &read.Needs{}, Args: map[string]*dsl.Attr{}}
		s.Family = kindOf(s.Kind).family(b)
		wc.w.Index[s.Name] = s.Index
		s.Shape = wc.contain(s)
		wc.shapes.Attrs[s.Name] = s.Shape
		wc.w.Steps = append(wc.w.Steps, s)
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
	wc.Errorf(rng, "Too many steps", "A workflow may have at most %d steps, those of the loops and workflows inside it included.", maxSteps)
}

func (wc *workflowCompiler) steps() {
	for _, s := range wc.w.Steps {
		wc.step(s)
	}
	for _, s := range wc.w.Steps {
		wc.dependencies(s)
	}
	if !wc.findCycle() {
		wc.awaitTools()
	}
}

// maxSteps bounds a workflow.
const maxSteps = 10000

func (wc *workflowCompiler) step(s *plan.Step) {
	b := s.Block
	r := wc.Read(b)
	s.Timeout, s.AttemptTimeout, s.Silence = r.Duration("timeout"), r.Duration("attempt_timeout"), silence(r)
	s.Required = r.Bool("required")
	s.Bulkhead = wc.bulkhead(b)
	if wc.bodies[s] != nil {
		wc.bodies[s].repeat()
	}
	if r.Has("idempotent") {
		v := r.Bool("idempotent")
		s.Idempotent = &v
	}
	if p := unit.Find(wc.Unit, wc.world.retries, r.Ref("retry")); p != nil {
		s.Retry, s.RetriesFrom = *p, wc.world.retriesFrom[p.Name]
		wc.checkRetry(r.Ref("retry"))
	}
	wc.serve(s, r)
	wc.program(s)
	wc.onward(s, r)
	if a := b.Attr("when"); a != nil {
		s.When = a.Expr
	}
	if a := b.Attr("output"); a != nil {
		s.Output = a.Expr
	}
	wc.arguments(s, r)
	kindOf(s.Kind).warn(wc, s)
	for _, v := range b.All("validate") {
		vr := wc.Read(v)
		s.Validates = append(s.Validates, &plan.Validation{Name: v.Name(), Condition: v.Expr("condition"), Retry: vr.Bool("retry"), Mode: wc.contractMode(vr)})
	}
	for _, t := range b.All("tool") {
		s.Tools = append(s.Tools, wc.tool(s, t))
	}
	if n := b.First("consumer"); n != nil {
		before := len(wc.Diags)
		cr := wc.Read(n)
		s.Consumer = &plan.Consumer{Chunks: cr.Int("abort_after_chunks"), After: cr.Duration("abort_after"), Optional: cr.Bool("optional"), Rng: n.DefRange}
		if s.Consumer.Chunks == 0 && s.Consumer.After == 0 && len(wc.Diags) == before {
			wc.Errorf(n.DefRange, "Consumer that never stops", "Give abort_after_chunks or abort_after.")
		}
		if !s.Stream {
			wc.Errorf(n.DefRange, "Consumer without a stream", "A consumer reads a stream: set stream = true in step %q.", s.Name)
		}
	}
	wc.checkExpressions(s)
}

// serve finds the gateway of a step that calls a service, and refuses one on a
// step that does not.
func (wc *workflowCompiler) serve(s *plan.Step, r dsl.Reader) {
	own := wc.route(s.Block, r)
	if s.Family == "" {
		if a := r.Block.Schema.Attr("timeout"); a != nil && a.Refused && r.Has("timeout") {
			r.Errorf("timeout", "Attribute that means nothing here", "A step of kind %q takes no time, so no timeout can end it.", s.Kind)
		}
		for _, name := range []string{"gateway", "provider", "retry", "attempt_timeout", "first_byte_timeout", "idle_timeout", "idempotent"} {
			// A classifier that is given its answer makes no call, either.
			if r.Has(name) && (s.Block.Schema.Attr(name).Refused || s.Kind == plan.KindClassify) {
				r.Errorf(name, "Attribute without a call", "A step of kind %q calls no service, so %q means nothing on it.", s.Kind, name)
			}
		}
		return
	}
	for _, name := range []string{"first_byte_timeout", "idle_timeout"} {
		if s.Family == "sql" && r.Has(name) {
			r.Errorf(name, "Attribute that means nothing here", "A statement is answered as a whole: attempt_timeout says how long it may take.")
		}
	}
	s.Gateway = own
	if own == nil && !r.Has("gateway") && !r.Has("provider") {
		s.Gateway = wc.gateway
		if wc.gateway != nil && wc.gateway.Family() != s.Family {
			s.Gateway = nil
		}
	}
	s.Unresolved = s.Gateway == nil && (wc.unresolved || r.Has("gateway") || r.Has("provider"))
	wc.compiler.unresolved = wc.compiler.unresolved || s.Unresolved
	switch {
	case s.Unresolved:
	case s.Gateway == nil:
		s.Unresolved = true // nothing more is said of it
		if wc.driven {
			wc.Errorf(s.Rng, "Step without a service", "%q calls an %s service and none is named: set gateway or provider.", s.Name, s.Family)
			return
		}
		wc.Errorf(s.Rng, "Step without a service", "Step %q calls an %s service and none is named: set gateway or provider here, or in workflow %q for all its steps.", s.Name, s.Family, wc.w.Name)
	case s.Gateway != nil && s.Gateway.Family() != s.Family:
		t := s.Gateway.Targets[0]
		at := "gateway"
		if r.Has("provider") {
			at = "provider"
		}
		wc.Errorf(r.Range(at), "Provider of another kind", "Step %q is of kind %q, and provider.%s is of kind %q.", s.Name, s.Kind, t.Provider.Name, t.Provider.Kind.Name)
	}
}

// onward settles what the failure of a step means.
func (wc *workflowCompiler) onward(s *plan.Step, r dsl.Reader) {
	own := ""
	if r.Has("on_failure") {
		own = r.String("on_failure")
	}
	hasFallback := r.Has("fallback")
	strategy := own
	if strategy == "" {
		strategy = wc.w.OnFailure
		if hasFallback {
			strategy = plan.DoFallback
		}
	}
	if own == plan.DoFallback && !hasFallback {
		r.Errorf("on_failure", "Fallback to nothing", "on_failure = \"fallback\" needs fallback = step.name, the step that runs in the place of %q.", s.Name)
	}
	if r.Has("fallback_on") && !hasFallback {
		r.Errorf("fallback_on", "Attribute without a fallback", "\"fallback_on\" says after which failures the fallback of step %q runs, and it has none: give fallback = step.name.", s.Name)
	}
	if hasFallback {
		ref := r.Ref("fallback")
		i, ok := wc.w.Index[ref.Name]
		switch {
		case ok && strategy != plan.DoFallback:
			// on_failure of the step switches it off, and nothing else asks it to run.
			wc.w.Steps[i].Substitute, wc.w.Steps[i].SwitchedOff = true, true
		case ok:
			s.Fallback = i
			s.FallbackAny = r.String("fallback_on") == "any"
			if i == s.Index {
				wc.Errorf(ref.Range, "Cycle among steps", "Step %q is its own fallback: the cycle is %s -> %s.", s.Name, s.Name, s.Name)
				s.Fallback = -1
			}
		case ref.Name != "":
			wc.unknownStep(ref.Range, ref.Name)
		}
	}
	if strategy == plan.DoRetry && s.Block.Attr("retry") == nil && (s.Gateway != nil || s.Kind == plan.KindWorkflow) {
		s.Retry = defaultRetry()
	}
	s.AfterFailure = plan.FailFast
	if strategy == plan.GoOn || strategy == plan.DoFallback && wc.w.OnFailure == plan.GoOn {
		s.AfterFailure = plan.GoOn
	}
}

func (wc *workflowCompiler) unknownStep(rng hcl.Range, name string) {
	wc.Errorf(rng, "Reference to nothing", "No step %q is declared %s.%s", name, wc.within(), dsl.DidYouMean(name, read.SortedNames(wc.w.Index)))
}

// arguments collects the expressions that are evaluated when the step runs,
// and reads the ones that are known now.
func (wc *workflowCompiler) arguments(s *plan.Step, r dsl.Reader) {
	for _, a := range s.Block.Attrs {
		if a.Schema != nil && (a.Schema.Runtime || a.Schema.Type == schema.Expr) && a.Name != "when" && a.Name != "output" && a.Name != "lane" && !kindOf(s.Kind).takes(a.Name) {
			s.Args[a.Name] = a
			if a.Schema.Runtime && plan.IsLiteral(a.Expr) {
				r.Value(a.Name) // reports one of another type
			}
		}
	}
	kindOf(s.Kind).arguments(wc, s, r)
}

func (wc *workflowCompiler) tool(s *plan.Step, b *dsl.Block) *plan.Tool {
	r := wc.Read(b)
	t := &plan.Tool{Name: b.Name(), Description: r.String("description"), Parameters: r.Value("parameters"), Output: b.Expr("output"), Step: -1}
	if ref := r.Ref("step"); ref.Name != "" {
		if i, ok := wc.w.Index[ref.Name]; ok {
			t.Step = i
			wc.w.Steps[i].Substitute, wc.w.Steps[i].Tool = true, true
		} else {
			wc.unknownStep(ref.Range, ref.Name)
		}
	}
	if (t.Output == nil) == (b.Attr("step") == nil) {
		wc.Errorf(b.DefRange, "Tool without an answer", "Give the tool %q either output or step.", t.Name)
	}
	return t
}

// stepRoots is what the expressions of a step may refer to.
func (wc *workflowCompiler) stepRoots(extra map[string]*schema.Shape, where string) *dsl.Env {
	env := *wc.Static
	env.Where = where
	env.Roots = map[string]*schema.Shape{"step": wc.visible(), "input": wc.inputShape(), "var": wc.Static.Roots["var"], "local": wc.Static.Roots["local"]}
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
		return fmt.Sprintf("in loop %q of workflow %q", wc.loop.Name, wc.w.Name)
	}
	if wc.driven {
		return "in this scenario"
	}
	return fmt.Sprintf("in workflow %q", wc.w.Name)
}

func (wc *workflowCompiler) inputShape() *schema.Shape {
	if wc.input == nil {
		wc.input = plan.Directory("input", wc.within(), make(map[string]*schema.Shape, len(wc.w.Inputs)))
		wc.input.Open = wc.w.InputsLost
		for name := range wc.w.Inputs {
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
func (wc *workflowCompiler) checkExpressions(s *plan.Step) {
	var tool map[string]*schema.Shape
	if wc.called(s) {
		tool = argumentsKnown
	}
	plain := wc.stepRoots(tool, fmt.Sprintf("an argument of step %q", s.Name))
	plain.Own = s.Name
	for _, a := range s.Block.Attrs {
		if s.Args[a.Name] == a || a.Name == "when" {
			wc.fitsArgument(s, a, wc.expression(s, a.Expr, plain))
		}
	}
	if s.Output != nil || len(s.Validates) > 0 {
		self := wc.stepRoots(tool, fmt.Sprintf("the output of step %q", s.Name))
		self.Roots["self"], self.Own = s.Shape, s.Name
		wc.expression(s, s.Output, self)
		for _, v := range s.Validates {
			wc.expression(s, v.Condition, self)
		}
	}
	if s.Fanout != nil && !s.Fanout.Declared {
		for _, sub := range s.Inner.Steps {
			wc.expression(s, sub.Sub.Arguments, plain)
		}
	}
	if wc.bodies[s] != nil {
		wc.expression(s, s.While, wc.bodies[s].stepRoots(tool, fmt.Sprintf("the condition of loop %q", s.Name)))
	}
	if len(s.Tools) == 0 {
		return
	}
	withArguments := wc.stepRoots(argumentsKnown, fmt.Sprintf("a tool of step %q", s.Name))
	for _, t := range s.Tools {
		wc.expression(s, t.Output, withArguments)
	}
}

// fitsArgument complains about a value of a kind that an attribute can never use.
func (wc *workflowCompiler) fitsArgument(s *plan.Step, a *dsl.Attr, given *schema.Shape) {
	if a.Schema == nil {
		return
	}
	if given == nil && plan.IsLiteral(a.Expr) && !a.Schema.Runtime {
		given, _ = dsl.Infer(a.Expr, wc.Static)
	}
	takes := taken(a.Schema)
	if given == nil || takes == nil || given.Kind == schema.ShapeUnknown || given.Kind == schema.ShapeNull || slices.Contains(takes, given.Kind) {
		return
	}
	wc.Errorf(a.Expr.Range(), "Wrong value", "The attribute %q must be %s, not %s%s", a.Name, (&schema.Shape{Kind: takes[0]}).KindName(), given.KindName(), insteadOf(s, a, given))
}

// taken are the kinds of values that an attribute of a step can use, nil for any.
func taken(a *schema.Attr) []schema.ShapeKind {
	switch a.Type {
	case schema.String:
		return []schema.ShapeKind{schema.ShapeString, schema.ShapeNumber, schema.ShapeBool}
	case schema.StringMap, schema.Map:
		return []schema.ShapeKind{schema.ShapeObject}
	}
	return a.Takes
}

// insteadOf says what to write in place of a value of the wrong kind.
func insteadOf(s *plan.Step, a *dsl.Attr, given *schema.Shape) string {
	text, written := dsl.Literal(a.Expr)
	quoted := written && !text.IsNull() && text.Type() == cty.String
	switch {
	case a.Name == "when" && quoted:
		return fmt.Sprintf(": a condition stands without quotes, %s = %s.", a.Name, render.Shorten(text.AsString(), 100))
	case a.Name == "when":
		return "." + dsl.HowCompared(a.Expr, given)
	case quoted && dsl.AsObject(text.AsString()) != "":
		return fmt.Sprintf(": write %s = %s.", a.Name, render.Shorten(dsl.AsObject(text.AsString()), 200))
	case a.Name == "messages" && given.Kind == schema.ShapeString:
		return `: a list of { role, content }. One message of the user is prompt = "…".`
	case a.Name == "body" && s.Kind == plan.KindHTTP:
		return ": a value is given with json, in place of body."
	case a.Schema.Type == schema.String:
		return ": jsonencode(…) makes it a string."
	case given.Kind == schema.ShapeTuple && (a.Schema.Type == schema.StringMap || a.Schema.Type == schema.Map):
		return fmt.Sprintf(`: write %s = { "NAME" = "value" }.`, a.Name)
	case a.Name == "prompt" && given.Kind == schema.ShapeTuple:
		return ": a conversation is given with messages."
	case slices.Contains(a.Schema.Takes, schema.ShapeTuple):
		return fmt.Sprintf(": put it into brackets, %s = [%s].", a.Name, render.Shorten(dsl.Excerpt(a.Expr), 100))
	}
	return "."
}

// expression checks an expression of a step, and returns what it gives, nil
// where that is not known.
func (wc *workflowCompiler) expression(s *plan.Step, e hclsyntax.Expression, env *dsl.Env) *schema.Shape {
	if e == nil || plan.IsLiteral(e) && e != s.While {
		return nil
	}
	shape, diags := dsl.Infer(e, env)
	wc.Diags = append(wc.Diags, diags...)
	if wc.readsItself(s, e, env) || !diags.HasErrors() && wc.computedSteps(e) {
		return nil
	}
	s.Needs.Add(e)
	if e == s.While && shape != nil && shape.Kind != schema.ShapeBool && shape.Kind != schema.ShapeUnknown {
		wc.Errorf(e.Range(), "Condition that is no condition", "A condition is true or false; this one is %s.%s", shape.KindName(), dsl.HowCompared(e, shape))
	}
	if diags.HasErrors() {
		return nil
	}
	return shape
}

// dependencies finds the edges of the graph: references and depends_on. A step
// that a fallback replaces, directly or through the fallback of its fallback,
// is no dependency of it: its error is there to be read before it has settled.
func (wc *workflowCompiler) dependencies(s *plan.Step) {
	var first *plan.Step
	for _, owner := range wc.w.Steps {
		switch {
		case owner.Fallback != s.Index:
		case first == nil:
			first, s.Substitute = owner, true
		default:
			wc.Errorf(owner.Rng, "Fallback of two steps", "Step %q is the fallback of %q already. A step runs once, so it can stand in for one other: give %q a fallback of its own.", s.Name, first.Name, owner.Name)
		}
	}
	add := func(i int) {
		if !wc.replaces(s.Index, i) && !slices.Contains(s.After, i) {
			s.After = append(s.After, i)
		}
	}
	for _, name := range wc.readsOf(s) {
		if i, ok := wc.w.Index[name]; ok {
			add(i)
		} else {
			wc.readOutside(name)
		}
	}
	r := dsl.Reader{Block: s.Block, Ctx: wc.Statics, Diags: &wc.Diags}
	for _, ref := range r.Refs("depends_on") {
		if loop := wc.loopAround(s, false, ref.Name); loop != nil {
			wc.Errorf(ref.Range, "Loop read from the inside", "step.%s is the loop around this step, which ends after it: nothing inside can wait for that. Take it out.", ref.Name)
		} else if i, ok := wc.w.Index[ref.Name]; ok {
			add(i)
		} else if !wc.readOutside(ref.Name) {
			wc.unknownStep(ref.Range, ref.Name)
		}
	}
	slices.Sort(s.After)
}

// replaces reports whether step i may run in the place of step j.
func (wc *workflowCompiler) replaces(i, j int) bool {
	for range wc.w.Steps {
		if j = wc.w.Steps[j].Fallback; j < 0 || j == i {
			return j == i
		}
	}
	return false
}

// awaits lists the steps that a step may have to wait for: its dependencies,
// and those that it asks to run.
func (wc *workflowCompiler) awaits(s *plan.Step) []int {
	list := slices.Clone(s.After)
	if s.Fallback >= 0 {
		list = append(list, s.Fallback)
	}
	for _, t := range s.Tools {
		if t.Step >= 0 {
			list = append(list, t.Step)
		}
	}
	return list
}

// findCycle reports the first cycle among the steps with its path.
func (wc *workflowCompiler) findCycle() bool {
	state := make([]int, len(wc.w.Steps))
	var path []string
	var visit func(i int) bool
	visit = func(i int) bool {
		s := wc.w.Steps[i]
		path = append(path, s.Name)
		if state[i] == 1 {
			path = path[slices.Index(path, s.Name):]
			wc.Errorf(s.Rng, "Cycle among steps", "Steps wait for each other: the cycle is %s. A step depends on the steps that its expressions refer to and on depends_on, and waits for its fallback and for the steps that are its tools.", strings.Join(path, " -> "))
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
	for i := range wc.w.Steps {
		if state[i] == 0 && visit(i) {
			return true
		}
	}
	return false
}

// awaitTools makes a step wait for what its tools depend on: a tool runs when
// the model calls it, and cannot wait then.
func (wc *workflowCompiler) awaitTools() {
	done := make([]bool, len(wc.w.Steps))
	var visit func(s *plan.Step)
	visit = func(s *plan.Step) {
		if done[s.Index] {
			return
		}
		done[s.Index] = true
		for _, t := range s.Tools {
			if t.Step < 0 {
				continue
			}
			visit(wc.w.Steps[t.Step])
			for f := t.Step; f >= 0; f = wc.w.Steps[f].Fallback {
				for _, i := range wc.w.Steps[f].After {
					if !slices.Contains(s.After, i) {
						s.After = append(s.After, i)
					}
				}
			}
		}
		slices.Sort(s.After)
	}
	for _, s := range wc.w.Steps {
		visit(s)
	}
}

func (wc *workflowCompiler) outputOf(b *dsl.Block) {
	if wc.w.Output = b.Expr("output"); wc.w.Output == nil {
		return
	}
	if wc.shapes == nil {
		return
	}
	_, diags := dsl.Infer(wc.w.Output, wc.stepRoots(nil, "the output of the workflow"))
	wc.Diags = append(wc.Diags, diags...)
	wc.w.OutputNeeds.Add(wc.w.Output)
}

// silence reads how long bytes are waited for.
func silence(r dsl.Reader) plan.Silence {
	return plan.Silence{FirstByte: r.Duration("first_byte_timeout"), Idle: r.Duration("idle_timeout")}
}

// sentence makes a sentence of an error.
func sentence(s string) string { return wording.Sentence(s) }

func fullStop(s string) string { return wording.FullStop(s) }
