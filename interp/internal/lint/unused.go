package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// used says how each type of declaration is used. What is not listed has an effect
// by being there.
var used = map[string]string{
	"variable":   "An expression reads it as var.%s.",
	"local":      "An expression reads it as local.%s.",
	"provider":   "A workflow, a step or the target of a gateway names it with provider = provider.%s.",
	"retry":      "A step names it with retry = retry.%s.",
	"breaker":    "The target of a gateway names it with breaker = breaker.%s.",
	"rate_limit": "The target of a gateway names it with rate_limit = rate_limit.%s.",
	"gateway":    "A workflow or a step names it with gateway = gateway.%s.",
	"taxonomy":   "A workflow or a bench names it with taxonomy = taxonomy.%s.",
	"fanout":     "A step names it with run = fanout.%s.",
	"classifier": "A step names it with with = classifier.%s.",
	"lock":       "A handler names it with lock = [lock.%s].",
	"registry":   "An actor names it with registry = registry.%s.",
	"actor":      "A call names one of its handlers: target = actor.%s.HANDLER.",
	"workflow":   "A scenario, a step or a handler names it: run = workflow.%s.",
}

// declares reports whether a root is that of a type of declaration.
func declares(root string) bool { return root == "var" || used[root] != "" }

// A declaration is something with a name that something else has to use.
type declaration struct {
	typ, root, name string
	at              hcl.Range
	own             bool
	refers          []reference // one may stand here twice
	live, told      bool
	namesake        *declaration // the one before it that is called so
}

// notes adds a reference.
func (d *declaration) notes(to reference) { d.refers = append(d.refers, to) }

// distinct are the references of a declaration, each once.
func (d *declaration) distinct() references {
	r := references{}
	for _, to := range d.refers {
		r.note(to)
	}
	return r
}

// count is how often a declaration refers to itself, by its name and by its root.
func (d *declaration) count() (n int) {
	refers := d.distinct()
	for _, to := range []reference{{d.root, d.name}, {d.root, all}} {
		if refers[to] {
			n++
		}
	}
	return n
}

// declarations warns of those that nothing uses, of others only by way of them.
func (c *checker) declarations() {
	list, roots := c.declared()
	named := byReference(list)
	live := reach{each: named.each, seen: references{}, mark: func(d *declaration) { d.live = true }}
	live.from(roots)
	told := reach{each: named.each, seen: references{}, mark: func(d *declaration) { d.told = true }}
	tell := func(d *declaration) {
		c.warnf(d.at, "Declaration that nobody uses", "No scenario in this file uses %s %q, so it has no effect. %s Use it, or take it out.", d.typ, d.name, fmt.Sprintf(used[d.typ], d.name))
		d.told = true
		told.from(d.refers)
	}
	dead := tallyOfDead(list)
	for _, d := range list {
		if d.own && !d.live && dead.of(d) == d.count() { // none but its own
			tell(d)
		}
	}
	for _, d := range list {
		if d.own && !d.live && !d.told { // they use each other
			tell(d)
		}
	}
}

// A register finds declarations by what refers to them, in the words of
// [references].
type register struct {
	list []*declaration
	one  map[reference]*declaration // the last one of a name
}

func byReference(list []*declaration) *register {
	r := &register{list, make(map[reference]*declaration, len(list))}
	for _, d := range list {
		at := reference{d.root, d.name}
		d.namesake, r.one[at] = r.one[at], d
	}
	return r
}

// each calls f with what a reference is to, and reports whether that is anything.
func (r *register) each(to reference, f func(*declaration)) (any bool) {
	if to.name != all {
		for d := r.one[to]; d != nil; d, any = d.namesake, true {
			f(d)
		}
		return any
	}
	for _, d := range r.list {
		if d.root == to.root {
			f(d)
			any = true
		}
	}
	return any
}

// A reach marks declarations that can be reached from others. It looks each
// reference up once, so that all it does is linear in the file.
type reach struct {
	each func(reference, func(*declaration)) bool
	seen references
	mark func(*declaration)
	open []*declaration // marked, and not looked at
}

func (r *reach) from(refers []reference) {
	found := func(d *declaration) {
		r.mark(d)
		r.open = append(r.open, d)
	}
	for {
		for _, to := range refers {
			if !r.seen[to] && (r.each(to, found) || to.name == all) { // most names are no declarations
				r.seen[to] = true
			}
		}
		if len(r.open) == 0 {
			return
		}
		refers, r.open = r.open[len(r.open)-1].refers, r.open[:len(r.open)-1]
	}
}

// A tally counts declarations by what they refer to, in the words of [references].
type tally map[reference]int

// tallyOfDead counts those that no scenario comes to.
func tallyOfDead(list []*declaration) tally {
	u := tally{}
	for _, d := range list {
		if d.live {
			continue
		}
		for to := range d.distinct() {
			u[to]++
		}
	}
	return u
}

func (u tally) of(d *declaration) int {
	return u[reference{d.root, d.name}] + u[reference{d.root, all}]
}

