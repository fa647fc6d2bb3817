package interp

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/compile/taxonomy"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// An import of the standard taxonomies declares exactly the modes that the
// engine has, and asks no other rules: the same failures have the same names.
func TestLibraryTaxonomiesAreTheEngines(t *testing.T) {
	file, diags := dsl.Parse("a.scenario.hcl", []byte(`import = ["std/cuga", "std/routing"]`))
	mustBeValid(t, diags)
	file, diags = dsl.Link(file, nil)
	mustBeValid(t, diags)
	u := unit.New(file, unit.Options{}, nil, nil)
	known := taxonomy.Compile(u)
	mustBeValid(t, u.Diags)
	for name, engine := range map[string]*failure.Taxonomy{"cuga": failure.Cuga(), "routing": failure.Routing()} {
		got := known[name]
		if got == plan.StandardTaxonomies()[name] || got.Standard || len(got.Detects) > 0 {
			t.Errorf("std/%s declares no taxonomy of its own, or adds rules", name)
		}
		if !slices.Equal(got.Known.Modes(), engine.Modes()) {
			t.Errorf("std/%s has the modes %v, the engine %v", name, got.Known.Modes(), engine.Modes())
		}
		for _, k := range failure.Kinds() {
			f := failure.Failure{Kind: k, Message: "the read timed out"}
			if got, want := got.Known.Classify(f), engine.Classify(f); got.Rule != want.Rule || (got.Mode == nil) != (want.Mode == nil) || got.Mode != nil && *got.Mode != *want.Mode {
				t.Errorf("std/%s: %s is %v by %q, the engine says %v by %q", name, k, got.Mode, got.Rule, want.Mode, want.Rule)
			}
		}
	}
}
