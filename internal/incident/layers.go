package incident

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/cassette/convert"
)

// innerStep is what the step is called that is repeated as a whole.
const innerStep = "once"

// layered reports whether two layers tried again: a library with its own retries
// below a program that calls it once more. Each time but the last the library must
// have used up its attempts, or one policy could not say what it did.
func (c *call) layered() bool {
	if len(c.again) < 2 || c.limit() > 0 {
		return false
	}
	full, last := c.again[0], c.again[len(c.again)-1]
	for _, n := range c.again[:len(c.again)-1] {
		if n != full {
			return false
		}
	}
	return full > 1 && (last == full || last < full && !c.failed())
}

// layers are the workflow of a call as its library makes it, with the library's
// retries, and the step that runs it, with those of the program.
func (d *drafter) layers(c *call, step *convert.Block) (inner, outer *convert.Block) {
	// The retries of each layer are those of a call of its own.
	first, around := *c, *c
	first.attempts, around.attempts = c.attempts[:c.again[0]:c.again[0]], nil
	first.within, around.within = nil, nil
	var between []time.Duration
	at := 0
	for round, n := range c.again {
		if round > 0 {
			between = append(between, c.wait(at))
			around.attempts = append(around.attempts, c.attempts[at-1])
		}
		at += n
	}
	around.attempts = append(around.attempts, c.attempts[at-1])
	step.Labels[1] = innerStep
	name := c.name + "_" + innerStep
	for slices.ContainsFunc(d.found, func(o *call) bool { return o.name == name }) || name == convert.Identifier(d.title()) {
		name += "_"
	}
	outer = &convert.Block{Type: "step", Labels: []string{"workflow", c.name}}
	set(outer, "run", convert.Ref("workflow."+name))
	d.layer(&first, c.insideWaits(), step)
	d.layer(&around, between, outer)
	return &convert.Block{Type: "workflow", Labels: []string{name}, Blocks: []*convert.Block{step}}, outer
}

// insideWaits are the waits of the library: those of the first time, unless another
// waited otherwise.
func (c *call) insideWaits() []time.Duration {
	var all []time.Duration
	full, same := c.again[0]-1, true
	at := 0
	for _, n := range c.again {
		for i := 1; i < n; i++ {
			w := c.wait(at + i)
			same = same && (at == 0 || near(w, all[i-1]))
			all = append(all, w)
		}
		at += n
	}
	if same {
		return all[:full]
	}
	return all
}

// layer gives a step the retries of its layer, whose attempts c has.
func (d *drafter) layer(c *call, waits []time.Duration, step *convert.Block) {
	b := d.fit(c, waits)
	set(b, "max_retries", len(c.attempts)-1)
	if list := c.retriedOn(); list != nil {
		set(b, "retry_on", list)
	}
	set(step, "retry", convert.Ref("retry."+d.declare(b, c)))
	if c.kind != llm {
		set(step, "idempotent", true)
	}
}
