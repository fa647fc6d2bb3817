package recording

import (
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/interp"
)

// A Promoted file has the failures that were recorded as faults.
type Promoted struct {
	// Text is the scenario file, which imports the one that was recorded.
	Text []byte
	// Scenarios counts those that it has.
	Scenarios int
	// LeftOut are scenarios with failures that are not in it: each is one of
	// several that a block stands for.
	LeftOut []*interp.Plan
}

// Promote makes a scenario file of the failures that were committed, by the
// text of the file that was recorded. The error is that text's hcl.Diagnostics.
func (s *Set) Promote(path string, src []byte) (Promoted, error) {
	file, diags := hclwrite.ParseConfig(dotted.Plain(src, path), path, hcl.InitialPos)
	if diags.HasErrors() {
		return Promoted{}, diags
	}
	text := hclwrite.NewEmptyFile()
	text.Body().SetAttributeRaw("import", valueTokens([]any{"./" + filepath.Base(path)}))
	var out Promoted
	for _, c := range s.list {
		for _, p := range c.Picked {
			scripts := c.failures(p)
			if len(scripts) == 0 {
				continue
			}
			declared := file.Body().FirstMatchingBlock("scenario", []string{p.Name})
			if declared == nil || s.ends[p].status == "" {
				out.LeftOut = append(out.LeftOut, p)
				continue
			}
			promote(text.Body(), declared, scripts, p.Name, s.ends[p].status)
			out.Scenarios++
		}
	}
	out.Text = dsl.Format(text.Bytes())
	return out, nil
}

// failures are the scripts of what failed in a scenario, by what the file holds
// now.
func (c *Cassette) failures(p *interp.Plan) []*convert.Block {
	if c.written == nil {
		return nil
	}
	var items []*cassette.Interaction
	for _, it := range c.written.Interactions {
		if it.Scenario == "" || it.Scenario == p.Name {
			items = append(items, it)
		}
	}
	return convert.Promote(items)
}

// promote writes a scenario again with what failed as faults.
func promote(out *hclwrite.Body, declared *hclwrite.Block, scripts []*convert.Block, name, status string) {
	out.AppendNewline()
	body := out.AppendNewBlock("scenario", []string{name + ", as it failed"}).Body()
	for _, attr := range []string{"run", "inputs", "seed"} {
		if at := declared.Body().GetAttribute(attr); at != nil {
			body.SetAttributeRaw(attr, at.Expr().BuildTokens(nil))
		}
	}
	body.SetAttributeRaw("allow", valueTokens([]any{"unused_interaction"}))
	var promoted []string
	for _, s := range scripts {
		promoted = append(promoted, s.Labels[0])
		body.AppendNewline()
		writeBlock(body, s)
	}
	for _, b := range declared.Body().Blocks() {
		if slices.Contains([]string{"cassette", "override"}, b.Type()) || b.Type() == "on" && !slices.Contains(promoted, b.Labels()[0]) {
			body.AppendNewline()
			body.AppendBlock(b)
		}
	}
	body.AppendNewline()
	expect := &convert.Block{Type: "expect", Labels: []string{"run"}, Attrs: []convert.Attr{{Name: "status", Value: status}}}
	writeBlock(body, expect)
}
