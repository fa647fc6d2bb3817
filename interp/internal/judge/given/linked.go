package given

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// OfLink says why to compare what is counted or measured twice shows nothing.
const OfLink = "it holds whatever the run does: it compares what says the same thing in two ways, such as the attempts of a step and its retries, or an end and a start with the time between them, so it shows nothing here.\nhint: say how many there have to be, or how long it has to take"

// linked are the sets of attributes that say the same thing in several ways. What of them
// queries count is told of as attempts.
var linked = [][]string{
	{"attempts", "retries", "delays_ms"},
	{"started_ms", "ended_ms", "elapsed_ms"},
	{"at_ms", "ended_ms", "elapsed_ms", "started_at_ms", "ended_at_ms"},
	{"content", "output"},
	{"cost_usd"},
	usages,
}

var usages = []string{"prompt_tokens", "completion_tokens", "total_tokens", "cached_tokens", "reasoning_tokens"}

// AreLinked reports whether two at least of some operands say the same thing. Each is the
// names that it reads, one after the other; that of a query is attempts.
func AreLinked(operands [][]string) bool {
	return slices.ContainsFunc(linked, func(set []string) bool {
		n := 0
		for i, names := range operands {
			same := func(other []string) bool { return slices.Equal(other, names) && !slices.Equal(names, Counted) }
			if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(set, name) }) && !slices.ContainsFunc(operands[:i], same) {
				n++
			}
		}
		return n > 1
	})
}

// Counted are the names of an operand that is a query for events or a metric.
var Counted = []string{"attempts", ""}

// A World is a run that may come: its numbers agree with each other as those of every run
// do, and are any else.
type World struct {
	f *File
	// n says how many attempts steps have, and scale what times are multiplied by;
	// back turns the order in which steps begin, and has nothing follow their attempts.
	n     int
	scale int64
	back  bool
	// many are how many attempts a step has in one world or another.
	many []int
}

// Worlds are some of those, in both orders of steps, with no time, little and very much, and
// with as many attempts as a reach at least; none where that is too many. See [Reach].
func (f *File) Worlds(reach float64) (list []World) {
	if reach > farthest {
		return nil
	}
	many := []int{1, 2, 3, max(60, int(reach)+1)}
	for n := range many {
		for _, scale := range []int64{0, 1, 1e6} {
			list = append(list, World{f, n, scale, false, many}, World{f, n, scale, true, many})
		}
	}
	return list
}

// tries is how many attempts a step has: each has each number, and two steps have others.
func (w World) tries(name string) int {
	return w.many[(int64(w.n)+w.sum(fmt.Sprint(name, " tries", w.scale, w.back)))%int64(len(w.many))]
}

// At is what an operand comes to in a world, unknown where nothing links it with others.
func (w World) At(path hcl.Traversal) cty.Value {
	if w.f.o.Driven() {
		return cty.DynamicVal
	}
	if path.RootName() == "run" && len(path) > 1 {
		attr, named := read.AttrName(path, 1)
		if !named {
			return cty.DynamicVal
		}
		return below(w.run(attr), path[2:])
	}
	s := w.f.o.StepAt(path)
	if s == nil || s.Step.Gateway == nil || s.Outer != nil || len(path) < 3 {
		return cty.DynamicVal
	}
	attr, named := read.AttrName(path, 2)
	if !named {
		return cty.DynamicVal
	}
	return below(w.step(s, attr), path[3:])
}

// below is what a path comes to from a value on, unknown where that has no such part.
func below(v cty.Value, path hcl.Traversal) cty.Value {
	v, diags := path.TraverseRel(v)
	if diags.HasErrors() {
		return cty.DynamicVal
	}
	return v
}

