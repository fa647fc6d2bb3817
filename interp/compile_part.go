package interp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/providers"
)

// part is what a script for an actor is for.
type part struct {
	// word is what the catalogue of faults calls it, and what what a message
	// does.
	word, what string
	address    string
}

// partOf finds what a script is for that is for no step: a call, an actor or a
// part of one. It is nil for anything else, and reports what does not exist.
func (sc *scenarioCompiler) partOf(b *dsl.Block) (p *part, mine bool) {
	address := b.Name()
	for _, d := range sc.p.drivers {
		if d.call != nil && d.step == nil && d.call.node != nil && d.name == address {
			return &part{"actor", "the call " + address, address}, true
		}
	}
	n := sc.nodes()[address]
	if n != nil && n.root().step.kind == kindHandler {
		sc.refer(sc.owner(n.root()))
	}
	if n != nil && n.step.target.Actor != "" {
		return &part{"actor", "the step " + address, address}, true
	}
	path := strings.Split(address, ".")
	if n != nil && n.step.kind != kindHandler {
		return nil, false
	}
	switch {
	case path[0] == "lock" && len(path) == 2:
		if !slices.ContainsFunc(sc.services.locks, func(l *actor.LockSpec) bool { return l.Name == path[1] }) {
			sc.errorf(b.LabelRanges[0], "Unknown address", "No lock %q is declared in this file.%s", path[1], dsl.DidYouMean(path[1], names(sc.services.locks, func(l *actor.LockSpec) string { return l.Name })))
			return nil, true
		}
		return &part{"lock", "the lock " + path[1], address}, true
	case path[0] != "actor" || len(path) < 2:
		return nil, false
	}
	return sc.partOfActor(path, b), true
}

func (sc *scenarioCompiler) partOfActor(path []string, b *dsl.Block) *part {
	unknown := func(noun, name string, known []string) *part {
		hint := dsl.DidYouMean(name, known)
		if hint == "" && len(known) > 0 {
			hint = " There is: " + strings.Join(known, ", ") + "."
		}
		sc.errorf(b.LabelRanges[0], "Unknown address", "There is no %s %q.%s", noun, name, hint)
		return nil
	}
	a := sc.services.actors[path[1]]
	if a == nil {
		return unknown("actor", path[1], sc.services.order)
	}
	sc.refer(a.Name)
	kinds := map[string][]string{
		"lock": names(a.Locks, func(l *actor.LockSpec) string { return l.Name }), "pool": names(a.Pools, func(p *actor.PoolSpec) string { return p.Name }),
		"module": names(a.Modules, func(m *actor.ModuleSpec) string { return m.Name }), "tool": names(a.Tools, func(t *actor.ToolSpec) string { return t.Name }),
		"handler": names(a.Handlers, func(h *actor.HandlerSpec) string { return h.Name }),
	}
	switch len(path) {
	case 2:
		return &part{"module", "the startup of actor " + a.Name, "actor." + a.Name}
	case 3:
		if _, known := a.parts[path[2]]; !known {
			return unknown("handler or tool of actor "+a.Name, path[2], sortedNames(a.parts))
		}
		return &part{"actor", "actor." + a.Name + "." + path[2], "actor." + a.Name + "." + path[2]}
	case 4:
		list, known := kinds[path[2]]
		if !known {
			return unknown("part of an actor called", path[2], sortedNames(kinds))
		}
		if !contains(list, path[3]) {
			return unknown(path[2]+" of actor "+a.Name, path[3], list)
		}
		if path[2] == "tool" || path[2] == "handler" {
			return &part{"actor", "actor." + a.Name + "." + path[3], "actor." + a.Name + "." + path[3]}
		}
		return &part{path[2], strings.Join(path, "."), strings.Join(path, ".")}
	}
	return unknown("address", strings.Join(path, "."), nil)
}

