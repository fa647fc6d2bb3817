package given

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/trace"
)

// OfLog says why to ask for what every run has shows nothing.
const OfLog = "it holds whatever the run does: every run begins with run_start, ends with run_end and has spans, so it shows nothing here.\nhint: ask for the event or the span that it has to have"

// once are the types of events of which every run has one.
var once = []trace.Type{trace.RunStart, trace.RunEnd}

// Log is what a query for events or spans finds, as far as every run has it: its first event
// and its last one, and one span at least; and other numbers of all others, of which nothing
// is known. What any other query finds, and how much of it, is unknown.
func Log(name string, args []cty.Value, found cty.Value, many Many) cty.Value {
	if !found.IsKnown() || found.IsNull() || !found.Type().IsTupleType() {
		return cty.DynamicVal
	}
	list := found.AsValueSlice()
	all := len(args) == 0 || args[0].IsWhollyKnown() && !args[0].IsNull() && args[0].CanIterateElements() && args[0].LengthInt() == 0
	switch n := len(list); {
	case name == "spans" && all && n > 0:
		if list = many(list); len(list) == 0 {
			list = found.AsValueSlice()[:1]
		}
		return Unknown(cty.TupleVal(list), AsMany)
	case name == "events" && all && n > 1 && hasType(list[0], trace.RunStart) && hasType(list[n-1], trace.RunEnd):
		return cty.TupleVal(append(append([]cty.Value{knownOf(list[0], "type", "at_ms")}, unknownOf(many(list[1:n-1]))...), knownOf(list[n-1], "type")))
	case name == "events" && n == 1 && !all && args[0].Type().IsObjectType() && args[0].LengthInt() == 1 && (hasType(args[0], once[0]) || hasType(args[0], once[1])):
		return cty.TupleVal([]cty.Value{knownOf(list[0], "type")})
	}
	return cty.DynamicVal
}

func hasType(v cty.Value, t trace.Type) bool {
	return v.Type().IsObjectType() && v.Type().HasAttribute("type") && v.GetAttr("type").RawEquals(cty.StringVal(string(t)))
}

// knownOf is an object of which nothing is known but some attributes.
func knownOf(v cty.Value, names ...string) cty.Value {
	attrs := v.AsValueMap()
	for name := range attrs {
		attrs[name] = cty.DynamicVal
	}
	for _, name := range names {
		if v.Type().HasAttribute(name) {
			attrs[name] = v.GetAttr(name)
		}
	}
	return cty.ObjectVal(attrs)
}

func unknownOf(list []cty.Value) []cty.Value {
	out := make([]cty.Value, len(list))
	for i, v := range list {
		out[i] = cty.DynamicVal
		if v.Type().IsObjectType() {
			out[i] = knownOf(v)
		}
	}
	return out
}
