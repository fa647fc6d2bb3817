package compile

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/vacuous"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// overridden is a workflow as a scenario overrides it, nil where that is wrong.
func (c *compiler) overridden(w *plan.Workflow, by *dsl.Block) *plan.Workflow {
	block := c.File.Body.Named("workflow", w.Name)
	if n := by.First("workflow"); n != nil {
		c.Diags = append(c.Diags, vacuous.Override(block, n)...)
		block = block.Overridden(n)
	}
	c.overridesSomething(by)
	var list []stepOverride
	for _, n := range by.All("step") {
		list = append(list, stepOverride{n.Name(), n})
	}
	before := len(c.Diags)
	c.overrides = map[*dsl.Block]*dsl.Block{}
	changed := c.workflow(c.override(block, list))
	c.overrides = nil
	if c.Diags[before:].HasErrors() {
		return nil
	}
	return changed
}

// overridesSomething refuses an override, and each block of it, that changes
// nothing.
func (c *compiler) overridesSomething(by *dsl.Block) {
	if len(by.Blocks) == 0 {
		c.Errorf(by.DefRange, "Override of nothing", "The override changes nothing: give it a workflow block or step blocks, or leave it out.")
	}
	for _, n := range by.Blocks {
		if len(n.Attrs) == 0 && len(n.Blocks) == 0 {
			c.Errorf(n.DefRange, "Override of nothing", "The block changes nothing: give it what takes the place of the %s's own, or leave it out.", n.Type)
		}
	}
}

// stepOverride is one step block of an override with the part of its address
// that is left to follow.
type stepOverride struct {
	address string
	by      *dsl.Block
}

// override returns the block of a workflow or loop with steps replaced. Of a
// workflow that a step runs there is then one for that step alone.
func (c *compiler) override(block *dsl.Block, list []stepOverride) *dsl.Block {
	out := *block
	out.Blocks = slices.Clone(block.Blocks)
	known := map[string]int{}
	for i, n := range out.Blocks {
		if n.Type == "step" {
			known[n.Name()] = i
		}
	}
	inside := map[string][]stepOverride{}
	for _, o := range list {
		if i, ok := known[o.address]; ok {
			c.Diags = append(c.Diags, vacuous.Override(out.Blocks[i], o.by)...)
			out.Blocks[i] = out.Blocks[i].Overridden(o.by)
			continue
		}
		name, rest, _ := strings.Cut(o.address, ".")
		i, ok := known[name]
		if ok {
			_, ok = kindOf(plan.Kind(out.Blocks[i].Kind())).(overridable)
		}
		if !ok || rest == "" {
			c.Errorf(o.by.LabelRanges[0], "Unknown address", "No step %q is declared in %s %q.%s", o.address, block.Type, block.Name(), dsl.DidYouMean(o.address, read.SortedNames(known)))
			continue
		}
		inside[name] = append(inside[name], stepOverride{rest, o.by})
	}
	for _, name := range read.SortedNames(inside) {
		i := known[name]
		b := out.Blocks[i]
		out.Blocks[i] = kindOf(plan.Kind(b.Kind())).(overridable).override(c, b, inside[name])
	}
	return &out
}

// overrideSubs returns the block of a fanout with its subs replaced, or with
// what these run.
func (c *compiler) overrideSubs(fanout *dsl.Block, list []stepOverride) *dsl.Block {
	out := *fanout
	out.Blocks = slices.Clone(fanout.Blocks)
	inside := map[string][]stepOverride{}
	known := map[string]int{}
	for i, n := range out.Blocks {
		known[n.Name()] = i
	}
	for _, o := range list {
		name, rest, _ := strings.Cut(o.address, ".")
		i, ok := known[name]
		switch {
		case !ok && fanout.Attr("run") != nil:
			c.Errorf(o.by.LabelRanges[0], "Override of a declared fanout", "Step %q runs a declared fanout, which is the same for all who run it. Give the step subs of its own to override them.", fanout.Name())
		case !ok:
			c.Errorf(o.by.LabelRanges[0], "Unknown address", "No sub %q is declared in fanout %q.%s", name, fanout.Name(), dsl.DidYouMean(name, read.SortedNames(known)))
		case rest != "":
			inside[name] = append(inside[name], stepOverride{rest, o.by})
		default:
			out.Blocks[i] = c.overrideSub(out.Blocks[i], o.by)
		}
	}
	for _, name := range read.SortedNames(inside) {
		n := out.Blocks[known[name]]
		if run := c.run(n, "target"); run != nil {
			c.overrides[n] = c.override(run, inside[name])
			continue
		}
		c.Errorf(inside[name][0].by.LabelRanges[0], "Unknown address", "Sub %q calls no workflow, so it has no steps inside.", name)
	}
	return &out
}

// overrideSub replaces what a sub has of what can be overridden.
func (c *compiler) overrideSub(sub, by *dsl.Block) *dsl.Block {
	for _, a := range by.Attrs {
		if sub.Schema.Attr(a.Name) == nil {
			c.Errorf(a.NameRange, "Unknown attribute", "A sub has no attribute %q; what can be overridden of one is timeout, retry and required.", a.Name)
			return sub
		}
	}
	return sub.Overridden(by)
}

// run is the workflow that a step or sub runs, nil for none.
func (c *compiler) run(by *dsl.Block, attr string) *dsl.Block {
	if e := by.Expr(attr); e == nil || rootOf(e) != "workflow" {
		return nil
	}
	r := dsl.Reader{Block: by, Ctx: c.Statics, Diags: &c.Diags}
	return c.File.Body.Named("workflow", r.Ref(attr).Name)
}
