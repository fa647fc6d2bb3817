package inner

import (
	"strings"
	"sync"
)

// A filters is what is known of the words of jq.
type filters struct {
	grammar
	// stages can be left out of a pipe, taken are taken for each other, rounding round
	// a number, and matching have a pattern.
	stages, rounding, matching map[string]bool
	taken, compared            map[string]string
	// bounds are the signs and words that end a condition.
	bounds map[string]bool
}

var filtersOfJQ = sync.OnceValue(func() *filters {
	return &filters{
		grammar: grammar{
			comment: "#", quotes: `"`, opens: map[string]string{"if": "end"}, dollar: 'n', dot: true, inside: true,
			signs:    []string{"?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "//", "==", "!=", "<=", ">=", ".."},
			keywords: names("then else elif and or as def reduce foreach try catch import include label"),
		},
		stages: names(`sort sort_by unique unique_by reverse map map_values gsub sub ascii_downcase ascii_upcase ltrimstr rtrimstr trimstr trim ltrim rtrim
			floor ceil round trunc fabs abs tostring tonumber flatten del first last with_entries group_by walk limit not add min max`),
		rounding: names("floor ceil round trunc"),
		matching: names("test match capture scan sub gsub splits"),
		taken: swaps(`first last last first min_by max_by max_by min_by min max max min startswith contains endswith contains gsub sub sub gsub
			any all all any ceil floor floor round round floor unique_by sort_by keys keys_unsorted`),
		compared: swaps("< <= <= < > >= >= > == != != =="),
		bounds:   names("| , ; : // = |= += -= *= /= %= //= ?// then else elif as try catch def reduce foreach"),
	}
})

// jq makes the changes of a program of jq.
func (p *program) jq(from, to, depth int) {
	d := filtersOfJQ()
	if depth > 5 || !p.read(&d.grammar, from, to) {
		return
	}
	var computed [][2]int
	for i, t := range p.tokens {
		if t.Kind == text {
			p.formatted(i)
			computed = append(computed, p.computedIn(d, t.From, t.To)...)
		}
	}
	bound := func(i int) bool {
		switch p.kindAt(i) {
		case sign:
			return d.bounds[p.at(i)]
		case word:
			return d.bounds[p.tokens[i].Name] && !p.isSign(i+1, ":")
		}
		return false
	}
	l := logic{and: func(i int) bool { return p.is(i, "and") }, or: func(i int) bool { return p.is(i, "or") }, bound: bound}
	stop := func(i int) bool { return bound(i) || l.and(i) || l.or(i) }
	p.groups(func(open int, own []int) {
		p.sides(own, l)
		p.pipes(d, open, own)
		for k := range own {
			p.filter(d, open, own, k, stop, bound)
			p.formed(d, own, k)
			p.reduced(own, k)
		}
		if open >= 0 {
			p.bracket(open, own)
		}
	})
	for _, c := range computed {
		p.jq(c[0], c[1], depth+1)
	}
}

// computedIn is what a text computes: the parts between \( and ).
func (p *program) computedIn(d *filters, from, to int) [][2]int {
	var all [][2]int
	for i := from + 1; i+1 < to; i++ {
		if p.text[i] != '\\' {
			continue
		}
		if i++; p.text[i] != '(' {
			continue
		}
		end := p.computed(&d.grammar, i+1, to, 0)
		if end < 0 {
			return all
		}
		all = append(all, [2]int{i + 1, end})
		i = end
	}
	return all
}

// pipes leaves out what stands between two |, and what stands alone.
func (p *program) pipes(d *filters, open int, own level) {
	object := open >= 0 && p.at(open) == "{"
	for _, s := range split(own, func(i int) bool {
		return p.isSign(i, ";") || p.isSign(i, ":") || object && p.isSign(i, ",") || p.is(i, "then") || p.is(i, "else") || p.is(i, "elif")
	}) {
		var parts [][2]int
		for _, part := range split(own[s[0]:s[1]], func(i int) bool { return p.isSign(i, "|") }) {
			parts = append(parts, [2]int{part[0] + s[0], part[1] + s[0]})
		}
		for n, part := range parts {
			from, to := p.bytes(own, part[0], part[1])
			if n > 0 && p.is(own[part[0]], "add") && part[1] == part[0]+1 {
				p.roundedSum(d, own, parts[n-1], part)
			}
			p.oneElement(own, parts, n)
			p.sortedEnd(own, parts, n)
			if !p.single(own, part) || !d.stages[p.tokens[own[part[0]]].Name] || p.isSign(own[part[0]]+1, ":") {
				continue
			}
			operator := "call"
			switch name := p.tokens[own[part[0]]].Name; {
			case strings.HasPrefix(name, "sort") || name == "reverse":
				operator = "order"
			case name == "not":
				operator = "compare"
			}
			shown := p.text[from:to]
			switch {
			case n > 0:
				_, a := p.bytes(own, parts[n-1][0], parts[n-1][1])
				p.leave(operator, a, to, shown)
			case len(parts) > 1:
				b, _ := p.bytes(own, parts[1][0], parts[1][1])
				p.leave(operator, from, b, shown)
			case p.tokens[own[part[0]]].Name != "not":
				p.add(operator, from, to, ".", Without(shown))
			}
		}
	}
}

// oneElement takes the first or the last element as it is, where a list is sorted and one end of it is taken. Without the sort
// alone it is the same end, and a scenario has the wanted element at the other one as often as not.
func (p *program) oneElement(own level, parts [][2]int, n int) {
	part := parts[n]
	from, to := p.bytes(own, part[0], part[1])
	if name := p.tokens[own[part[0]]].Name; p.kindAt(own[part[0]]) == word && strings.HasSuffix(name, "_by") && part[1] > part[0]+1 && p.at(own[part[0]+1]) == "(" && (name == "max_by" || name == "min_by") {
		_, to = p.bytes(own, part[0], part[0]+2)
		shown := "`" + Short(p.text[from:to], 40) + "` → the "
		p.add("together", from, to, "first", shown+"first element")
		p.add("together", from, to, "last", shown+"last element")
		return
	}
	if n == 0 || !p.is(own[parts[n-1][0]], "sort") && !p.is(own[parts[n-1][0]], "sort_by") || !p.single(own, parts[n-1]) {
		return
	}
	begin, end := p.bytes(own, parts[n-1][0], parts[n-1][1])
	for _, pair := range [][2]string{{"last", "first"}, {"first", "last"}, {".[-1]", ".[0]"}, {".[0]", ".[-1]"}} {
		rest, is := strings.CutPrefix(p.text[from:to], pair[0])
		if is && (rest == "" || pair[0][0] == '.') && to-begin < copied {
			which := "first"
			if pair[1] == "last" || pair[1] == ".[-1]" {
				which = "last"
			}
			p.add("together", begin, to, pair[1]+rest, "`"+Short(p.text[begin:end], 34)+"` left out, the "+which+" is taken: `"+pair[1]+"`")
		}
	}
}

// sortedEnd does the same where an end is taken in another way: with max and min, with [0] or [-1] behind the sort, and
// behind a reverse, which is left out with the sort.
func (p *program) sortedEnd(own level, parts [][2]int, n int) {
	part := parts[n]
	from, to := p.bytes(own, part[0], part[1])
	if part[1] == part[0]+1 && (p.is(own[part[0]], "max") || p.is(own[part[0]], "min")) {
		p.add("together", from, to, "first", "`"+p.text[from:to]+"` → the first element")
		p.add("together", from, to, "last", "`"+p.text[from:to]+"` → the last element")
		return
	}
	sorts := func(k int) bool { return p.is(own[k], "sort") || p.is(own[k], "sort_by") }
	put := func(from int, first bool) {
		with := "last"
		if first {
			with = "first"
		}
		p.add("together", from, to, with, "`"+Short(p.text[from:to], 50)+"` → the "+with+" element")
	}
	if at := part[1] - 1; sorts(part[0]) && at > part[0] { // sort_by(.at)[-1]
		if first, is := p.endAt(own, at); is && p.single(own, [2]int{part[0], at}) {
			put(from, !first)
		}
		return
	}
	if n < 2 || !p.is(own[parts[n-1][0]], "reverse") || !p.single(own, parts[n-1]) || !sorts(parts[n-2][0]) || !p.single(own, parts[n-2]) {
		return
	}
	begin, _ := p.bytes(own, parts[n-2][0], parts[n-2][1])
	first, is := p.endAt(own, part[1]-1)
	switch {
	case part[1] == part[0]+1 && p.is(own[part[0]], "first"):
		put(begin, true)
	case part[1] == part[0]+1 && p.is(own[part[0]], "last"):
		put(begin, false)
	case is && part[1] == part[0]+2 && p.at(own[part[0]]) == ".":
		put(begin, first)
	}
}

// endAt reports whether [0] or [-1] stands at a place.
func (p *program) endAt(own level, at int) (first, ok bool) {
	if p.at(own[at]) != "[" {
		return false, false
	}
	t := p.tokens[own[at]]
	switch strings.ReplaceAll(p.text[t.To:p.tokens[t.Mate].From], " ", "") {
	case "0":
		return true, true
	case "-1":
		return false, true
	}
	return false, false
}

// single reports whether a part is one function, with or without arguments.
func (p *program) single(own level, part [2]int) bool {
	n := part[1] - part[0]
	return p.kindAt(own[part[0]]) == word && (n == 1 || n == 2 && p.at(own[part[0]+1]) == "(")
}

// roundedSum rounds a sum in the place of what is added: map(.x | round) | add.
func (p *program) roundedSum(d *filters, own level, each, add [2]int) {
	open := own[each[1]-1]
	if p.kindAt(open) != opening || p.at(open) == "[" && each[1]-each[0] != 1 || p.at(open) == "(" && !(each[1]-each[0] == 2 && p.is(own[each[0]], "map")) || p.at(open) == "{" {
		return
	}
	mate := p.tokens[open].Mate
	if r := mate - 1; r > open+2 && p.kindAt(r) == word && d.rounding[p.tokens[r].Name] && p.isSign(r-1, "|") {
		from, _ := p.bytes(own, each[0], each[1])
		_, to := p.bytes(own, add[0], add[1])
		if to-from < copied {
			p.add("call", from, to, p.text[from:p.tokens[r-2].To]+p.text[p.tokens[mate].From:to]+" | "+p.at(r), "`"+Short(p.at(r), 50)+"` of each → of the sum")
		}
	}
}

// filter changes one part.
func (p *program) filter(d *filters, open int, own level, k int, stop, bound func(int) bool) {
	i := own[k]
	t := p.tokens[i]
	switch t.Kind {
	case sign:
		s := p.at(i)
		switch {
		case d.compared[s] != "":
			p.another("compare", own, k, d.compared[s], stop)
		case s == "//" && k > 0:
			end := k + 1
			for end < len(own) && !bound(own[end]) {
				end++
			}
			if end > k+1 {
				_, a := p.bytes(own, k-1, k)
				from, to := p.bytes(own, k, end)
				p.leave("condition", a, to, p.text[from:to])
			}
		case s == "-" && k == 0 && open > 0 && (p.is(open-1, "sort_by") || p.is(open-1, "min_by") || p.is(open-1, "max_by")):
			p.leave("order", t.From, t.To, p.text[p.tokens[open-1].From:min(p.tokens[p.tokens[open].Mate].To, t.From+200)])
		default:
			p.arithmetic(own, k)
		}
	case number:
		p.numberOfJQ(open, own, k, stop)
	case text:
		s := p.at(i)
		switch {
		case open > 0 && k == 0 && p.isAny(open-1, d.matching):
			Patterns(s, false, func(a, b int, with string) {
				p.add("related", t.From+a, t.From+b, with, Within(p.text, t.From, t.To, t.From+a, t.From+b, with))
			})
			p.wider(s, t.From, p.is(open-1, "test"))
		case k+1 < len(own) && p.isSign(own[k+1], ":") || strings.Contains(s, `\(`) || p.touching(own, k):
		default:
			if with := emptied(s); with != "" {
				p.another("text", own, k, with, stop)
			}
		}
	case word:
		if p.isSign(i+1, ":") || t.Name[:min(1, len(t.Name))] == "$" {
			return
		}
		switch t.Name {
		case "true", "false":
			p.another("boolean", own, k, map[string]string{"true": "false", "false": "true"}[t.Name], stop)
		case "select":
			if k+1 < len(own) && p.at(own[k+1]) == "(" {
				from, to := p.bytes(own, k, k+2)
				a, b := p.tokens[own[k+1]].To, p.tokens[p.tokens[own[k+1]].Mate].From
				p.add("condition", a, b, "true", Without(p.text[from:to]))
			}
		default:
			if with := d.taken[t.Name]; with != "" && (with != "contains" && !strings.HasSuffix(t.Name, "_by") || k+1 < len(own) && p.at(own[k+1]) == "(") {
				if object := open >= 0 && p.at(open) == "{"; !object || k > 0 && !p.isSign(own[k-1], ",") {
					p.another("related", own, k, with, stop)
				}
			}
		}
	}
}

func (p *program) numberOfJQ(open int, own level, k int, stop func(int) bool) {
	t := p.tokens[own[k]]
	s := p.at(own[k])
	index := open >= 0 && p.at(open) == "[" && open > 0 && p.tokens[open-1].To == p.tokens[open].From
	switch {
	case index && len(own) == 1 && s == "0":
		p.add("related", t.From, t.To, "-1", "`[0]` → `[-1]`")
		return
	case index && len(own) == 2 && s == "1" && p.isSign(own[0], "-"):
		p.add("related", p.tokens[own[0]].From, t.To, "0", "`[-1]` → `[0]`")
		return
	}
	if with := increased(s); with != "" {
		p.another("number", own, k, with, stop)
	}
}

// bracket changes what stands in a bracket as a whole: members of an object, keys, and
// conditions of if.
func (p *program) bracket(open int, own level) {
	switch p.at(open) {
	case "{":
		parts := p.commas(own, 0, len(own))
		for n := range parts {
			p.element("argument", own, parts, n)
		}
	case "(":
		if p.is(open-1, "sort_by") || p.is(open-1, "group_by") || p.is(open-1, "unique_by") {
			parts := p.commas(own, 0, len(own))
			for n := range parts {
				p.element("order", own, parts, n)
			}
		}
	case "if":
		start := 0
		for k := range own {
			switch {
			case p.is(own[k], "elif"):
				start = k + 1
			case p.is(own[k], "then") && start < k:
				from, to := p.bytes(own, start, k)
				shown := "`" + Short("if "+p.text[from:to], 68) + "`"
				p.add("condition", from, to, "true", shown+" always")
				p.add("condition", from, to, "false", shown+" never")
			}
		}
	}
}
