package interp

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
)

// An import of the standard taxonomies declares exactly the modes that the
// engine has, and asks no other rules: the same failures have the same names.
func TestLibraryTaxonomiesAreTheEngines(t *testing.T) {
	file, diags := dsl.Parse("a.scenario.hcl", []byte(`import = ["std/cuga", "std/routing"]`))
	mustBeValid(t, diags)
	file, diags = dsl.Link(file, nil)
	mustBeValid(t, diags)
	c := &compiler{file: file, functions: standardFunctions()}
	c.compileVariables()
	c.compileLocals()
	c.compileTaxonomies()
	mustBeValid(t, c.diags)
	for name, engine := range map[string]*failure.Taxonomy{"cuga": failure.Cuga(), "routing": failure.Routing()} {
		got := c.taxonomies[name]
		if got == standardTaxonomies[name] || got.standard || len(got.detects) > 0 {
			t.Errorf("std/%s declares no taxonomy of its own, or adds rules", name)
		}
		if !slices.Equal(got.known.Modes(), engine.Modes()) {
			t.Errorf("std/%s has the modes %v, the engine %v", name, got.known.Modes(), engine.Modes())
		}
		for _, k := range failure.Kinds() {
			f := failure.Failure{Kind: k, Message: "the read timed out"}
			if got, want := got.known.Classify(f), engine.Classify(f); got.Rule != want.Rule || (got.Mode == nil) != (want.Mode == nil) || got.Mode != nil && *got.Mode != *want.Mode {
				t.Errorf("std/%s: %s is %v by %q, the engine says %v by %q", name, k, got.Mode, got.Rule, want.Mode, want.Rule)
			}
		}
	}
}
