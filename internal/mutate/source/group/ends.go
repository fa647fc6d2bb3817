package group

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// look bounds how many tokens are looked at behind one, so that the work grows as a file does.
const look = 400

// sorting are functions that sort their first argument in its place.
var sorting = words.Set("sort.Slice sort.SliceStable sort.Strings sort.Ints sort.Float64s sort.Sort sort.Stable slices.Sort slices.SortFunc slices.SortStableFunc Collections.sort Arrays.sort")

// ends takes one end of a list as it is, where the list is sorted and an end of it taken: without the sort alone it is the
// same end of what is not sorted, and a scenario has the wanted element at the other one as often as not.
func (f *Finder) ends() {
	for i := range f.Len() {
		if !f.Word(i) || f.Quiet(i) || f.At(i+1) == "(" && f.Declares(i) {
			continue
		}
		f.largest(i)
		end := f.call(i)
		n, first := f.Around(i), f.Chain(i)
		whole := n >= 0 && f.Statement(n).First == first && f.Statement(n).Last == end && !f.Statement(n).Head
		from, to := f.Bytes(first, end)
		switch name := f.At(i); {
		case whole && f.Member(i) && f.At(i+1) == "(" && sorting()[f.Slice(first, i+1)]:
			if a := f.Args(i + 1); len(a) > 0 {
				f.otherEnd(f.unsorted(from, to), from, to, n, a[0][0], a[0][1])
			}
		case whole && f.Member(i) && (name == "sort" && f.At(i+1) == "(" && !f.Bare || name == "sort!" || name == "sort_by!"):
			f.otherEnd(f.unsorted(from, to), from, to, n, first, i-1)
		case f.Indented && name == "sorted" && !f.Member(i) && f.At(i+1) == "(":
			if a := f.Args(i + 1); len(a) > 0 && f.At(a[0][0]) != "*" {
				f.takenOf(place(from, to, "list("+f.Slice(a[0][0], a[0][1])+")"), from, to, n, end)
			}
		case f.Member(i) && f.At(i+1) == "(" && (f.Script && (name == "sort" || name == "toSorted") || f.Ended && name == "sorted"),
			f.Worded && f.Member(i) && (name == "sort" || name == "sort_by"):
			with := ""
			if f.Worded {
				with = ".to_a"
			}
			point, _ := f.Bytes(i-1, i)
			f.takenOf(place(point, to, with), from, to, n, end)
		}
	}
}

// call is the token behind a name, its arguments and its block.
func (f *Finder) call(i int) int {
	i++
	if f.At(i) == "(" && f.Mate(i) > i {
		i = f.Mate(i) + 1
	}
	if f.Worded && f.At(i) == "{" && f.Mate(i) > i {
		i = f.Mate(i) + 1
	}
	return i
}

// unsorted leaves out a statement.
func (f *Finder) unsorted(from, to int) Place {
	with := ";"
	switch {
	case f.Indented:
		with = "pass"
	case f.Worded:
		with = "nil"
	case f.Bare:
		with = "if false { " + f.Text[from:to] + " }"
	case f.Ended:
		with = "if (false) { " + f.Text[from:to] + "; }"
	}
	return place(from, to, with)
}

// takenOf is about a sorted list, from a byte to another one, of which an end is taken behind it, or of the name that it is
// given.
func (f *Finder) takenOf(left Place, from, to, n, end int) {
	if last, other, which := f.end(end, ""); last > 0 {
		a, b := f.Bytes(end, last)
		f.both(left, []Place{place(a, b, other)}, from, to, which)
		return
	}
	if n < 0 || f.Statement(n).Head || f.Statement(n).Last > end+look {
		return
	}
	if i, _ := f.named(n); i >= 0 {
		f.otherEnd(left, from, to, n, i, i+1)
	}
}

// otherEnd takes the other end of a list, that of some tokens, in what follows its statement.
func (f *Finder) otherEnd(left Place, from, to, n, first, last int) {
	if last <= first || last-first > 8 {
		return
	}
	list, s := f.Slice(first, last), f.Statement(n)
	var all []Place
	which := ""
	for i := s.Last; i < f.Len() && i < s.Last+look; i++ {
		if f.At(i) != f.At(first) || f.Member(i) || i+last-first >= f.Len() || f.Slice(i, i+last-first) != list {
			continue
		}
		if m := f.Around(i); m < 0 || f.Statement(m).Scope != s.Scope {
			continue
		}
		end, other, taken := f.end(i+last-first, list)
		if end == 0 {
			continue
		}
		if which != "" && which != taken {
			return // both ends are taken
		}
		a, b := f.Bytes(i+last-first, end)
		all, which = append(all, place(a, b, other)), taken
		if end > i {
			i = end - 1
		}
	}
	f.both(left, all, from, to, which)
}

