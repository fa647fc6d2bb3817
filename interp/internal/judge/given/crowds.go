package given

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// AtOnce are the attributes that say how many there were of something at one time.
var AtOnce = []string{"in_flight_max", "in_use_max"}

// OfFew begins to say that a limit on what is there at one time shows nothing.
const OfFew = "it holds however many of them there are at one time: "

// mostAtOnce is how many of what came to one thing are told apart.
const mostAtOnce = 100

// Few says why a condition on how much there was at one time shows nothing: it holds with every
// number up to that of all that came in the run, and none at all. "" where it shows something. holds
// reports whether the condition holds where operands are as the function says, and nothing else is
// known.
func Few(o *observe.Observed, ctx *hcl.EvalContext, holds func(at func(hcl.Traversal) cty.Value) bool) string {
	most := 1
	for k := 0; k <= min(most, mostAtOnce); k++ {
		if !holds(func(path hcl.Traversal) cty.Value {
			v, diags := path.TraverseAbs(ctx)
			came := o.Came(path)
			if diags.HasErrors() || came == 0 {
				return cty.DynamicVal
			}
			most = max(most, came)
			return with(v, lastOf(path), AtOnce, cty.NumberIntVal(int64(min(k, came))))
		}) {
			return ""
		}
	}
	if most == 1 || most > mostAtOnce {
		return "" // one alone is another rule's
	}
	return fmt.Sprintf("%sonly %d came in the whole run, so the limit is never met and shows nothing here.\nhint: let more come at one time than the limit allows, each with a latency or a takes, or say with == how many there have to be", OfFew, most)
}

// lastOf is the name of the last attribute of a path, "" for none.
func lastOf(path hcl.Traversal) (name string) {
	for i := range path {
		if now, is := read.AttrName(path, i); is {
			name = now
		}
	}
	return name
}

// with is a value in which each number of some names is another one, and of which nothing else is
// known; one that is null stays so.
func with(v cty.Value, name string, names []string, n cty.Value) cty.Value {
	switch t := v.Type(); {
	case v.IsNull() && slices.Contains(names, name):
		return v
	case v.IsNull() || !v.IsKnown():
		return cty.DynamicVal
	case t.IsTupleType():
		list := v.AsValueSlice()
		for i := range list {
			list[i] = with(list[i], name, names, n)
		}
		return cty.TupleVal(list)
	case t.IsObjectType():
		attrs := v.AsValueMap()
		for _, name := range slices.Sorted(maps.Keys(attrs)) {
			attrs[name] = with(attrs[name], name, names, n)
		}
		return cty.ObjectVal(attrs)
	case t == cty.Number && slices.Contains(names, name):
		return n
	}
	return cty.DynamicVal
}
