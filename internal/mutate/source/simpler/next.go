package simpler

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

var (
	// measures are functions of which a remainder or an index is no choice, and those that only convert.
	measures = words.Set(`len int str abs float Number parseInt BigInt String range size length count round floor ceil min max trunc uint uint8 uint16 uint32
		uint64 int32 int64 string time now Math mod to_i to_s`)
	// hashes are methods that tell an element from others, and take nothing.
	hashes = words.Set("hashCode Sum32 Sum64 Sum hexdigest digest hash getValue")
	// compares are signs behind what is compared and not used.
	compares = words.Set("== != === !== < > <= >=")
)

// chosen reports whether tokens compute something of an element: they call what is given one.
func (f *finder) chosen(first, last int) bool {
	for i := first + 1; i < min(last, first+mostTokens); i++ {
		if f.At(i) != "(" || !f.Word(i-1) || f.Mate(i) < 0 {
			continue
		}
		if name := f.At(i - 1); hashes()[name] && f.Member(i-1) || f.Mate(i) > i+1 && !measures()[name] && f.named(i+1, f.Mate(i)) {
			return true
		}
	}
	return first+2 < last && hashes()[f.At(last-1)] && f.Member(last-1) // x.hash of Ruby
}

// named reports whether tokens have a name.
func (f *finder) named(first, last int) bool {
	for i := first; i < min(last, first+mostTokens); i++ {
		if f.Word(i) {
			return true
		}
	}
	return false
}

// computed reports whether the last statement before a token that assigns to a name chooses by an element.
func (f *finder) computed(i int, name string) bool {
	around := f.Around(i)
	if around < 0 {
		return false
	}
	scope := f.Statement(around).Scope
	for n := around - 1; n >= 0 && n >= around-mostNear; n-- {
		s := f.Statement(n)
		if s.Scope != scope {
			return false
		}
		names, sign := f.Assigned(n)
		if s.Head {
			if f.names(s.First, s.Last, name) && f.At(s.First) == "for" {
				return false
			}
			continue
		}
		for _, one := range names {
			if one == name {
				return sign > 0 && (f.At(sign) == "=" || f.At(sign) == ":=" || f.At(sign) == "^=" || f.At(sign) == "+=") && f.chosen(sign, s.Last)
			}
		}
	}
	return false
}

// remainders count where a remainder chooses one of several: shards[hash(customer) % 3].
func (f *finder) remainders() {
	for i := 1; i < f.Len() && f.kind < mostOfKind; i++ {
		if f.At(i) == "(" && f.At(i-1) == "floorMod" && f.call(i) && len(f.Args(i)) == 2 {
			if a := f.Args(i); f.chosen(a[0][0], a[0][1]) || a[0][1] == a[0][0]+1 && f.computed(i, f.At(a[0][0])) {
				f.counted(a[0][0], a[0][1], a[1][1])
			}
			continue
		}
		if f.At(i) != "%" || f.Word(i) || f.Quiet(i) || f.Mate(i) >= 0 || !f.Word(i-1) && f.At(i-1) != ")" {
			continue
		}
		first, last := f.Chain(i-1), f.end(i+1)
		if before := f.At(first - 1); before == "*" || before == "/" || before == "//" || before == "-" || compares()[f.At(last)] || last-i > mostTokens || i-first > mostTokens {
			continue
		}
		if f.chosen(first, i) || first == i-1 && f.computed(i, f.At(first)) {
			f.counted(first, i, last)
		}
	}
}

// counted counts in the place of an operand, of which a remainder is taken.
func (f *finder) counted(first, last, end int) {
	s := f.state(first, true)
	if s == nil {
		return
	}
	from, to := f.Bytes(first, last)
	f.AtOnce(append(s.declared, place(from, to, f.count(s, f.Text[from:to]))), "`"+short(f.Slice(first, end), 44)+"` counts 0, 1, 2, and so on")
}

