package compile

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// invariants compiles those of the scenario and those of the file. One of the
// file holds in every scenario that has all it refers to.
func (sc *scenarioCompiler) invariants(env *dsl.Env) {
	for _, b := range sc.File.Body.All("invariant") {
		i, diags := sc.invariant(b, env)
		if i == nil {
			if _, known := sc.foreign[b]; !known {
				sc.foreign[b] = diags
			}
			continue
		}
		sc.foreign[b] = nil
	}
	for _, b := range sc.block.All("invariant") {
		i, diags := sc.invariant(b, env)
		sc.Diags = append(sc.Diags, diags...)
		if i != nil {
			i.Own = true
			sc.excuse(i.Condition)
		}
	}
}

func (sc *scenarioCompiler) invariant(b *dsl.Block, env *dsl.Env) (*plan.Invariant, hcl.Diagnostics) {
	a, diags := sc.condition(b, env)
	if a == nil {
		return nil, diags
	}
	i := &plan.Invariant{Assertion: *a, Needs: &read.Needs{}}
	i.Needs.Add(a.Condition)
	i.Needs.Add(a.Message)
	i.Absence = sc.absence(a.Condition)
	i.Checks = stepChecks(a.Condition)
	sc.p.Invariants = append(sc.p.Invariants, i)
	return i, diags
}

// reportForeign complains about the invariants of the file that fit none of
// its scenarios, nor any other workflow.
func (c *Compiler) reportForeign() {
	for _, b := range c.File.Body.All("invariant") {
		diags, tried := c.foreign[b]
		if tried && diags == nil {
			continue
		}
		for _, wb := range c.File.Body.All("workflow") {
			sc := &scenarioCompiler{Compiler: c, p: &plan.Plan{Handle: plan.Handle{Prefix: c.prefix}, Workflow: c.workflows[wb.Name()]}}
			a, found := sc.condition(b, sc.observedEnv())
			if a != nil {
				diags = nil
				break
			}
			if diags == nil {
				diags = found
			}
		}
		c.Diags = append(c.Diags, diags...)
	}
}

// absence prepares a condition for operands that are not there, once for all
// scenarios of the file.
func (c *Compiler) absence(e hclsyntax.Expression) *dsl.Absence {
	if c.absences[e] == nil {
		if c.absences == nil {
			c.absences = map[hclsyntax.Expression]*dsl.Absence{}
		}
		c.absences[e] = dsl.NewAbsence(e, func(root string) bool { return root != "var" && root != "local" })
	}
	return c.absences[e]
}
