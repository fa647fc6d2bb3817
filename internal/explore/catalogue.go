package explore

import (
	"maps"
	"slices"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A catalogue is what can strike in one scenario, the commonest first.
type catalogue struct {
	trials  []faults.Trial
	options *Options
	// chunks are of how many chunks the answers at each address are without a fault.
	chunks map[string][]int
}

// catalogueOf lists what is tried in a world with these numbers, whose run without a fault
// has these events.
func catalogueOf(w *World, o *Options, numbers *figures, base []trace.Event) catalogue {
	f, chunks := numbers.tried(), chunksOf(base)
	for _, address := range slices.Sorted(maps.Keys(chunks)) {
		f.Chunks = append(f.Chunks, chunks[address]...)
	}
	slices.Sort(f.Chunks)
	f.Chunks = slices.Compact(f.Chunks)
	if w.Program != nil && w.Program.Virtual && !slices.Contains(f.RetryAfters, ownWait) {
		f.RetryAfters = append(f.RetryAfters, ownWait)
	}
	return catalogue{faults.Trials(f), o, chunks}
}

// chunksOf are of how many chunks the answers at each address of a run are.
func chunksOf(events []trace.Event) map[string][]int {
	counts := map[string][]int{}
	for i := range events {
		e := &events[i]
		if list, ok := e.Attr("chunks").([]string); ok && e.Type == trace.AttemptEnd && !slices.Contains(counts[e.Step], len(list)) {
			counts[e.Step] = append(counts[e.Step], len(list))
		}
	}
	return counts
}

// ownWait is a Retry-After, in seconds, that is longer than the waits of most programs,
// which stand in no file.
const ownWait = 30

// Gravest are the kinds of the shortest search: outages, and silences.
func Gravest() []string {
	list := []string{KindOutage}
	for _, k := range faults.Kinds() {
		if k.Silent {
			list = append(list, k.Name)
		}
	}
	return list
}

// at are the strikes at a point, in the order in which they are tried.
func (c catalogue) at(p *interp.Point) []Strike {
	var list []Strike
	for i := range c.trials {
		if t := &c.trials[i]; !t.Kind.Lies && c.options.tries(t.Kind.Name) && p.Part() != "lock" && p.Meets(t.Kind) && (t.Chunks == 0 || slices.Contains(c.chunks[p.Address], t.Chunks)) {
			list = append(list, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Fault: t.Kind, Args: t.Args, rank: t.Rank})
		}
	}
	return list
}

// lasting are the strikes that a service can have for a while, at a point: of all
// kinds where outages alone are tried.
func (c catalogue) lasting(p *interp.Point, o *Outage) []Strike {
	var list []Strike
	for i := range c.trials {
		t := &c.trials[i]
		wanted := c.options.tries(t.Kind.Name) || slices.Contains(c.options.Kinds, KindOutage) && !slices.Contains(c.options.Except, t.Kind.Name)
		if t.Lasts && wanted && p.Meets(t.Kind) {
			list = append(list, Strike{Address: p.Address, Fault: t.Kind, Args: t.Args, rank: t.Rank, Outage: o})
		}
	}
	return list
}

// lies are the faults at a point whose answers are well-formed and false, which are
// tried as wrong answers are.
func (c catalogue) lies(p *interp.Point) []Strike {
	var list []Strike
	for i := range c.trials {
		t := &c.trials[i]
		wanted := (c.options.tries(KindWrong) || slices.Contains(c.options.Kinds, t.Kind.Name)) && !slices.Contains(c.options.Except, t.Kind.Name)
		if t.Kind.Lies && wanted && p.Meets(t.Kind) {
			list = append(list, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Fault: t.Kind, Args: t.Args, rank: t.Rank})
		}
	}
	return list
}
