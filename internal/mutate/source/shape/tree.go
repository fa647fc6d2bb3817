package shape

import "strings"

// A node is a statement, with those that stand in it.
type node struct {
	n           int // what the code calls it
	first, last int // its tokens; of a head without those in it
	head        bool
	scope       int
	up          *node // the head that it stands in, nil for none
	kids        []*node
	// index is its place in the list of those that stand in up.
	index int
	// from and to are its bytes with all that stands in it; open and close those of what stands in it, and lone says
	// that this is one statement without brackets. Of what has nothing in it, close is 0.
	from, to, open, close int
	lone                  bool
}

// siblings are the statements around a node, itself among them.
func (f *finder) siblings(x *node) []*node {
	if x.up == nil {
		return f.nodes
	}
	return x.up.kids
}

// tree notes the statements of the file, and what stands in which.
func (f *finder) tree() {
	var open []*node
	type level struct{ column, end int }
	var ends []level
	var last *node
	for i := range f.Len() {
		n := f.Around(i)
		if n < 0 || f.Statement(n).First != i {
			continue
		}
		s := f.Statement(n)
		x := &node{n: n, first: s.First, last: s.Last, head: s.Head, scope: s.Scope}
		x.from, x.to = f.Bytes(s.First, s.Last)
		end, column := s.Last, 0
		if f.Indented {
			margin, alone := f.margin(x.from)
			column = len(margin)
			for len(ends) > 0 && alone && ends[len(ends)-1].column >= column {
				open, ends = open[:len(open)-1], ends[:len(ends)-1]
			}
			if !alone && last != nil && last.head {
				last.lone = true
			}
			if s.Head && s.Last < f.Len() {
				_, x.open = f.Bytes(s.Last, s.Last+1)
				x.to = x.open
			}
		} else {
			for len(ends) > 0 && ends[len(ends)-1].end <= i {
				open, ends = open[:len(open)-1], ends[:len(ends)-1]
			}
			if f.At(s.Last) == "{" && s.Head && f.Mate(s.Last) > s.Last {
				end = f.Mate(s.Last) + 1
				_, x.open = f.Bytes(s.Last, s.Last+1)
				x.close, x.to = f.Bytes(end-1, end)
			} else if s.Head && f.At(s.Last) != ":" {
				x.lone = true
			}
			if last != nil && last.lone && last.close == 0 && !s.Head {
				last.open, last.close, last.to = x.from, x.to, x.to
				x.up, last.kids = last, []*node{x}
			}
		}
		switch {
		case x.up != nil:
		case len(open) > 0:
			x.up = open[len(open)-1]
			x.index = len(x.up.kids)
			x.up.kids = append(x.up.kids, x)
		default:
			x.index = len(f.nodes)
			f.nodes = append(f.nodes, x)
		}
		if f.Indented {
			for _, above := range open {
				above.to, above.close = x.to, x.to
			}
			if s.Head {
				open, ends = append(open, x), append(ends, level{column: column})
			}
		} else if end > s.First {
			open, ends = append(open, x), append(ends, level{end: end})
		}
		last = x
		if l := f.loop(x); l != nil && len(f.loops) < mostLoops {
			f.loops = append(f.loops, l)
		}
	}
}

// A loop is one over a list, or one with a condition.
type loop struct {
	*node
	// while says that it goes on as long as something holds, and counted that it counts. Of others, list is what it
	// goes through, and names are those of what it takes from there, without the words that declare them.
	while, counted bool
	names, list    string
	// listFrom and listTo are the bytes of the list, and namesFrom and namesTo those of the names.
	listFrom, listTo, namesFrom, namesTo int
	// condFrom and condTo are the tokens of the condition of a while.
	condFrom, condTo int
}

