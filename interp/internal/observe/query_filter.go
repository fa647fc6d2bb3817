package observe

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// checkFilter checks what is written out in the filter of events and spans: the
// names of attributes, and the type of event. A filter with a name that is in no
// event finds nothing, and most conditions over nothing hold.
func checkFilter(name string, call *hclsyntax.FunctionCallExpr) hcl.Diagnostics {
	obj, ok := call.Args[0].(*hclsyntax.ObjectConsExpr)
	if !ok {
		return nil
	}
	of, known := "A span", map[string]bool{}
	for key := range (&telemetry.Span{}).Object() {
		known[key] = true
	}
	if name == "events" {
		t, diags := eventType(obj)
		if diags != nil {
			return diags
		}
		of, known = "An event", eventKeys(event.Types())
		if t != nil {
			of, known = fmt.Sprintf("An event of type %q", t.Type), eventKeys([]trace.TypeInfo{*t})
		}
	}
	var diags hcl.Diagnostics
	for _, item := range obj.Items {
		key, ok := written(item.KeyExpr)
		if !ok || known[key] {
			continue
		}
		rng := item.KeyExpr.Range()
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Unknown attribute", Subject: &rng,
			Detail: fmt.Sprintf("%s has no attribute %q.%s", of, key, dsl.DidYouMean(key, read.SortedNames(known))),
		})
	}
	return diags
}

// eventType is the type of event that a filter writes out, nil where it leaves
// it open.
func eventType(obj *hclsyntax.ObjectConsExpr) (*trace.TypeInfo, hcl.Diagnostics) {
	for _, item := range obj.Items {
		key, _ := written(item.KeyExpr)
		text, ok := written(item.ValueExpr)
		if key != "type" || !ok {
			continue
		}
		if t := event.Describe(trace.Type(text)); t != nil {
			return t, nil
		}
		names := make([]string, len(event.Types()))
		for i, t := range event.Types() {
			names[i] = string(t.Type)
		}
		hint := dsl.DidYouMean(text, names)
		if hint == "" {
			hint = " The types are: " + strings.Join(names, ", ") + "."
		}
		rng := item.ValueExpr.Range()
		return nil, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Unknown event", Detail: fmt.Sprintf("There is no event of type %q.%s", text, hint), Subject: &rng}}
	}
	return nil, nil
}

// eventKeys are the attributes that events of some types may have, as
// expressions see them.
func eventKeys(types []trace.TypeInfo) map[string]bool {
	full := trace.Event{Step: "s", Call: "c", Actor: "a", Target: "t", Attempt: 1, Round: 1, Turn: 1, Iteration: 1}
	known := map[string]bool{}
	for key := range full.Object() {
		known[key] = true
	}
	for _, t := range types {
		for _, a := range t.Attrs {
			known[a.Name] = true
			if name, ns := strings.CutSuffix(a.Name, "_ns"); ns {
				known[name+"_ms"] = true
			}
		}
	}
	return known
}

// written is a text that an expression writes out.
func written(e hclsyntax.Expression) (string, bool) {
	v, diags := e.Value(nil)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}
