package interp

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
)

// The kind of step that fans out, and that of the steps inside it.
const (
	kindFanout = "fanout"
	kindSub    = "sub"
)

// The modes, joins, abort policies and conditions of a fanout (semantics.md
// §10).
const (
	modeParallel    = "parallel"
	modeOrdered     = "ordered"
	modeConditional = "conditional"

	joinFirst = "first_success"

	abortOnRequired = "on_required_failure"
	abortOnAny      = "on_any_failure"

	runAlways    = "always"
	runCompleted = "completed"
	runSuccess   = "success"
)

// fanout is what is done with several calls that are made together.
type fanout struct {
	mode, join, abort string
	// graph has the subs for its steps.
	graph *workflow
	// declared says that it stands by itself: its subs read arguments, and
	// nothing of the steps around those that run it.
	declared bool
}

// sub is what is particular to a step that is one call of a fanout.
type sub struct {
	target    callee
	arguments hclsyntax.Expression // nil for none
	runIf     string
	group     string
	priority  int
}

// calls names what a step calls that is a sub, "" for any other.
func (s *step) calls() string {
	if s.sub == nil {
		return ""
	}
	return s.sub.target.name()
}

// declaredFanout compiles a declared fanout at its first use, so that what it
// calls is known before it is.
func (c *compiler) declaredFanout(b *dsl.Block) *fanout {
	if f, done := c.fanouts[b.Name()]; done {
		return f
	}
	c.compiling = append(c.compiling, declaredAs(b))
	f := c.fanout(b, b.Name())
	c.compiling = c.compiling[:len(c.compiling)-1]
	f.declared = true
	c.fanouts[b.Name()] = f
	env := *c.staticEnv
	env.Where = "an argument of a sub"
	env.Roots = map[string]*schema.Shape{"arguments": {}, "var": c.staticEnv.Roots["var"], "local": c.staticEnv.Roots["local"]}
	env.Elsewhere = map[string]string{"step": "A declared fanout is run with arguments of its own: give what its subs need in arguments = { … } of the step that runs it.", "input": "A declared fanout is run with arguments of its own."}
	for _, s := range f.graph.steps {
		if e := s.sub.arguments; e != nil {
			dsl.Strict(e)
			_, diags := dsl.Infer(e, &env)
			c.diags = append(c.diags, diags...)
		}
	}
	return f
}

// declaredAs is how the path of a cycle calls a declared fanout.
func declaredAs(b *dsl.Block) string { return "fanout " + b.Name() }

// fansOut finds the fanout of a step: its own, or the declared one that it
// runs.
func (wc *workflowCompiler) fansOut(s *step) {
	r := dsl.Reader{Block: s.block, Ctx: wc.statics, Diags: &wc.diags}
	if !r.Has("run") {
		if r.Has("arguments") {
			r.Errorf("arguments", "Arguments for nothing", "It is only the subs of a declared fanout that read arguments: those of step %q read steps and inputs by themselves. Drop it, or name a fanout with run.", s.name)
		}
		s.fanout = wc.fanout(s.block, s.name)
		s.inner = s.fanout.graph
		return
	}
	for _, name := range []string{"mode", "join", "abort", "taxonomy"} {
		if r.Has(name) {
			r.Errorf(name, "Two fanouts", "Step %q runs a declared fanout, which says by itself what its %s is.", s.name, name)
		}
	}
	if n := s.block.First("sub"); n != nil {
		wc.errorf(n.DefRange, "Two fanouts", "Step %q runs a declared fanout, so it has no subs of its own.", s.name)
	}
	ref := r.Ref("run")
	if ref.Name == "" {
		return
	}
	b := wc.file.Body.Named("fanout", ref.Name)
	if b == nil {
		var names []string
		for _, b := range wc.file.Body.All("fanout") {
			names = append(names, b.Name())
		}
		wc.unknownRef(ref, names)
		return
	}
	if wc.circular(ref.Range, declaredAs(b)) {
		return
	}
	s.fanout = wc.declaredFanout(b)
	s.inner = s.fanout.graph
}

// fanout compiles the block of a fanout, but for the expressions in it.
func (c *compiler) fanout(b *dsl.Block, name string) *fanout {
	r := c.read(b)
	f := &fanout{mode: r.String("mode"), join: r.String("join"), abort: r.String("abort")}
	w := &workflow{name: name, body: true, rng: b.DefRange, index: map[string]int{}, outputNeeds: &needs{}, taxonomy: standardTaxonomies["routing"]}
	if r.Has("taxonomy") {
		w.taxonomy = c.named(r)
	}
	f.graph = w
	blocks := b.All("sub")
	if len(blocks) > maxSteps {
		c.errorf(blocks[maxSteps].DefRange, "Too many subs", "A fanout may have at most %d.", maxSteps)
		return f
	}
	for _, sb := range blocks {
		if _, dup := w.index[sb.Name()]; dup {
			continue // reported by the decoder
		}
		s := c.sub(sb, f)
		s.index = len(w.steps)
		w.index[s.name] = s.index
		w.steps = append(w.steps, s)
	}
	c.wait(f)
	w.size, w.depth = len(w.steps), 0
	for _, s := range w.steps {
		if s.inner != nil {
			w.size += s.inner.size
			w.depth = max(w.depth, s.inner.depth+1)
		}
	}
	return f
}