// declared lists the declarations, and what everything else refers to.
func (c *checker) declared() (list []*declaration, roots []reference) {
	roots = make([]reference, 0, len(c.file.Body.Blocks))
	root := func(to reference) { roots = append(roots, to) }
	known := c.globals()
	for _, b := range c.file.Body.Blocks {
		switch {
		case b.Type == "locals":
			for _, a := range b.Attrs {
				d := &declaration{typ: "local", root: "local", name: a.Name, at: a.NameRange, own: c.own(b)}
				refers := references{}
				refers.add(a.Expr)
				refers.slotted(a.Expr, known)
				d.refers = slices.Collect(maps.Keys(refers))
				list = append(list, d)
			}
		case used[b.Type] == "" || hides(b):
			eachReferenceOf(b, declares, root)
			eachEndpoint(b, root)
		default:
			d := &declaration{typ: b.Type, root: b.Type, name: b.Name(), at: b.DefRange, own: c.own(b)}
			if b.Type == "variable" {
				d.root = "var"
			}
			eachReferenceOf(b, declares, d.notes)
			list = append(list, d)
		}
	}
	return list, roots
}

// hides reports whether a block is a variable whose value is kept out of every
// report: it does that without being read.
func hides(b *dsl.Block) bool {
	a := b.Attr("sensitive")
	if b.Type != "variable" || a == nil {
		return false
	}
	v, literal := dsl.Literal(a.Expr)
	return !literal || !v.RawEquals(cty.False)
}

// inputs warns of the inputs of workflows that nothing reads.
func (c *checker) inputs() {
	elsewhere := sync.OnceValue(func() references {
		return c.readInputs(func(b *dsl.Block) bool { return b.Type != "workflow" })
	})
	for _, w := range c.file.Body.All("workflow") {
		a := w.Attr("inputs")
		if a == nil || !c.own(w) {
			continue
		}
		given, ok := a.Expr.(*hclsyntax.ObjectConsExpr)
		if !ok || len(given.Items) == 0 {
			continue
		}
		inside := c.readInputs(func(b *dsl.Block) bool { return b == w })
		for _, item := range given.Items {
			name := keyOf(item)
			if name != "" && !inside.to("input", name) && !elsewhere().to("input", name) {
				c.warnf(item.KeyExpr.Range(), "Input that nobody reads", "No step of workflow %q reads input.%s, so whatever a scenario gives makes no difference. In a string, ${input.%s} reads it.", w.Name(), name, name)
			}
		}
	}
}

// readInputs are the inputs that the attributes of some of the file's blocks read.
func (c *checker) readInputs(in func(*dsl.Block) bool) references {
	r := references{}
	for _, b := range c.file.Body.Blocks {
		if in(b) {
			b.EachWritten(func(_ *dsl.Block, _ string, e hclsyntax.Expression) {
				eachReference(e, func(root string) bool { return root == "input" }, r.note)
			})
		}
	}
	return r
}

// parts warns of the pools and locks of actors that nothing takes.
func (c *checker) parts() {
	reads := sync.OnceValue(c.lastOfActors)
	for _, a := range c.file.Body.All("actor") {
		if !c.own(a) || a.First("pool") == nil && a.First("lock") == nil {
			continue
		}
		taken := map[string]bool{}
		a.EachWritten(func(_ *dsl.Block, _ string, e hclsyntax.Expression) {
			eachText(e, func(text string) { taken[text] = true })
		})
		for _, n := range a.Blocks {
			if (n.Type == "pool" || n.Type == "lock") && !taken[n.Name()] && !reads()[n.Name()] {
				take := "uses"
				if n.Type == "lock" {
					take = "lock"
				}
				c.warnf(n.DefRange, "Declaration that nobody uses", "No handler or tool of actor %q takes its %s %q, so it has no effect. One does with %s = [%q].", a.Name(), n.Type, n.Name(), take, n.Name())
			}
		}
	}
}

// lastOfActors are the last names of what the file says of actors.
func (c *checker) lastOfActors() map[string]bool {
	reads := map[string]bool{}
	for _, b := range c.file.Body.Blocks {
		b.EachWritten(func(_ *dsl.Block, _ string, e hclsyntax.Expression) {
			for t := range dsl.Variables(e) {
				if t.RootName() == "actor" {
					reads[lastName(t)] = true
				}
			}
		})
		for _, on := range b.All("on") { // the startup of an actor meets what strikes its pools
			reads[on.Name()[strings.LastIndex(on.Name(), ".")+1:]] = true
		}
	}
	return reads
}

// lastName is the last name in a reference, "" for none.
func lastName(t hcl.Traversal) string {
	if a, ok := t[len(t)-1].(hcl.TraverseAttr); ok {
		return a.Name
	}
	return ""
}

// bulkheads warns of those of steps that are never run twice at once.
func (c *checker) bulkheads() {
	several := sync.OnceValue(c.severalAtOnce)
	var visit func(w, b *dsl.Block)
	visit = func(w, b *dsl.Block) {
		for _, s := range b.All("step") {
			if n := s.First("bulkhead"); n != nil && !several().to("workflow", w.Name()) {
				c.warnf(n.DefRange, "Bulkhead that is never full", "One run makes one call of step %q at a time, and only scenarios run workflow %q. Give the bulkhead to the target of a gateway, which all its steps share.", s.Name(), w.Name())
			}
			visit(w, s)
		}
	}
	for _, w := range c.file.Body.All("workflow") {
		if c.own(w) {
			visit(w, w)
		}
	}
}

// severalAtOnce is what the file refers to otherwise than by the run of a
// scenario, which is one at a time.
func (c *checker) severalAtOnce() references {
	r := references{}
	for _, b := range c.file.Body.Blocks {
		b.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
			if name != "run" || in.Type != "scenario" && in.Type != "sut" {
				r.add(e)
			}
		})
	}
	return r
}
