package compile

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// fanoutKind makes several calls together.
type fanoutKind struct{ basicKind }

func (fanoutKind) contain(wc *workflowCompiler, s *plan.Step) bool {
	wc.fansOut(s)
	return true
}

func (fanoutKind) override(c *compiler, b *dsl.Block, inside []stepOverride) *dsl.Block {
	return c.overrideSubs(b, inside)
}

// declaredFanout compiles a declared fanout at its first use, so that what it
// calls is known before it is.
func (c *compiler) declaredFanout(b *dsl.Block) *plan.Fanout {
	if f, done := c.fanouts[b.Name()]; done {
		return f
	}
	c.compiling = append(c.compiling, declaredAs(b))
	f := c.fanout(b, b.Name())
	c.compiling = c.compiling[:len(c.compiling)-1]
	f.Declared = true
	c.fanouts[b.Name()] = f
	env := *c.Static
	env.Where = "an argument of a sub"
	env.Roots = map[string]*schema.Shape{"arguments": {}, "var": c.Static.Roots["var"], "local": c.Static.Roots["local"]}
	env.Elsewhere = map[string]string{"step": "A declared fanout is run with arguments of its own: give what its subs need in arguments = { … } of the step that runs it.", "input": "A declared fanout is run with arguments of its own."}
	for _, s := range f.Graph.Steps {
		if e := s.Sub.Arguments; e != nil {
			_, diags := dsl.Infer(e, &env)
			c.Diags = append(c.Diags, diags...)
		}
	}
	return f
}

// declaredAs is how the path of a cycle calls a declared fanout.
func declaredAs(b *dsl.Block) string { return "fanout " + b.Name() }

// fansOut finds the fanout of a step: its own, or the declared one that it
// runs.
func (wc *workflowCompiler) fansOut(s *plan.Step) {
	r := dsl.Reader{Block: s.Block, Ctx: wc.Statics, Diags: &wc.Diags}
	if !r.Has("run") {
		if r.Has("arguments") {
			r.Errorf("arguments", "Arguments for nothing", "It is only the subs of a declared fanout that read arguments: those of step %q read steps and inputs by themselves. Drop it, or name a fanout with run.", s.Name)
		}
		s.Fanout = wc.fanout(s.Block, s.Name)
		s.Inner = s.Fanout.Graph
		return
	}
	for _, name := range []string{"mode", "join", "abort", "taxonomy"} {
		if r.Has(name) {
			r.Errorf(name, "Two fanouts", "Step %q runs a declared fanout, which says by itself what its %s is.", s.Name, name)
		}
	}
	if n := s.Block.First("sub"); n != nil {
		wc.Errorf(n.DefRange, "Two fanouts", "Step %q runs a declared fanout, so it has no subs of its own.", s.Name)
	}
	ref := r.Ref("run")
	if ref.Name == "" {
		return
	}
	b := wc.File.Body.Named("fanout", ref.Name)
	if b == nil {
		var names []string
		for _, b := range wc.Top("fanout") {
			names = append(names, b.Name())
		}
		wc.UnknownRef(ref, names)
		return
	}
	if wc.circular(ref.Range, declaredAs(b)) {
		return
	}
	s.Fanout = wc.declaredFanout(b)
	s.Inner = s.Fanout.Graph
}

// fanout compiles the block of a fanout, but for the expressions in it.
func (c *compiler) fanout(b *dsl.Block, name string) *plan.Fanout {
	r := c.Read(b)
	f := &plan.Fanout{Mode: r.String("mode"), Join: r.String("join"), Abort: r.String("abort")}
	w := &plan.Workflow{Name: name, Body: true, Rng: b.DefRange, Index: map[string]int{}, OutputNeeds: &read.Needs{}, Taxonomy: plan.StandardTaxonomies()["routing"]}
	if r.Has("taxonomy") {
		w.Taxonomy = c.named(r)
	}
	f.Graph = w
	blocks := b.All("sub")
	if len(blocks) > maxSteps {
		c.Errorf(blocks[maxSteps].DefRange, "Too many subs", "A fanout may have at most %d.", maxSteps)
		return f
	}
	for _, sb := range blocks {
		if _, dup := w.Index[sb.Name()]; dup {
			continue // reported by the decoder
		}
		s := c.sub(sb, f)
		s.Index = len(w.Steps)
		w.Index[s.Name] = s.Index
		w.Steps = append(w.Steps, s)
	}
	c.wait(f)
	w.Size, w.Depth = len(w.Steps), 0
	for _, s := range w.Steps {
		if s.Inner != nil {
			w.Size += s.Inner.Size
			w.Depth = max(w.Depth, s.Inner.Depth+1)
		}
	}
	return f
}

