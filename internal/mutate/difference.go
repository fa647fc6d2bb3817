package mutate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A Difference is what first tells the run of a mutant from that of the original.
type Difference struct {
	// Of is what happens in the original and By in the mutant, as briefly as can be
	// understood; "" for a run that has ended before.
	Of, By string
	// Assert is an assertion that holds of the original and not of the mutant, as it is
	// written in the scenario; "" where nothing that a condition can read differs.
	Assert string
}

// conditionsMax bounds the conditions that are tried of one result to see a difference.
const conditionsMax = 6

// differenceOf makes the run of a scenario and that of a mutant once more, to see how
// they differ, and what conditions can read of that. The conditions hold of the
// original alone, the best first.
func differenceOf(x *reading, o interp.RunOptions) (d *Difference, conditions []string) {
	a, of := interp.RunObserved(x.plan, o)
	b, by := interp.RunObserved(x.mutant, o)
	e, f, equal := x.compare.Differ(a.Events, b.Events)
	if equal {
		if conditions = reportsOf(of, by); len(conditions) > 0 {
			return &Difference{Of: conditions[0], By: "another report"}, conditions
		}
		return &Difference{}, nil
	}
	d = &Difference{Of: inBrief(e), By: inBrief(f)}
	if d.Of == d.By {
		name := x.compare.Attribute(e, f)
		d.Of += fmt.Sprintf(", %s %s", name, cmp.Or(valueOf(e, name), "nothing"))
		d.By += fmt.Sprintf(", %s %s", name, cmp.Or(valueOf(f, name), "nothing"))
	}
	return d, conditionsOn(of, by, e, f)
}

// phrases say what events of steps are, by their types.
var phrases = sync.OnceValue(func() map[trace.Type]string {
	return map[trace.Type]string{
		trace.StepStart: "STEP begins", trace.StepEnd: "STEP ends", trace.AttemptStart: "attempt N of STEP begins", trace.AttemptEnd: "attempt N of STEP ends",
		trace.RetryWait: "STEP waits for a retry",
	}
})

// said are the attributes that say most of an event.
var said = []string{"outcome", "status", "kind", "mode", "delay_ns", "layer", "to", "lock", "reason"}

// inBrief says what happens in an event.
func inBrief(e *trace.Event) string {
	if e == nil {
		return ""
	}
	who := cmp.Or(e.Step, e.Call, e.Actor, e.Target)
	text := strings.TrimSpace(strings.ReplaceAll(string(e.Type), "_", " ") + " " + who)
	if phrase := phrases()[e.Type]; phrase != "" && e.Step != "" {
		text = strings.NewReplacer("STEP", e.Step, "N", fmt.Sprint(e.Attempt)).Replace(phrase)
	}
	text += " at " + e.At.String()
	if e.Target != "" && e.Target != who {
		text += " on " + e.Target
	}
	if e.Type == trace.StepStart || e.Type == trace.AttemptStart {
		return text
	}
	for _, name := range said {
		if v := valueOf(e, name); v != "" {
			text += ", " + v
		}
	}
	return text
}

// valueOf is an attribute of an event on one line, "" for none.
func valueOf(e *trace.Event, name string) string {
	v := e.Attr(name)
	if v == nil {
		return ""
	}
	if value, ok := v.(trace.Value); ok {
		return brief(strings.Trim(string(value.AppendJSON(nil)), `"`))
	}
	return strings.Trim(brief(fmt.Sprint(v)), `"`)
}

// conditionsOn compares what differs between two runs with the original's values, what
// the events are about before all other things.
func conditionsOn(of, by *interp.Observation, events ...*trace.Event) []string {
	var all []string
	for _, root := range roots(events) {
		a, diags := of.Value(root)
		if diags.HasErrors() {
			continue
		}
		b, diags := by.Value(root)
		if !diags.HasErrors() {
			d := &differ{}
			d.compare(root, a, b, 0)
			all = append(all, d.conditions...)
		}
	}
	return all
}

