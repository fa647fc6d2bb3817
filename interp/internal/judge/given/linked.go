package given

import (
	"hash/fnv"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// OfLink says why to compare what is counted or measured twice shows nothing.
const OfLink = "it holds whatever the run does: it compares what says the same thing in two ways, such as the attempts of a step and its retries, or an end and a start with the time between them, so it shows nothing here.\nhint: say how many there have to be, or how long it has to take"

// linked are the sets of attributes that say the same thing in several ways.
var linked = [][]string{
	{"attempts", "retries", "delays_ms"},
	{"started_ms", "ended_ms", "elapsed_ms"},
	{"at_ms", "ended_ms", "elapsed_ms", "started_at_ms", "ended_at_ms"},
}

// AreLinked reports whether a condition that reads some attributes reads two at least
// that say the same thing.
func AreLinked(names []string) bool {
	return slices.ContainsFunc(linked, func(set []string) bool {
		n := 0
		for _, name := range set {
			if slices.Contains(names, name) {
				n++
			}
		}
		return n > 1
	})
}

// A World is a run that may come: its numbers agree with each other as those of every run
// do, and are any else.
type World struct {
	f *File
	// n is how many attempts a step has, and scale what its times are multiplied by;
	// back turns the order in which steps begin.
	n     int
	scale int64
	back  bool
}

// Worlds are some of those, in both orders of steps, with no time, little and very much.
func (f *File) Worlds() (list []World) {
	for _, n := range []int{1, 2, 3, 500} {
		for _, scale := range []int64{0, 1, 1e6} {
			list = append(list, World{f, n, scale, false}, World{f, n, scale, true})
		}
	}
	return list
}

// At is what an operand comes to in a world, unknown where nothing links it with others.
func (w World) At(path hcl.Traversal) cty.Value {
	if w.f.o.Driven() {
		return cty.DynamicVal
	}
	if path.RootName() == "run" {
		attrs := map[string]cty.Value{}
		w.span(attrs, 0, w.sum("run"))
		return below(cty.ObjectVal(attrs), path[1:])
	}
	s := w.f.o.StepAt(path)
	if s == nil || s.Step.Gateway == nil || s.Outer != nil {
		return cty.DynamicVal
	}
	return below(w.step(s), path[2:])
}

// below is what a path comes to from a value on, unknown where that has no such part.
func below(v cty.Value, path hcl.Traversal) cty.Value {
	v, diags := path.TraverseRel(v)
	if diags.HasErrors() {
		return cty.DynamicVal
	}
	return v
}

// step is the result of a step.
func (w World) step(s *observe.StepResult) cty.Value {
	attrs := map[string]cty.Value{}
	begin := w.sum(s.Name)
	if w.back {
		begin = 1<<16 - begin
	}
	w.span(attrs, begin*w.scale, w.sum(s.Name+" lasts"))
	if w.f.alone() {
		attrs["attempts"] = w.attempts(s, begin*w.scale)
	}
	if counted(s.Step) && w.f.alone() {
		attrs["retries"] = cty.NumberIntVal(int64(w.n) - 1)
		attrs["delays_ms"] = cty.TupleVal(slices.Repeat([]cty.Value{cty.DynamicVal}, w.n-1))
	}
	return cty.ObjectVal(attrs)
}

// counted reports whether each attempt of a step but the first is a retry.
func counted(s *plan.Step) bool { return NeverRefused(s) && len(s.Tools) == 0 }

// attempts are those of a step, of which what is not linked is unknown.
func (w World) attempts(s *observe.StepResult, begin int64) cty.Value {
	list := make([]cty.Value, w.n)
	at := int64(0)
	for i := range list {
		attrs := make(map[string]cty.Value, len(observe.AttemptFields))
		for _, f := range observe.AttemptFields {
			attrs[f.Name] = cty.DynamicVal
		}
		at += int64(i%7) * w.scale
		took := (w.sum(s.Name)%97 + int64(i%5)) * w.scale
		attrs["at_ms"], attrs["ended_ms"], attrs["elapsed_ms"] = cty.NumberIntVal(at), cty.NumberIntVal(at+took), cty.NumberIntVal(took)
		attrs["started_at_ms"], attrs["ended_at_ms"] = cty.NumberIntVal(begin+at), cty.NumberIntVal(begin+at+took)
		list[i] = cty.ObjectVal(attrs)
		at += took
	}
	return cty.TupleVal(list)
}

// span adds when something began and ended, and how long it took.
func (w World) span(attrs map[string]cty.Value, begin, took int64) {
	took *= w.scale
	attrs["started_ms"], attrs["ended_ms"], attrs["elapsed_ms"] = cty.NumberIntVal(begin), cty.NumberIntVal(begin+took), cty.NumberIntVal(took)
}

// sum is a number that a name comes to, below 1<<16.
func (w World) sum(name string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return int64(h.Sum32() & 0xffff)
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
