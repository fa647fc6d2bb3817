package twice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/says"
)

// Bounds of the texts in which a list is looked for, and of what is read of each.
const (
	mostTexts   = 32
	mostOfText  = 256 << 10
	mostColumns = 6
	fewestSteps = 3
)

// A Text is one that a program was given, such as its input.
type Text struct{ Of, Is string }

// choosing are the words of a scenario whose program is to choose an order of its own.
func choosing() aim {
	return aim{words: []string{
		"turn", "turns", "robin", "fair", "fairly", "fairness", "alternate", "alternates", "alternating", "interleaved", "interleaves", "balanced", "weighted",
		"sorted", "sorts", "sort", "priority", "priorities", "prioritised", "prioritized", "urgent", "ranked", "topological", "dependency", "dependencies", "shuffled",
		"ascending", "descending", "chronological", "chronologically",
	}, phrases: []string{"time order", "by time", "by date", "by age", "by size", "most important"}}
}

// Walked are what a program asks for, or prints, in the very order of a list that it was given as a text, where the
// scenario says that it chooses the order. The texts are asked for only then.
func Walked(o *observe.Observed, given func() []Text) []observe.RequestPart {
	if names := namesOf(o.Plan); !slices.ContainsFunc(names, choosing().of) {
		return nil
	}
	r := collect(o)
	var all []*list
	texts := given()
	for _, t := range texts[:min(len(texts), mostTexts)] {
		all = append(all, listsIn(t)...)
	}
	return append(r.walk(all, told), printed(o, append(all, r.lists()...))...)
}

// walked are requests in the very order of a list of an answer or of the inputs.
func (r *record) walked(names []string, room int) []observe.RequestPart {
	if !slices.ContainsFunc(names, choosing().of) {
		return nil
	}
	return r.walk(r.lists(), room)
}

// walk tells of requests that come in the order of one of some lists.
func (r *record) walk(all []*list, room int) (told []observe.RequestPart) {
	type at struct{ step, name string }
	asked, first := map[at][]string{}, map[at]int{}
	var order []at
	for _, s := range r.sent {
		a := at{s.step, s.name}
		if asked[a] == nil {
			order, first[a] = append(order, a), s.after
		}
		asked[a] = append(asked[a], s.value)
	}
	seen := map[*list]bool{}
	for _, a := range order {
		values := slices.Compact(asked[a])
		if a.name == "the path" {
			values = slices.DeleteFunc(values, func(v string) bool { return times(asked[a], v) > 1 })
		}
		for _, l := range all {
			if len(told) >= min(room, mostAims) || seen[l] || l.begin+len(l.values) > first[a] && l.answer > 0 || !l.has(values) {
				continue
			}
			seen[l] = true
			told = append(told, observe.RequestPart{Of: "the request of " + a.step, Name: fmt.Sprintf("%s, which comes in the order of %s: what takes one after the other passes as well", a.name, l.called())})
			break
		}
	}
	return told
}

func times(values []string, value string) (n int) {
	for _, v := range values {
		if v == value {
			n++
		}
	}
	return n
}

// called is what a list is called.
func (l *list) called() string {
	if l.path == "" {
		return l.by
	}
	return l.path + " in " + l.by
}

// has reports whether some values, which all differ, stand in a list in their order, each once.
func (l *list) has(values []string) bool {
	if len(values) < fewestSteps {
		return false
	}
	place := make(map[string]int, len(l.values))
	for i, v := range l.values {
		if _, again := place[v]; again {
			i = -1
		}
		place[v] = i
	}
	last := -1
	for _, v := range values {
		i, is := place[v]
		if !is || i <= last {
			return false
		}
		last = i
	}
	return true
}

// listsIn are the lists of a text: the members of the elements of one of JSON, or else the columns of its lines and all
// its words.
func listsIn(t Text) (all []*list) {
	text := t.Is[:min(len(t.Is), mostOfText)]
	of := map[string]*list{}
	add := func(path, value string) {
		if of[path] == nil {
			of[path] = &list{by: t.Of, path: path}
			all = append(all, of[path])
		}
		of[path].values = append(of[path].values, value)
	}
	says.JSON(text, func(path, value string) {
		if strings.Contains(path, "[]") {
			add(path, value)
		}
	})
	if len(all) > 0 {
		return all
	}
	n := 0
	for line := range strings.Lines(text) {
		fields := cells(line)
		if n += len(fields); n > most {
			break
		}
		for i, f := range fields[:min(len(fields), mostColumns)] {
			add(fmt.Sprintf("column %d", i+1), f)
		}
	}
	if len(all) > 0 && len(all[0].values) < fewestSteps { // one line of words
		all = []*list{{by: t.Of, values: cells(text)}}
	}
	return all
}

// cells are the words of a line.
func cells(line string) []string {
	return strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t\r\n,;|\"", c) })
}

// printed tells of lines on the standard output that come in the order of one of some lists.
func printed(o *observe.Observed, all []*list) []observe.RequestPart {
	columns := listsIn(Text{Of: "what it prints", Is: o.Sut.Stdout})
	for _, c := range columns {
		for _, l := range all {
			if l.has(c.values) {
				return []observe.RequestPart{{Of: "what it prints", Name: fmt.Sprintf("%s, which comes in the order of %s: what takes one after the other passes as well", c.path, l.called())}}
			}
		}
	}
	return nil
}
