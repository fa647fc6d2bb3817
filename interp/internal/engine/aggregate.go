package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// An answer is what a sub has to say in the aggregate.
type answer struct {
	id, target, group string
	priority          int
	// value is what a sub that succeeded gave; class and message are why another
	// one gave nothing.
	ok                    bool
	value, class, message string
}

// answers are those of all subs, in the order of declaration.
func (f *fanning) answers() []answer {
	list := make([]answer, len(f.steps))
	for i, s := range f.steps {
		res, spec := f.Obs.Steps[s.Name], s.Step.Sub
		a := answer{id: s.Step.Name, target: spec.Target.Name(), group: spec.Group, priority: spec.Priority, ok: res.Status == read.StatusSuccess}
		if a.ok {
			a.value = toolText(res.Output, nil)
		} else if a.class = class(res); res.Err != nil {
			a.message = strings.TrimPrefix(res.Err.Message, a.class+": ")
		}
		list[i] = a
	}
	return list
}

// aggregate makes one text of all answers.
func aggregate(list []answer) string {
	list = arbitrated(list)
	switch len(list) {
	case 0:
		return "No responses were received."
	case 1:
		if a := list[0]; !a.ok {
			return fmt.Sprintf("%s was unavailable (%s): %s", a.target, a.class, a.message)
		}
		return list[0].value
	}
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = fmt.Sprintf("[%s] %s", a.target, a.value)
		if !a.ok {
			parts[i] = fmt.Sprintf("[%s] (unavailable: %s: %s)", a.target, a.class, a.message)
		}
	}
	return strings.Join(parts, "\n\n")
}

// arbitrated leaves the winner of every group: the highest priority, then the
// first by the target's name, then by id.
func arbitrated(list []answer) []answer {
	winners := map[string]answer{}
	for _, a := range list {
		if w, rival := winners[a.group]; !rival || before(a, w) < 0 {
			winners[a.group] = a
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(a answer) bool { return a.group != "" && winners[a.group].id != a.id })
}

func before(a, b answer) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.target, b.target), cmp.Compare(a.id, b.id))
}
