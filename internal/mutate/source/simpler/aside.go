package simpler

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

var (
	// empties are functions that make something to be filled.
	empties = words.Set("dict list set defaultdict OrderedDict Counter deque Map Set HashMap HashSet TreeMap TreeSet LinkedHashMap LinkedHashSet ArrayList ConcurrentHashMap Hash Array make")
	// copies are functions and methods that copy.
	copies = words.Set("copy deepcopy structuredClone Clone dup clone slice")
)

// aside fills what is in use where something is built aside, and put in its place when it is whole: what reads it
// meanwhile sees half of it, and so does everybody after a failure in between.
func (f *finder) aside() {
	for i := 0; i < f.Len() && f.kind < mostOfKind; i++ {
		n := f.Around(i)
		if n < 0 || f.Statement(n).First != i {
			continue
		}
		s := f.Statement(n)
		sign := -1
		for k := s.First + 1; k < s.Last && k < s.First+12; k++ {
			if f.At(k) == "=" && f.Mate(k) < 0 {
				sign = k
				break
			}
		}
		if s.Head || sign < 0 || s.Last != sign+2 || !f.Word(sign+1) || !f.path(s.First, sign) || f.Quiet(i) {
			continue
		}
		if f.asides++; f.asides > mostAsides {
			return
		}
		target, name := f.Slice(s.First, sign), f.At(sign+1)
		m := f.assigned(n, name)
		if m < 0 || target == name || !f.shared(n, target) || f.walks(m, n, target) {
			continue
		}
		_, made := f.Assigned(m)
		f.built(m, made+1, target, name)
	}
}

// shared reports whether what a statement gives a value is there for others as well: a member, or what another
// function has declared.
func (f *finder) shared(n int, target string) bool {
	if strings.ContainsAny(target, ".@$") {
		return true
	}
	if f.Indented {
		return strings.Contains(f.Text, "global "+target) || strings.Contains(f.Text, "nonlocal "+target)
	}
	scope := f.Statement(n).Scope
	declared := false
	for m := n - 1; m >= 0 && m >= n-200; m-- {
		if names, _ := f.Assigned(m); slices.Contains(names, target) {
			if f.Statement(m).Scope == scope {
				return false
			}
			declared = true
		}
	}
	return declared
}

// walks reports whether a loop between two statements goes through what will be replaced.
func (f *finder) walks(m, n int, target string) bool {
	for k := m + 1; k < n; k++ {
		if s := f.Statement(k); s.Head && (f.At(s.First) == "for" || f.At(s.First) == "while" || f.Worded) && strings.Contains(f.Slice(s.First, s.Last), target) {
			return true
		}
	}
	return false
}

// A kind of what holds things.
const (
	keyed = 'k' // a table
	array = 'a'
)

// kindOf is the kind of what tokens make, 0 for anything else, and whether there is something in it.
func (f *finder) kindOf(first, last int, target string) (kind byte, full bool) {
	text := strings.Join(strings.Fields(f.Slice(first, last)), "")
	switch text {
	case "{}":
		return keyed, false
	case "[]":
		return array, false
	}
	if f.Bare && f.At(last-1) == "}" && (f.At(first) == "map" || f.At(first) == "[") {
		if f.Mate(last-1) == last-2 && f.At(first) == "map" {
			return keyed, false
		}
		return 0, false
	}
	open := f.Mate(last - 1)
	if f.Worded && (text == "Hash.new" || text == "Set.new") {
		return keyed, false
	}
	if open < first || f.At(open) != "(" || !f.Word(open-1) && f.At(open-1) != ">" {
		return 0, false
	}
	callee := f.Slice(first, open)
	name := f.At(open - 1)
	if i := strings.IndexByte(callee, '<'); f.Ended && i > 0 {
		name = strings.TrimPrefix(callee[:i], "new ")
	}
	inside := f.Slice(open+1, last-1)
	whole := f.Chain(open-1) == first || f.At(first) == "new"
	switch {
	case !whole:
		return 0, false
	case f.Bare && name == "make":
		if strings.HasPrefix(inside, "map") {
			return keyed, false
		}
		return 0, false
	case empties()[name] && (inside == "" || name == "defaultdict" || name == "Hash"):
		if name == "list" || name == "ArrayList" || name == "Array" || name == "deque" {
			return array, false
		}
		return keyed, false
	case empties()[name] && inside == target, copies()[name] && (inside == target || inside == "" && strings.HasPrefix(callee, target+".")):
		return keyed, true
	}
	return 0, false
}

// built fills what is in use in the place of what is made between two tokens.
func (f *finder) built(m, first int, target, name string) {
	last := f.Statement(m).Last
	if first >= last || last-first > 60 {
		return
	}
	kind, full := f.kindOf(first, last, target)
	if kind == 0 {
		if f.Indented && f.Mate(last-1) == first && f.has(first, last, "for") {
			from, to := f.Bytes(first, last)
			f.Add(from, to, "("+target+".clear() if "+target+" is not None else None, "+f.Text[from:to]+")[1]", "`"+short(target, 24)+"` is emptied before `"+short(name, 24)+"` is there")
		}
		return
	}
	from, to := f.Bytes(first, last)
	maker := f.Text[from:to]
	same, emptied := "", ""
	switch {
	case f.Indented:
		same = target + " if " + target + " is not None else " + maker
		emptied = "(" + target + ".clear(), " + target + ")[1] if " + target + " is not None else " + maker
	case f.Script:
		same = target + " ?? " + maker
		clear := target + "?.clear()"
		switch {
		case kind == array:
			clear = target + " && (" + target + ".length = 0)"
		case f.At(first) == "{":
			clear = "Object.keys(" + target + " ?? {}).forEach((key) => delete " + target + "[key])"
		}
		emptied = "(" + clear + ", " + same + ")"
	case f.Bare:
		same = target + "\nif " + name + " == nil {\n" + name + " = " + maker + "\n}"
		emptied = same + "\nclear(" + name + ")"
	case f.Worded:
		same = "(" + target + " || " + maker + ")"
		emptied = "(" + target + "&.clear || " + maker + ")"
	default:
		same = target + " != null ? " + target + " : " + maker
		emptied = same + "; " + name + ".clear()"
	}
	what := "`" + short(name, 24) + "` is `" + short(target, 24) + "`"
	if full {
		same = target
	} else {
		f.Add(from, to, emptied, what+" itself, emptied before it is filled")
	}
	f.Add(from, to, same, what+" itself, and nothing is built aside")
}
