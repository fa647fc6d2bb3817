package sent

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// call warns of a step, or a sub of a fanout, that gives the handler of an actor something which an earlier step was
// answered, or an input, where a check reads what the handler answers, and nothing in the handler reads that
// argument: it answers the same without it.
func (c *checker) call(p *passing, of, kind string, b *dsl.Block) {
	arguments, is := dsl.Bare(b.Expr("arguments")).(*hclsyntax.ObjectConsExpr)
	if !is || !p.isChecked(of) {
		return
	}
	handler := c.handlerOf(b)
	if handler == nil {
		return
	}
	names, all := argumentsOf(handler)
	if all {
		return
	}
	for _, item := range arguments.Items {
		name, literal := dsl.WrittenKey(item.KeyExpr)
		from := p.from(item.ValueExpr)
		if !literal || names[name] || from == nil || from.RootName() == "loop" {
			continue
		}
		c.warnf(b.DefRange, "Argument that no handler reads", "The argument %q of %s %q carries %s. A check reads what its handler answers, and nothing in the handler reads that argument, so a call without it passes as well. Let the handler return it, such as return = { %[1]s = arguments.%[1]s }, and check that.", name, kind, b.Name(), dsl.TraversalText(from))
		return
	}
}

// handlerOf is the handler, declared in the file, that a block calls and that makes its answer itself; nil for any
// other target.
func (c *checker) handlerOf(b *dsl.Block) *dsl.Block {
	target, is := b.Expr("target").(*hclsyntax.ScopeTraversalExpr)
	if !is || target.Traversal.RootName() != "actor" || len(target.Traversal) != 3 {
		return nil
	}
	actor, _ := read.AttrName(target.Traversal, 1)
	name, _ := read.AttrName(target.Traversal, 2)
	for _, a := range c.file.Body.All("actor") {
		if a.Name() != actor {
			continue
		}
		for _, h := range a.All("handler") {
			if h.Name() == name && h.Attr("return") != nil && h.Attr("forward_to") == nil && (h.Attr("workflow") == nil || h.Attr("inputs") != nil) {
				return h
			}
		}
	}
	return nil
}

// argumentsOf are the names of the arguments that a handler reads; all says that it may read any.
func argumentsOf(handler *dsl.Block) (names map[string]bool, all bool) {
	names = map[string]bool{}
	handler.EachWritten(func(_ *dsl.Block, _ string, e hclsyntax.Expression) {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			x, is := e.(*hclsyntax.ScopeTraversalExpr)
			if !is || x.Traversal.RootName() != "arguments" {
				return
			}
			name, named := read.AttrName(x.Traversal, 1)
			names[name], all = true, all || !named
		})
	})
	return names, all
}
