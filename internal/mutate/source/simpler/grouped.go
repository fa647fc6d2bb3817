package simpler

import (
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

var (
	// puts are methods that put something into a list.
	puts = words.Set("append appendleft push unshift add addLast put offer")
	// getters are methods that give a list by its key.
	getters = words.Set("get setdefault computeIfAbsent getOrDefault fetch")
)

// grouped puts all into one list where each has its own under a key: queues[job.tenant].append(job). What takes turns
// between them then takes the elements as they came.
func (f *finder) grouped() {
	for i := 1; i < f.Len() && f.kind < mostOfKind; i++ {
		switch {
		case f.Bare && f.At(i) == "append" && f.call(i+1) && f.At(i-1) == "=":
			f.appended(i)
		case f.Worded && f.At(i) == "<<" && f.Mate(i-1) >= 0 && !f.Quiet(i):
			first := f.Chain(i - 1)
			f.oneKey(first, i, first, i+2)
		case !f.Bare && f.call(i) && puts()[f.At(i-1)] && f.Member(i-1) && f.Mate(i) > i+1:
			f.oneKey(f.Chain(i-1), i-2, f.Chain(i-1), i)
		case f.Script && f.call(i) && f.At(i-1) == "groupBy" && len(f.Args(i)) == 2, f.Indented && f.call(i) && f.At(i-1) == "groupby" && len(f.Args(i)) == 2:
			f.byKey(f.Args(i)[1])
		}
	}
}

// appended is what Go puts into a list: queues[k] = append(queues[k], job).
func (f *finder) appended(i int) {
	a := f.Args(i + 1)
	s := f.Around(i)
	if len(a) < 2 || s < 0 {
		return
	}
	st := f.Statement(s)
	if list := f.Slice(a[0][0], a[0][1]); list == f.Slice(st.First, i-1) {
		f.oneKey(st.First, a[0][1], st.First, i+1)
	}
}

// oneKey puts the first of all keys in the place of one that stands between two tokens, in all places there; what is
// shown are the tokens from begin to end.
func (f *finder) oneKey(first, last, begin, end int) {
	if first < 0 || last-first > mostTokens || last <= first {
		return
	}
	key := ""
	var at [][2]int
	for i := first; i < last; i++ {
		var k [2]int
		switch {
		case f.At(i) == "[" && f.Mate(i) > i+1 && i > first && f.joined(i):
			k = [2]int{i + 1, f.Mate(i)}
		case f.At(i) == "(" && f.Mate(i) > i+1 && getters()[f.At(i-1)] && f.Member(i-1) && i > first:
			k = f.Args(i)[0]
		default:
			continue
		}
		if text := f.Slice(k[0], k[1]); key == "" || key == text {
			key = text
			at = append(at, k)
		}
	}
	if key == "" || len(key) > 200 || !f.named(at[0][0], at[0][1]) || f.At(at[0][0]) == "-" || f.has(at[0][0], at[0][1], ":") {
		return
	}
	s := f.state(first, false)
	if s == nil {
		return
	}
	places := s.declared
	for _, k := range at {
		from, to := f.Bytes(k[0], k[1])
		places = append(places, place(from, to, f.first(s, key)))
	}
	f.AtOnce(places, "`"+short(f.Slice(begin, min(end, f.Len())), 44)+"` puts all under the first key")
}

// byKey puts the first of all keys in the place of what a function gives.
func (f *finder) byKey(a [2]int) {
	first := a[0]
	if f.Indented && f.At(first) == "key" && f.At(first+1) == "=" {
		first += 2
	}
	s := f.state(first, false)
	if s == nil || first >= a[1] {
		return
	}
	from, to := f.Bytes(first, a[1])
	key := f.Text[from:to]
	with := "(...one) => " + f.first(s, "("+key+")(...one)")
	if f.Indented {
		with = "lambda one: " + f.first(s, "("+key+")(one)")
	}
	f.AtOnce([]group.Place{place(from, to, with)}, "`"+short(key, 44)+"` gives the first key for all")
}
