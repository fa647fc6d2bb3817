// Package beside reads another member of what a program was given in the place of the one that it reads, where the
// answers of its scenarios have both: a condition on answer.retryable is one on answer.code, or on the status, and jobs
// in the order of job["due"] come in that of job["created"]. Only those changes are made that are the same for all that
// the answers gave, so that scenarios may miss them.
package beside

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// Bounds of what is kept of the answers.
const (
	mostAnswers = 200
	mostObjects = 400
	deepest     = 8
)

// An Answer is one that a program was given: by whom, the status, 0 for none, and what its JSON says.
type Answer struct {
	Of     string
	Status int
	JSON   any
}

// An object is one of an answer, with its members that are no objects, and the list that it stands in, 0 for none.
type object struct {
	members map[string]any
	status  int
	list    int
}

// Facts are the objects of some answers, those of one kind together.
type Facts struct {
	kinds [][]object
	at    map[string]int
	lists int
}

// Of are the objects of some answers.
func Of(answers []Answer) *Facts {
	f := &Facts{at: map[string]int{}}
	for _, a := range answers[:min(len(answers), mostAnswers)] {
		f.within(a, a.Of, a.JSON, 0, 0)
	}
	return f
}

func (f *Facts) within(a Answer, path string, v any, list, depth int) {
	switch v := v.(type) {
	case []any:
		f.lists++
		list = f.lists
		for _, e := range v {
			if depth < deepest {
				f.within(a, path+"[]", e, list, depth+1)
			}
		}
	case map[string]any:
		o := object{map[string]any{}, a.Status, list}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch is := v[name].(type) {
			case string, float64, bool:
				o.members[name] = is
			case map[string]any, []any:
				if depth < deepest {
					f.within(a, path+"."+name, is, 0, depth+1)
				}
			}
		}
		n, is := f.at[path]
		if !is {
			n = len(f.kinds)
			f.at[path] = n
			f.kinds = append(f.kinds, nil)
		}
		if len(f.kinds[n]) < mostObjects {
			f.kinds[n] = append(f.kinds[n], o)
		}
	}
}

// having are the objects of each kind that have a member, of kinds in which two have it.
func (f *Facts) having(name string) (all [][]object) {
	for _, kind := range f.kinds {
		some := slices.DeleteFunc(slices.Clone(kind), func(o object) bool { _, is := o.members[name]; return !is })
		if len(some) > 1 {
			all = append(all, some)
		}
	}
	return all
}

// others are the names of members beside one that all of some objects have.
func others(some []object, name string) (names []string) {
	for _, other := range slices.Sorted(maps.Keys(some[0].members)) {
		if other != name && named().MatchString(other) && !slices.ContainsFunc(some, func(o object) bool { _, is := o.members[other]; return !is }) {
			names = append(names, other)
		}
	}
	return names
}

var (
	// named is a member that can be read with a point, and plain a text that is the same in quotes in each language.
	named = pattern.New(`^[A-Za-z_][A-Za-z0-9_]{0,39}$`)
	plain = pattern.New(`^[A-Za-z0-9_][A-Za-z0-9_ .:/-]{0,59}$`)
)

// compare orders two values of one type; those of two are not ordered.
func compare(a, b any) (n int, ok bool) {
	switch a := a.(type) {
	case string:
		b, is := b.(string)
		return strings.Compare(a, b), is
	case float64:
		b, is := b.(float64)
		return cmp.Compare(a, b), is
	}
	return 0, false
}

// asOrdered are the members by which each list of some objects is in the order that it has by one, and that are of
// its type, those first.
func asOrdered(some []object, name string) (names []string) {
	lists := map[int][]object{}
	for _, o := range some {
		if o.list > 0 {
			lists[o.list] = append(lists[o.list], o)
		}
	}
	ordered := func(list []object, by string) ([]int, bool) {
		order, ok, differ := make([]int, len(list)), true, false
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			n, is := compare(list[a].members[by], list[b].members[by])
			ok, differ = ok && is, differ || n != 0
			return n
		})
		return order, ok && differ
	}
	var rest []string
	for _, other := range others(some, name) {
		same := 0
		for _, list := range lists {
			if len(list) < 2 {
				continue
			}
			a, is := ordered(list, name)
			b, too := ordered(list, other)
			if !is || !too || !slices.Equal(a, b) {
				same = -1
				break
			}
			same++
		}
		if same < 1 {
			continue
		}
		if _, ok := compare(some[0].members[name], some[0].members[other]); ok {
			names = append(names, other)
		} else {
			rest = append(rest, other)
		}
	}
	return append(names, rest...)
}

