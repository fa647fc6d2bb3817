package explore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// KindTolerates is the oracle of runs that do not survive what they tolerate.
const KindTolerates = "tolerates"

// A tolerance is what the runs of a world survive.
type tolerance struct {
	faults int
	kinds  []string
	rng    hcl.Range
}

// toleranceOf reads that of a plan in canonical JSON, nil where it says nothing.
func toleranceOf(plan []byte, file string) *tolerance {
	var said struct {
		Tolerates *struct {
			At     []any    `json:"at"`
			Faults int      `json:"faults"`
			Kinds  []string `json:"kinds"`
		} `json:"tolerates"`
	}
	if json.Unmarshal(plan, &said) != nil || said.Tolerates == nil {
		return nil
	}
	t := &tolerance{faults: said.Tolerates.Faults, kinds: said.Tolerates.Kinds, rng: hcl.Range{Filename: file}}
	at := said.Tolerates.At
	if len(at) > 1 {
		line, _ := at[0].(float64)
		column, _ := at[1].(float64)
		t.rng.Start = hcl.Pos{Line: int(line), Column: int(column)}
	}
	if len(at) > 2 { // in another file
		t.rng.Filename, _ = at[2].(string)
	}
	t.rng.End = t.rng.Start
	return t
}

// name says what is tolerated.
func (t *tolerance) name() string {
	text := inWords(t.faults)
	if len(t.kinds) > 0 {
		text += ": " + strings.Join(t.kinds, ", ")
	}
	return text
}

// judge notes that a run met what it tolerates, and adds a problem where something does
// not survive that which succeeds in base, the run without a fault.
func (t *tolerance) judge(o, base *outcome) {
	if t == nil || len(o.set) == 0 || len(o.set) > t.faults || o.status == "" || o.undecided || o.lied() || o.set.eventful() > 0 {
		return
	}
	for i := range o.set {
		if x := &o.set[i]; x.HasAfter && x.After == patience || !t.covers(x, o) {
			return
		}
	}
	o.tolerated = true
	name, status := o.lost(base)
	if name == "" || o.status == "cancelled" {
		return
	}
	o.notKept = name
	o.broken = append(o.broken, interp.Problem{
		Kind: KindTolerates, Name: t.name(), Range: t.rng, Message: "the run does not survive it.",
		Operands: []interp.Operand{{Text: o.promises.readingOf(name), Value: fmt.Sprintf("%q", status)}},
	})
}

// Untried are what scenarios tolerate of which no run met anything: no fault was of
// its kinds, or none of its scenarios succeeds without a fault. They are told in the
// order in which they are met.
func Untried(reports []*Report) (list []string) {
	met, place := map[string]bool{}, map[string]string{}
	var order []string
	for _, r := range reports {
		t := r.World.tolerates()
		if t == nil {
			continue
		}
		at := fmt.Sprintf("%s:%d", t.rng.Filename, t.rng.Start.Line)
		if place[at] == "" {
			place[at], order = t.name(), append(order, at)
		}
		met[at] = met[at] || r.Tolerated
	}
	for _, at := range order {
		if !met[at] {
			list = append(list, fmt.Sprintf("tolerates %s  %s: no run that succeeds by itself met a fault of that", place[at], at))
		}
	}
	return list
}

// covers reports whether a strike is one that is tolerated: by what its attempts have
// failed with.
func (t *tolerance) covers(x *Strike, o *outcome) bool {
	if len(t.kinds) == 0 {
		return true
	}
	lasts := x.Outage != nil
	if lasts && !slices.Contains(t.kinds, "outage") {
		return false
	}
	if lasts && len(t.kinds) == 1 {
		return true
	}
	met := 0
	counted := map[string]int{}
	ends := map[spot]*trace.Event{}
	for i := range o.events {
		if e := &o.events[i]; e.Type == trace.AttemptEnd {
			counted[e.Step]++
			ends[spot{address: e.Step, n: counted[e.Step]}] = e
		}
	}
	for i := range o.points {
		p := &o.points[i]
		if !x.meets(p) {
			continue
		}
		e := ends[spot{address: p.Address, n: p.N}]
		if e == nil || !slices.ContainsFunc(t.kinds, func(kind string) bool { return failure.Matches(failureOf(e), kind) }) {
			return false
		}
		met++
	}
	return met > 0
}

// failureOf is what an attempt failed with, as far as an entry of retry_on asks.
func failureOf(e *trace.Event) failure.Failure {
	status, _ := e.Attr("status_code").(int)
	f := failure.Failure{Kind: failure.Kind(e.Text("kind")), Cause: failure.Cause(e.Text("cause")), StatusCode: status}
	if mode := e.Text("mode"); mode != "" {
		f.Mode = &failure.Mode{Code: mode}
	}
	return f
}
