package compile

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/compile/strike"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// partOf finds what a script is for that is for no step: a call, an actor or a
// part of one. It is nil for anything else, and reports what does not exist.
func (sc *scenarioCompiler) partOf(b *dsl.Block) (p *plan.Part, mine bool) {
	address := b.Name()
	for _, d := range sc.p.Actions {
		if d.Call != nil && d.Step == nil && d.Call.Node != nil && d.Name == address {
			return &plan.Part{Word: "actor", What: "the call " + address, Address: address}, true
		}
	}
	n := sc.nodes()[address]
	if n != nil && n.Root().Step.Kind == plan.KindHandler {
		sc.refer(sc.owner(n.Root()))
	}
	if n != nil && n.Step.Target.Actor != "" {
		return &plan.Part{Word: "actor", What: "the step " + address, Address: address}, true
	}
	path := strings.Split(address, ".")
	if n != nil && n.Step.Kind != plan.KindHandler {
		return nil, false
	}
	switch {
	case path[0] == "lock" && len(path) == 2:
		if !slices.ContainsFunc(sc.services.Locks, func(l *actor.LockSpec) bool { return l.Name == path[1] }) {
			sc.Errorf(b.LabelRanges[0], "Unknown address", "No lock %q is declared in this file.%s", path[1], dsl.DidYouMean(path[1], plan.Names(sc.services.Locks, func(l *actor.LockSpec) string { return l.Name })))
			return nil, true
		}
		return &plan.Part{Word: "lock", What: "the lock " + path[1], Address: address}, true
	case path[0] != "actor" || len(path) < 2:
		return nil, false
	}
	return sc.partOfActor(path, b), true
}

func (sc *scenarioCompiler) partOfActor(path []string, b *dsl.Block) *plan.Part {
	unknown := func(noun, name string, known []string) *plan.Part {
		hint := dsl.DidYouMean(name, known)
		if hint == "" && len(known) > 0 {
			hint = " There is: " + strings.Join(known, ", ") + "."
		}
		sc.Errorf(b.LabelRanges[0], "Unknown address", "There is no %s %q.%s", noun, name, hint)
		return nil
	}
	a := sc.services.Actors[path[1]]
	if a == nil {
		return unknown("actor", path[1], sc.services.Order)
	}
	sc.refer(a.Name)
	kinds := map[string][]string{
		"lock": plan.Names(a.Locks, func(l *actor.LockSpec) string { return l.Name }), "pool": plan.Names(a.Pools, func(p *actor.PoolSpec) string { return p.Name }),
		"module": plan.Names(a.Modules, func(m *actor.ModuleSpec) string { return m.Name }), "tool": plan.Names(a.Tools, func(t *actor.ToolSpec) string { return t.Name }),
		"handler": plan.Names(a.Handlers, func(h *actor.HandlerSpec) string { return h.Name }),
	}
	switch len(path) {
	case 2:
		return &plan.Part{Word: "module", What: "the startup of actor " + a.Name, Address: "actor." + a.Name}
	case 3:
		if _, known := a.Parts[path[2]]; !known {
			if meant := partMeant(a.Name, path[2], kinds); meant != "" {
				sc.Errorf(b.LabelRanges[0], "Unknown address", "There is no handler or tool of actor %s %q. Did you mean %q?", a.Name, path[2], meant)
				return nil
			}
			return unknown("handler or tool of actor "+a.Name, path[2], read.SortedNames(a.Parts))
		}
		return &plan.Part{Word: "actor", What: "actor." + a.Name + "." + path[2], Address: "actor." + a.Name + "." + path[2]}
	case 4:
		list, known := kinds[path[2]]
		if !known {
			return unknown("part of an actor called", path[2], read.SortedNames(kinds))
		}
		if !read.Contains(list, path[3]) {
			return unknown(path[2]+" of actor "+a.Name, path[3], list)
		}
		if path[2] == "tool" || path[2] == "handler" {
			return &plan.Part{Word: "actor", What: "actor." + a.Name + "." + path[3], Address: "actor." + a.Name + "." + path[3]}
		}
		return &plan.Part{Word: path[2], What: strings.Join(path, "."), Address: strings.Join(path, ".")}
	}
	return unknown("address", strings.Join(path, "."), nil)
}

