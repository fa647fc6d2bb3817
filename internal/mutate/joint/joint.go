// Package joint finds what several parts of a program have each for itself, and makes it one for all: two locks are
// one, calls through two gateways go through one, so that they share its limits, and what bounds each step of a loop
// bounds the loop as a whole. What one of them has is given to another one that lacks it. Scenarios in which the parts never meet show nothing of that they are apart.
//
//	for _, o := range joint.Find(file) {
//		fmt.Println(o.What) // lock "savings" → "checking", one for both
//	}
package joint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// A Cut puts a text in the place of what stands from one byte to another.
type Cut struct {
	From, To int
	With     string
}

// A One is what becomes one for all: the block and the attribute that have it, and what is changed.
type One struct {
	Block       *dsl.Block
	Keeps, What string
	Range       hcl.Range
	Cuts        []Cut
}

// finder looks through one file.
type finder struct {
	src       []byte
	list      []One
	scenarios []map[string]bool // the names in each, and in the workflows that it runs
}

// Find lists what can be one for all in a file, in the order of declaration.
func Find(file *dsl.File) []One {
	f := &finder{src: file.Source}
	f.gateways(file.Body)
	var visit func(b *dsl.Block)
	visit = func(b *dsl.Block) {
		switch b.Type {
		case "actor":
			f.named(b, "lock", "lock")
			f.named(b, "pool", "uses")
		case "workflow":
			f.bound(b, b.Blocks, "timeout", 2)
		case "step":
			switch b.Kind() {
			case "loop":
				f.bound(b, b.Blocks, "timeout", 1)
			case "fanout":
				f.bound(b, b.Blocks, "timeout", 2)
			}
		}
		for _, in := range b.Blocks {
			visit(in)
		}
	}
	for _, b := range file.Body.Blocks {
		if b.Type == "actor" || b.Type == "workflow" {
			visit(b)
		}
	}
	f.lent(file.Body)
	return f.list
}

func (f *finder) text(rng hcl.Range) string { return string(f.src[rng.Start.Byte:rng.End.Byte]) }

func (f *finder) put(rng hcl.Range, with string) Cut {
	return Cut{From: rng.Start.Byte, To: rng.End.Byte, With: with}
}

// named makes each of several that blocks in one name by a text the first of them.
func (f *finder) named(in *dsl.Block, typ, attr string) {
	all := in.All(typ)
	for i, one := range all {
		if i == 0 {
			continue
		}
		first, own := strconv.Quote(all[0].Name()), strconv.Quote(one.Name())
		var cuts []Cut
		apart := false
		for _, b := range in.Blocks {
			a := b.Attr(attr)
			if a == nil {
				continue
			}
			list, _ := dsl.Bare(a.Expr).(*hclsyntax.TupleConsExpr)
			if list == nil {
				continue
			}
			var has, takes bool
			for _, x := range list.Exprs {
				has, takes = has || f.text(x.Range()) == first, takes || f.text(x.Range()) == own
			}
			apart = apart || has && !takes
			for _, x := range list.Exprs {
				if f.text(x.Range()) == own && !has {
					cuts = append(cuts, f.put(x.Range(), first))
				}
			}
		}
		if apart && len(cuts) > 0 {
			f.list = append(f.list, One{Block: in, What: fmt.Sprintf("%s %s → %s, one for both", typ, own, first), Range: one.DefRange, Cuts: cuts})
		}
	}
}

// gateways lets each call through one gateway go through another one that asks the same providers: what limits the
// targets of each limits all calls together.
func (f *finder) gateways(body *dsl.Block) {
	first := map[string]*dsl.Block{}
	for _, g := range body.All("gateway") {
		var asked []string
		limited := false
		for _, t := range g.All("target") {
			limited = limited || t.Attr("rate_limit") != nil || t.Attr("breaker") != nil || len(t.All("bulkhead")) > 0
			if p := t.Attr("provider"); p != nil {
				asked = append(asked, f.text(p.Expr.Range()))
			}
		}
		key := strings.Join(asked, " ")
		switch {
		case !limited || key == "":
		case first[key] == nil:
			first[key] = g
		default:
			f.referred(body, g, first[key])
		}
	}
}

// referred puts one in the place of another one wherever that is referred to.
func (f *finder) referred(body, of, one *dsl.Block) {
	own, other := of.Type+"."+of.Name(), one.Type+"."+one.Name()
	var cuts []Cut
	var visit func(b *dsl.Block)
	visit = func(b *dsl.Block) {
		if b.Type == "scenario" || b.Type == "bench" {
			return // what they put in the place of another one is not the program's
		}
		if a := b.Attr(of.Type); a != nil && f.text(a.Expr.Range()) == own {
			cuts = append(cuts, f.put(a.Expr.Range(), other))
		}
		for _, in := range b.Blocks {
			visit(in)
		}
	}
	visit(body)
	if len(cuts) > 0 {
		f.list = append(f.list, One{Block: of, What: own + " → " + other + ", one for both", Range: of.DefRange, Cuts: cuts})
	}
}

// bound moves what each step in a block has onto the block.
func (f *finder) bound(of *dsl.Block, steps []*dsl.Block, name string, least int) {
	if of.Attr(name) != nil || of.Schema.Attr(name) == nil {
		return
	}
	said, n := "", 0
	var cuts []Cut
	var at hcl.Range
	for _, s := range steps {
		a := s.Attr(name)
		switch {
		case s.Type != "step" && s.Type != "sub" || s.Kind() == "value" || s.Kind() == "wait":
			continue
		case a == nil:
			return
		}
		v, written := dsl.Literal(a.Expr)
		text := f.text(a.Expr.Range())
		if !written || v.IsNull() || said != "" && said != text {
			return
		}
		if said == "" {
			at = a.Range
		}
		said, n = text, n+1
		cuts = append(cuts, Blank(f.src, a.Range))
	}
	if n >= least {
		f.list = append(f.list, One{Block: of, Keeps: name, What: fmt.Sprintf("%s %s of each step → of all", name, said), Range: at, Cuts: append(cuts, Into(f.src, of, name+" = "+said)...)})
	}
}

// Blank leaves out what stands in a range.
func Blank(src []byte, rng hcl.Range) Cut {
	return Cut{From: rng.Start.Byte, To: rng.End.Byte, With: strings.Repeat("\n", strings.Count(string(src[rng.Start.Byte:rng.End.Byte]), "\n"))}
}

// Into puts lines into a block.
func Into(src []byte, b *dsl.Block, lines string) []Cut {
	opening := b.DefRange.End.Byte
	opening += strings.IndexByte(string(src[opening:]), '{') + 1
	closing := b.End.Start.Byte
	list := []Cut{{From: opening, To: opening, With: "\n" + lines}}
	if !strings.Contains(string(src[opening:closing]), "\n") {
		list[0].With += "\n"
		list = append(list, Cut{From: closing, To: closing, With: "\n"})
	}
	return list
}
