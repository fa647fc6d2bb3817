package dsl

import (
	"slices"

	"github.com/scenario-lang/scenario/schema"
)

// What a scenario may override: policies and timeouts, never what a step does.
var (
	workflowOverrides = []string{"gateway", "provider", "timeout", "max_concurrent", "on_failure"}
	stepOverrides     = []string{"gateway", "provider", "timeout", "attempt_timeout", "retry", "idempotent", "on_failure", "required", "fallback", "fallback_on"}
)

func overrideBlock() *schema.Block {
	workflow := workflowBlock()
	step := &schema.Block{
		Type: "step", Labels: []string{"address"}, Doc: "A step of the workflow. What is given here takes the place of the step's own.",
		Blocks: []*schema.Block{bulkheadBlock()},
	}
	for _, a := range stepAttrs() {
		if slices.Contains(stepOverrides, a.Name) {
			step.Attrs = append(step.Attrs, overriding(a))
		}
	}
	whole := &schema.Block{Type: "workflow", Max: 1, Doc: "The workflow. What is given here takes the place of its own.", Blocks: []*schema.Block{workflow.Block("budget")}}
	for _, a := range workflow.Attrs {
		if slices.Contains(workflowOverrides, a.Name) {
			whole.Attrs = append(whole.Attrs, overriding(a))
		}
	}
	return &schema.Block{
		Type: "override", Max: 1, Doc: "Policies and timeouts of the workflow for this scenario alone; null takes one away.",
		Blocks: []*schema.Block{whole, step},
	}
}

// overriding is an attribute whose default is what it overrides.
func overriding(a schema.Attr) schema.Attr {
	a.Default = ""
	return a
}

// Overridden returns a block as a scenario overrides it: what the scenario
// gives takes the place of the block's own. One that is null is as if it were
// not given at all. A gateway takes the place of a provider and the other way
// round.
func (b *Block) Overridden(by *Block) *Block {
	out := *b
	gone := func(a *Attr) bool {
		switch a.Name {
		case "gateway", "provider":
			return by.Attr("gateway") != nil || by.Attr("provider") != nil
		}
		return by.Attr(a.Name) != nil
	}
	out.Attrs = slices.DeleteFunc(slices.Clone(b.Attrs), gone)
	for _, a := range by.Attrs {
		if isNullLiteral(a.Expr) {
			continue
		}
		own := *a
		own.Schema = b.Schema.Attr(a.Name)
		out.Attrs = append(out.Attrs, &own)
	}
	out.Blocks = slices.DeleteFunc(slices.Clone(b.Blocks), func(n *Block) bool { return n.Type != "step" && by.First(n.Type) != nil })
	for _, n := range by.Blocks {
		if n.Type != "step" {
			out.Blocks = append(out.Blocks, n)
		}
	}
	return &out
}
