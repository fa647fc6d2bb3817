package inner

import (
	"cmp"
	"slices"
	"strings"
)

// limit bounds the texts that are read, most the changes of one, and copied how many
// bytes of a text may stand in the place of others.
const (
	limit  = 16 << 10
	most   = 500
	copied = 1 << 10
)

// A Change is one change of a text.
type Change struct {
	// From and To are the bytes that are replaced; both are the same where something
	// is put in.
	From, To int
	// Text takes their place.
	Text string
	// Operator says what kind of change it is, by the names that the operators for
	// sources have: condition, statement, order, argument, call, related, format, compare,
	// number, arithmetic, boolean, text.
	Operator string
	// Change says what is changed, on one line of at most 80 characters.
	Change string
}

// Apply is a text with the change in it.
func (c Change) Apply(text string) string {
	from := min(max(c.From, 0), len(text))
	to := min(max(c.To, from), len(text))
	return text[:from] + c.Text + text[to:]
}

// Changes are the changes of a text in a language: "sql", "jq", "awk" or "sed". They
// are in the order of the text. There are none of a text that is larger than 16 KiB,
// or whose brackets or quotes do not match, and never more than 500.
func Changes(language, text string) []Change { return Around(language, text, nil) }

// Around are the changes of a text with holes: the bytes of each are what another
// language computes there, such as {x} in f"WHERE a = {x}". Holes are in the order of
// the text, and none overlaps another one.
func Around(language, text string, holes [][2]int) []Change {
	if len(text) > limit {
		return nil
	}
	p := &program{text: text, holes: holes, seen: map[edit]bool{}}
	switch language {
	case "sql":
		p.sql()
	case "jq":
		p.jq(0, len(text), 0)
	case "awk":
		p.awk()
	case "sed":
		p.sed()
	}
	slices.SortStableFunc(p.changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To))
	})
	return p.changes
}

// A program is a text that is read.
type program struct {
	text    string
	holes   [][2]int
	grammar *grammar
	tokens  []token
	changes []Change
	seen    map[edit]bool
	// found are the functions that are called.
	found []Builtin
	// defined are the names of functions that the program defines itself, nil where nobody has asked yet.
	defined map[string]bool
}

type edit struct {
	from, to int
	text     string
}

// holed reports whether a hole is among some bytes.
func (p *program) holed(from, to int) bool {
	n := p.hole(from)
	return n < len(p.holes) && p.holes[n][0] < to
}

// hole is the first hole that ends behind a byte.
func (p *program) hole(from int) int {
	n, _ := slices.BinarySearchFunc(p.holes, from, func(h [2]int, at int) int { return cmp.Compare(h[1], at+1) })
	return n
}

// splits reports whether a hole would be cut: a change begins or ends in it.
func (p *program) splits(from, to int) bool {
	for _, at := range []int{from, to} {
		if n := p.hole(at); n < len(p.holes) && p.holes[n][0] < at {
			return true
		}
	}
	return false
}

// add keeps a change, unless it changes nothing, or another one is the same.
func (p *program) add(operator string, from, to int, text, change string) {
	if from < 0 || to < from || to > len(p.text) || p.text[from:to] == text || len(text) > copied+100 || len(p.changes) >= most {
		return
	}
	if text != "" && p.holed(from, to) || p.splits(from, to) {
		return // a hole is written in another language
	}
	key := edit{from, to, text}
	if !p.seen[key] {
		p.seen[key] = true
		p.changes = append(p.changes, Change{from, to, text, operator, change})
	}
}

// leave leaves out some bytes, and says so of others.
func (p *program) leave(operator string, from, to int, shown string) {
	// What begins a line is named with that line, so the end of the one before stays.
	if rest := strings.TrimLeft(p.text[from:to], " \t\r\n"); rest != "" && strings.Contains(p.text[from:to-len(rest)], "\n") {
		from = to - len(rest)
	}
	p.add(operator, from, to, "", Without(shown))
}
