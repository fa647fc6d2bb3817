package lint

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// instances warns of scenarios that are run several times without a difference.
func (c *checker) instances() {
	for _, s := range c.file.Body.All("scenario") {
		if !c.own(s) || !s.Multiplied() {
			continue
		}
		forEach, reads := s.Attr("for_each"), references{}
		s.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
			if in != s || name != "for_each" {
				reads.add(e)
			}
		})
		if forEach != nil && !reads.to("each", "key") && !reads.to("each", "value") {
			c.warnf(forEach.NameRange, "Instances that are all the same", "Nothing in scenario %q reads each.key or each.value, so what runs is the same every time. Read them, or take for_each out.", s.Name())
		}
		for _, m := range s.All("matrix") {
			for _, a := range m.Attrs {
				if !reads.to("matrix", a.Name) {
					c.warnf(a.NameRange, "Instances that are all the same", "Nothing in scenario %q reads matrix.%s, so what runs is the same for each of its values. Read it, or take the axis out.", s.Name(), a.Name)
				}
			}
		}
	}
}