// sub compiles one sub.
func (c *compiler) sub(b *dsl.Block, f *plan.Fanout) *plan.Step {
	r := c.Read(b)
	s := &plan.Step{
		Kind: plan.KindSub, Name: b.Name(), Block: b, Rng: b.DefRange, Taxonomy: f.Graph.Taxonomy, Fallback: -1, AfterFailure: plan.GoOn,
		Required: r.Bool("required"), Timeout: r.Duration("timeout"), Needs: &read.Needs{}, Args: map[string]*dsl.Attr{},
	}
	s.Sub = &plan.Sub{Target: plan.WorkflowCallee{}, Arguments: b.Expr("arguments"), RunIf: r.String("run_if"), Group: r.String("group"), Priority: r.Int("priority")}
	if a := b.Attr("arguments"); a != nil {
		s.Args["arguments"] = a
	}
	if s.Sub.RunIf == "" {
		s.Sub.RunIf = map[string]string{plan.ModeOrdered: plan.RunCompleted, plan.ModeConditional: plan.RunSuccess}[f.Mode]
	}
	if s.Sub.RunIf == "" {
		s.Sub.RunIf = plan.RunAlways
	}
	if ref := r.Ref("retry"); ref.Name != "" {
		if p := unit.Find(c.Unit, c.world.retries, ref); p != nil {
			s.Retry = *p
			c.checkSubRetry(s, ref)
		}
	}
	if t := b.Expr("target"); t != nil && refersToActor(t) {
		s.Target, _ = c.services.Target(t, "target")
		s.Sub.Target, s.Shape = plan.ActorCallee{Target: s.Target}, observe.StepShape(plan.KindSub)
		return s
	}
	if s.Inner = c.inner(b, r.Ref("target")); s.Inner != nil {
		s.Sub.Target = plan.WorkflowCallee{Workflow: s.Inner.Name}
		c.given(s, "arguments")
	}
	s.Shape = c.containing(s)
	return s
}

func refersToActor(e hclsyntax.Expression) bool {
	ref, ok := e.(*hclsyntax.ScopeTraversalExpr)
	return ok && ref.Traversal.RootName() == "actor"
}

// checkSubRetry refuses a retry policy that names what the classes of a fanout
// are not.
func (c *compiler) checkSubRetry(s *plan.Step, ref dsl.Reference) {
	for _, spec := range c.world.retries[ref.Name].On {
		if err := s.Taxonomy.Known.ValidSpec(spec); err != nil {
			c.Errorf(ref.Range, "Retry policy that does not fit", "In the retry_on of retry.%s, %s The failures of sub %q have the classes of taxonomy %q; `taxonomy = taxonomy.NAME` in the fanout names another.", ref.Name, fullStop(err.Error()), s.Name, s.Taxonomy.Known.Name())
		}
	}
}

// wait finds which subs wait for which, and refuses those that wait for each
// other.
func (c *compiler) wait(f *plan.Fanout) {
	w := f.Graph
	for _, s := range w.Steps {
		r := dsl.Reader{Block: s.Block, Ctx: c.Statics, Diags: &c.Diags}
		if !r.Has("depends_on") {
			if f.Mode != plan.ModeParallel && s.Index > 0 {
				s.After = []int{s.Index - 1}
			}
			continue
		}
		for _, id := range r.Strings("depends_on") {
			i, ok := w.Index[id]
			if !ok {
				r.Errorf("depends_on", "Reference to nothing", "No sub %q is declared in fanout %q.%s", id, w.Name, dsl.DidYouMean(id, read.SortedNames(w.Index)))
				continue
			}
			if !slices.Contains(s.After, i) {
				s.After = append(s.After, i)
			}
		}
		slices.Sort(s.After)
	}
	if path := w.Circle(); path != nil {
		s := w.Steps[w.Index[path[0]]]
		c.Errorf(s.Rng, "Cycle among subs", "Subs wait for each other: the cycle is %s. Without depends_on a sub of an ordered or conditional fanout waits for the one before it.", strings.Join(path, " -> "))
		for _, s := range w.Steps {
			s.After = nil
		}
	}
}