// onPart compiles a script for an actor or a part of one.
func (sc *scenarioCompiler) onPart(b *dsl.Block, p *part) {
	r := sc.read(b)
	if r.Has("target") {
		r.Errorf("target", "Attribute without a gateway", "Targets are those of a gateway; a script for %s has none.", p.what)
	}
	s := &script{address: p.address, exhausted: r.String("exhausted"), rng: b.DefRange, part: p}
	for _, prev := range sc.p.scripts {
		if prev.address == s.address {
			sc.errorf(b.DefRange, "Two scripts for one address", "A script for %q stands at line %d already. Put the entries into one.", s.address, prev.rng.Start.Line)
			return
		}
	}
	if s.exhausted == "replay" {
		r.Errorf("exhausted", "Replay of an actor", "What actors do is never recorded, so there is nothing to go on with.")
	}
	for _, n := range b.Blocks {
		if e := sc.partEntry(n, s); e != nil {
			s.entries = append(s.entries, e)
		}
	}
	if len(b.Blocks) == 0 {
		sc.errorf(b.DefRange, "Empty script", "The script for %q has no entry: give it a reply or a fault.", s.address)
	}
	if len(s.entries) == 1 && !s.entries[0].timesSet {
		s.entries[0].times = unlimited
	}
	sc.p.scripts = append(sc.p.scripts, s)
}

func (sc *scenarioCompiler) partEntry(b *dsl.Block, s *script) *entry {
	r := sc.read(b)
	e := &entry{n: len(s.entries) + 1, times: 1, iteration: r.Int("iteration"), optional: r.Bool("optional"), rng: b.DefRange}
	sc.times(r, e)
	for _, name := range []string{"target", "turn"} {
		if r.Has(name) {
			r.Errorf(name, "Attribute that means nothing here", "%q is about the calls of a step to its provider; a script for %s has none.", name, s.part.what)
		}
	}
	switch b.Type {
	case "replay":
		sc.errorf(b.DefRange, "Replay of an actor", "What actors do is never recorded: give %s a reply or a fault.", s.part.what)
		return nil
	case "reply":
		e.reply = sc.partReply(b, s.part)
		return e
	}
	e.fault = faults.Lookup(b.Labels[0])
	e.after, e.hasAfter = r.Duration("after"), r.Has("after")
	e.args = r.Values(append([]string{"after"}, entryAttrs...)...)
	if !slices.Contains(e.fault.For, s.part.word) {
		sc.errorf(b.LabelRanges[0], "Fault that means nothing here", "The fault %q is for %s, and %s is of kind %q.", e.fault.Name, strings.Join(e.fault.For, ", "), s.part.what, s.part.word)
		return nil
	}
	if n := b.First("replay"); n != nil {
		sc.errorf(n.DefRange, "Replay of an actor", "What actors do is never recorded.")
	}
	if n := b.First("reply"); n != nil {
		e.reply = sc.partReply(n, s.part)
	}
	if mode, given := e.args["mode"].(string); given {
		sc.checkMode(r, mode, defaultTaxonomy())
	}
	return e
}

// partReplyAttrs are the attributes of a reply that mean something for an actor.
var partReplyAttrs = []string{"content", "json", "latency"}

// partReply is the answer of a handler or tool in the place of its own, or, of a
// part, that nothing is wrong with it.
func (sc *scenarioCompiler) partReply(b *dsl.Block, p *part) *providers.Output {
	allowed := partReplyAttrs
	if p.word != "actor" {
		allowed = allowed[2:]
	}
	for _, a := range b.Attrs {
		if !contains(allowed, a.Name) && !contains(entryAttrs, a.Name) {
			sc.errorf(a.NameRange, "Unknown attribute", "The reply of %s has no attribute %q.%s It has: %s.", p.what, a.Name, dsl.DidYouMean(a.Name, allowed), strings.Join(allowed, ", "))
			return nil
		}
	}
	r := sc.read(b)
	if r.Has("content") && r.Has("json") {
		r.Errorf("json", "Two answers", "Give either content or json.")
	}
	out := &providers.Output{Latency: r.Duration("latency")}
	var value any
	switch {
	case r.Has("content"):
		value = r.String("content")
	case r.Has("json"):
		value = r.Value("json")
	default:
		return out
	}
	body, err := json.Marshal(value)
	if err != nil {
		sc.errorf(b.DefRange, "Wrong reply", "%s", sentence(err.Error()))
		return nil
	}
	out.Body = body
	return out
}