// step is an attribute of the result of a step.
func (w World) step(s *observe.StepResult, attr string) cty.Value {
	switch {
	case attr == "started_ms" || attr == "ended_ms" || attr == "elapsed_ms":
		attrs := map[string]cty.Value{}
		_, took := w.attempts(s, 0)
		if !w.back {
			took += w.sum(s.Name+" lasts") * w.scale
		}
		span(attrs, w.begin(s), took)
		return attrs[attr]
	case attr == "cost_usd":
		return w.number(s.Name + " costs")
	case attr == "usage":
		return w.usage(func(name string) cty.Value { return w.number(s.Name + " " + name) })
	case attr == "content" || attr == "output" && s.Step.Kind == plan.KindLLM && s.Step.Output == nil:
		return cty.StringVal(fmt.Sprintf("what %s says %d times in %d", s.Name, w.n, w.scale))
	case attr == "attempts" && w.f.alone():
		list, _ := w.attempts(s, w.begin(s))
		return list
	case attr == "retries" && counted(s.Step) && w.f.alone():
		return cty.NumberIntVal(int64(w.tries(s.Name)) - 1)
	case attr == "delays_ms" && counted(s.Step) && w.f.alone():
		return cty.TupleVal(slices.Repeat([]cty.Value{cty.DynamicVal}, w.tries(s.Name)-1))
	}
	return cty.DynamicVal
}

// begin is when a step begins.
func (w World) begin(s *observe.StepResult) int64 {
	at := w.sum(s.Name)
	if w.back {
		at = 1<<16 - at
	}
	return at * w.scale
}

// counted reports whether each attempt of a step but the first is a retry.
func counted(s *plan.Step) bool { return NeverRefused(s) && len(s.Tools) == 0 }

// attempts are those of a step, of which what is not linked is unknown, and when the last
// of them ends after the first began.
func (w World) attempts(s *observe.StepResult, begin int64) (cty.Value, int64) {
	list := make([]cty.Value, w.tries(s.Name))
	at := int64(0)
	for i := range list {
		attrs := make(map[string]cty.Value, len(observe.AttemptFields))
		for _, f := range observe.AttemptFields {
			attrs[f.Name] = cty.DynamicVal
		}
		some := w.sum(fmt.Sprint(s.Name, i, w.n, w.back))
		if i > 0 {
			at += some % 89 * w.scale
		}
		took := some % 97 * w.scale
		attrs["at_ms"], attrs["ended_ms"], attrs["elapsed_ms"] = cty.NumberIntVal(at), cty.NumberIntVal(at+took), cty.NumberIntVal(took)
		attrs["started_at_ms"], attrs["ended_at_ms"] = cty.NumberIntVal(begin+at), cty.NumberIntVal(begin+at+took)
		list[i] = cty.ObjectVal(attrs)
		at += took
	}
	return cty.TupleVal(list), at
}

// span adds when something began and ended, and how long it took.
func span(attrs map[string]cty.Value, begin, took int64) {
	attrs["started_ms"], attrs["ended_ms"], attrs["elapsed_ms"] = cty.NumberIntVal(begin), cty.NumberIntVal(begin+took), cty.NumberIntVal(took)
}

// sum is a number that a name comes to, below 1<<16: the upper half of a hash, of whose
// lower bits those of two names that end alike would differ by the same.
func (w World) sum(name string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return int64(h.Sum32() >> 16)
}

// number is one that a name comes to, other in each world: nothing, little or so much that
// little is nothing beside it.
func (w World) number(name string) cty.Value {
	some := w.sum(fmt.Sprint(name, w.n, w.scale, w.back))
	return cty.NumberIntVal(some * []int64{0, 1, 1 << 20}[some%3])
}

// usage is an object of tokens.
func (w World) usage(of func(name string) cty.Value) cty.Value {
	attrs := map[string]cty.Value{}
	for _, name := range usages {
		attrs[name] = of(name)
	}
	return cty.ObjectVal(attrs)
}

