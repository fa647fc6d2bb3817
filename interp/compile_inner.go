package interp

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
)

// compiled compiles a workflow at its first use, so that what it runs is known
// before it is.
func (c *compiler) compiled(b *dsl.Block) *workflow {
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
func (wc *workflowCompiler) contain(s *step) *schema.Shape {
	switch s.kind {
	case kindLoop:
		wc.repeats(s)
	case kindWorkflow:
		wc.runs(s)
	case kindFanout:
		wc.fansOut(s)
	default:
		return stepShape(s.kind)
	}
	return wc.containing(s)
}

// containing is what the result of a step that runs a graph can be asked for.
func (c *compiler) containing(s *step) *schema.Shape {
	if s.inner == nil {
		return &schema.Shape{Observed: true} // reported, and nothing more of it
	}
	own := stepShape(s.kind)
	for _, n := range s.inner.steps {
		if own.Attrs[n.name] == nil {
			continue
		}
		at := n.rng
		if s.kind == kindWorkflow || s.kind == kindSub {
			at = s.rng
		}
		c.errorf(at, "Step name that is taken", "step.%s.%s is a result of the %s %q itself, so a step inside it cannot be called %q. Rename that step.", s.name, n.name, s.kind, s.name, n.name)
	}
	return around(own, s.inner)
}

// repeats declares the steps inside a loop.
func (wc *workflowCompiler) repeats(s *step) {
	w := &workflow{
		name: wc.w.name, body: true, maxConcurrent: wc.w.maxConcurrent, onFailure: wc.w.onFailure, rng: s.rng,
		inputs: wc.w.inputs, inputsLost: wc.w.inputsLost, outputNeeds: &needs{}, taxonomy: wc.w.taxonomy,
	}
	s.inner = w
	wc.bodies[s] = &workflowCompiler{compiler: wc.compiler, w: w, block: s.block, gateway: wc.gateway, adrift: wc.adrift, outer: wc, loop: s}
	wc.bodies[s].declare()
}

// repeat compiles the steps inside a loop.
func (wc *workflowCompiler) repeat() {
	for _, s := range wc.w.steps {
		for o := wc.outer; o != nil; o = o.outer {
			if i, taken := o.w.index[s.name]; taken {
				wc.errorf(s.rng, "Duplicate name", "The step %q is a duplicate: it was declared before at line %d, and the steps inside a loop read those around it by name.", s.name, o.w.steps[i].rng.Start.Line)
			}
		}
	}
	wc.steps()
}

// runs finds the workflow that a step runs.
func (wc *workflowCompiler) runs(s *step) {
	r := dsl.Reader{Block: s.block, Ctx: wc.statics, Diags: &wc.diags}
	if s.inner = wc.inner(s.block, r.Ref("run")); s.inner != nil {
		wc.given(s, "inputs")
	}
}

// inner is the workflow that a block refers to, to be run inside another; nil
// where there is none.
func (c *compiler) inner(by *dsl.Block, ref dsl.Reference) *workflow {
	if ref.Name == "" || c.circular(ref.Range, ref.Name) {
		return nil
	}
	if b := c.file.Body.Named("workflow", ref.Name); b != nil {
		if own := c.overrides[by]; own != nil {
			return c.workflow(own)
		}
		return c.compiled(b)
	}
	var names []string
	for _, b := range c.file.Body.All("workflow") {
		names = append(names, b.Name())
	}
	c.unknownRef(ref, names)
	return nil
}

// circular complains about what runs itself in the end.
func (c *compiler) circular(rng hcl.Range, name string) bool {
	i := slices.Index(c.compiling, name)
	if i < 0 {
		return false
	}
	path := append(slices.Clone(c.compiling[i:]), name)
	c.errorf(rng, "Cycle among workflows", "Workflow %q would run itself without end: the cycle is %s.", name, strings.Join(path, " -> "))
	return true
}

// given checks the names of the inputs where they are written out in the
// attribute of that name.
func (c *compiler) given(s *step, attr string) {
	if s.inner.inputsLost {
		return
	}
	given := map[string]bool{}
	meant := map[string]bool{} // by an unknown one
	if a := s.block.Attr(attr); a != nil {
		obj, ok := a.Expr.(*hclsyntax.ObjectConsExpr)
		if !ok {
			if v, literal := dsl.Literal(a.Expr); literal && !v.IsNull() {
				c.errorf(a.Expr.Range(), "Wrong value", "The attribute %q is an object of inputs, { name = value, … }, not %s.", attr, dsl.Render(v, 60))
			}
			return // known when the step runs
		}
		for _, item := range obj.Items {
			key := hcl.ExprAsKeyword(item.KeyExpr)
			if key == "" {
				if v, diags := item.KeyExpr.Value(nil); !diags.HasErrors() && !v.IsNull() && v.Type() == cty.String {
					key = v.AsString()
				} else {
					return
				}
			}
			given[key] = true
			if _, known := s.inner.inputs[key]; !known {
				c.errorf(item.KeyExpr.Range(), "Unknown input", "Workflow %q has no input %q.%s", s.inner.name, key, dsl.DidYouMean(key, sortedNames(s.inner.inputs)))
				meant[dsl.Suggest(key, sortedNames(s.inner.inputs))] = true
			}
		}
	}
	if s.block.Parent != nil && s.block.Parent.Type == "scenario" {
		attr = "arguments" // as a call is written
	}
	for _, name := range sortedNames(s.inner.inputs) {
		if s.inner.inputs[name].IsNull() && !given[name] && !meant[name] {
			c.errorf(s.rng, "Missing input", "Workflow %q needs the input %q: give it in %s = { %s = … }.", s.inner.name, name, attr, name)
		}
	}
}

// measure bounds what a graph comes to with all that its steps run.
func (wc *workflowCompiler) measure() {
	for _, s := range wc.w.steps {
		wc.w.size++
		if s.inner == nil {
			continue
		}
		wc.w.size += s.inner.size
		wc.w.depth = max(wc.w.depth, s.inner.depth+1)
		switch {
		case wc.w.size > maxSteps:
			wc.tooMany(s.rng)
			s.inner, wc.w.size = nil, maxSteps
		case wc.w.depth > dsl.MaxNesting:
			wc.errorf(s.rng, "Nesting is too deep", "Loops and workflows may be nested at most %d levels deep.", dsl.MaxNesting)
			s.inner, wc.w.depth = nil, 0
		}
	}
	for _, s := range wc.w.steps {
		name, _, dotted := strings.Cut(s.name, ".")
		if i, ok := wc.w.index[name]; dotted && ok && wc.w.steps[i].inner != nil {
			wc.errorf(s.rng, "Two steps with one address", "A dot leads from a step to one inside it, and step %q has steps inside: rename %q.", name, s.name)
		}
	}
}

// markTools finds the steps that are tools, and those that run in the place of
// one: they may read what the model passes.
func (wc *workflowCompiler) markTools() {
	var ignored hcl.Diagnostics // the same is read and reported again
	at := func(b *dsl.Block, attr string) (int, bool) {
		i, ok := wc.w.index[dsl.Reader{Block: b, Ctx: wc.statics, Diags: &ignored}.Ref(attr).Name]
		return i, ok
	}
	for _, s := range wc.w.steps {
		for _, t := range s.block.All("tool") {
			for i, ok := at(t, "step"); ok && !wc.w.steps[i].tool; i, ok = at(wc.w.steps[i].block, "fallback") {
				wc.w.steps[i].tool, wc.w.steps[i].stands = true, true
				if wc.w.steps[i].block.Attr("fallback") == nil {
					break
				}
			}
		}
	}
}

// called reports whether a step runs because a model calls a tool.
func (wc *workflowCompiler) called(s *step) bool {
	return s.tool || wc.loop != nil && wc.outer.called(wc.loop)
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

// readsOf lists the names of the steps that a step refers to, those which only
// the body of a loop refers to included.
func (wc *workflowCompiler) readsOf(s *step) []string {
	names := s.needs.of("step").names(nil)
	if wc.bodies[s] == nil {
		return names
	}
	own := func(name string) bool { _, inside := s.inner.index[name]; return inside }
	names = slices.DeleteFunc(names, own)
	return append(names, wc.bodies[s].reads...)
}

// readOutside notes that the body of a loop waits for a step around it, and
// reports whether there is one of that name.
func (wc *workflowCompiler) readOutside(name string) bool {
	for o := wc.outer; o != nil; o = o.outer {
		if _, ok := o.w.index[name]; ok {
			if !slices.Contains(wc.reads, name) {
				wc.reads = append(wc.reads, name)
			}
			return true
		}
	}
	return false
}
