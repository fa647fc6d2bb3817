package shape

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// levels lets a loop that goes through a list, and then through what it noted meanwhile, go to the end with each of the
// list before it takes the next one:
//
//	while level:
//	    below = []
//	    for x in level: below.append(…)
//	    level, depth = below, depth + 1
func (f *finder) levels() {
	all := f.additions()
	for _, w := range f.loops {
		if f.full() {
			return
		}
		if !w.while || w.close == 0 || w.lone || f.Ended || f.jumps(w.node, "continue") || f.next(w.node, "else") || w.condTo <= w.condFrom {
			continue
		}
		for _, k := range w.kids {
			in := f.loop(k)
			if in == nil || in.while || in.counted || !f.plain(in.list) || !f.words(w.condFrom, w.condTo, []string{in.list}) {
				continue
			}
			if carried, counters := f.carried(w, in, all); carried != nil {
				f.depthFirst(w, in.list, carried, counters)
			}
		}
	}
}

// carried are the names that a loop hands from one round to the next, first that of the list, nil where it hands on no
// list that was filled in it; counters are those that are counted up.
func (f *finder) carried(w, in *loop, all map[string][]*addition) (names []string, counters []string) {
	handed := false
	for _, k := range w.kids {
		if k.head {
			continue
		}
		assigned, sign := f.Assigned(k.n)
		if f.At(k.first+1) == "++" {
			assigned = []string{f.At(k.first)}
		}
		if slices.Contains(assigned, in.list) && k.first > in.first && sign > 0 {
			for i := sign + 1; i < k.last; i++ {
				for _, a := range all[f.At(i)] {
					handed = handed || a.from > in.from && a.to <= in.to && a.list != in.list
				}
			}
		}
		for _, n := range assigned {
			if slices.Contains(names, n) || n == in.list || !f.earlier(w, n) {
				continue
			}
			text := strings.Join(strings.Fields(f.Slice(k.first, k.last)), "")
			if strings.Contains(text, n+"+=") || strings.Contains(text, n+"++") || strings.Contains(text, n+"+1") {
				counters = append(counters, n)
			}
			names = append(names, n)
		}
	}
	if !handed {
		return nil, nil
	}
	return append([]string{in.list}, names...), counters
}

// earlier reports whether a name is used not far before a loop.
func (f *finder) earlier(w *loop, name string) bool {
	return f.words(max(0, w.first-400), w.first, []string{name})
}

// depthFirst keeps what is left of each list, and goes on with the first of it.
func (f *finder) depthFirst(w *loop, list string, names, counters []string) {
	cond := f.Slice(w.condFrom, w.condTo)
	all := strings.Join(names, ", ")
	change := "`" + short(f.Slice(w.first, w.last), 30) + "` goes to the end with each of `" + short(list, 16) + "`"
	most := func(n string) string { return "most_" + n }
	var head, keep, tail string
	switch {
	case f.Indented:
		margin, alone := f.margin(w.from)
		inside, below := f.inside(w.node)
		if !alone || !below {
			return
		}
		begin, end, after := "levels_left, levels_over = [("+all+",)], []\n"+margin, "", ""
		for _, n := range counters {
			begin += most(n) + " = " + n + "\n" + margin
			end += most(n) + " = max(" + most(n) + ", " + n + "); "
			after += "\n" + margin + n + " = " + most(n)
		}
		head = begin + "while levels_left:\n" + inside + "(" + all + ",) = levels_left.pop()\n" +
			inside + "if len(" + list + ") > 1: levels_left.append((" + strings.Join(append([]string{"list(" + list + ")[1:]"}, names[1:]...), ", ") + ",)); " + list + " = list(" + list + ")[:1]\n" +
			inside + "if not (" + cond + "): levels_over += " + list + "; " + end + "continue"
		tail = "\n" + inside + "levels_left.append((" + all + ",))\n" + margin + list + " = levels_over" + after
		f.AtOnce([]group.Place{place(w.from, w.open, head), place(w.to, w.to, tail)}, change)
		return
	case f.Script:
		begin, end, after := "{ const levelsLeft = [["+all+"]], levelsOver = []; ", "", ""
		for _, n := range counters {
			begin += "let " + most(n) + " = " + n + "; "
			end += most(n) + " = Math.max(" + most(n) + ", " + n + "); "
			after += " " + n + " = " + most(n) + ";"
		}
		head = begin + "while (levelsLeft.length) { [" + all + "] = levelsLeft.pop(); " +
			"if (" + list + ".length > 1) { levelsLeft.push([" + strings.Join(append([]string{list + ".slice(1)"}, names[1:]...), ", ") + "]); " + list + " = " + list + ".slice(0, 1); } " +
			"if (!(" + cond + ")) { levelsOver.push(..." + list + "); " + end + "continue; }"
		keep = ";levelsLeft.push([" + all + "]); "
		tail = " " + list + " = levelsOver;" + after + " }"
	case f.Bare:
		begin, end, after := "{ levelsLeft, levelsOver := []func(){func() {}}, "+list+"[:0:0]\n", "", ""
		var saved []string
		for _, n := range names {
			saved = append(saved, "kept_"+n)
		}
		keeps := strings.Join(saved, ", ")
		for _, n := range counters {
			begin += most(n) + " := " + n + "\n"
			end += most(n) + " = max(" + most(n) + ", " + n + ")\n"
			after += n + " = " + most(n) + "\n"
		}
		push := func(first string) string {
			return "{ " + keeps + " := " + strings.Join(append([]string{first}, names[1:]...), ", ") + "\nlevelsLeft = append(levelsLeft, func() { " + all + " = " + keeps + " }) }\n"
		}
		head = begin + "for len(levelsLeft) > 0 { levelsBack := levelsLeft[len(levelsLeft)-1]\nlevelsLeft = levelsLeft[:len(levelsLeft)-1]\nlevelsBack()\n" +
			"if len(" + list + ") > 1 { " + push(list+"[1:]") + list + " = " + list + "[:1:1] }\n" +
			"if !(" + cond + ") { levelsOver = append(levelsOver, " + list + "...)\n" + end + "continue }\n"
		keep = "\n" + push(list)
		tail = "\n" + list + " = levelsOver\n" + after + "}"
	}
	f.AtOnce([]group.Place{place(w.from, w.open, head), place(w.close, w.close, keep), place(w.to, w.to, tail)}, change)
}
