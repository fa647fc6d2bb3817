package language

import "github.com/scenario-lang/scenario/schema"

// atAttrs say when a block of a scenario that makes one call acts.
func atAttrs() []schema.Attr {
	return []schema.Attr{
		positive(schema.Attr{Name: "at", Type: schema.Duration, Doc: `When, from the start of the scenario; "0s" by default.`}),
		{Name: "after", Type: schema.Ref, Refs: []string{"step", "call", "fanout", "classify"}, Doc: "Not before this has ended, in place of at."},
		limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "How long it may take."}),
	}
}

// fanoutCallBlock is a fanout that a scenario makes itself.
func fanoutCallBlock() *schema.Block {
	return &schema.Block{
		Type: "fanout", Labels: []string{"name"}, Doc: "Several calls that the scenario makes together. What it came to is fanout.NAME.",
		Attrs:  append(atAttrs(), fanoutStepAttrs()...),
		Blocks: []*schema.Block{subBlock()},
	}
}

// classifyCallBlock is a classification that a scenario makes itself.
func classifyCallBlock() *schema.Block {
	return &schema.Block{
		Type: "classify", Labels: []string{"name"}, Doc: "Asks a model where a text goes. What it came to is classify.NAME.",
		Attrs: append(append(atAttrs(), askedAttrs()...), classifyAttrs()...),
	}
}

// askedOf are the attributes of a call that a classifier needs.
func askedOf() []schema.Attr {
	return []schema.Attr{
		{Name: "gateway", Type: schema.Ref, Refs: []string{"gateway"}, Doc: "The gateway by which a classifier asks its model; that of the scenario's workflow by default."},
		{Name: "provider", Type: schema.Ref, Refs: []string{"provider"}, Doc: "The provider that a classifier asks."},
	}
}

// askedAttrs are those of a step that calls a model.
func askedAttrs() []schema.Attr {
	var list []schema.Attr
	for _, a := range StepAttrs() {
		switch a.Name {
		case "gateway", "provider", "retry", "attempt_timeout", "first_byte_timeout", "idle_timeout":
			list = append(list, a)
		}
	}
	return list
}