// run is an attribute of the run: when it was, and what all steps cost together, where each
// of them is one of the run itself.
func (w World) run(attr string) cty.Value {
	attrs := map[string]cty.Value{}
	if span(attrs, 0, w.sum("run")*w.scale); attrs[attr] != cty.NilVal {
		return attrs[attr]
	}
	total := func(of func(s *observe.StepResult) cty.Value) cty.Value {
		sum := cty.Zero
		for _, s := range w.f.steps() {
			if s.Step.Gateway != nil {
				sum = sum.Add(of(s))
			}
		}
		return sum
	}
	switch {
	case attr == "cost_usd" && w.f.flat():
		return total(func(s *observe.StepResult) cty.Value { return w.step(s, attr) })
	case attr == "usage" && w.f.flat():
		return w.usage(func(name string) cty.Value {
			return total(func(s *observe.StepResult) cty.Value { return w.step(s, attr).GetAttr(name) })
		})
	}
	return cty.DynamicVal
}

// flat reports whether the steps of a run are all its own, and each attempt but the first
// of one is a retry.
func (f *File) flat() bool {
	return f.alone() && len(f.p.Actions) == 0 && !slices.ContainsFunc(f.steps(), func(s *observe.StepResult) bool {
		return s.Outer != nil || len(s.Inner) > 0 || s.Step.Gateway != nil && !counted(s.Step)
	})
}

// count is how many attempts steps have without the first so many of each, of one step or of
// all; ok is false where that is not known.
func (w World) count(step string, without int) (n int, ok bool) {
	if !w.f.flat() {
		return 0, false
	}
	for _, s := range w.f.steps() {
		if s.Step.Gateway != nil && (step == "" || step == s.Name) {
			n += w.tries(s.Name) - without
		}
	}
	return n, true
}

// Query is the answer to a query, unknown where nothing links it with what results say.
func (w World) Query(name string, args []cty.Value) cty.Value {
	if len(args) == 0 || !args[0].IsWhollyKnown() || args[0].IsNull() {
		return cty.DynamicVal
	}
	of, step, prefix := args[0], "", strings.TrimSuffix(w.f.p.Prefix, "_")+"_"
	filter := of
	if name == "metric" && len(args) > 1 {
		filter = args[1]
	}
	if filter.Type().IsObjectType() {
		for key, v := range filter.AsValueMap() {
			switch {
			case key == "type" && name == "events":
			case (key == "step" && name == "events" || key == "step_id" && name == "metric") && v.Type() == cty.String && !v.IsNull():
				step = v.AsString()
			default:
				return cty.DynamicVal
			}
		}
	}
	switch {
	case name == "metric" && of.Type() == cty.String:
		without, is := map[string]int{prefix + "attempts_total": 0, prefix + "retries_total": 1}[of.AsString()]
		if n, ok := w.count(step, without); is && ok {
			return cty.NumberIntVal(int64(n))
		}
	case name == "events" && of.Type().IsObjectType() && of.Type().HasAttribute("type") && of.GetAttr("type").Type() == cty.String:
		without, is := map[string]int{string(trace.AttemptStart): 0, string(trace.AttemptEnd): 0, string(trace.RetryWait): 1}[of.GetAttr("type").AsString()]
		if n, ok := w.count(step, without); is && ok {
			return cty.TupleVal(slices.Repeat([]cty.Value{cty.DynamicVal}, n))
		}
	}
	return cty.DynamicVal
}

// OneStep reports whether all of some operands that are of a step are of the same one: what
// two steps say is linked by nothing.
func OneStep(paths []hcl.Traversal) bool {
	first := ""
	for _, path := range paths {
		if path.RootName() != "step" || len(path) < 2 {
			continue
		}
		name, named := read.AttrName(path, 1)
		if !named || first != "" && name != first {
			return false
		}
		first = name
	}
	return true
}

// Names are the names of attributes that a path has in it.
func Names(path hcl.Traversal) (list []string) {
	for i := range path {
		if name, named := read.AttrName(path, i); named {
			list = append(list, name)
		}
	}
	return list
}