// A test is what is asked of a member, "" for the status: whether it has a value, or with a sign how it stands to that,
// or with none whether it is true.
type test struct {
	member, sign string
	value        any
}

// tests are questions of other members, and of the status, whose answer is that of holds for each of some objects: at
// most one of a member that is true or false, one of a value, and one of the status.
func tests(some []object, name string, holds func(any) bool) (all []test) {
	var yes, no []object
	for _, o := range some {
		if holds(o.members[name]) {
			yes = append(yes, o)
		} else {
			no = append(no, o)
		}
	}
	if len(yes) == 0 || len(no) == 0 {
		return nil
	}
	status := func(o object) any { return float64(o.status) }
	member := func(name string) func(object) any { return func(o object) any { return o.members[name] } }
	if sign, value := separates(yes, no, status); sign != "" && some[0].status > 0 {
		all = append(all, test{"", sign, value})
	}
	var truths, values bool
	for _, other := range others(some, name) {
		sign, value := separates(yes, no, member(other))
		_, truth := value.(bool)
		switch {
		case sign == "" || truth && truths || !truth && values:
		case truth:
			truths = true
			if value == (sign == "==") {
				all = append(all, test{member: other})
			} else {
				all = append(all, test{member: other, sign: "!"})
			}
		default:
			values = true
			all = append(all, test{other, sign, value})
		}
	}
	return all
}

// separates is how a value of some objects stands to what, unlike that of others: all have it, none has it, or all have
// at least or at most it.
func separates(yes, no []object, of func(object) any) (sign string, value any) {
	all := func(list []object, v any) (every, some bool) {
		every = true
		for _, o := range list {
			is := of(o) == v
			every, some = every && is, some || is
		}
		return every, some
	}
	first := of(yes[0])
	if text, is := first.(string); is && !plain().MatchString(text) {
		return "", nil
	}
	every, _ := all(yes, first)
	if _, some := all(no, first); every && !some {
		return "==", first
	}
	other := of(no[0])
	if text, is := other.(string); is && !plain().MatchString(text) {
		return "", nil
	}
	every, _ = all(no, other)
	if _, some := all(yes, other); every && !some {
		return "!=", other
	}
	if _, is := first.(float64); !is {
		return "", nil
	}
	order := func(a, b object) int { n, _ := compare(of(a), of(b)); return n }
	least := of(slices.MinFunc(yes, order))
	if n, ok := compare(least, of(slices.MaxFunc(no, order))); ok && n > 0 {
		return ">=", least
	}
	most := of(slices.MaxFunc(yes, order))
	if n, ok := compare(most, of(slices.MinFunc(no, order))); ok && n < 0 {
		return "<=", most
	}
	return "", nil
}

// truths are the members that are true, or a number other than 0, with some values of a member, and are not with its
// others; those that are true or false first.
func truths(some []object, name string) (names []string) {
	var rest []string
	for _, other := range others(some, name) {
		of := map[any]bool{}
		seen := [2]bool{}
		alike := true
		for _, o := range some {
			is := o.members[other] != false && o.members[other] != float64(0)
			if was, known := of[o.members[name]]; known && was != is {
				alike = false
			}
			of[o.members[name]] = is
			if is {
				seen[1] = true
			} else {
				seen[0] = true
			}
		}
		if !alike || !seen[0] || !seen[1] {
			continue
		}
		switch some[0].members[other].(type) {
		case bool:
			names = append(names, other)
		case float64:
			rest = append(rest, other)
		}
	}
	return append(names, rest...)
}
