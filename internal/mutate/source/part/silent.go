package part

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the calls that are told of one file, of the lines of each, and of the changes that are looked at for one.
const (
	mostNames = 12
	mostLines = 5
	mostEdits = 300
)

// An Edit is a change of a file: the bytes from and to, what takes their place, and whether it leaves a whole statement
// out or puts it elsewhere, or is made at several places at once.
type Edit struct {
	From, To         int
	Text             string
	Statement, Every bool
}

// A Call is a function or a command that no change is about, and where it stands. The bytes are those of all of it, of
// its name, and of each argument.
type Call struct {
	Name             string
	From, To         int
	NameFrom, NameTo int
	Args             []Argument
}

// An Argument is one of a call. Literal says that it is a text or a number: a change in it is one of the argument.
type Argument struct {
	From, To int
	Literal  bool
}

// Calls are the calls of a file that somebody may want to know of: none that every program has, and none of functions of
// the file.
func (f *Finder) Calls() (list []Call) {
	f.names()
	for open := 1; open < f.Len(); open++ {
		if f.At(open) != "(" || f.Mate(open) < open || f.Quiet(open) || !f.Word(open-1) || f.left(open) {
			continue
		}
		name, first := f.At(open-1), f.Chain(open-1)
		if first < 0 || first >= open {
			first = open - 1
		}
		if everyday()[name] || f.declared[name] || first == open-3 && (f.At(first) == "self" || f.At(first) == "this") || !f.Member(open-1) && !f.imported[name] || capital(name) && !collections()[name] && !f.Bare || f.At(first-1) == "new" || f.Bare && (first != open-3 || !f.Mentions(f.At(first)+`"`)) || f.At(f.Mate(open)+1) == "{" && !f.Worded && !f.Bare {
			continue
		}
		c := Call{Name: name}
		c.From, c.To = f.Bytes(first, f.Mate(open)+1)
		c.NameFrom, c.NameTo = f.Bytes(open-1, open)
		for _, a := range f.Args(open) {
			from, to := f.Bytes(a[0], a[1])
			c.Args = append(c.Args, Argument{from, to, a[1]-a[0] == 1 && !f.Word(a[0]) || f.Mate(a[0]) == a[1]-1 && strings.Trim(f.At(a[0]), "rbfRBF\"'`") == ""})
		}
		list = append(list, c)
	}
	return list
}

// Silent are the calls that no change is about: none replaces one, leaves it out, or changes one of its arguments alone.
// What leaves out its whole statement says nothing of it, and neither does what stands deeper in an argument.
func Silent(text string, calls []Call, edits []Edit) (list []Call) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.From, b.From) })
	var every []Edit
	for _, e := range edits {
		if e.Every && len(every) < 100 {
			every = append(every, e)
		}
	}
	for _, c := range calls {
		if !c.changed(text, edits) && !slices.ContainsFunc(every, func(e Edit) bool {
			return e.From <= c.From && e.To >= c.To && strings.Count(e.Text, c.Name) < strings.Count(text[e.From:e.To], c.Name)
		}) {
			list = append(list, c)
		}
	}
	return list
}

// slack is how far before a call a change may begin that replaces it: with `not` or `await` before it.
const slack = 12

func (c Call) changed(text string, edits []Edit) bool {
	n, _ := slices.BinarySearchFunc(edits, c.From-slack, func(e Edit, at int) int { return cmp.Compare(e.From, at) })
	for k := n; k < len(edits) && edits[k].From <= c.To; k++ {
		if k == n+mostEdits {
			return true // a long call, which has many
		}
		e := edits[k]
		if e.Statement || e.Every {
			continue
		}
		if e.From < c.NameTo && e.To > c.NameFrom || e.From == e.To && e.From >= c.NameFrom && e.From <= c.NameTo {
			if e.From >= c.From && e.To <= c.To+slack || e.From < c.From && e.To <= c.To+slack && sides(text[e.From:c.From]) || e.From >= c.From && tail(text, c.To, e.To) {
				return true
			}
		}
		for _, a := range c.Args {
			if e.From <= a.From && e.To >= a.To && e.From >= c.NameTo && e.To <= c.To || a.Literal && e.From >= a.From && e.To <= a.To {
				return true
			}
		}
	}
	return false
}

// sides reports whether a text before a call is no more than what says how its value is taken.
func sides(s string) bool {
	for _, w := range strings.Fields(strings.Trim(s, "(!|- ")) {
		if w != "not" && w != "await" && w != "new" && w != "and" && w != "or" && w != "&&" && w != "||" {
			return false
		}
	}
	return true
}

// tail reports whether what follows a call up to a byte is of the same chain: members, elements, calls.
func tail(text string, from, to int) bool {
	return to >= from && to <= len(text) && to-from < 200 && (to == from || strings.IndexByte(".[(?&)", text[from]) >= 0 && !strings.ContainsAny(text[from:to], "\n;{"))
}

// Shown are the calls as people are told of them: each name once, with its lines, most bounded.
func Shown(calls []Call, sign string, line func(int) int) string {
	lines, order := map[string][]int{}, []string{}
	for _, c := range calls {
		n := line(c.NameFrom)
		if lines[c.Name] == nil {
			order = append(order, c.Name)
		}
		if all := lines[c.Name]; len(all) == 0 || all[len(all)-1] != n {
			lines[c.Name] = append(all, n)
		}
	}
	var parts []string
	for _, name := range order[:min(len(order), mostNames)] {
		parts = append(parts, name+sign+" in "+said(lines[name]))
	}
	if more := len(order) - mostNames; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// said are lines as people say them.
func said(lines []int) string {
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if len(lines) == 1 {
		return fmt.Sprintf("line %d", lines[0])
	}
	var all []string
	for _, n := range lines[:min(len(lines), mostLines)] {
		all = append(all, fmt.Sprint(n))
	}
	if len(lines) > mostLines {
		return "lines " + strings.Join(all, ", ") + ", …"
	}
	return "lines " + strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// Least is a change without what stays as it is at both ends.
func Least(text string, from, to int, with string) Edit {
	for from < to && with != "" && text[from] == with[0] {
		from, with = from+1, with[1:]
	}
	for from < to && with != "" && text[to-1] == with[len(with)-1] {
		to, with = to-1, with[:len(with)-1]
	}
	return Edit{From: from, To: to, Text: with}
}
