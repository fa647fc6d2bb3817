package compile

import (
	"fmt"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// CompileTaxonomies compiles the taxonomies in the order in which they extend
// each other. One that extends its own name extends the engine's of that name.
func (c *Compiler) CompileTaxonomies() {
	written := c.File.Body.All("taxonomy")
	if len(written) == 0 {
		c.Taxonomies = plan.StandardTaxonomies
		return
	}
	c.Taxonomies = maps.Clone(plan.StandardTaxonomies)
	blocks := map[string]*dsl.Block{}
	for _, b := range written {
		blocks[b.Name()] = b
	}
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(b *dsl.Block)
	visit = func(b *dsl.Block) {
		if state[b.Name()] != 0 {
			return
		}
		state[b.Name()] = visiting
		base := plan.DefaultTaxonomy()
		ref := c.read(b).Ref("extends")
		switch parent := blocks[ref.Name]; {
		case ref.Name == "":
		case ref.Name == b.Name() && plan.StandardTaxonomies[ref.Name] != nil:
			base = plan.StandardTaxonomies[ref.Name]
		case parent != nil && state[ref.Name] == visiting:
			c.errorf(ref.Range, "Cycle among taxonomies", "The taxonomy %q extends itself, by way of %q. One of them has to extend another, or none.", b.Name(), ref.Name)
		default:
			if parent != nil {
				visit(parent)
			}
			if t := lookup(c, c.Taxonomies, ref); t != nil {
				base = t
			}
		}
		c.Taxonomies[b.Name()] = c.taxonomy(b, base)
		state[b.Name()] = done
	}
	for _, b := range written {
		visit(b)
	}
}

func (c *Compiler) taxonomy(b *dsl.Block, base *plan.Taxonomy) *plan.Taxonomy {
	var modes []failure.Mode
	for _, mb := range b.All("mode") {
		m := c.mode(mb, base.Known)
		if _, err := base.Known.With(b.Name(), []failure.Mode{m}, nil); err != nil {
			c.errorf(mb.DefRange, "Mode that cannot be", "%s", sentence(err.Error()))
			continue
		}
		modes = append(modes, m)
	}
	known, err := base.Known.With(b.Name(), modes, nil)
	if err != nil {
		known = base.Known // two modes of one code, which the decoder reports
	}
	t := &plan.Taxonomy{Known: known}
	for _, db := range b.All("detect") {
		if d := c.detect(db, known, len(t.Detects)+1); d != nil {
			t.Detects = append(t.Detects, d)
		}
	}
	t.Detects = append(t.Detects, base.Detects...)
	return t
}

// mode reads a mode. What it does not say is as the taxonomy before had it;
// that a terminal mode is critical and not retryable need not be said.
func (c *Compiler) mode(b *dsl.Block, base *failure.Taxonomy) failure.Mode {
	m := failure.Mode{Code: b.Name(), Category: "custom", Severity: "medium"}
	if old := base.Lookup(m.Code); old != nil {
		m = *old
	}
	r := c.read(b)
	was := m.Terminal
	set := func(name string, to *bool) {
		if r.Has(name) {
			*to = r.Bool(name)
		}
	}
	set("retryable", &m.Retryable)
	set("terminal", &m.Terminal)
	set("partial", &m.Partial)
	if r.Has("category") {
		m.Category = r.String("category")
	}
	switch {
	case r.Has("severity"):
		if s := r.String("severity"); s != "" { // a wrong one was reported
			m.Severity = s
		}
	case m.Terminal && !was:
		m.Severity = "critical"
	}
	if m.Terminal && !was && !r.Has("retryable") {
		m.Retryable = false
	}
	return m
}

// detect compiles the n-th rule of a taxonomy.
func (c *Compiler) detect(b *dsl.Block, known *failure.Taxonomy, n int) *plan.Detect {
	d := &plan.Detect{
		Name: fmt.Sprintf("detect %d of taxonomy %q", n, b.Parent.Name()),
		Mode: b.Name(), When: exprOf(b, "when"), First: c.read(b).Bool("first"), Rng: b.DefRange,
	}
	if known.Lookup(d.Mode) == nil {
		c.errorf(b.LabelRanges[0], "Unknown mode", "The taxonomy %q has no mode %q, so no rule can give it.%s Declare it: `mode %q { … }`.", b.Parent.Name(), d.Mode, dsl.DidYouMean(d.Mode, known.Codes()), d.Mode)
		return nil
	}
	if d.When == nil {
		return nil
	}
	dsl.Strict(d.When)
	env := *c.staticEnv
	env.Where = "a detect rule"
	env.Roots = maps.Clone(env.Roots)
	env.Roots["failure"] = plan.DetectShape
	shape, observed, diags := dsl.InferObserved(d.When, &env)
	c.Diags = append(c.Diags, diags...)
	switch rng := d.When.Range(); {
	case diags.HasErrors():
		return nil
	case !observed:
		c.errorf(rng, "Rule about no failure", "The condition reads nothing of the failure, so it would apply to all or to none. Refer to failure.message, failure.type or another of its attributes.")
		return nil
	case shape.Kind != schema.ShapeBool && shape.Kind != schema.ShapeUnknown:
		c.errorf(rng, "Condition that is no condition", "A condition is true or false; this one is %s.", shape.KindName())
		return nil
	}
	if !c.tryDetect(d) {
		return nil
	}
	c.checkReached(d, known)
	return d
}

// tryDetect evaluates a rule for a failure of which nothing is known but its
// kind: one that only some failures can be asked would stop being asked without
// a word.
func (c *Compiler) tryDetect(d *plan.Detect) bool {
	_, why := d.Applies(c.statics, &failure.Failure{Kind: failure.Exception})
	if why == "" {
		return true
	}
	c.errorf(d.When.Range(), "Rule that cannot be asked", "The condition cannot be evaluated for a failure without a type, a status or a message: %s What may be null is asked for with try(…, false).", why)
	return false
}

// checkReached says where a rule is about failures that never come to it.
func (c *Compiler) checkReached(d *plan.Detect, known *failure.Taxonomy) {
	diags := hclsyntax.VisitAll(d.When, func(n hclsyntax.Node) hcl.Diagnostics {
		op, ok := n.(*hclsyntax.BinaryOpExpr)
		if !ok {
			return nil
		}
		kind, ok := comparedKind(op)
		if !ok {
			return nil
		}
		if k := failure.Kind(kind); !d.First && dsl.IsEqual(op.Op) && (known.Decided(k) || k == failure.HTTPStatus) {
			c.warnf(op.Range(), "Rule that is not asked", "A failure of kind %q is named by its kind or status before any rule is asked. To have this rule asked before that, add first = true to it.", kind)
		}
		return nil
	})
	c.Diags = append(c.Diags, diags...)
}

// comparedKind is the text that failure.kind is compared with.
func comparedKind(op *hclsyntax.BinaryOpExpr) (string, bool) {
	for _, sides := range [][2]hclsyntax.Expression{{op.LHS, op.RHS}, {op.RHS, op.LHS}} {
		ref, ok := sides[0].(*hclsyntax.ScopeTraversalExpr)
		if !ok || ref.Traversal.RootName() != "failure" {
			continue
		}
		if name, ok := read.AttrName(ref.Traversal, 1); !ok || name != "kind" {
			continue
		}
		if v, literal := dsl.Literal(sides[1]); literal && v.Type().FriendlyName() == "string" && !v.IsNull() {
			return v.AsString(), true
		}
	}
	return "", false
}

// named is the taxonomy that a block names, the default where it names none.
func (c *Compiler) named(r dsl.Reader) *plan.Taxonomy {
	ref := r.Ref("taxonomy")
	if t := lookup(c, c.Taxonomies, ref); t != nil {
		return t
	}
	return plan.DefaultTaxonomy()
}

// checkMode refuses a mode that a taxonomy does not have.
func (c *Compiler) checkMode(r dsl.Reader, mode string, t *plan.Taxonomy) {
	if mode != "" && t.Known.Lookup(mode) == nil {
		r.Errorf("mode", "Unknown mode", "The taxonomy %q has no mode %q.%s", t.Known.Name(), mode, dsl.DidYouMean(mode, t.Known.Codes()))
	}
}

// contractMode is the mode that a broken contract has, nil for that of its
// kind.
func (wc *workflowCompiler) contractMode(r dsl.Reader) *failure.Mode {
	code := r.String("mode")
	wc.checkMode(r, code, wc.w.Taxonomy)
	m := wc.w.Taxonomy.Known.Lookup(code)
	if m != nil && m.Terminal && r.Bool("retry") {
		r.Errorf("retry", "Contract that is terminal", "The mode %q is terminal and never retried: drop retry = true, or give another mode.", code)
	}
	return m
}

// checkSpecs refuses entries of retry_on that mean nothing in any taxonomy of
// the file and returns the others. Which taxonomy it has to be is known where
// the policy is used.
func (c *Compiler) checkSpecs(r dsl.Reader, specs []string) []string {
	var good []string
	for _, spec := range specs {
		err := plan.DefaultTaxonomy().Known.ValidSpec(spec)
		for _, name := range read.SortedNames(c.Taxonomies) {
			if err == nil {
				break
			}
			if again := c.Taxonomies[name].Known.ValidSpec(spec); again == nil || c.File.Body.Named("taxonomy", name) != nil {
				err = again
			}
		}
		if err != nil {
			r.Errorf("retry_on", "Wrong entry of retry_on", "%s", sentence(err.Error()))
			continue
		}
		good = append(good, spec)
	}
	return good
}

// checkRetry refuses a retry policy whose retry_on means nothing to the
// workflow of the step that uses it.
func (wc *workflowCompiler) checkRetry(ref dsl.Reference) {
	for _, spec := range wc.world.retries[ref.Name].On {
		if err := wc.w.Taxonomy.Known.ValidSpec(spec); err != nil {
			wc.errorf(ref.Range, "Retry policy that does not fit", "In the retry_on of retry.%s, %s The taxonomy of workflow %q is %q; `taxonomy = taxonomy.NAME` in the workflow names another.", ref.Name, fullStop(err.Error()), wc.w.Name, wc.w.Taxonomy.Known.Name())
		}
	}
}
