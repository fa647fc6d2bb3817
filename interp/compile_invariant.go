package interp

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// invariants compiles those of the scenario and those of the file. One of the
// file holds in every scenario that has all it refers to.
func (sc *scenarioCompiler) invariants(env *dsl.Env) {
	for _, b := range sc.file.Body.All("invariant") {
		i, diags := sc.invariant(b, env)
		if i == nil {
			if _, known := sc.strangers[b]; !known {
				sc.strangers[b] = diags
			}
			continue
		}
		sc.strangers[b] = nil
	}
	for _, b := range sc.block.All("invariant") {
		_, diags := sc.invariant(b, env)
		sc.diags = append(sc.diags, diags...)
	}
}

func (sc *scenarioCompiler) invariant(b *dsl.Block, env *dsl.Env) (*invariant, hcl.Diagnostics) {
	a, diags := sc.condition(b, env)
	if a == nil {
		return nil, diags
	}
	i := &invariant{assertion: *a, needs: &needs{}}
	i.needs.add(a.condition)
	i.needs.add(a.message)
	i.operands = operandsOf(a.condition)
	i.checks = stepChecks(a.condition)
	sc.p.statusExpected = sc.p.statusExpected || readsRunStatus(i.needs)
	sc.p.invariants = append(sc.p.invariants, i)
	return i, diags
}

// reportStrangers complains about the invariants of the file that fit none of
// its scenarios, nor any other workflow.
func (c *compiler) reportStrangers() {
	for _, b := range c.file.Body.All("invariant") {
		diags, tried := c.strangers[b]
		if tried && diags == nil {
			continue
		}
		for _, wb := range c.file.Body.All("workflow") {
			sc := &scenarioCompiler{compiler: c, p: &Plan{workflow: c.workflows[wb.Name()], Prefix: c.prefix}}
			a, found := sc.condition(b, sc.observedEnv())
			if a != nil {
				diags = nil
				break
			}
			if diags == nil {
				diags = found
			}
		}
		c.diags = append(c.diags, diags...)
	}
}

// operandsOf are what a condition reads of the run.
func operandsOf(e hclsyntax.Expression) []hcl.Traversal {
	var list []hcl.Traversal
	for _, t := range e.Variables() {
		if root := t.RootName(); root != "var" && root != "local" {
			list = append(list, t)
		}
	}
	return list
}
