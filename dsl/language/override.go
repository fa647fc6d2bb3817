package language

import (
	"slices"

	"github.com/scenario-lang/scenario/schema"
)

// What a scenario may override: policies and timeouts, never what a step does,
// and no bulkhead: a step that is overridden is run by this scenario alone, one
// call at a time.
var (
	workflowOverrides = []string{"gateway", "provider", "timeout", "max_concurrent", "on_failure"}
	stepOverrides     = []string{"gateway", "provider", "timeout", "attempt_timeout", "first_byte_timeout", "idle_timeout", "retry", "idempotent", "on_failure", "required", "fallback", "fallback_on"}
)

func overrideBlock() *schema.Block {
	workflow := workflowBlock()
	step := &schema.Block{
		Type: "step", Labels: []string{"address"}, Doc: "A step of the workflow. What is given here takes the place of the step's own.",
	}
	for _, a := range StepAttrs() {
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