// roots are the results that events are about, and the run as a whole.
func roots(events []*trace.Event) []string {
	var list []string
	add := func(name string) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, e := range events {
		if e != nil && e.Step != "" {
			outer, _, _ := strings.Cut(e.Step, ".")
			for _, name := range []string{e.Step, outer} {
				for _, kind := range []string{"step.", "call.", "fanout.", "classify."} {
					add(kind + name)
				}
			}
		}
	}
	for _, e := range events {
		if e == nil {
			continue
		}
		if e.Call != "" {
			add("call." + e.Call)
		}
		if e.Target != "" {
			add("target." + e.Target)
		}
		if e.Actor != "" {
			add("actor." + e.Actor)
		}
		if lock := e.Text("lock"); lock != "" {
			add("lock." + lock)
		}
	}
	add("run")
	add("steps")
	add("report")
	return list
}

// first are the attributes that say most of a result.
var first = []string{"status", "attempts", "retries", "outcome", "error", "content", "target", "at_ms", "elapsed_ms"}

// depthMax bounds how deep a condition reaches into a result.
const depthMax = 5

// A differ collects conditions that hold of one of two values alone.
type differ struct{ conditions []string }

func (d *differ) add(format string, args ...any) {
	if len(d.conditions) < conditionsMax {
		d.conditions = append(d.conditions, fmt.Sprintf(format, args...))
	}
}

// compare finds what differs between two values.
func (d *differ) compare(path string, a, b cty.Value, depth int) {
	if a.RawEquals(b) || depth > depthMax || len(d.conditions) == conditionsMax {
		return
	}
	switch text := literal(a); {
	case text != "" && rounded(a, text):
		d.add("approx(%s, %s, 1e-9)", path, text)
	case text != "":
		d.add("%s == %s", path, text)
	case a.IsNull() != b.IsNull():
		if a.IsNull() {
			d.add("%s == null", path)
		} else {
			d.add("%s != null", path)
		}
	case a.IsNull() || !a.IsKnown() || !b.IsKnown():
	case isList(a) && isList(b):
		if n := a.LengthInt(); n != b.LengthInt() {
			d.add("length(%s) == %d", path, n)
			return
		}
		list, others := a.AsValueSlice(), b.AsValueSlice()
		for i := range list {
			d.compare(fmt.Sprintf("%s[%d]", path, i), list[i], others[i], depth+1)
		}
	case a.Type().IsObjectType() && b.Type().IsObjectType():
		for _, name := range names(a) {
			if b.Type().HasAttribute(name) {
				d.compare(member(path, name), a.GetAttr(name), b.GetAttr(name), depth+1)
			}
		}
	}
}

func isList(v cty.Value) bool { return v.Type().IsTupleType() || v.Type().IsListType() }

// names are the attributes of an object, those first that say most.
func names(v cty.Value) []string {
	var list, others []string
	for _, name := range first {
		if v.Type().HasAttribute(name) {
			list = append(list, name)
		}
	}
	for name := range v.Type().AttributeTypes() {
		if !slices.Contains(first, name) && name != "message" {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return append(list, others...)
}

// literal is a value as it is written in a file, "" for one of several parts.
func literal(v cty.Value) string {
	if v.IsNull() || !v.IsKnown() {
		return ""
	}
	switch v.Type() {
	case cty.String:
		if text := v.AsString(); len(text) <= 80 && !strings.ContainsAny(text, "\n\r") {
			return quoted(text)
		}
	case cty.Bool:
		return fmt.Sprint(v.True())
	case cty.Number:
		return v.AsBigFloat().Text('g', 15)
	}
	return ""
}

// rounded reports whether a number is not the one that is written for it.
func rounded(v cty.Value, text string) bool {
	if v.Type() != cty.Number {
		return false
	}
	written, err := cty.ParseNumberVal(text)
	return err == nil && !written.RawEquals(v)
}

// quoted is a string as it is written in a file.
func quoted(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "${", "$${"), "%{", "%%{")
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(text) + `"`
}
