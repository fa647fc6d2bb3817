// Package taxonomy compiles the taxonomies of failures that a file declares.
package taxonomy

import (
	"fmt"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// compiler holds the taxonomies that are known so far.
type compiler struct {
	*unit.Unit
	known map[string]*plan.Taxonomy
}

// Compile compiles the taxonomies of a file in the order in which they extend
// each other, and returns them beside the engine's. One that extends its own
// name extends the engine's of that name.
func Compile(u *unit.Unit) map[string]*plan.Taxonomy {
	written := u.Top("taxonomy")
	if len(written) == 0 {
		return plan.StandardTaxonomies()
	}
	c := &compiler{Unit: u, known: maps.Clone(plan.StandardTaxonomies())}
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
		ref := c.Read(b).Ref("extends")
		switch parent := blocks[ref.Name]; {
		case ref.Name == "":
		case ref.Name == b.Name() && plan.StandardTaxonomies()[ref.Name] != nil:
			base = plan.StandardTaxonomies()[ref.Name]
		case parent != nil && state[ref.Name] == visiting:
			c.Errorf(ref.Range, "Cycle among taxonomies", "The taxonomy %q extends itself, by way of %q. One of them has to extend another, or none.", b.Name(), ref.Name)
		default:
			if parent != nil {
				visit(parent)
			}
			if t := unit.Find(c.Unit, c.known, ref); t != nil {
				base = t
			}
		}
		c.known[b.Name()] = c.taxonomy(b, base)
		state[b.Name()] = done
	}
	for _, b := range written {
		visit(b)
	}
	return c.known
}

func (c *compiler) taxonomy(b *dsl.Block, base *plan.Taxonomy) *plan.Taxonomy {
	var modes []failure.Mode
	for _, mb := range b.All("mode") {
		m := c.mode(mb, base.Known)
		if _, err := base.Known.With(b.Name(), []failure.Mode{m}, nil); err != nil {
			c.Errorf(mb.DefRange, "Mode that cannot be", "%s", wording.Sentence(err.Error()))
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
func (c *compiler) mode(b *dsl.Block, base *failure.Taxonomy) failure.Mode {
	m := failure.Mode{Code: b.Name(), Category: "custom", Severity: "medium"}
	if old := base.Lookup(m.Code); old != nil {
		m = *old
	}
	r := c.Read(b)
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
func (c *compiler) detect(b *dsl.Block, known *failure.Taxonomy, n int) *plan.Detect {
	d := &plan.Detect{
		Name: fmt.Sprintf("detect %d of taxonomy %q", n, b.Parent.Name()),
		Mode: b.Name(), When: b.Expr("when"), First: c.Read(b).Bool("first"), Rng: b.DefRange,
	}
	if known.Lookup(d.Mode) == nil {
		c.Errorf(b.LabelRanges[0], "Unknown mode", "The taxonomy %q has no mode %q, so no rule can give it.%s Declare it: `mode %q { … }`.", b.Parent.Name(), d.Mode, dsl.DidYouMean(d.Mode, known.Codes()), d.Mode)
		return nil
	}
	if d.When == nil {
		return nil
	}
	dsl.Strict(d.When)
	env := *c.Static
	env.Where = "a detect rule"
	env.Roots = maps.Clone(env.Roots)
	env.Roots["failure"] = plan.DetectShape
	shape, observed, diags := dsl.InferObserved(d.When, &env)
	c.Diags = append(c.Diags, diags...)
	switch rng := d.When.Range(); {
	case diags.HasErrors():
		return nil
	case !observed:
		c.Errorf(rng, "Rule about no failure", "The condition reads nothing of the failure, so it would apply to all or to none. Refer to failure.message, failure.type or another of its attributes.")
		return nil
	case shape.Kind != schema.ShapeBool && shape.Kind != schema.ShapeUnknown:
		c.Errorf(rng, "Condition that is no condition", "A condition is true or false; this one is %s.", shape.KindName())
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
func (c *compiler) tryDetect(d *plan.Detect) bool {
	_, why := d.Applies(c.Statics, &failure.Failure{Kind: failure.Exception})
	if why == "" {
		return true
	}
	c.Errorf(d.When.Range(), "Rule that cannot be asked", "The condition cannot be evaluated for a failure without a type, a status or a message: %s What may be null is asked for with try(…, false).", why)
	return false
}

// checkReached says where a rule is about failures that never come to it.
func (c *compiler) checkReached(d *plan.Detect, known *failure.Taxonomy) {
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
			c.Warnf(op.Range(), "Rule that is not asked", "A failure of kind %q is named by its kind or status before any rule is asked. To have this rule asked before that, add first = true to it.", kind)
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
