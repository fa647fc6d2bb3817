package source

import (
	"cmp"
	"slices"
)

// A statement is a simple one, or the head of one that has others below it: of
// `if x:` the part before the colon.
type statement struct {
	// first and last are its tokens, the last one excluded.
	first, last int
	// key is its first word, past those such as `async` and `export`.
	key string
	// head says that it is the head of others. Of one that stands alone after
	// `if (x)`, lone is true.
	head, lone bool
	// member says that it stands in the body of a class, top that it is in no
	// function.
	member, top bool
	// before is the simple statement before it in the same block, -1 for none.
	before int
	// scope is the function around.
	scope int
}

// split finds the statements of a file.
func (f *file) split() {
	switch {
	case f.lang.indented:
		f.splitLines()
	case f.lang.worded:
		f.splitWords()
	default:
		f.splitBraces()
	}
	// Statements stand one in another, or one after another.
	order := make([]int, len(f.statements))
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.statements[a].first, f.statements[b].first), cmp.Compare(f.statements[b].last, f.statements[a].last))
	})
	f.owner = make([]int, len(f.tokens))
	var open []int
	for i := range f.owner {
		for len(open) > 0 && f.statements[open[len(open)-1]].last <= i {
			open = open[:len(open)-1]
		}
		for len(order) > 0 && f.statements[order[0]].first <= i {
			open, order = append(open, order[0]), order[1:]
		}
		f.owner[i] = -1
		if len(open) > 0 {
			f.owner[i] = open[len(open)-1]
		}
	}
}

// modifiers are words before the one that says what a statement is.
var modifiers = set("async export default public private protected static final abstract synchronized declare readonly override")

// keyOf is the first word of a statement that says what it is.
func (f *file) keyOf(first, last int) string {
	for i := first; i < last && i < first+6; i++ {
		if f.kindAt(i) != word {
			return ""
		}
		if w := f.at(i); !modifiers()[w] || i+1 < last && f.kindAt(i+1) != word && f.at(i+1) != "{" {
			return w
		}
	}
	return f.at(first)
}

// splitLines finds the statements of a language whose blocks are indented.
func (f *file) splitLines() {
	type block struct {
		indent, scope, last int
		class, top          bool
	}
	blocks := []block{{indent: -1, last: -1, top: true}}
	scopes := 0
	head := -1 // the head that was read last
	for i := 0; i < len(f.tokens); {
		end := i + 1
		for end < len(f.tokens) && !(f.tokens[end].Newline && f.tokens[end].Up < 0) {
			if f.tokens[end-1].Mate > end-1 {
				end = f.tokens[end-1].Mate + 1
				continue
			}
			end++
		}
		indent := f.indent(f.tokens[i].From)
		for len(blocks) > 1 && indent < blocks[len(blocks)-1].indent {
			blocks = blocks[:len(blocks)-1]
		}
		if top := blocks[len(blocks)-1]; indent > top.indent {
			b := block{indent: indent, scope: top.scope, last: -1, top: top.top}
			if head >= 0 {
				switch f.statements[head].key {
				case "def":
					scopes++
					b.scope, b.top = scopes, false
				case "class":
					b.class = true
				}
			}
			blocks = append(blocks, b)
		}
		top := &blocks[len(blocks)-1]
		head = -1
		at := i
		key := f.keyOf(i, end)
		if colon := f.headEnd(i, end, key); colon > 0 {
			head = len(f.statements)
			f.statements = append(f.statements, statement{first: i, last: colon, key: key, head: true, member: top.class, top: top.top, before: -1, scope: top.scope})
			at, top.last = colon+1, -1
		}
		last := top.last
		for at < end {
			stop := at
			for stop < end && !(f.isOperator(stop, ";") && f.tokens[stop].Up < 0) {
				stop++
			}
			if stop > at {
				f.statements = append(f.statements, statement{first: at, last: stop, key: f.keyOf(at, stop), lone: head >= 0, member: top.class, top: top.top, before: last, scope: top.scope})
				last = len(f.statements) - 1
			}
			at = stop + 1
		}
		if head < 0 {
			top.last = last
		}
		if head >= 0 && f.tokens[end-1].To > f.tokens[f.statements[head].last].To {
			head = -1 // its statements stand on the same line
		}
		i = end
	}
}

// indent is the column of a byte, a tab goes to the next multiple of eight.
func (f *file) indent(at int) int {
	n := 0
	for _, c := range f.text[f.lines[f.line(at)-1]:at] {
		if c == '\t' {
			n |= 7
		}
		n++
	}
	return n
}

var heads = set("if elif else for while try except finally with def class match case")

// headEnd is the colon of a head, 0 where a line is none.
func (f *file) headEnd(first, last int, key string) int {
	if f.isOperator(first, "@") {
		return 0
	}
	if !heads()[key] {
		return 0
	}
	if (key == "match" || key == "case") && !f.isOperator(last-1, ":") {
		return 0
	}
	lambdas := 0
	for i := first; i < last; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
			continue
		}
		switch {
		case f.isWord(i, "lambda"):
			lambdas++
		case f.isOperator(i, ":") && lambdas > 0:
			lambdas--
		case f.isOperator(i, ":"):
			return i
		}
	}
	return 0
}
