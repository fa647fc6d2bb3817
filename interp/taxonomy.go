package interp

import (
	"cmp"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/schema"
)

// taxonomy is a declared taxonomy, or one of the engine's.
type taxonomy struct {
	// known holds the modes, and the rules of the engine.
	known *failure.Taxonomy
	// detects are the rules of the file, in the order in which they are asked.
	detects []*detect
	// standard marks the one that a workflow has where it names none.
	standard bool
}

// detect is one rule of a file.
type detect struct {
	// name says which rule it is without its line, which a comment may change.
	name  string
	mode  string
	when  hclsyntax.Expression
	first bool
	rng   hcl.Range
}

// standardTaxonomies are there without a declaration.
var standardTaxonomies = map[string]*taxonomy{
	"cuga":    {known: failure.Cuga(), standard: true},
	"routing": {known: failure.Routing()},
}

// defaultTaxonomy is that of a workflow which names none.
func defaultTaxonomy() *taxonomy { return standardTaxonomies["cuga"] }

// bound is the taxonomy with its rules evaluated in the given context. A rule
// that cannot be evaluated applies to nothing, and broken is told why.
func (t *taxonomy) bound(static *hcl.EvalContext, broken func(d *detect, why string)) *failure.Taxonomy {
	if len(t.detects) == 0 {
		return t.known
	}
	rules := make([]failure.Rule, len(t.detects))
	for i, d := range t.detects {
		rules[i] = failure.Rule{Name: d.name, Mode: d.mode, First: d.first, Match: func(f *failure.Failure) bool {
			holds, why := d.applies(static, f)
			if why != "" {
				broken(d, why)
			}
			return holds
		}}
	}
	bound, err := t.known.With(t.known.Name(), nil, rules)
	if err != nil {
		panic(err) // every mode was looked up when the file was compiled
	}
	return bound
}

// applies evaluates the rule for one failure; why says what kept it from being
// evaluated.
func (d *detect) applies(static *hcl.EvalContext, f *failure.Failure) (holds bool, why string) {
	ctx := static.NewChild()
	ctx.Variables = map[string]cty.Value{"failure": object(detectFields, f, everything)}
	v, diags := d.when.Value(ctx)
	switch {
	case diags.HasErrors():
		return false, firstError(diags)
	case v.IsNull() || !v.IsKnown() || v.Type() != cty.Bool:
		return false, "It is neither true nor false."
	}
	return v.True(), ""
}

// detectNames are the attributes of a failure that a rule may read: what was
// observed, and nothing that follows from a mode.
var detectNames = []string{"kind", "cause", "type", "message", "status_code", "retry_after_ms", "target", "operation", "chain"}

var (
	detectFields = pickFields(failureFields, detectNames)
	detectShape  = anyKind(shapeOf("failure", detectFields))
)

// anyKind leaves it to [compiler.checkReached] to say that there is no such
// kind.
func anyKind(s *schema.Shape) *schema.Shape {
	s.Attrs["kind"].OneOf = nil
	return s
}

func pickFields[T any](fields []field[T], names []string) []field[T] {
	var picked []field[T]
	for _, f := range fields {
		if contains(names, f.name) {
			picked = append(picked, f)
		}
	}
	return picked
}

// classifier is the run's taxonomy. A rule of it that cannot be evaluated is a
// mistake in the file that no check before the run could find.
func (r *run) classifier() *failure.Taxonomy {
	t := cmp.Or(r.workflow.taxonomy, defaultTaxonomy())
	if known := r.taxonomies[t]; known != nil {
		return known
	}
	reported := map[*detect]bool{}
	r.taxonomies[t] = t.bound(r.plan.static, func(d *detect, why string) {
		if reported[d] {
			return
		}
		reported[d] = true
		r.defect(fmt.Sprintf("the condition of a detect rule cannot be evaluated: %s", why), d.when.Range())
	})
	return r.taxonomies[t]
}
