package explore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A cast is what of a scenario events happen to, as its plan has it.
type cast struct {
	actors []string
	// pairs are the actors of which one calls the other.
	pairs [][2]string
	// calls are those that the scenario makes, and workflow says that it runs one.
	calls    []string
	workflow bool
	// waits are after how long something of the file is over: timeouts, times to live,
	// resets. None is there twice, and the shortest is the first.
	waits []time.Duration
	// names are those of its event blocks.
	names map[string]bool
}

// castOf reads that of a plan in canonical JSON, and of the run without a fault.
func castOf(plan []byte, numbers *figures, base []trace.Event) *cast {
	var said struct {
		Population struct {
			Actors []struct {
				Name string `json:"name"`
			} `json:"actors"`
		} `json:"population"`
		Workflow struct {
			Steps []any `json:"steps"`
		} `json:"workflow"`
		Drivers []struct {
			What, Name string
		} `json:"drivers"`
	}
	c := &cast{names: map[string]bool{}, waits: numbers.lasting()}
	if json.Unmarshal(plan, &said) != nil {
		return c
	}
	c.workflow = len(said.Workflow.Steps) > 0
	for _, a := range said.Population.Actors {
		c.actors = append(c.actors, a.Name)
	}
	for _, d := range said.Drivers {
		switch d.What {
		case "call":
			c.calls = append(c.calls, d.Name)
		case "event":
			c.names[d.Name] = true
		}
	}
	for i := range base {
		e := &base[i]
		from := e.Text("from")
		if e.Type == trace.Route && from != "" && from != e.Actor && !slices.Contains(c.pairs, [2]string{from, e.Actor}) && !slices.Contains(c.pairs, [2]string{e.Actor, from}) {
			c.pairs = append(c.pairs, [2]string{from, e.Actor})
		}
	}
	return c
}

// named is an event with the name of its block, which no other one has.
func (c *cast) named(o interp.Occurrence, others ...interp.Occurrence) interp.Occurrence {
	base := strings.ReplaceAll(o.Text(), "actor.", "")
	o.Name = base
	taken := func() bool {
		return c.names[o.Name] || slices.ContainsFunc(others, func(x interp.Occurrence) bool { return x.Name == o.Name })
	}
	for n := 2; taken(); n++ {
		o.Name = fmt.Sprintf("%s (%d)", base, n)
	}
	return o
}

// happening is a strike of one event, or of one with its way back.
func (c *cast) happening(there interp.Occurrence, back ...interp.Occurrence) Strike {
	list := []interp.Occurrence{c.named(there)}
	for _, o := range back {
		list = append(list, c.named(o, list...))
	}
	return Strike{Events: list}
}

// returns are when an event of an instant is over: at the next instant of the run, and
// just after each time in which the file gives something up.
func (c *cast) returns(at time.Duration, instants []time.Duration) []time.Duration {
	var list []time.Duration
	if i := slices.IndexFunc(instants, func(t time.Duration) bool { return t > at }); i >= 0 {
		list = append(list, instants[i])
	}
	for _, d := range c.waits {
		list = append(list, at+d+just)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// events are what may happen in a run that has these instants, at each of them and
// between each two. In pairs are those at an instant, without a way back or with the first.
func (s *search) events(instants []time.Duration) []Set {
	if s.world.Happen == nil {
		return nil
	}
	var sets []Set
	c, paired := s.cast, true
	add := func(x Strike) {
		x.single = !paired
		sets = append(sets, Set{x})
	}
	for _, at := range betweens(instants) {
		exact := slices.Contains(instants, at)
		paired = exact
		if s.tries(KindEvent) {
			for _, name := range c.actors {
				if !s.strikes("actor." + name) {
					continue
				}
				paired = exact
				add(c.happening(interp.Occurrence{What: "kill", Actor: name, At: at}))
				for n, over := range c.returns(at, instants) {
					paired = exact && n == 0
					add(c.happening(interp.Occurrence{What: "kill", Actor: name, At: at}, interp.Occurrence{What: "restart", Actor: name, At: over}))
					add(c.happening(interp.Occurrence{What: "unreachable", Actor: name, At: at}, interp.Occurrence{What: "reachable", Actor: name, At: over}))
				}
			}
			for _, p := range c.pairs {
				for n, over := range c.returns(at, instants) {
					paired = exact && n == 0
					add(c.happening(interp.Occurrence{What: "partition", Groups: [][]string{{p[0]}, {p[1]}}, At: at}, interp.Occurrence{What: "heal", At: over}))
				}
			}
		}
		if paired = exact; slices.Contains(s.Kinds, KindCancel) {
			if c.workflow {
				add(c.happening(interp.Occurrence{What: "cancel", At: at}))
			}
			for _, name := range c.calls {
				add(c.happening(interp.Occurrence{What: "cancel", Cancel: name, At: at}))
			}
		}
	}
	return sets
}

// kills are the events that may happen in the run of a fault after that began: what dies
// then, at each instant.
func (s *search) kills(n *node) []Strike {
	if s.world.Happen == nil || !s.tries(KindEvent) || n.set[0].Events != nil || n.last < 0 {
		return nil
	}
	var list []Strike
	began := n.began
	if !n.forgotten {
		began = n.points[n.last].At
	}
	for _, at := range n.instants {
		for _, name := range s.cast.actors {
			if at >= began && s.strikes("actor."+name) {
				list = append(list, s.cast.happening(interp.Occurrence{What: "kill", Actor: name, At: at}))
			}
		}
	}
	return list
}

// instantsOf are when something happens in a run, each once.
func instantsOf(events []trace.Event) []time.Duration {
	var list []time.Duration
	for i := range events {
		list = append(list, events[i].At)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// betweens are instants, and one between each two of them.
func betweens(instants []time.Duration) []time.Duration {
	var list []time.Duration
	for i, at := range instants {
		if i > 0 && at-instants[i-1] > 1 {
			list = append(list, instants[i-1]+(at-instants[i-1])/2)
		}
		list = append(list, at)
	}
	return list
}

// Occurrences are all events of a set, nil for none.
func (s Set) Occurrences() []interp.Occurrence {
	var list []interp.Occurrence
	for i := range s {
		list = append(list, s[i].Events...)
	}
	return list
}

// eventful counts the strikes of a set that are events.
func (s Set) eventful() (n int) {
	for i := range s {
		if s[i].Events != nil {
			n++
		}
	}
	return n
}

// happens says what happens when.
func happens(events []interp.Occurrence) string {
	list := make([]string, len(events))
	for i := range events {
		list[i] = fmt.Sprintf("%s at %s", strings.ReplaceAll(events[i].Text(), "actor.", ""), events[i].At)
	}
	return strings.Join(list, ", ")
}