// sub compiles one sub.
func (c *compiler) sub(b *dsl.Block, f *fanout) *step {
	r := c.read(b)
	s := &step{
		kind: kindSub, name: b.Name(), block: b, rng: b.DefRange, taxonomy: f.graph.taxonomy, fallback: -1, onward: goOn,
		required: r.Bool("required"), timeout: r.Duration("timeout"), needs: &needs{}, args: map[string]*dsl.Attr{},
	}
	s.sub = &sub{target: workflowCallee{}, arguments: exprOf(b, "arguments"), runIf: r.String("run_if"), group: r.String("group"), priority: r.Int("priority")}
	if a := b.Attr("arguments"); a != nil {
		s.args["arguments"] = a
	}
	if s.sub.runIf == "" {
		s.sub.runIf = map[string]string{modeOrdered: runCompleted, modeConditional: runSuccess}[f.mode]
	}
	if s.sub.runIf == "" {
		s.sub.runIf = runAlways
	}
	if ref := r.Ref("retry"); ref.Name != "" {
		if p := find(c, c.world.retries, ref); p != nil {
			s.retry = *p
			c.checkSubRetry(s, ref)
		}
	}
	if t := exprOf(b, "target"); t != nil && refersToActor(t) {
		s.target, _ = c.actorTarget(t, "target")
		s.sub.target, s.shape = actorCallee{s.target}, stepShape(kindSub)
		return s
	}
	if s.inner = c.inner(b, r.Ref("target")); s.inner != nil {
		s.sub.target = workflowCallee{s.inner.name}
		c.given(s, "arguments")
	}
	s.shape = c.containing(s)
	return s
}

func refersToActor(e hclsyntax.Expression) bool {
	ref, ok := e.(*hclsyntax.ScopeTraversalExpr)
	return ok && ref.Traversal.RootName() == "actor"
}

// checkSubRetry refuses a retry policy that names what the classes of a fanout
// are not.
func (c *compiler) checkSubRetry(s *step, ref dsl.Reference) {
	for _, spec := range c.world.retries[ref.Name].On {
		if err := s.taxonomy.known.ValidSpec(spec); err != nil {
			c.errorf(ref.Range, "Retry policy that does not fit", "In the retry_on of retry.%s, %s The failures of sub %q have the classes of taxonomy %q; `taxonomy = taxonomy.NAME` in the fanout names another.", ref.Name, fullStop(err.Error()), s.name, s.taxonomy.known.Name())
		}
	}
}

// wait finds which subs wait for which, and refuses those that wait for each
// other.
func (c *compiler) wait(f *fanout) {
	w := f.graph
	for _, s := range w.steps {
		r := dsl.Reader{Block: s.block, Ctx: c.statics, Diags: &c.diags}
		if !r.Has("depends_on") {
			if f.mode != modeParallel && s.index > 0 {
				s.after = []int{s.index - 1}
			}
			continue
		}
		for _, id := range r.Strings("depends_on") {
			i, ok := w.index[id]
			if !ok {
				r.Errorf("depends_on", "Reference to nothing", "No sub %q is declared in fanout %q.%s", id, w.name, dsl.DidYouMean(id, sortedNames(w.index)))
				continue
			}
			if !slices.Contains(s.after, i) {
				s.after = append(s.after, i)
			}
		}
		slices.Sort(s.after)
	}
	if path := w.circle(); path != nil {
		s := w.steps[w.index[path[0]]]
		c.errorf(s.rng, "Cycle among subs", "Subs wait for each other: the cycle is %s. Without depends_on a sub of an ordered or conditional fanout waits for the one before it.", strings.Join(path, " -> "))
		for _, s := range w.steps {
			s.after = nil
		}
	}
}

// circle is the path of a cycle among the steps of a graph by what they wait
// for, nil where there is none.
func (w *workflow) circle() []string {
	const visiting, done = 1, 2
	state := make([]int, len(w.steps))
	var path []string
	var visit func(i int) bool
	visit = func(i int) bool {
		name := w.steps[i].name
		path = append(path, name)
		if state[i] == visiting {
			path = path[slices.Index(path, name):]
			return true
		}
		if state[i] == 0 {
			state[i] = visiting
			if slices.ContainsFunc(w.steps[i].after, visit) {
				return true
			}
			state[i] = done
		}
		path = path[:len(path)-1]
		return false
	}
	for i := range w.steps {
		if state[i] == 0 && visit(i) {
			return path
		}
	}
	return nil
}

// fanout encodes what a fanout is.
func (w planWriter) fanout(f *fanout) document {
	subs := make([]any, len(f.graph.steps))
	for i, s := range f.graph.steps {
		subs[i] = w.step(f.graph, s)
	}
	doc := document{{"abort", f.abort}, {"join", f.join}, {"mode", f.mode}, {"subs", subs}}
	if f.graph.taxonomy != standardTaxonomies["routing"] {
		doc.add("taxonomy", w.taxonomy(f.graph.taxonomy))
	}
	return doc
}

// sub adds what is particular to a sub.
func (w planWriter) sub(doc *document, s *step) {
	doc.add("group", s.sub.group)
	doc.add("priority", s.sub.priority)
	doc.add("retry", retryDoc(s.retry))
	doc.add("run_if", s.sub.runIf)
	doc.add("target", s.sub.target.address())
}
