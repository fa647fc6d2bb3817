package lint

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// repeated warns of scenarios all of whose checks repeat what their own scripts say: each
// script has one reply and nothing else, and what is expected of its step is that reply.
// They hold whatever the workflow asks, and whatever it does with the answer.
func (c *checker) repeated() {
	for _, s := range c.file.Body.All("scenario") {
		if !c.own(s) || c.searched(s) {
			continue
		}
		if at := repeats(s); at != nil {
			c.warnf(*at, "Expectation of the reply itself", "Every check of scenario %q repeats what its own script answers, so it holds whatever the workflow asks, and whatever it does with the answer. Check what it sends, such as step.NAME.attempts[0].request, what it makes of the answer, or what becomes of a fault.", s.Name())
		}
	}
}

// searched reports whether a scenario is there for a search to disturb, which shows that its
// checks hold whatever happens, or runs no workflow.
func (c *checker) searched(s *dsl.Block) bool {
	run, is := s.Expr("run").(*hclsyntax.ScopeTraversalExpr)
	if !is || len(run.Traversal) != 2 || run.Traversal.RootName() != "workflow" {
		return true
	}
	name, _ := run.Traversal[1].(hcl.TraverseAttr)
	w := c.file.Body.Named("workflow", name.Name)
	return w == nil || w.First("tolerates") != nil
}

// repeats is the first check of a scenario that repeats a reply, nil where it has one that
// says more, or where more happens than that its scripts answer.
func repeats(s *dsl.Block) (at *hcl.Range) {
	replies := map[string]*dsl.Block{}
	for _, b := range s.Blocks {
		if b.Type == "on" {
			if replies[b.Name()] = onlyReply(b); replies[b.Name()] == nil {
				return nil
			}
		}
	}
	for _, b := range s.Blocks {
		repeated := false
		switch b.Type {
		case "on":
			continue
		case "expect":
			repeated = expectsReply(b, replies)
		case "assert":
			repeated = b.Expr("condition") != nil && !slices.ContainsFunc(dsl.Conjuncts(b.Expr("condition")), func(e hclsyntax.Expression) bool { return !comparesReply(e, replies) })
		}
		if !repeated {
			return nil
		}
		if at == nil {
			at = b.DefRange.Ptr()
		}
	}
	return at
}

// onlyReply is the reply of a script that has nothing else and comes at once, nil for any
// other script.
func onlyReply(on *dsl.Block) *dsl.Block {
	if len(on.Blocks) != 1 || on.Blocks[0].Type != "reply" || len(on.Attrs) > 0 || len(on.Blocks[0].Blocks) > 0 {
		return nil
	}
	for _, a := range on.Blocks[0].Attrs {
		if !slices.Contains(answered, a.Name) {
			return nil
		}
	}
	return on.Blocks[0]
}

// answered are the attributes of a reply that a step has as its result.
var answered = []string{"content", "json", "body", "status_code", "rows", "affected", "structured", "headers", "model", "finish_reason"}

// expectsReply reports whether a block expects of a step what its only reply says.
func expectsReply(b *dsl.Block, replies map[string]*dsl.Block) bool {
	reply, repeats := replies[b.Name()], false
	if reply == nil {
		return false
	}
	for _, a := range b.Attrs {
		if text, written := writtenText(a.Expr); a.Name == "status" && written && text == "success" {
			continue
		}
		said := reply.Expr(a.Name)
		if said == nil || !slices.Contains(answered, a.Name) || !covers(said, a.Expr) {
			return false
		}
		repeats = true
	}
	return repeats
}

// comparesReply reports whether a condition is that a step has what its only reply says.
func comparesReply(e hclsyntax.Expression, replies map[string]*dsl.Block) bool {
	x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !is || !dsl.IsEqual(x.Op) {
		return false
	}
	for _, sides := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
		path, is := dsl.Bare(sides[0]).(*hclsyntax.ScopeTraversalExpr)
		if !is || len(path.Traversal) != 3 || path.Traversal.RootName() != "step" {
			continue
		}
		step, named := path.Traversal[1].(hcl.TraverseAttr)
		attr, of := path.Traversal[2].(hcl.TraverseAttr)
		if reply := replies[step.Name]; named && of && reply != nil && slices.Contains(answered, attr.Name) && reply.Expr(attr.Name) != nil {
			return sameText(reply.Expr(attr.Name), sides[1])
		}
	}
	return false
}

// covers reports whether a value has what is expected, by how both are written: an object
// is compared as far as it is given.
func covers(said, expected hclsyntax.Expression) bool {
	want, object := dsl.Bare(expected).(*hclsyntax.ObjectConsExpr)
	have, is := dsl.Bare(said).(*hclsyntax.ObjectConsExpr)
	if !object || !is {
		return sameText(said, expected)
	}
	return !slices.ContainsFunc(want.Items, func(w hclsyntax.ObjectConsItem) bool {
		return !slices.ContainsFunc(have.Items, func(h hclsyntax.ObjectConsItem) bool {
			return keyOf(h) != "" && keyOf(h) == keyOf(w) && covers(h.ValueExpr, w.ValueExpr)
		})
	})
}

func sameText(a, b hclsyntax.Expression) bool {
	return string(dsl.AppendSource(nil, dsl.Bare(a))) == string(dsl.AppendSource(nil, dsl.Bare(b)))
}
