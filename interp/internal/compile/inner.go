package compile

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/internal/compile/lastpass"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// computedSteps refuses an expression of a step that reads steps by names which
// it computes. What a step reads is what it waits for, so it must be known before
// anything runs. It reports whether there was one.
func (wc *workflowCompiler) computedSteps(e hclsyntax.Expression) bool {
	var found *hclsyntax.ScopeTraversalExpr
	hidden := false
	dsl.EachExpr(e, func(part hclsyntax.Expression) {
		switch x := part.(type) {
		case *hclsyntax.ForExpr:
			hidden = hidden || x.KeyVar == "step" || x.ValVar == "step"
		case *hclsyntax.ScopeTraversalExpr:
			if len(x.Traversal) == 1 && x.Traversal.RootName() == "step" {
				found = x
			}
		}
	})
	if found == nil || hidden {
		return false
	}
	wc.Errorf(found.Range(), "Step that is not known before the run", "Which step this reads is computed, and what a step reads is what it waits for: it must be known before anything runs. Name each step, as in { a = step.a.output, b = step.b.output }[which].")
	return true
}

// compiled compiles a workflow at its first use, so that what it runs is known
// before it is.
func (c *compiler) compiled(b *dsl.Block) *plan.Workflow {
	if w, done := c.workflows[b.Name()]; done {
		return w
	}
	c.compiling = append(c.compiling, b.Name())
	w := c.workflow(b)
	c.compiling = c.compiling[:len(c.compiling)-1]
	c.workflows[b.Name()] = w
	return w
}

// contain finds the graph that a step runs, and returns what its result can be
// asked for.
func (wc *workflowCompiler) contain(s *plan.Step) *schema.Shape {
	if !kindOf(s.Kind).contain(wc, s) {
		return observe.StepShape(s.Kind)
	}
	return wc.containing(s)
}

// containing is what the result of a step that runs a graph can be asked for.
func (c *compiler) containing(s *plan.Step) *schema.Shape {
	if s.Inner == nil {
		return &schema.Shape{Observed: true} // reported, and nothing more of it
	}
	own := observe.StepShape(s.Kind)
	for _, n := range s.Inner.Steps {
		if own.Attrs[n.Name] == nil {
			continue
		}
		at := n.Rng
		if !s.Inner.Body && s.Fanout == nil { // declared elsewhere
			at = s.Rng
		}
		c.Errorf(at, "Step name that is taken", "step.%s.%s is a result of the %s %q itself, so a step inside it cannot be called %q. Rename that step.", s.Name, n.Name, s.Kind, s.Name, n.Name)
	}
	return observe.Around(own, s.Inner)
}

// inner is the workflow that a block refers to, to be run inside another; nil
// where there is none.
func (c *compiler) inner(by *dsl.Block, ref dsl.Reference) *plan.Workflow {
	if ref.Name == "" || c.circular(ref.Range, ref.Name) {
		return nil
	}
	if b := c.File.Body.Named("workflow", ref.Name); b != nil {
		if own := c.overrides[by]; own != nil {
			return c.workflow(own)
		}
		return c.compiled(b)
	}
	var names []string
	for _, b := range c.Top("workflow") {
		names = append(names, b.Name())
	}
	c.UnknownRef(ref, names)
	return nil
}

// circular complains about what runs itself in the end.
func (c *compiler) circular(rng hcl.Range, name string) bool {
	i := slices.Index(c.compiling, name)
	if i < 0 {
		return false
	}
	path := append(slices.Clone(c.compiling[i:]), name)
	c.Errorf(rng, "Cycle among workflows", "Workflow %q would run itself without end: the cycle is %s.", name, strings.Join(path, " -> "))
	return true
}

// given checks the names of the inputs where they are written out in the
// attribute of that name.
func (c *compiler) given(s *plan.Step, attr string) {
	if s.Inner.InputsLost {
		return
	}
	given := map[string]bool{}
	meant := map[string]bool{} // by an unknown one
	if a := s.Block.Attr(attr); a != nil {
		obj, ok := a.Expr.(*hclsyntax.ObjectConsExpr)
		if !ok {
			if v, literal := dsl.Literal(a.Expr); literal && !v.IsNull() {
				c.Errorf(a.Expr.Range(), "Wrong value", "The attribute %q is an object of inputs, { name = value, … }, not %s.", attr, render.Value(v, 60))
			}
			return // known when the step runs
		}
		for _, item := range obj.Items {
			key := hcl.ExprAsKeyword(item.KeyExpr)
			if key == "" {
				if v, diags := dsl.Evaluate(item.KeyExpr, nil); !diags.HasErrors() && !v.IsNull() && v.Type() == cty.String {
					key = v.AsString()
				} else {
					return
				}
			}
			given[key] = true
			if _, known := s.Inner.Inputs[key]; !known {
				c.Errorf(item.KeyExpr.Range(), "Unknown input", "Workflow %q has no input %q.%s", s.Inner.Name, key, dsl.Instead(key, read.SortedNames(s.Inner.Inputs)))
				meant[dsl.Suggest(key, read.SortedNames(s.Inner.Inputs))] = true
			}
		}
	}
	if s.Block.Parent != nil && s.Block.Parent.Type == "scenario" {
		attr = "arguments" // as a call is written
	}
	for _, name := range read.SortedNames(s.Inner.Inputs) {
		if s.Inner.Inputs[name].IsNull() && !given[name] && !meant[name] {
			c.Errorf(s.Rng, "Missing input", "Workflow %q needs the input %q: give it in %s = { %s = … }.", s.Inner.Name, name, attr, name)
		}
	}
}

