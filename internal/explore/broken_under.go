package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// brokenUnder names what broke something in a run, so that another search can tell whether it
// is the same: each list is one name, first as it is written, then the names of parts of
// the set that are as much. One strike is named by its address and what it is; times and
// counts are not in it, because they follow those of the file. Pairs are named by their
// addresses: of those that behave alike only one is tried. A deadlock is named by each
// address that waits.
func brokenUnder(p *interp.Problem, o *outcome) [][]string {
	if isDeadlock(p) {
		var list [][]string
		for _, address := range o.waiting() {
			list = append(list, []string{address})
		}
		return list
	}
	var singles, pairs []string
	for i := range o.set {
		x := &o.set[i]
		for _, where := range o.places(x) {
			singles = append(singles, where+": "+x.sort())
		}
	}
	if len(o.set) < 2 {
		return [][]string{append(singles, "without a fault")}
	}
	for _, a := range o.places(&o.set[0]) {
		for _, b := range o.places(&o.set[1]) {
			list := []string{a, b}
			slices.Sort(list)
			pairs = append(pairs, strings.Join(list, " + "))
		}
	}
	return [][]string{append(pairs, singles...)}
}

// places are the address of a strike, or an outage and the addresses that it met.
func (o *outcome) places(x *Strike) []string {
	if x.Events != nil {
		return []string{x.Events[0].Text()}
	}
	if x.Outage == nil {
		return []string{x.Address}
	}
	list := []string{"all of " + x.Outage.Where()}
	for i := range o.points {
		if p := &o.points[i]; x.meets(p) && !slices.Contains(list, p.Address) {
			list = append(list, p.Address)
		}
	}
	return list
}

// waiting are the addresses of a run that wait without end: of those that met a silence
// the ones with an attempt that was open when nothing could happen any more, else whatever
// met a strike.
func (o *outcome) waiting() (list []string) {
	open := map[string]int{}
	for i := range o.events {
		e := &o.events[i]
		if e.Type == trace.Gate && e.Text("gate") == "deadlock" {
			break
		}
		switch e.Type {
		case trace.AttemptStart:
			open[e.Step]++
		case trace.AttemptEnd:
			open[e.Step]--
		}
	}
	add := func(silent bool) {
		for i := range o.set {
			x := &o.set[i]
			for _, where := range o.places(x) {
				waits := !silent || x.silent() && open[where] > 0
				if waits && !slices.Contains(list, where) {
					list = append(list, where)
				}
			}
		}
	}
	if add(true); list == nil {
		add(false)
	}
	return list
}

// sort is what a strike is, without its times and counts.
func (s *Strike) sort() string {
	if s.Events != nil {
		return s.Kind()
	}
	if s.Wrong != "" {
		return KindWrong + " " + string(s.Wrong)
	}
	text := s.Fault.Name
	if code, ok := s.Args["status_code"]; ok {
		text += fmt.Sprintf(" %v", code)
	}
	return text
}

// breaksUnder reports whether a find has a name already.
func (f *Find) breaksUnder(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(f.Breaks, n) })
}

// knows reports whether the caller knows that something breaks under one of these names.
func (s *search) knows(p *interp.Problem, names []string) bool {
	if s.Known == nil {
		return false
	}
	return slices.ContainsFunc(names, func(n string) bool { return s.Known(p.Kind, p.Name, n) })
}

// earlier is the first find of a key that the caller knows, or that it does not; nil for
// none.
func (s *search) earlier(key findKey, known bool) *Find {
	i := slices.IndexFunc(s.report.Finds, func(f *Find) bool { return f.Known == known && f.key() == key })
	if i < 0 {
		return nil
	}
	return s.report.Finds[i]
}
