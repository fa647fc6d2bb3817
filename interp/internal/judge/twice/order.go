package twice

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A list is what the elements of a list of one answer have at a path, in their order.
type list struct {
	by, path string
	answer   int
	values   []string
	// begin is how many values were given before.
	begin int
}

// lists are those of answers and inputs that have two elements or more.
func (r *record) lists() (all []*list) {
	type key struct {
		by, path string
		answer   int
	}
	known := map[key]*list{}
	for i, g := range r.given {
		if len(g.value) > 200 {
			continue
		}
		at := key{g.by, g.path, g.answer}
		if known[at] == nil {
			known[at] = &list{by: g.by, path: g.path, answer: g.answer, begin: i}
			all = append(all, known[at])
		}
		known[at].values = append(known[at].values, g.value)
	}
	return slices.DeleteFunc(all, func(l *list) bool { return len(l.values) < 2 })
}

// An aim is what a scenario is about, by the words of its name or of those of its checks; without any, it is so of all.
type aim struct {
	words, phrases []string
	// says is what is said of the list of values of a path where all such lists are so, "" where they are not.
	says func(r *record, all []*list) string
}

// aims are made when a run asks for them, so that a program that never does is smaller.
func aims() []aim {
	return []aim{
		{[]string{"newest", "latest"}, []string{"most recent", "most recently"}, func(_ *record, all []*list) string { return extreme(all, dated, 1) }},
		{[]string{"oldest", "earliest"}, nil, func(_ *record, all []*list) string { return extreme(all, dated, -1) }},
		{[]string{"highest", "largest", "greatest", "biggest", "longest", "dearest", "maximum"}, []string{"most expensive"}, func(_ *record, all []*list) string { return extreme(all, numeric, 1) }},
		{[]string{"lowest", "smallest", "least", "shortest", "cheapest", "minimum"}, nil, func(_ *record, all []*list) string { return extreme(all, numeric, -1) }},
		{[]string{"sorted", "sorts", "sort", "priority", "priorities", "ascending", "descending", "ranked", "chronological", "chronologically"}, []string{"time order", "by time", "by date", "by age", "of their times", "of their dates"}, func(_ *record, all []*list) string { return inOrder(all) }},
		{[]string{"tier", "tiers", "tiered", "bracket", "brackets", "band", "bands", "threshold", "thresholds", "slab", "slabs", "graduated", "staggered", "progressive"}, nil, func(_ *record, all []*list) string { return evenly(all) }},
		{nil, nil, (*record).inPlace},
	}
}

// mostAims is how many paths are told of for what a scenario is about.
const mostAims = 2

// namesOf are those by which one sees what a scenario is about: its own, and those of its checks.
func namesOf(p *plan.Plan) []string {
	names := []string{p.Name}
	for _, a := range p.Asserts {
		names = append(names, a.Name)
	}
	return names
}

// ordered are lists of answers whose order says what the program is to find out, by the names of the scenario: where the
// newest comes first in all of them, one that takes the first passes as well as one that looks for the newest.
func (r *record) ordered(names []string, room int) (told []observe.RequestPart) {
	type path struct{ by, path string }
	var order []path
	of := map[path][]*list{}
	for _, l := range r.lists() {
		if l.answer == 0 { // of the inputs
			continue
		}
		at := path{l.by, l.path}
		if of[at] == nil {
			order = append(order, at)
		}
		of[at] = append(of[at], l)
	}
	for _, a := range aims() {
		if !slices.ContainsFunc(names, a.of) {
			continue
		}
		n := 0
		for _, at := range order {
			if n == mostAims || len(told) >= room {
				break
			}
			if says := a.says(r, of[at]); says != "" {
				n++
				told = append(told, observe.RequestPart{Of: at.by, Name: fmt.Sprintf("%s, %s", at.path, says)})
			}
		}
	}
	return told
}

// of reports whether a name is about it.
func (a aim) of(name string) bool {
	if a.words == nil && a.phrases == nil {
		return true
	}
	words := read.WordsIn(name)
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(a.words, w) }) ||
		slices.ContainsFunc(a.phrases, func(s string) bool { return strings.Contains(" "+strings.Join(words, " ")+" ", " "+s+" ") })
}

// A measure compares two values, as far as it knows them.
type measure func(a, b string) (order int, known bool)

// version is a version with two numbers or more behind a v, or with three.
var version = pattern.New(`^v[0-9]+(\.[0-9]+)+$|^[0-9]+(\.[0-9]+){2,}$`)

// dated compares instants, dates and versions.
func dated(a, b string) (int, bool) {
	if form := version(); form.MatchString(a) && form.MatchString(b) {
		return versions(a, b), true
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly, time.DateTime, time.RFC1123} {
		x, err := time.Parse(layout, a)
		if err != nil {
			continue
		}
		y, err := time.Parse(layout, b)
		return x.Compare(y), err == nil
	}
	return 0, false
}

