package interp

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
)

// overridden is a workflow as a scenario overrides it, nil where that is wrong.
func (c *compiler) overridden(w *workflow, by *dsl.Block) *workflow {
	block := c.file.Body.Named("workflow", w.name)
	if n := by.First("workflow"); n != nil {
		block = block.Overridden(n)
	}
	var list []stepOverride
	for _, n := range by.All("step") {
		list = append(list, stepOverride{n.Name(), n})
	}
	before := len(c.diags)
	c.overrides = map[*dsl.Block]*dsl.Block{}
	changed := c.workflow(c.override(block, list))
	c.overrides = nil
	if c.diags[before:].HasErrors() {
		return nil
	}
	return changed
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
			out.Blocks[i] = out.Blocks[i].Overridden(o.by)
			continue
		}
		name, rest, _ := strings.Cut(o.address, ".")
		i, ok := known[name]
		if !ok || rest == "" || out.Blocks[i].Kind() != kindLoop && out.Blocks[i].Kind() != kindWorkflow {
			c.errorf(o.by.LabelRanges[0], "Unknown address", "No step %q is declared in %s %q.%s", o.address, block.Type, block.Name(), dsl.DidYouMean(o.address, sortedNames(known)))
			continue
		}
		inside[name] = append(inside[name], stepOverride{rest, o.by})
	}
	for _, name := range sortedNames(inside) {
		i := known[name]
		if n := out.Blocks[i]; n.Kind() == kindLoop {
			out.Blocks[i] = c.override(n, inside[name])
		} else if run := c.run(n); run != nil {
			c.overrides[n] = c.override(run, inside[name])
		}
	}
	return &out
}

// run is the workflow that a step runs.
func (c *compiler) run(step *dsl.Block) *dsl.Block {
	r := dsl.Reader{Block: step, Ctx: c.statics, Diags: &c.diags}
	return c.file.Body.Named("workflow", r.Ref("run").Name)
}
