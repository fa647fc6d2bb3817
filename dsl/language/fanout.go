package language

import "github.com/scenario-lang/scenario/schema"

// fanoutAttrs say how a fanout treats its subs, wherever it stands.
func fanoutAttrs() []schema.Attr {
	return []schema.Attr{
		{Name: "mode", Type: schema.String, Default: `"parallel"`, OneOf: []string{"parallel", "ordered", "conditional"}, Doc: "What a sub waits for that does not say: nothing in parallel, the sub before it in ordered and conditional."},
		{Name: "join", Type: schema.String, Default: `"wait_for_all"`, OneOf: []string{"wait_for_all", "first_success"}, Doc: "Whether all subs are waited for, or the first success ends the fanout."},
		{Name: "abort", Type: schema.String, Default: `"continue"`, OneOf: []string{"continue", "on_required_failure", "on_any_failure"}, Doc: "Which failure of a sub ends the fanout. What has not begun is aborted then, and what is under way is cancelled."},
		{Name: "taxonomy", Type: schema.Ref, Refs: []string{"taxonomy"}, Doc: "What gives the failures of subs their classes; taxonomy.routing by default."},
	}
}

func subBlock() *schema.Block {
	return &schema.Block{
		Type: "sub", Labels: []string{"id"}, Doc: "One of the calls of a fanout.",
		Attrs: []schema.Attr{
			{Name: "target", Type: schema.Ref, Refs: []string{"workflow", "actor"}, Required: true, Doc: "The workflow that is run, or the handler or tool that is called, such as actor.health.trigger."},
			{Name: "arguments", Type: schema.Expr, Takes: objects, Doc: "What it is called with, an object: the inputs of a workflow."},
			{Name: "depends_on", Type: schema.Strings, Doc: "Ids of the subs that must have ended before; by default that of the sub before it in ordered and conditional, none in parallel."},
			{Name: "run_if", Type: schema.String, OneOf: []string{"always", "completed", "success"}, Doc: "How those must have ended: in any way, so that they were not cut short, or well. By default always in parallel, completed in ordered, success in conditional."},
			{Name: "required", Type: schema.Bool, Default: "true", Doc: "Whether its failure counts for on_required_failure."},
			limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "Limit of the whole sub: rounds and waits."}),
			{Name: "retry", Type: schema.Ref, Refs: []string{"retry"}, Doc: "When it is called again; once without one. A workflow is, without a taxonomy in the fanout, after the failures after which a step that runs it is; else the class that the fanout gives a failure decides: of those of taxonomy.routing timeout, target_unavailable and overload_rejected."},
			{Name: "group", Type: schema.String, Doc: "Of the subs of one group only one appears in the aggregate."},
			{Name: "priority", Type: schema.Int, Default: "0", Doc: "The highest of a group appears."},
		},
	}
}

func fanoutBlock() *schema.Block {
	return &schema.Block{
		Type: "fanout", Labels: []string{"name"}, Doc: "Several calls made together, and what becomes of their answers. Its subs read the arguments that it is run with.",
		Attrs:  fanoutAttrs(),
		Blocks: []*schema.Block{subBlock()},
	}
}

// fanoutStepAttrs are the attributes of a step that fans out.
func fanoutStepAttrs() []schema.Attr {
	return append([]schema.Attr{
		{Name: "run", Type: schema.Ref, Refs: []string{"fanout"}, Doc: "A declared fanout, in place of subs of its own."},
		{Name: "arguments", Type: schema.Expr, Takes: objects, Doc: "What the subs of a declared fanout read as arguments."},
	}, fanoutAttrs()...)
}

func classifierBlock() *schema.Block {
	return &schema.Block{
		Type: "classifier", Labels: []string{"name"}, Doc: "How the answer of a model that routes a text must look, and where the text goes if it does not.",
		Attrs: []schema.Attr{
			{Name: "fallback", Type: schema.Expr, Required: true, Doc: "The target to which the whole text goes: a name, or an actor."},
			{Name: "candidates", Type: schema.Expr, Required: true, Doc: "The targets there are: a list of names or actors."},
			{Name: "schema", Type: schema.StringMap, Doc: `The keys of every entry and their types ("string", "number", "bool", "object", "tuple", "any"); { target = "string", prompt = "string", segment = "object" } by default.`},
			{Name: "rationale", Type: schema.String, Default: `"fallback"`, Doc: "What the entry for the fallback says in its segment."},
		},
	}
}

// classifyAttrs are the attributes of what classifies a text.
func classifyAttrs() []schema.Attr {
	return []schema.Attr{
		{Name: "with", Type: schema.Ref, Refs: []string{"classifier"}, Required: true, Doc: "The classifier."},
		{Name: "text", Type: schema.Expr, Required: true, Doc: "The text."},
		{Name: "reply", Type: schema.Expr, Doc: "The answer of the model as a string, in place of a call; null stands for a call that failed."},
	}
}
