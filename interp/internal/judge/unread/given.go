package unread

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/trace"
)

// Given is what calls of actors, and workflows that steps run, were given in a run. No event tells of it: it is
// noted while the run is played, and changed when it is played again.
type Given struct {
	list []*handed
	// all are all of them in their order, each with who was given it, and full says that they are too many.
	all  []string
	full bool
}

// handed is what a step, a sub or a call gave.
type handed struct {
	to     string
	inputs bool // of a workflow
	paths  []string
	first  string
	calls  int
	differ bool
}

// pathsMost bounds the members that are looked at of what a call is given, and handedMost the calls: nothing is
// said of a run that has more.
const (
	pathsMost  = 64
	handedMost = 32
)

// Note notes what a call is given, and leaves it as it is.
func (g *Given) Note(to string, inputs bool, v cty.Value) cty.Value {
	if g.full {
		return v
	}
	text := written(v)
	g.all = append(g.all, to+" "+text)
	g.full = len(g.all) == most
	at := slices.IndexFunc(g.list, func(h *handed) bool { return h.to == to })
	if at < 0 {
		if g.full = g.full || len(g.list) == handedMost; g.full {
			return v
		}
		at, g.list = len(g.list), append(g.list, &handed{to: to, inputs: inputs})
	}
	h := g.list[at]
	h.calls++
	if h.calls > 1 && text == h.first {
		return v
	}
	if h.calls == 1 {
		h.first = text
	}
	h.differ = h.calls > 1
	if p := parsed(text); p != nil {
		p.leaf("", 0, func(path string, _ *value) {
			if path != "" && !slices.Contains(h.paths, path) {
				g.full = g.full || len(h.paths) == pathsMost
				h.paths = append(h.paths, path)
			}
		})
	}
	return v
}

// written is a value as a text of JSON.
func written(v cty.Value) string {
	text, err := json.Marshal(dsl.GoValue(v))
	if err != nil {
		return ""
	}
	return string(text)
}

// with is a value with something else at paths, and whether there is something.
func with(v cty.Value, paths func(path string) bool, c change) (now cty.Value, is bool) {
	was := written(v)
	text := c.in(was, paths)
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if text == was || d.Decode(&value) != nil {
		return v, false
	}
	return dsl.CtyValue(value), true
}

// A Again plays a run once more, in which calls are given something else, and says whether it passes; events is
// the largest number that it may come to.
type Again func(given func(to string, inputs bool, v cty.Value) cty.Value, events int) (log []trace.Event, passes bool)

// Parts are the members of what calls of actors and workflows of steps are given that no check of the run tells
// from others: with another value there, handlers and steps make of it what they do, and the run passes as well.
// What a workflow sends on is told of where it is sent.
func (g *Given) Parts(o *observe.Observed, again Again) (parts []observe.RequestPart) {
	if g.full {
		return nil
	}
	l := &replays{Given: g, events: o.Log.Events(), left: most, again: again}
	for _, h := range g.list {
		of := "call " + h.to
		if h.inputs {
			of = "inputs of " + h.to
		}
		add := func(name string) { parts = append(parts, observe.RequestPart{Of: of, Name: name}) }
		if len(h.paths) == 0 {
			continue
		}
		any := func(string) bool { return true }
		var tops []string
		for _, path := range h.paths {
			if !slices.Contains(tops, top(path)) {
				tops = append(tops, top(path))
			}
		}
		if !l.notice(h, any, false) {
			for _, name := range tops {
				add(name)
			}
			continue
		}
		for _, name := range tops {
			inside := slices.DeleteFunc(slices.Clone(h.paths), func(path string) bool { return top(path) != name })
			if len(tops) > 1 && !l.notice(h, func(path string) bool { return top(path) == name }, false) {
				add(name)
				continue
			}
			for _, path := range inside {
				only := func(p string) bool { return p == path }
				switch {
				case len(inside) > 1 && !l.notice(h, only, false):
					add(path)
				case h.differ && !l.notice(h, only, true):
					add(path + " of all but the first call")
				}
			}
		}
	}
	if l.left < 0 {
		return nil
	}
	return parts
}

// replays are other runs of one.
type replays struct {
	*Given
	events []trace.Event
	left   int
	again  Again
}

// costs is what another run costs beside its events.
const costs = 1 << 10

// notice reports whether a run comes out otherwise in which a call is given something else at paths: the same each
// time, or something else each time. later leaves the first call as it was.
func (l *replays) notice(h *handed, paths func(path string) bool, later bool) bool {
	for _, how := range []how{alike, each} {
		if how == each && h.calls == 1 {
			break
		}
		if l.left -= len(l.events) + costs; l.left < 0 {
			return true
		}
		n, changed := 0, false
		var sent []string
		log, passes := l.again(func(to string, inputs bool, v cty.Value) cty.Value {
			if to != h.to {
				sent = append(sent, to+" "+written(v))
				return v
			}
			n++
			if later && n == 1 {
				return v
			}
			now, is := with(v, paths, change{how: how, n: n})
			changed = changed || is
			return now
		}, len(l.events)*4+costs)
		if !passes || !changed || h.inputs && !l.sendsAlike(h, log, sent) {
			return true
		}
	}
	return false
}

// sendsAlike reports whether another run, in which a workflow is given something else, sends the same: then nothing
// else tells of it.
func (l *replays) sendsAlike(h *handed, log []trace.Event, sent []string) bool {
	all := slices.DeleteFunc(slices.Clone(l.all), func(s string) bool { return strings.HasPrefix(s, h.to+" ") })
	return slices.Equal(all, sent) && slices.EqualFunc(asked(l.events), asked(log), (*event.Request).Equal)
}

// asked are the requests of a run in their order.
func asked(events []trace.Event) (list []*event.Request) {
	for _, e := range events {
		if p, is := e.Payload.(*event.AttemptStart); is && p.Request != nil {
			list = append(list, p.Request)
		}
	}
	return list
}
