package language

import "github.com/scenario-lang/scenario/schema"

// toleratesBlock is what a run has to survive.
func toleratesBlock() *schema.Block {
	return &schema.Block{
		Type: "tolerates", Max: 1,
		Doc: "What a run survives: with so many faults it is still a success. `scenario explore` holds every run to it; what it does without faults is not changed.",
		Attrs: []schema.Attr{
			within(1, 2, schema.Attr{Name: "faults", Type: schema.Int, Default: "1", Doc: "How many faults of one run; an outage counts as one."}),
			{Name: "kinds", Type: schema.Strings, Doc: `Only faults after which an attempt fails so, in the words of retry_on: statuses ("429", "5xx"), kinds ("timeout", "connection") or modes; and "outage" for faults that last. All where it is not given.`},
		},
	}
}