// both leaves the sort out, and takes the other end.
func (f *Finder) both(left Place, ends []Place, from, to int, which string) {
	if len(ends) == 0 || to-from > f.Span || ends[len(ends)-1].To-from > f.Span {
		return
	}
	f.AtOnce(append([]Place{left}, ends...), "`"+inner.Short(f.Text[from:to], 30)+"` left out, the "+which+" is taken: `"+inner.Short(ends[0].Text, 18)+"`")
}

// end is about what stands behind a list and takes its first or last element: the token behind it, what takes the other
// one, and which one that is. The list has a name, or none.
func (f *Finder) end(at int, list string) (last int, other, which string) {
	const first, final = "first", "last"
	if f.At(at) == "[" && f.Mate(at) > at+1 {
		end := f.Mate(at) + 1
		if f.At(end) == "=" {
			return 0, "", ""
		}
		negative := f.Indented || f.Worded
		index := strings.Join(strings.Fields(f.Slice(at+1, end-1)), "")
		switch {
		case index == "0" && negative:
			return end, "[-1]", final
		case index == "0" && f.Script:
			return end, ".at(-1)", final
		case index == "0" && f.Bare && list != "":
			return end, "[len(" + list + ")-1]", final
		case index == "0" && f.Ended && list != "":
			return end, "[" + list + ".length - 1]", final
		case index == "-1" && negative, list != "" && (index == list+".length-1" || index == "len("+list+")-1"):
			return end, "[0]", first
		case index == "-1:" && f.Indented:
			return end, "[:1]", first
		case index == ":1" && f.Indented:
			return end, "[-1:]", final
		}
		return 0, "", ""
	}
	if !f.Member(at+1) || f.At(at) == "::" || !f.Word(at+1) {
		return 0, "", ""
	}
	end, given := at+2, ""
	if f.At(end) == "(" && f.Mate(end) > end {
		given = strings.Join(strings.Fields(f.Slice(end+1, f.Mate(end))), "")
		end = f.Mate(end) + 1
	} else if !f.Worded {
		return 0, "", ""
	}
	pop, shift := ".pop()", ".shift()"
	if f.Indented {
		shift = ".pop(0)"
	}
	switch f.At(at+1) + "(" + given {
	case "pop(", "pop(-1":
		if !f.Bare && !f.Ended {
			return end, shift, first
		}
	case "pop(0", "shift(":
		if !f.Bare && !f.Ended {
			return end, pop, final
		}
	case "at(-1":
		return end, ".at(0)", first
	case "at(0":
		return end, ".at(-1)", final
	case "slice(-1":
		return end, ".slice(0, 1)", first
	case "slice(0,1":
		return end, ".slice(-1)", final
	case "get(0":
		if f.Ended && list != "" {
			return end, ".get(" + list + ".size() - 1)", final
		}
	case "get(" + list + ".size()-1":
		return end, ".get(0)", first
	case "getLast(":
		return end, ".getFirst()", first
	case "getFirst(":
		return end, ".getLast()", final
	case "last(":
		return end, ".first", first
	case "first(":
		return end, ".last", final
	case "findFirst(":
		return end, ".reduce((one, next) -> next)", final
	}
	return 0, "", ""
}

