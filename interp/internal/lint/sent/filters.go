package sent

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// filters warns of what a workflow leaves out of an answer, [for e in step.list.json.events : e if …],
// where a check reads what is left, and no script of the file answers with anything to leave out: a
// workflow that leaves nothing out passes as well.
func (c *checker) filters(p *passing) {
	look := func(e hclsyntax.Expression, checked func() bool) {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			f, is := e.(*hclsyntax.ForExpr)
			if !is || f.CondExpr == nil {
				return
			}
			coll, is := dsl.Bare(f.CollExpr).(*hclsyntax.ScopeTraversalExpr)
			if is && p.keepsAll(f, coll.Traversal) && checked() {
				c.warnf(f.SrcRange, "Filter that leaves nothing out", "Of %s only those are taken of which %s holds, and it holds of each that a script of this file answers with, so that a workflow which takes all of them passes as well. Let a reply have one that is to be left out.", dsl.TraversalText(coll.Traversal), dsl.Excerpt(f.CondExpr))
			}
		})
	}
	look(p.workflow.Expr("output"), p.readsOutput)
	for _, s := range p.steps {
		for _, a := range s.Attrs {
			look(a.Expr, func() bool {
				return p.isChecked(s.Name()) || partOf(s.Labels[0], a.Name) != "" && c.requests().request(s.Name())
			})
		}
	}
}

// readsOutput reports whether a check reads the output of the run.
func (p *passing) readsOutput() bool {
	p.isChecked("") // all checks are looked at once
	return p.checked["run"] || slices.ContainsFunc(p.checks, func(b *dsl.Block) bool {
		return b.Type == "expect" && b.Name() == "run" && b.Attr("output") != nil
	})
}

// keepsAll reports whether a filter of what a step is answered, as the path says, keeps everything that
// scripts answer with, and there is something. False where that is not written out.
func (p *passing) keepsAll(f *hclsyntax.ForExpr, path hcl.Traversal) bool {
	name, _ := read.AttrName(path, 1)
	part, _ := read.AttrName(path, 2)
	of := p.steps[name]
	if path.RootName() != "step" || of == nil || part != "json" && part != "rows" && part != "structured" {
		return false
	}
	plain := true
	dsl.EachExpr(f.CondExpr, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ForExpr:
			plain = false // of each element it may take long
		case *hclsyntax.ScopeTraversalExpr:
			plain = plain && x.Traversal.RootName() == f.ValVar // what else it depends on may be another in each run
		}
	})
	if !plain {
		return false
	}
	some := false
	for _, reply := range p.repliesTo(name) {
		kept, all := keeps(f, reply.Expr(part), path[3:])
		if !all {
			return false
		}
		some = some || kept
	}
	return some
}

// repliesTo are the replies to a step in all scenarios that run the workflow.
func (p *passing) repliesTo(step string) []*dsl.Block {
	if p.replies == nil {
		p.replies = map[string][]*dsl.Block{}
		for _, b := range p.checks {
			if b.Type == "on" {
				p.replies[b.Name()] = append(p.replies[b.Name()], b.All("reply")...)
			}
		}
	}
	return p.replies[step]
}

// keeps reports whether a filter keeps some of what is written out in a reply, and whether it keeps all
// of that for certain.
func keeps(f *hclsyntax.ForExpr, written hclsyntax.Expression, path hcl.Traversal) (some, all bool) {
	if written == nil {
		return false, false
	}
	v, diags := dsl.Evaluate(written, &hcl.EvalContext{})
	if diags.HasErrors() {
		return false, false
	}
	if v, diags = path.TraverseRel(v); diags.HasErrors() || v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return false, false
	}
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		holds, diags := dsl.Evaluate(f.CondExpr, &hcl.EvalContext{Variables: map[string]cty.Value{f.ValVar: e}, Functions: stdlib.Functions()})
		if diags.HasErrors() || !holds.RawEquals(cty.True) {
			return false, false
		}
		some = true
	}
	return some, true
}