// partMeant is the address of the part of an actor that a name alone stands for, "" where
// none is called so.
func partMeant(actor, name string, kinds map[string][]string) string {
	for _, kind := range []string{"pool", "lock", "module"} {
		if read.Contains(kinds[kind], name) {
			return strings.Join([]string{"actor", actor, kind, name}, ".")
		}
	}
	return ""
}

// onPart compiles a script for an actor or a part of one.
func (sc *scenarioCompiler) onPart(b *dsl.Block, p *plan.Part) {
	r := sc.Read(b)
	if r.Has("target") {
		r.Errorf("target", "Attribute without a gateway", "Targets are those of a gateway; a script for %s has none.", p.What)
	}
	s := &plan.Script{Address: p.Address, Exhausted: r.String("exhausted"), Rng: b.DefRange, Part: p}
	if prev := sc.scripted[scriptKey{address: s.Address}]; prev != nil {
		sc.Errorf(b.DefRange, "Two scripts for one address", "A script for %q stands at line %d already. Put the entries into one.", s.Address, prev.Rng.Start.Line)
		return
	}
	if s.Exhausted == "replay" {
		r.Errorf("exhausted", "Replay of an actor", "What actors do is never recorded, so there is nothing to go on with.")
	}
	for _, n := range b.Blocks {
		if e := sc.partEntry(n, s); e != nil {
			s.Entries = append(s.Entries, e)
		}
	}
	if len(b.Blocks) == 0 {
		sc.Errorf(b.DefRange, "Empty script", "The script for %q has no entry: give it a reply or a fault.", s.Address)
	}
	sc.endOfScript(r, s)
	sc.addScript(s)
}

func (sc *scenarioCompiler) partEntry(b *dsl.Block, s *plan.Script) *plan.Entry {
	r := sc.Read(b)
	e := &plan.Entry{N: len(s.Entries) + 1, Times: 1, Iteration: r.Int("iteration"), Optional: r.Bool("optional"), Rng: b.DefRange}
	sc.times(r, e)
	for _, name := range []string{"target", "turn"} {
		if r.Has(name) {
			r.Errorf(name, "Attribute that means nothing here", "%q is about the calls of a step to its provider; a script for %s has none.", name, s.Part.What)
		}
	}
	if m := b.First("match"); m != nil {
		sc.Errorf(m.DefRange, "Attribute that means nothing here", "A match block is about the requests of a program; a script for %s has none.", s.Part.What)
	}
	switch b.Type {
	case "replay":
		sc.Errorf(b.DefRange, "Replay of an actor", "What actors do is never recorded: give %s a reply or a fault.", s.Part.What)
		return nil
	case "reply":
		e.Reply = strike.PartReply(r, s.Part)
		return e
	}
	e.Fault = sc.File.Extensions.Fault(b.Labels[0])
	e.After, e.HasAfter = r.Duration("after"), r.Has("after")
	e.Args = r.Values(append([]string{"after"}, strike.EntryAttrs...)...)
	if !slices.Contains(e.Fault.For, s.Part.Word) {
		sc.Errorf(b.LabelRanges[0], "Fault that means nothing here", "The fault %q is for %s, and %s is of kind %q.", e.Fault.Name, strings.Join(e.Fault.For, ", "), s.Part.What, s.Part.Word)
		return nil
	}
	strike.WithoutEffect(r, e.Fault, e.Args)
	if n := b.First("replay"); n != nil {
		sc.Errorf(n.DefRange, "Replay of an actor", "What actors do is never recorded.")
	}
	if n := b.First("reply"); n != nil {
		e.Reply = strike.PartReply(sc.Read(n), s.Part)
	}
	if mode, given := e.Args["mode"].(string); given {
		sc.checkMode(r, mode, plan.DefaultTaxonomy())
	}
	return e
}