// largest takes the first or the last of some values, and not the largest or the smallest.
func (f *Finder) largest(i int) {
	end, first := f.call(i), f.Chain(i)
	from, to := f.Bytes(first, end)
	if to-from > f.Span {
		return
	}
	put := func(start, last string) {
		for _, with := range [2]string{start, last} {
			which := "first"
			if with == last {
				which = "last"
			}
			f.Add(from, to, with, "`"+inner.Short(f.Text[from:to], 52)+"` → the "+which+" element")
		}
	}
	name := f.At(i)
	if f.At(i+1) != "(" || f.Mate(i+1) < i+2 {
		if f.Worded && f.Member(i) && (name == "max" || name == "min" || f.At(i+1) == "{" && (name == "max_by" || name == "min_by")) {
			base := f.Slice(first, i-1)
			put(base+".to_a.first", base+".to_a.last")
		}
		return
	}
	a := f.Args(i + 1)
	if len(a) == 0 {
		return
	}
	list := f.Slice(a[0][0], a[0][1])
	switch {
	case f.Indented && !f.Member(i) && (name == "max" || name == "min"):
		other := ""
		for _, one := range a[1:] {
			if f.At(one[0]+1) != "=" {
				return
			}
			if f.At(one[0]) == "default" {
				other = f.Slice(one[0]+2, one[1])
			}
		}
		switch {
		case f.At(a[0][0]) == "*":
		case other != "":
			put("next(iter("+list+"), "+other+")", "["+other+", *("+list+")][-1]")
		default:
			put("list("+list+")[0]", "list("+list+")[-1]")
		}
	case f.Script && f.Member(i) && f.At(first) == "Math" && (name == "max" || name == "min") && len(a) == 1 && f.At(a[0][0]) == "...":
		put("["+list+"][0]", "["+list+"].at(-1)")
	case f.Script && f.Member(i) && name == "reduce" && len(a) == 1 && a[0][1]-a[0][0] > 10 && f.At(a[0][0]) == "(" && f.Mate(a[0][0]) == a[0][0]+4:
		one, two, last := f.At(a[0][0]+1), f.At(a[0][0]+3), a[0][1]-1
		if x, y := f.At(last), f.At(last-2); f.At(last-1) == ":" && f.At(last-3) == "?" && (x == one && y == two || x == two && y == one) {
			base := f.Slice(first, i-1)
			put(base+"[0]", base+".at(-1)")
		}
	case f.Worded && f.Member(i) && (name == "max_by" || name == "min_by"):
		base := f.Slice(first, i-1)
		put(base+".to_a.first", base+".to_a.last")
	case f.Bare && f.Member(i) && f.At(first) == "slices" && (name == "Max" || name == "Min" || name == "MaxFunc" || name == "MinFunc"):
		put("slices.Clip("+list+")[0]", "slices.Clip("+list+")[len("+list+")-1]")
	case f.Ended && f.Member(i) && f.At(first) == "Collections" && (name == "max" || name == "min"):
		put(list+".iterator().next()", "new java.util.ArrayList<>("+list+").get("+list+".size() - 1)")
	case f.Ended && f.Member(i) && (name == "max" || name == "min") && len(a) == 1 && f.At(first) != "Math":
		base := f.Slice(first, i-1)
		put(base+".findFirst()", base+".reduce((one, next) -> next)")
	}
}

// OneLine is about two commands of a pipe, the first of which sorts, and the second takes one line: what takes the other end
// of what is not sorted, "" for other commands. Piped says that the first one has something before it.
func OneLine(sorts, takes []string, piped bool) (with, change string) {
	if len(sorts) < 2 || sorts[0] != "sort" || sorts[len(sorts)-1] != "|" || len(sorts) > 20 {
		return "", ""
	}
	which := ""
	switch strings.Join(takes, " ") {
	case "tail -n 1", "tail -n1", "tail -1", "sed -n $p", "sed -n '$p'", "sed '$!d'":
		with, which = "head -n 1", "first"
	case "head -n 1", "head -n1", "head -1", "sed 1q", "sed -n 1p", "sed -n '1p'":
		with, which = "tail -n 1", "last"
	default:
		return "", ""
	}
	var files []string
	for n, w := range sorts[1 : len(sorts)-1] {
		switch before := sorts[n]; {
		case strings.ContainsAny(w, "<>\n") && w[0] != '"' && w[0] != '\'':
			return "", ""
		case strings.HasPrefix(w, "-"), len(before) == 2 && before[0] == '-' && strings.IndexByte("ktoST", before[1]) >= 0:
		default:
			files = append(files, w)
		}
	}
	shown := strings.Join(sorts, " ") + " " + strings.Join(takes, " ")
	switch {
	case len(files) > 0:
		with = "cat " + strings.Join(files, " ") + " | " + with
	case !piped:
		return "", ""
	}
	return with, "`" + inner.Short(shown, 50) + "` → the " + which + " line as it is"
}
