package simpler

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// An addition is a statement that adds to a name, or takes from it: sum += x, sum = sum + x.
type addition struct {
	n                 int
	name, sign, value string
	first, last       int // the tokens of the value
}

// addition is what a statement adds.
func (f *finder) addition(n int) *addition {
	s := f.Statement(n)
	names, sign := f.Assigned(n)
	if s.Head || sign < 0 || len(names) != 1 || sign != s.First+1 || f.Quiet(s.First) || s.Last-s.First > mostTokens {
		return nil
	}
	a := &addition{n: n, name: names[0], first: sign + 1, last: s.Last}
	switch op := f.At(sign); {
	case op == "+=" || op == "-=":
		a.sign = op[:1]
	case op == "=" && f.At(sign+1) == a.name && (f.At(sign+2) == "+" || f.At(sign+2) == "-"):
		a.sign = f.At(sign + 2)
		a.first += 2
		for i := a.first; i < a.last; i++ {
			if m := f.Mate(i); m > i {
				i = m
			} else if f.At(i) == "+" || f.At(i) == "-" {
				return nil
			}
		}
	default:
		return nil
	}
	if a.first >= a.last {
		return nil
	}
	a.value = f.Wrapped(a.first, a.last)
	return a
}

// far is how far an addition stands from a statement; what stands behind it is farther than all before it.
func (a *addition) far(n int) int {
	if a.n > n {
		return mostNear + a.n - n
	}
	return n - a.n
}

// near are the additions of the function of a statement that stand around it.
func (f *finder) near(n int) (list []*addition) {
	scope := f.Statement(n).Scope
	for m := max(n-mostNear, 0); m <= n+mostNear; m++ {
		if !f.stands(m) {
			break
		}
		if m != n && f.Statement(m).Scope == scope {
			if a := f.addition(m); a != nil {
				list = append(list, a)
			}
		}
	}
	return list
}

// stands reports whether there is a statement of a number.
func (f *finder) stands(n int) bool { return n >= 0 && n < f.statements }

// carried rounds each part of a total alone, where what was given so far is taken from what is due so far: the parts
// then need not add up to the total. The amounts that are due and given belong together, and neither says so alone.
func (f *finder) carried() {
	for i := 1; i < f.Len() && f.kind < mostOfKind; i++ {
		n := f.Around(i)
		if n < 0 || f.Statement(n).First != i {
			continue
		}
		f.due(n)
		f.left(n)
	}
}

// due rounds a part alone: part = round(running * share) - given.
func (f *finder) due(n int) {
	s := f.Statement(n)
	_, sign := f.Assigned(n)
	if s.Head || sign < 1 || !f.Word(sign-1) || f.At(sign) != "=" && f.At(sign) != ":=" || s.Last-sign < 4 || s.Last-sign > mostTokens {
		return
	}
	part, given := f.At(sign-1), f.At(s.Last-1)
	if f.At(s.Last-2) != "-" || !f.Word(s.Last-1) || f.ups[s.Last-2] != f.ups[sign] {
		return
	}
	first, last := sign+1, s.Last-2
	target := ""
	if last == first+1 && f.Word(first) { // what is due has a name of its own
		target = f.At(first)
		m := f.assigned(n, target)
		if m < 0 {
			return
		}
		_, sign := f.Assigned(m)
		first, last = sign+1, f.Statement(m).Last
	}
	all := f.near(n)
	if !slices.ContainsFunc(all, func(a *addition) bool {
		return a.name == given && a.sign == "+" && strings.Trim(a.value, "()") == part
	}) && (target == "" || !f.follows(n, given, target)) {
		return
	}
	begin, end := f.Bytes(first, last)
	var places []group.Place
	done := map[string]bool{given: true, part: true}
	slices.SortStableFunc(all, func(a, b *addition) int { return cmp.Compare(a.far(n), b.far(n)) })
	for _, a := range all {
		if a.sign != "+" || done[a.name] || !f.names(first, last, a.name) {
			continue
		}
		done[a.name] = true
		with := a.value
		if a.n > n {
			with = "0"
		}
		if f.Bare { // a name that is not used does not compile
			with = "(" + with + " + 0*" + a.name + ")"
		}
		for i := first; i < last; i++ {
			if f.Word(i) && !f.Member(i) && f.At(i) == a.name {
				from, to := f.Bytes(i, i+1)
				places = append(places, place(from-begin, to-begin, with))
			}
		}
	}
	if len(places) == 0 {
		return
	}
	slices.SortFunc(places, func(a, b group.Place) int { return cmp.Compare(a.From, b.From) })
	alone := f.Text[begin:end]
	for _, p := range slices.Backward(places) {
		alone = alone[:p.From] + p.Text + alone[p.To:]
	}
	from, to := f.Bytes(sign+1, s.Last)
	if f.Bare {
		alone += " - 0*" + given
		if target != "" {
			alone += " - 0*" + target
		}
	}
	f.Add(from, to, alone, "`"+short(part, 20)+"` is rounded alone, and nothing is carried over: `"+short(f.Text[from:to], 30)+"`")
}

// assigned is the last statement before one of the same function that gives a name a value, -1 for none.
func (f *finder) assigned(n int, name string) int {
	for m := n - 1; m >= 0 && m >= n-mostNear; m-- {
		s := f.Statement(m)
		names, sign := f.Assigned(m)
		if s.Scope == f.Statement(n).Scope && !s.Head && sign > 0 && slices.Contains(names, name) {
			if (f.At(sign) == "=" || f.At(sign) == ":=") && f.At(sign-1) == name && f.At(sign-2) != "," && s.Last-sign < mostTokens {
				return m
			}
			return -1
		}
	}
	return -1
}

// follows reports whether a statement behind another one gives a name the value of a second one: given = target.
func (f *finder) follows(n int, name, value string) bool {
	for m := n + 1; m <= n+mostNear && f.stands(m); m++ {
		names, sign := f.Assigned(m)
		if s := f.Statement(m); sign > 0 && f.At(sign) == "=" && slices.Contains(names, name) {
			return s.Last == sign+2 && f.At(sign+1) == value
		}
	}
	return false
}

// left takes no more from what is left where a part is a share of it: part = round(left * w / weight), left -= part,
// weight -= w.
func (f *finder) left(n int) {
	a := f.addition(n)
	if a == nil || a.sign != "-" {
		return
	}
	var pair []*addition
	for _, b := range f.near(n) {
		if b.n > n && b.n <= n+3 && b.sign == "-" && b.name != a.name {
			pair = []*addition{a, b}
			break
		}
	}
	if pair == nil {
		return
	}
	scope := f.Statement(n).Scope
	for m := n - 1; m >= 0 && m >= n-mostNear; m-- {
		s := f.Statement(m)
		names, sign := f.Assigned(m)
		if s.Scope != scope || s.Head || sign < 0 || len(names) == 0 || !f.names(sign+1, s.Last, pair[0].name) || !f.names(sign+1, s.Last, pair[1].name) {
			continue
		}
		nothing := ""
		switch {
		case f.Indented:
			nothing = "pass"
		case f.Worded:
			nothing = "nil"
		}
		var places []group.Place
		for _, x := range pair {
			st := f.Statement(x.n)
			from, to := f.Bytes(st.First, st.Last)
			places = append(places, place(from, to, nothing))
		}
		f.AtOnce(places, "`"+short(f.Text[places[0].From:places[0].To], 30)+"` and `"+short(f.Text[places[1].From:places[1].To], 30)+"` left out")
		return
	}
}