// measure bounds what a graph comes to with all that its steps run.
func (wc *workflowCompiler) measure() {
	for _, s := range wc.w.Steps {
		wc.w.Size++
		if s.Inner == nil {
			continue
		}
		wc.w.Size += s.Inner.Size
		wc.w.Depth = max(wc.w.Depth, s.Inner.Depth+1)
		switch {
		case wc.w.Size > maxSteps:
			wc.tooMany(s.Rng)
			s.Inner, wc.w.Size = nil, maxSteps
		case wc.w.Depth > dsl.MaxNesting:
			wc.Errorf(s.Rng, "Nesting is too deep", "Loops and workflows may be nested at most %d levels deep.", dsl.MaxNesting)
			s.Inner, wc.w.Depth = nil, 0
		}
	}
	for _, s := range wc.w.Steps {
		name, _, dotted := strings.Cut(s.Name, ".")
		if i, ok := wc.w.Index[name]; dotted && ok && wc.w.Steps[i].Inner != nil {
			wc.Errorf(s.Rng, "Two steps with one address", "A dot leads from a step to one inside it, and step %q has steps inside: rename %q.", name, s.Name)
		}
	}
}

// markTools finds the steps that are tools, and those that run in the place of
// one: they may read what the model passes. Where the name of one is wrong, any step may be
// meant, and none is told that it cannot read that.
func (wc *workflowCompiler) markTools() {
	var ignored hcl.Diagnostics // the same is read and reported again
	at := func(b *dsl.Block, attr string) (int, bool) {
		name := dsl.Reader{Block: b, Ctx: wc.Statics, Diags: &ignored}.Ref(attr).Name
		i, ok := wc.w.Index[name]
		for _, s := range wc.w.Steps {
			s.Tool = s.Tool || !ok && name != ""
		}
		return i, ok
	}
	for _, s := range wc.w.Steps {
		for _, t := range s.Block.All("tool") {
			for i, ok := at(t, "step"); ok && !wc.w.Steps[i].Tool; i, ok = at(wc.w.Steps[i].Block, "fallback") {
				wc.w.Steps[i].Tool, wc.w.Steps[i].Substitute = true, true
				if wc.w.Steps[i].Block.Attr("fallback") == nil {
					break
				}
			}
		}
	}
}

// called reports whether a step runs because a model calls a tool.
func (wc *workflowCompiler) called(s *plan.Step) bool {
	return s.Tool || wc.loop != nil && wc.outer.called(wc.loop)
}

// visible is what the root step stands for: the steps of the graph, and in a
// loop those around it.
func (wc *workflowCompiler) visible() *schema.Shape {
	if wc.outer == nil || wc.merged {
		return wc.shapes
	}
	wc.merged = true
	for name, s := range wc.outer.visible().Attrs {
		if wc.shapes.Attrs[name] == nil {
			wc.shapes.Attrs[name] = s
		}
	}
	return wc.shapes
}

// loopShape is what the root loop stands for.
var loopShape = &schema.Shape{Kind: schema.ShapeObject, Name: "loop", Attrs: map[string]*schema.Shape{
	"index": {Kind: schema.ShapeNumber, Doc: "Counts the iterations from 0."},
}}

// passes reports whether a step may run what is inside it more than once.
func passes(s *plan.Step) bool {
	return s.Kind == plan.KindLoop && s.Iterations != 1 || s.Kind == plan.KindWorkflow && s.Retry.MaxRetries > 0
}

// ofAllPasses are the attributes of a step that tell of all of its attempts, with how they
// are read over all passes.
var ofAllPasses = map[string]string{
	"attempts": "flatten(%[1]s.runs[*].%[2]s.attempts)", "rejections": "flatten(%[1]s.runs[*].%[2]s.rejections)", "delays_ms": "flatten(%[1]s.runs[*].%[2]s.delays_ms)",
	"retries": "sum(%[1]s.runs[*].%[2]s.retries)", "cost_usd": "sum(%[1]s.runs[*].%[2]s.cost_usd)",
}

