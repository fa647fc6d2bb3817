package language

import "github.com/scenario-lang/scenario/schema"

// outageBlock is what does not work for a while.
func outageBlock(e *Extensions) *schema.Block {
	fault := &schema.Block{Type: "fault", Labels: []string{"kind"}, Min: 1, Max: 1, Doc: "What goes wrong, at every attempt.", Kinds: []*schema.Block{}}
	for _, k := range e.faultKinds() {
		fault.Kinds = append(fault.Kinds, &schema.Block{
			Type: "fault", Kind: k.Name, Labels: fault.Labels, Doc: k.Summary, Min: 1, Max: 1,
			Attrs: append(append([]schema.Attr{}, k.Attrs...), afterAttr()),
		})
	}
	return &schema.Block{
		Type: "outage", Labels: []string{"name"},
		Doc: "Strikes every attempt at a place between two instants, before any script, recording or service. What fails takes no entry of a script; what succeeds, later or changed, takes the answer that it disturbed.",
		Attrs: []schema.Attr{
			{Name: "address", Type: schema.String, Addresses: true, Doc: "Where: the step, endpoint or call, or the part of an actor, by the address that a script for it has."},
			{Name: "target", Type: schema.String, Refs: []string{"target"}, Doc: "In place of that: all attempts on this target."},
			{Name: "provider", Type: schema.Ref, Refs: []string{"provider"}, Doc: "In place of that: all attempts on targets of this provider."},
			positive(schema.Attr{Name: "from", Type: schema.Duration, Default: `"0s"`, Doc: "From when, from the start of the run."}),
			positive(schema.Attr{Name: "to", Type: schema.Duration, Doc: "Until when: an attempt at this instant is not struck. The end of the run, where it is not given."}),
			unmet("Nobody need meet it. Without it the gate unfired_fault is broken where no attempt does."),
		},
		Blocks: []*schema.Block{fault},
	}
}

// afterAttr is the wait that every kind of fault has.
func afterAttr() schema.Attr {
	return positive(schema.Attr{Name: "after", Type: schema.Duration, Doc: "Wait before it fires."})
}