func versions(a, b string) int {
	x, y := strings.Split(strings.TrimPrefix(a, "v"), "."), strings.Split(strings.TrimPrefix(b, "v"), ".")
	for i := range min(len(x), len(y)) {
		if order, _ := numeric(x[i], y[i]); order != 0 {
			return order
		}
	}
	return len(x) - len(y)
}

func numeric(a, b string) (int, bool) {
	x, err := strconv.ParseFloat(a, 64)
	y, other := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y), err == nil && other == nil
}

// extreme says where the greatest element, or for -1 the least one, stands in all lists: at the begin or the end of
// each, "" for neither.
func extreme(all []*list, by measure, sign int) string {
	first, last := true, true
	for _, l := range all {
		most := 0
		for i := range l.values[1:] {
			order, known := by(l.values[i+1], l.values[most])
			if !known {
				return ""
			}
			if order*sign > 0 {
				most = i + 1
			}
		}
		first, last = first && most == 0, last && most == len(l.values)-1
	}
	which := map[int]string{1: "greatest", -1: "least"}[sign]
	switch {
	case first:
		return "of which the " + which + " comes first: what takes the first one passes as well"
	case last:
		return "of which the " + which + " comes last: what takes the last one passes as well"
	}
	return ""
}

// inOrder says that all lists are in one order already, "" where some are not.
func inOrder(all []*list) string {
	up, down := true, true
	for _, l := range all {
		for i := range l.values[1:] {
			order, known := dated(l.values[i+1], l.values[i])
			if !known {
				order, known = numeric(l.values[i+1], l.values[i])
			}
			if !known {
				return ""
			}
			up, down = up && order >= 0, down && order <= 0
		}
	}
	switch {
	case up && down: // they are all alike
		return ""
	case up:
		return "which come in ascending order already: what takes them as they come passes as well"
	case down:
		return "which come in descending order already: what takes them as they come passes as well"
	}
	return ""
}

// evenly says that the elements of all lists are as far apart as the first one is from zero, "" where some are not.
func evenly(all []*list) string {
	for _, l := range all {
		last, by := 0.0, 0.0
		for i, v := range l.values {
			n, err := strconv.ParseFloat(v, 64)
			if i == 0 {
				by = n
			}
			if err != nil || by <= 1 || n-last != by {
				return ""
			}
			last = n
		}
	}
	return "which are equally far apart: what has steps of " + all[0].values[0] + " passes as well"
}

// inPlace says that the elements of all lists come in the order of another list that was there before, of what the
// program was given or has asked for, "" where some do not.
func (r *record) inPlace(all []*list) string {
	where := ""
	for _, l := range all {
		rows := r.before()[l.start()]
		i := slices.IndexFunc(rows, func(w row) bool { return w.precedes(l) })
		if i < 0 || !l.isKey() {
			return ""
		}
		where = rows[i].path + " in " + rows[i].by
	}
	return "which come in the order of " + where + ": what takes the one at the same place passes as well"
}

// A row is a list that was there, and how many values were given when it was all there.
type row struct {
	*list
	after int
}

// precedes reports whether a row was there before a list or came with it, is another one, and has the same elements at
// the same places, as far as both have any.
func (w row) precedes(l *list) bool {
	same := w.answer == l.answer && w.by == l.by
	if same && (w.begin >= l.begin || around(w.path) == around(l.path)) || !same && w.after > l.begin {
		return false
	}
	n := min(len(w.values), len(l.values))
	return slices.Equal(w.values[:n], l.values[:n])
}

// around is the list that the elements of a path are in.
func around(path string) string { return path[:max(strings.LastIndex(path, "[]"), 0)] }

// mostRows bounds how many lists that begin alike are looked at.
const mostRows = 8

// before are the lists of a run by how they begin: those of requests, of inputs and of answers.
func (r *record) before() map[string][]row {
	if r.rows != nil {
		return r.rows
	}
	r.rows = map[string][]row{}
	keep := func(l *list, after int) {
		if at := l.start(); len(l.values) > 1 && len(r.rows[at]) < mostRows {
			r.rows[at] = append(r.rows[at], row{l, after})
		}
	}
	asked, last := map[[2]string]*list{}, map[*list]int{}
	var order []*list
	for _, s := range r.sent {
		at := [2]string{s.step, s.name}
		if asked[at] == nil {
			asked[at] = &list{by: "the request of " + s.step, path: s.name}
			order = append(order, asked[at])
		}
		asked[at].values = append(asked[at].values, s.value)
		last[asked[at]] = s.after
	}
	for _, l := range order {
		keep(l, last[l])
	}
	for _, l := range r.lists() {
		keep(l, l.begin+len(l.values))
	}
	return r.rows
}

// start is what lists have in common that begin alike.
func (l *list) start() string { return strings.Join(l.values[:min(len(l.values), 2)], "\x00") }

// isKey reports whether the elements of a list may be keys: they differ, and are no small numbers.
func (l *list) isKey() bool {
	seen := map[string]bool{}
	for _, v := range l.values {
		if n, is := numeric(v, "10"); seen[v] || is && n < 0 {
			return false
		}
		seen[v] = true
	}
	return true
}