// readsLastPass warns of a condition over all attempts of a step that is run several
// times, in a loop or by a retry around it: what its name reads is the last time
// alone. One of the attempts may well be asked of that.
func (sc *scenarioCompiler) readsLastPass(e hclsyntax.Expression) {
	if namesPasses(e) {
		return
	}
	for t := range dsl.Variables(e) {
		var path []string
		for i := 1; t.RootName() == "step" && i < len(t); i++ {
			name, ok := read.AttrName(t, i)
			if !ok {
				path = nil
				break
			}
			path = append(path, name)
		}
		if len(path) < 2 {
			continue
		}
		attr := path[len(path)-1]
		if ofAllPasses[attr] != "" {
			sc.lastPass(strings.Join(path[:len(path)-1], "."), attr, t.SourceRange())
		} else if attr = attributeIn(e); attr != "" {
			sc.lastPass(strings.Join(path, "."), attr, t.SourceRange())
		}
	}
}

// namesPasses reports whether a condition speaks of passes itself: it reads those of a
// step, or says which iteration it means.
func namesPasses(e hclsyntax.Expression) (found bool) {
	for t := range dsl.Variables(e) {
		for i := range t {
			name, _ := read.AttrName(t, i)
			found = found || name == "runs"
		}
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if x, is := e.(*hclsyntax.ObjectConsKeyExpr); is {
			found = found || hcl.ExprAsKeyword(x) == "iteration"
		}
	})
	return found
}

// lastPass warns of an attribute of a step of which only the last pass is read.
func (sc *scenarioCompiler) lastPass(address, attr string, at hcl.Range) {
	n := sc.nodes()[address]
	if n == nil || n.Outer == nil || !passes(n.Outer.Step) {
		return
	}
	outer := "step." + n.Outer.Name
	sc.Warnf(at, "Attempts of the last iteration", "%[1]s.%[2]s is what the step did the last time that %[1]s ran it, so this sees no attempt of those before. All are in "+ofAllPasses[attr]+".", outer, n.Step.Name)
}

// rulesLastPass warns of a condition that says what a result of a step in a loop always is,
// or never, and sees that of the last iteration alone.
func (sc *scenarioCompiler) rulesLastPass(e hclsyntax.Expression) {
	if namesPasses(e) {
		return
	}
	told := map[string]bool{}
	for _, r := range lastpass.Of(e) {
		t := r.Path
		names := []string{}
		for i := 1; i < len(t); i++ {
			name, ok := read.AttrName(t, i)
			if !ok {
				break
			}
			names = append(names, name)
		}
		for i := len(names); i > 1; i-- {
			address := strings.Join(names[:i], ".")
			n := sc.nodes()[address]
			if n == nil {
				continue
			}
			ofAll := i+2 == len(t) && i < len(names) && ofAllPasses[names[i]] != ""
			if n.Outer == nil || ofAll || told[address] || !sc.manyPasses(n) || !r.Missed(n.Outer.Step.While, n.Step.Name) {
				break
			}
			told[address] = true
			outer := "step." + n.Outer.Name
			sc.Warnf(t.SourceRange(), "Result of the last iteration", "%[1]s.%[2]s is what the step came to the last time that %[1]s ran it, so this does not look at what came before. Say it of every iteration, as in alltrue([for r in %[1]s.runs : … r.%[2]s …]); reverse(%[1]s.runs)[0].%[2]s is the last one on purpose.", outer, n.Step.Name)
			break
		}
	}
}

// manyPasses reports whether a loop may run a step more than once in the scenario.
func (sc *scenarioCompiler) manyPasses(n *plan.Node) bool {
	loop := n.Outer.Step
	if loop.Kind != plan.KindLoop || !passes(loop) {
		return false
	}
	s := sc.p.ScriptFor(n.Name, "")
	return s == nil || len(s.Entries) != 1 || s.Entries[0].Times != 1 || s.Exhausted != "" && s.Exhausted != "fail"
}

// attributeIn is an attribute that tells of all attempts and is named by a string of a
// condition, as in the program of jq or the key of lookup; "" for none.
func attributeIn(e hclsyntax.Expression) (found string) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		v, written := dsl.Literal(e)
		if !written || v.IsNull() || v.Type() != cty.String {
			return
		}
		for _, name := range read.SortedNames(ofAllPasses) {
			if strings.Contains(v.AsString(), name) {
				found = name
			}
		}
	})
	return found
}

// readsOf lists the names of the steps that a step refers to, those which only
// the body of a loop refers to included.
func (wc *workflowCompiler) readsOf(s *plan.Step) []string {
	names := s.Needs.Of("step").Names(nil)
	if wc.bodies[s] == nil {
		return names
	}
	own := func(name string) bool { _, inside := s.Inner.Index[name]; return inside }
	names = slices.DeleteFunc(names, own)
	return append(names, wc.bodies[s].reads...)
}

// readOutside notes that the body of a loop waits for a step around it, and
// reports whether there is one of that name.
func (wc *workflowCompiler) readOutside(name string) bool {
	for o := wc.outer; o != nil; o = o.outer {
		if _, ok := o.w.Index[name]; ok {
			if !slices.Contains(wc.reads, name) {
				wc.reads = append(wc.reads, name)
			}
			return true
		}
	}
	return false
}
