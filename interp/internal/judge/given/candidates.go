package given

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// candidates are the values that the target of the first entry of a step that classifies may have, or
// its entries, of which there is one at least: whatever the model answers, each text goes to a candidate
// or to the fallback. Nil for another operand, and where the step need not be reached.
func (f *File) candidates(path hcl.Traversal) []cty.Value {
	s := f.o.StepAt(path)
	if s == nil || !f.classifies(s) {
		return nil
	}
	k := s.Step.Classifier
	var targets []cty.Value
	for _, name := range append(slices.Clone(k.Candidates), k.Fallback) {
		if v := cty.StringVal(name); !slices.ContainsFunc(targets, v.RawEquals) {
			targets = append(targets, v)
		}
	}
	of, _ := read.AttrName(path, 2)
	last, _ := read.AttrName(path, len(path)-1)
	switch {
	case of != "entries":
	case len(path) == 5 && isFirst(path[3]) && last == plan.EntryTarget:
		return targets
	case len(path) == 3:
		return entries(k, targets)
	}
	return nil
}

// classifies reports whether a step classifies a text, whatever happens.
func (f *File) classifies(s *observe.StepResult) bool {
	return s.Step.Classifier != nil && s.Outer == nil && f.alone() && !f.replaces() &&
		(f.begins(s.Step) && !f.p.Workflow.Budget.Limited() || f.mustAsk(s) > 0)
}

// entries are lists of entries for some targets: one for each by itself, all in several orders, and
// very many. What an entry says besides is not known.
func entries(k *plan.Classifier, targets []cty.Value) (lists []cty.Value) {
	var all []cty.Value
	for _, target := range targets {
		attrs := map[string]cty.Value{}
		for _, key := range k.Keys {
			attrs[key] = cty.DynamicVal
		}
		attrs[plan.EntryTarget] = target
		all = append(all, cty.ObjectVal(attrs))
	}
	for i, e := range all {
		turned := slices.Concat(all[i:], all[:i])
		lists = append(lists, cty.TupleVal([]cty.Value{e}), cty.TupleVal(turned), cty.TupleVal(slices.Repeat([]cty.Value{e}, 60)), cty.TupleVal(slices.Repeat(turned, 1000/len(turned)+1)))
	}
	return lists
}