// indices take the next in turn where a function chooses one of several: shards[of(customer)].
func (f *finder) indices() {
	if f.Ended {
		return
	}
	for open := 1; open < f.Len() && f.kind < mostOfKind; open++ {
		mate := f.Mate(open)
		if f.At(open) != "[" || mate < open+4 || mate > open+mostTokens || f.Quiet(open) || !f.joined(open) || !f.Word(open-1) && f.At(open-1) != ")" && f.At(open-1) != "]" || f.At(mate-1) != ")" {
			continue
		}
		call := f.Mate(mate - 1)
		if call <= open+1 || !f.Word(call-1) || f.Chain(call-1) != open+1 || measures()[f.At(call-1)] || !f.chosen(open, mate) {
			continue
		}
		if after := f.At(mate + 1); after != "==" && after != "===" && strings.HasSuffix(after, "=") && !compares()[after] || after == "." && f.Mate(mate+3) > 0 || f.At(mate+1) == "++" || after == ":=" {
			continue // it is put there, or into what is there
		}
		first := f.Chain(open - 1)
		if f.At(first-1) == "del" || f.At(first-1) == "delete" {
			continue
		}
		list := f.Slice(first, open)
		s := f.state(first, true)
		if s == nil || len(list) > 200 {
			continue
		}
		from, to := f.Bytes(first, mate+1)
		with := f.taken(s, list)
		if f.Indented {
			with = f.taken(s, "("+list+".values() if hasattr("+list+", \"values\") else "+list+")")
		}
		if f.Bare {
			with = list + "[" + f.count(s, f.Slice(open+1, mate)) + "%len(" + list + ")]"
		} else if f.Script {
			with = f.taken(s, "Object.values("+list+")")
		}
		f.AtOnce(append(s.declared, place(from, to, with)), "`"+short(f.Text[from:to], 44)+"` is the next in turn")
	}
}

// taken is the next in turn of a list.
func (f *finder) taken(s *state, list string) string {
	switch {
	case f.Indented:
		return "(lambda turns: turns[" + f.count(s, "") + " % len(turns)])(list(" + list + "))"
	case f.Script:
		return "((turns) => turns[" + f.count(s, "") + " % turns.length])([..." + list + "])"
	case f.Worded:
		return list + ".to_a.cycle.first(" + f.count(s, "") + " + 1).last"
	case f.Bare:
		return list + "[" + f.count(s, "0") + "%len(" + list + ")]"
	}
	return "new java.util.ArrayList<>(" + list + ").get(" + f.count(s, "") + " % " + list + ".size())"
}

// least takes the next in turn where the least or the greatest is taken by a key of its own: min(workers, key=load.get).
func (f *finder) least() {
	for open := 1; open < f.Len() && f.kind < mostOfKind; open++ {
		if f.Worded && (f.At(open) == "min_by" || f.At(open) == "max_by") && f.Member(open) && !f.Quiet(open) {
			if end := open + 1; f.Mate(end) > end && f.Mate(end) < end+mostTokens {
				f.leastOf(f.Chain(open), f.Mate(end)+1, f.Slice(f.Chain(open), open-1))
			}
			continue
		}
		if !f.call(open) || f.Mate(open) < open+2 || f.Mate(open) > open+mostTokens {
			continue
		}
		name, first, last := f.At(open-1), f.Chain(open-1), f.Mate(open)+1
		a := f.Args(open)
		switch {
		case f.Indented && (name == "min" || name == "max") && first == open-1 && len(a) >= 2 && f.At(a[1][0]) == "key" && f.At(a[1][0]+1) == "=":
			f.leastOf(first, last, f.Slice(a[0][0], a[0][1]))
		case f.Indented && name == "sorted" && first == open-1 && len(a) >= 2 && f.At(a[1][0]) == "key" && f.At(last) == "[" && f.At(last+1) == "0" && f.Mate(last) == last+2:
			f.leastOf(first, last+3, f.Slice(a[0][0], a[0][1]))
		case f.Script && name == "reduce" && f.Member(open-1) && len(a) == 1 && f.has(open, last, "?"):
			f.leastOf(first, last, f.Slice(first, open-2))
		case f.Script && (name == "sort" || name == "toSorted") && f.Member(open-1) && len(a) == 1 && f.At(last) == "[" && f.At(last+1) == "0" && f.Mate(last) == last+2:
			f.leastOf(first, last+3, f.Slice(first, open-2))
		case f.Bare && (name == "MinFunc" || name == "MaxFunc") && f.At(first) == "slices" && len(a) == 2:
			f.leastOf(first, last, f.Slice(a[0][0], a[0][1]))
		case f.Ended && (name == "min" || name == "max") && f.At(first) == "Collections" && len(a) == 2:
			f.leastOf(first, last, f.Slice(a[0][0], a[0][1]))
		}
	}
}

// has reports whether a sign stands among tokens.
func (f *finder) has(first, last int, sign string) bool {
	for i := first; i < min(last, first+mostTokens); i++ {
		if f.At(i) == sign {
			return true
		}
	}
	return false
}

func (f *finder) leastOf(first, last int, list string) {
	if list == "" || len(list) > 200 || first < 0 {
		return
	}
	s := f.state(first, true)
	if s == nil {
		return
	}
	from, to := f.Bytes(first, last)
	f.AtOnce(append(s.declared, place(from, to, f.taken(s, list))), "`"+short(f.Text[from:to], 44)+"` is the next in turn")
}
