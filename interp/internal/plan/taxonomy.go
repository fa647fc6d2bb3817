package plan

import (
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Taxonomy is a declared taxonomy, or one of the engine's.
type Taxonomy struct {
	// Known holds the modes, and the rules of the engine.
	Known *failure.Taxonomy
	// Detects are the rules of the file, in the order in which they are asked.
	Detects []*Detect
	// Standard marks the one that a workflow has where it names none.
	Standard bool
}

// Detect is one rule of a file.
type Detect struct {
	// Name says which rule it is without its line, which a comment may change.
	Name  string
	Mode  string
	When  hclsyntax.Expression
	First bool
	Rng   hcl.Range
}

// StandardTaxonomies are there without a declaration.
// The map and what it holds are the caller's to read only.
var StandardTaxonomies = sync.OnceValue(func() map[string]*Taxonomy {
	return map[string]*Taxonomy{
		"cuga":    {Known: failure.Cuga(), Standard: true},
		"routing": {Known: failure.Routing()},
	}
})

// DefaultTaxonomy is that of a workflow which names none.
func DefaultTaxonomy() *Taxonomy { return StandardTaxonomies()["cuga"] }

// Bound is the taxonomy with its rules evaluated in the given context. A rule
// that cannot be evaluated applies to nothing, and broken is told why.
func (t *Taxonomy) Bound(static *hcl.EvalContext, broken func(d *Detect, why string)) *failure.Taxonomy {
	if len(t.Detects) == 0 {
		return t.Known
	}
	rules := make([]failure.Rule, len(t.Detects))
	for i, d := range t.Detects {
		rules[i] = failure.Rule{Name: d.Name, Mode: d.Mode, First: d.First, Match: func(f *failure.Failure) bool {
			holds, why := d.Applies(static, f)
			if why != "" {
				broken(d, why)
			}
			return holds
		}}
	}
	bound, err := t.Known.With(t.Known.Name(), nil, rules)
	if err != nil {
		panic(err) // every mode was looked up when the file was compiled
	}
	return bound
}

// Applies evaluates the rule for one failure; why says what kept it from being
// evaluated.
func (d *Detect) Applies(static *hcl.EvalContext, f *failure.Failure) (holds bool, why string) {
	ctx := static.NewChild()
	ctx.Variables = map[string]cty.Value{"failure": read.Object(detectFields, f, read.Everything)}
	v, diags := dsl.Evaluate(d.When, ctx)
	switch {
	case diags.HasErrors():
		return false, FirstError(diags)
	case v.IsNull() || !v.IsKnown() || v.Type() != cty.Bool:
		return false, "It is neither true nor false."
	}
	return v.True(), ""
}

// detectNames are the attributes of a failure that a rule may read: what was
// observed, and nothing that follows from a mode.
var detectNames = []string{"kind", "cause", "type", "message", "status_code", "retry_after_ms", "target", "operation", "chain"}

// DetectShape is what the condition of a detect block can read.
var (
	detectFields = pickFields(read.FailureFields, detectNames)
	DetectShape  = read.ShapeOf("failure", detectFields)
)

func pickFields[T any](fields []read.Field[T], names []string) []read.Field[T] {
	var picked []read.Field[T]
	for _, f := range fields {
		if read.Contains(names, f.Name) {
			picked = append(picked, f)
		}
	}
	return picked
}
