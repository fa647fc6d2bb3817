package joint

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// lent gives what one part has to another one that lacks it: the lock or the pool of a handler to the handler next to
// it, one lock to two actors that have one of the same name, and the limits of a gateway to the step next to those that
// go through it. It is given to one that some scenario calls besides.
func (f *finder) lent(body *dsl.Block) {
	f.reached(body)
	var seen []*dsl.Block // actors that came before
	shared := map[string]bool{}
	for _, l := range body.All("lock") {
		shared[l.Name()] = true
	}
	for _, actor := range body.All("actor") {
		f.toHandler(actor, "lock", "lock")
		f.toHandler(actor, "pool", "uses")
		for _, l := range actor.All("lock") {
			for _, other := range seen {
				for _, o := range other.All("lock") {
					if o.Name() == l.Name() && !shared[l.Name()] && f.together("actor."+actor.Name(), "actor."+other.Name()) {
						shared[l.Name()] = true
						f.lift(actor, l, other, o)
					}
				}
			}
		}
		seen = append(seen, actor)
	}
	for _, g := range body.All("gateway") {
		if p := f.limits(g); p != "" {
			f.toStep(body, g, p)
		}
	}
}

// reached remembers the names that each scenario has in it, and those of the workflows that it runs.
func (f *finder) reached(body *dsl.Block) {
	if body.First("actor") == nil && body.First("gateway") == nil {
		return // there is nothing to give
	}
	workflows := map[string]map[string]bool{}
	for _, w := range body.All("workflow") {
		workflows["workflow."+w.Name()] = f.names(w)
	}
	for _, b := range body.All("scenario") {
		names := f.names(b)
		open := slices.Collect(maps.Keys(names))
		for len(open) > 0 {
			of := workflows[open[len(open)-1]]
			open = open[:len(open)-1]
			for name := range of {
				if !names[name] {
					names[name] = true
					open = append(open, name)
				}
			}
		}
		f.scenarios = append(f.scenarios, names)
	}
}

func (f *finder) whole(b *dsl.Block) string { return f.text(hcl.RangeBetween(b.DefRange, b.End)) }

// names are those that a block has in its text, such as actor.office.import, which are also actor.office and actor.
func (f *finder) names(b *dsl.Block) map[string]bool {
	names := map[string]bool{}
	for _, path := range strings.FieldsFunc(f.whole(b), func(r rune) bool { return !strings.ContainsRune(signs, r) }) {
		for i, r := range path {
			if r == '.' {
				names[path[:i]] = true
			}
		}
		names[path] = true
	}
	return names
}

// signs are those of a name, and what stands between two.
const signs = "-_.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// together reports whether a scenario has something to do with both.
func (f *finder) together(a, b string) bool {
	return slices.ContainsFunc(f.scenarios, func(names map[string]bool) bool { return names[a] && names[b] })
}

// toHandler gives each lock or pool of an actor to the handler next to one that takes it.
func (f *finder) toHandler(actor *dsl.Block, typ, attr string) {
	handlers := actor.All("handler")
	at := func(h *dsl.Block) string { return "actor." + actor.Name() + "." + h.Name() }
	for _, one := range actor.All(typ) {
		name := strconv.Quote(one.Name())
		var to *dsl.Block
		nearest := len(handlers)
		for i, h := range handlers {
			if !f.lists(h.Attr(attr), name) {
				continue
			}
			for j, other := range handlers {
				if apart := max(i-j, j-i); other.Attr(attr) == nil && apart < nearest && f.together(at(h), at(other)) {
					to, nearest = other, apart
				}
			}
		}
		if to != nil {
			f.list = append(f.list, One{Block: to, What: fmt.Sprintf("%s %s, too", typ, name), Range: to.DefRange, Cuts: Into(f.src, to, attr+" = ["+name+"]")})
		}
	}
}

// lists reports whether a list has an element that is written so.
func (f *finder) lists(a *dsl.Attr, element string) bool {
	if a == nil {
		return false
	}
	list, _ := dsl.Bare(a.Expr).(*hclsyntax.TupleConsExpr)
	for i := 0; list != nil && i < len(list.Exprs); i++ {
		if f.text(list.Exprs[i].Range()) == element {
			return true
		}
	}
	return false
}

// lift makes one lock for both of those that two actors have.
func (f *finder) lift(actor, lock, other, first *dsl.Block) {
	at := other.DefRange.Start.Byte
	f.list = append(f.list, One{
		Block: actor, What: fmt.Sprintf("lock %q → that of actor.%s, one for both", lock.Name(), other.Name()), Range: lock.DefRange,
		Cuts: []Cut{
			{From: at, To: at, With: f.whole(first) + "\n"},
			Blank(f.src, hcl.RangeBetween(first.DefRange, first.End)), Blank(f.src, hcl.RangeBetween(lock.DefRange, lock.End)),
		},
	})
}

// limits is the one provider that a gateway asks within limits, "" for any other gateway.
func (f *finder) limits(g *dsl.Block) string {
	asked, limited := "", false
	for _, t := range g.All("target") {
		p := t.Attr("provider")
		if p == nil || t.Attr("models") != nil || asked != "" && asked != f.text(p.Expr.Range()) {
			return ""
		}
		asked = f.text(p.Expr.Range())
		limited = limited || t.Attr("rate_limit") != nil || t.Attr("breaker") != nil || len(t.All("bulkhead")) > 0
	}
	if !limited {
		return ""
	}
	return asked
}

// toStep lets the step next to one that goes through a gateway, and that asks the same provider past it, go through it.
func (f *finder) toStep(body, g *dsl.Block, provider string) {
	type asker struct{ step, workflow *dsl.Block }
	var through, past []asker
	for _, w := range body.All("workflow") {
		var visit func(b *dsl.Block)
		visit = func(b *dsl.Block) {
			for _, in := range b.Blocks {
				switch gw, p := in.Attr("gateway"), in.Attr("provider"); {
				case in.Type != "step":
				case gw != nil && f.text(gw.Expr.Range()) == "gateway."+g.Name():
					through = append(through, asker{in, w})
				case gw == nil && p != nil && f.text(p.Expr.Range()) == provider:
					past = append(past, asker{in, w})
				}
				visit(in)
			}
		}
		visit(w)
	}
	var to *dsl.Block
	nearest := len(f.src)
	for _, a := range through {
		for _, b := range past {
			apart := a.step.DefRange.Start.Byte - b.step.DefRange.Start.Byte
			if apart = max(apart, -apart); apart < nearest && f.together("workflow."+a.workflow.Name(), "workflow."+b.workflow.Name()) {
				to, nearest = b.step, apart
			}
		}
	}
	if to != nil {
		p := to.Attr("provider")
		f.list = append(f.list, One{Block: to, Keeps: "provider", What: provider + " → gateway." + g.Name() + ", and its limits", Range: p.Range, Cuts: []Cut{f.put(p.Range, "gateway = gateway."+g.Name())}})
	}
}
