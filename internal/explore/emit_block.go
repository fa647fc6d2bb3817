package explore

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp"
)

// appendOutage appends an outage as a scenario says it, before all scripts.
func appendOutage(body *hclwrite.Body, x *Strike) {
	o := x.Outage
	b := body.AppendNewBlock("outage", []string{strings.Map(printable, o.Where()+": "+x.What())}).Body()
	switch {
	case o.Provider != "":
		b.SetAttributeTraversal("provider", hcl.Traversal{hcl.TraverseRoot{Name: "provider"}, hcl.TraverseAttr{Name: o.Provider}})
	case o.Target != "":
		b.SetAttributeValue("target", cty.StringVal(o.Target))
	default:
		b.SetAttributeValue("address", cty.StringVal(o.Address))
	}
	if o.From > 0 {
		b.SetAttributeValue("from", valueOf(o.From))
	}
	if o.To > 0 {
		b.SetAttributeValue("to", valueOf(o.To))
	}
	appendStrike(b, x)
}

// appendEvents appends events as a scenario says them.
func appendEvents(body *hclwrite.Body, list []interp.Occurrence) {
	for i := range list {
		o := &list[i]
		b := body.AppendNewBlock("event", []string{o.Name}).Body()
		if o.At > 0 {
			b.SetAttributeValue("at", valueOf(o.At))
		}
		switch o.What {
		case "heal":
			b.SetAttributeValue(o.What, cty.True)
		case "partition":
			b.SetAttributeRaw(o.What, sides(o.Groups))
		case "cancel":
			if o.Cancel == "" {
				b.SetAttributeValue(o.What, cty.StringVal("run"))
			} else {
				b.SetAttributeTraversal(o.What, hcl.Traversal{hcl.TraverseRoot{Name: "call"}, hcl.TraverseAttr{Name: o.Cancel}})
			}
		default:
			b.SetAttributeTraversal(o.What, hcl.Traversal{hcl.TraverseRoot{Name: "actor"}, hcl.TraverseAttr{Name: o.Actor}})
		}
		b.SetAttributeValue("optional", cty.True)
	}
}

// sides are the groups of a partition.
func sides(groups [][]string) hclwrite.Tokens {
	var outer []hclwrite.Tokens
	for _, g := range groups {
		var inner []hclwrite.Tokens
		for _, name := range g {
			inner = append(inner, hclwrite.TokensForTraversal(hcl.Traversal{hcl.TraverseRoot{Name: "actor"}, hcl.TraverseAttr{Name: name}}))
		}
		outer = append(outer, hclwrite.TokensForTuple(inner))
	}
	return hclwrite.TokensForTuple(outer)
}

// appendStrike appends what strikes, and returns its body.
func appendStrike(body *hclwrite.Body, x *Strike) *hclwrite.Body {
	fault := AppendFault(body, x.Fault, x.Args)
	if x.HasAfter {
		fault.SetAttributeValue("after", valueOf(x.After))
	}
	return fault
}