// loop is a node as a loop, nil for what is none.
func (f *finder) loop(x *node) *loop {
	if !x.head {
		return nil
	}
	l := &loop{node: x}
	first, last := x.first+1, x.last
	switch f.At(x.first) {
	case "while":
		l.while = true
	case "for":
		if f.At(first) == "await" {
			return nil
		}
	default:
		return nil
	}
	if !f.Indented && !f.Bare {
		if f.At(first) != "(" || f.Mate(first) < 0 {
			return nil
		}
		first, last = first+1, f.Mate(first)
	}
	if last <= first {
		l.while = true // for {
		return l
	}
	l.condFrom, l.condTo = first, last
	if l.while {
		return l
	}
	sign := -1
	for i := first; i < last && i < first+60; i++ {
		s := f.At(i)
		if s == ";" {
			l.counted = true
			l.list = strings.Join(strings.Fields(f.Slice(first, last)), " ")
			return l
		}
		if f.Mate(i) > i && s != "" && strings.Contains("([{", s) {
			i = f.Mate(i)
			continue
		}
		if f.Indented && s == "in" || f.Script && (s == "of" || s == "in") && i > first || f.Ended && s == ":" || f.Bare && s == "range" {
			sign = i
			break
		}
	}
	switch {
	case sign < 0:
		if l.while = f.Bare; !l.while {
			return nil
		}
		return l
	case sign+1 >= last:
		return nil
	}
	l.listFrom, l.listTo = f.Bytes(sign+1, last)
	l.list = f.Slice(sign+1, last)
	end := sign
	if f.Bare && f.At(end-1) == ":=" {
		end--
	} else if f.Bare && end > first {
		return nil // it assigns to what is there
	}
	for first < end && (f.At(first) == "const" || f.At(first) == "let" || f.At(first) == "var" || f.At(first) == "final") {
		first++
	}
	if f.Ended {
		first = end - 1
	}
	if first < end {
		l.namesFrom, l.namesTo = f.Bytes(first, end)
		l.names = f.Slice(first, end)
	}
	return l
}

// words reports whether one of some names is used among tokens.
func (f *finder) words(first, last int, names []string) bool {
	for i := first; i < min(last, first+mostTokens); i++ {
		if f.Word(i) && !f.Member(i) {
			for _, n := range names {
				if f.At(i) == n {
					return true
				}
			}
		}
	}
	return false
}

// end is the token behind all that stands in a node.
func (x *node) end() int {
	for len(x.kids) > 0 {
		x = x.kids[len(x.kids)-1]
	}
	return x.last
}

// each calls do with all statements in a node, in order, until it gives false.
func (x *node) each(do func(*node) bool) bool {
	for _, k := range x.kids {
		if !do(k) || !k.each(do) {
			return false
		}
	}
	return true
}

// elsewhere reports whether a node is a loop, or something that runs at another time.
func (f *finder) elsewhere(x *node) bool {
	switch f.At(x.first) {
	case "for", "while", "do", "def", "class", "func", "function", "async", "go", "defer":
		return true
	}
	return !x.head
}

// jumps reports whether something in a node leaves a loop that is not in it, or its round.
func (f *finder) jumps(x *node, words ...string) bool {
	for _, k := range x.kids {
		for _, w := range words {
			if !k.head && f.At(k.first) == w {
				return true
			}
		}
		if key := f.At(k.first); key == "def" || key == "func" || key == "function" || key == "class" {
			continue
		}
		if f.loop(k) == nil && f.jumps(k, words...) {
			return true
		}
	}
	return false
}

// lines is what stands in a node as text that begins at the margin of its first line, and false where there is none, or
// where a line of it cannot be moved.
func (f *finder) lines(x *node, margin string) (string, bool) {
	if x.close <= x.open || len(x.kids) == 0 {
		return "", false
	}
	if !f.Indented {
		return strings.Trim(f.Text[x.open:x.close], "\n"), true
	}
	from := x.kids[0].from
	own, alone := f.margin(from)
	text := f.Text[from:x.close]
	if x.lone || !alone {
		return text, !strings.Contains(text, "\n")
	}
	if strings.Contains(text, `"""`) || strings.Contains(text, "'''") {
		return "", false
	}
	all := strings.Split(text, "\n")
	for i, line := range all {
		if i > 0 && strings.TrimSpace(line) != "" {
			rest, is := strings.CutPrefix(line, own)
			if !is {
				if strings.TrimSpace(line)[0] != '#' && strings.TrimSpace(line)[0] != ')' && strings.TrimSpace(line)[0] != ']' && strings.TrimSpace(line)[0] != '}' {
					return "", false
				}
				rest = strings.TrimSpace(line)
			}
			all[i] = margin + rest
		}
	}
	return strings.Join(all, "\n"), true
}

// inside is the margin of what stands in a node of Python.
func (f *finder) inside(x *node) (string, bool) {
	if len(x.kids) == 0 || x.lone {
		return "", false
	}
	return f.margin(x.kids[0].from)
}
