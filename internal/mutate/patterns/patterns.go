// Package patterns has the changes of regular expressions that let more texts pass, or others: an anchor, an option or
// an alternative left out, a class that is any character, a count that has no end.
//
//	for _, c := range patterns.Changes(`^[a-z]{1,8}$`, true, strings.TrimSpace) {
//		fmt.Println(c.What) // [a-z] → . in ^[a-z]{1,8}$
//	}
package patterns

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

const (
	alternativesMax = 8       // how many alternatives of a pattern are left out at most
	classesMax      = 4       // how many classes are any character at most
	lengthMax       = 1 << 10 // the longest pattern that is changed, in bytes: each change is compiled as a whole
	changesMax      = 100
)

// A Change puts a text in the place of some bytes of a pattern.
type Change struct {
	From, To   int
	With, What string
}

// Apply is a pattern with the change in it.
func (c Change) Apply(p string) string { return p[:c.From] + c.With + p[c.To:] }

// A maker makes the changes of one pattern.
type maker struct {
	pattern string
	search  bool
	brief   func(string) string
	is      string // what it is the same as
	list    []Change
}

// makerOf is nil for a text that is no pattern, or too long.
func makerOf(p string, search bool, brief func(string) string) *maker {
	if len(p) > lengthMax {
		return nil
	}
	if _, err := regexp.Compile(p); err != nil {
		return nil
	}
	return &maker{pattern: p, search: search, brief: brief, is: plain(p, search)}
}

// put adds a change, unless what it makes is no pattern, or one that is the same.
func (m *maker) put(from, to int, with, what string) {
	c := Change{from, to, with, what + " in " + m.brief(m.pattern)}
	text := c.Apply(m.pattern)
	if text == "" || len(m.list) == changesMax || slices.ContainsFunc(m.list, func(d Change) bool { return d.From == from && d.To == to && d.With == with }) {
		return
	}
	if _, err := regexp.Compile(text); err == nil && plain(text, m.search) != m.is {
		m.list = append(m.list, c)
	}
}

// Changes are those of a regular expression. Of one that only says whether something matches, as search tells, those are
// left out that match the same texts. A brief text is what is told of one.
func Changes(p string, search bool, brief func(string) string) []Change {
	m := makerOf(p, search, brief)
	if m == nil {
		return nil
	}
	m.weaker()
	m.wider()
	return m.list
}

// Wider are those of the Changes that let a class or a count be more.
func Wider(p string, search bool, brief func(string) string) []Change {
	m := makerOf(p, search, brief)
	if m == nil {
		return nil
	}
	m.wider()
	return m.list
}

// A group is what is between parentheses.
type group struct{ starts []int }

// weaker leaves out anchors, options and alternatives, and lets a point be any character and a count any number.
func (m *maker) weaker() {
	p := m.pattern
	groups := []*group{{starts: []int{0}}}
	left, points := 0, 0
	alternative := func(g *group, end int) {
		if len(g.starts) < 2 {
			return
		}
		for i, from := range g.starts {
			if left++; left > alternativesMax {
				return
			}
			to := end + 1
			if i+1 < len(g.starts) {
				to = g.starts[i+1]
			}
			cut, upto := from, to
			if i+1 == len(g.starts) {
				cut, upto = from-1, end
			}
			if p[from:min(to-1, end)] == "$" || p[from:min(to-1, end)] == "^" {
				continue // it is an anchor that is left out
			}
			m.put(cut, upto, "", m.brief(p[from:min(to-1, end)])+" left out")
		}
	}
	for _, part := range Parts(p, `\`) {
		at, end := part.From, part.To
		text := p[at:end]
		switch part.Kind {
		case '\\':
			switch text[1] {
			case 'b', 'A', 'z':
				m.put(at, end, "", text+" left out")
			case '.':
				if points++; points == 1 {
					m.put(at, end, ".", `\. → .`)
				}
			case 'Q':
				return
			}
		case '?':
			m.put(at, end, "", text+" left out")
		case '(':
			if options := strings.TrimSuffix(strings.TrimPrefix(text, "(?"), ":"); len(text) > 3 && strings.Trim(options, "ims") == "" {
				m.put(at+2, end-1, "", options+" left out")
			}
			groups = append(groups, &group{starts: []int{end}})
		case '|':
			g := groups[len(groups)-1]
			g.starts = append(g.starts, end)
		case ')':
			if len(groups) > 1 {
				alternative(groups[len(groups)-1], at)
				groups = groups[:len(groups)-1]
			}
		case '^', '$':
			m.put(at, end, "", text+" left out")
		case '{':
			with := "+"
			if strings.HasPrefix(text, "{0,") {
				with = "*"
			}
			m.put(at, end, with, text+" → "+with)
		}
	}
	alternative(groups[0], len(p))
}

// wider lets each class be any character, where it first stands, and takes away the end of each count.
func (m *maker) wider() {
	known := map[string]bool{}
	for _, part := range Parts(m.pattern, `\`) {
		text := m.pattern[part.From:part.To]
		switch part.Kind {
		case '\\':
			if text[1] == 'Q' {
				return
			}
			if strings.IndexByte("dwsDWS", text[1]) < 0 {
				continue
			}
		case '[':
			if text != "[.]" && !several(text) {
				continue
			}
		case '{':
			if least, most, both := strings.Cut(text[1:len(text)-1], ","); least != "0" && least != "1" && (!both || most != "") {
				m.put(part.From, part.To, "{"+least+",}", text+" → {"+least+",}")
			}
			continue
		default:
			continue
		}
		if !known[text] && len(known) < classesMax {
			known[text] = true
			m.put(part.From, part.To, ".", text+" → .")
		}
	}
}

// several reports whether a class has more than one character, and not all of them.
func several(class string) bool {
	re, err := syntax.Parse(class, syntax.Perl)
	if err != nil || re.Op != syntax.OpCharClass {
		return false
	}
	left := '\U0010ffff' + 1
	for i := 0; i+1 < len(re.Rune); i += 2 {
		left -= re.Rune[i+1] - re.Rune[i] + 1
	}
	return left > 0
}

// plain is what two patterns have in common that match the same texts, as far as that is easily told. Of those that only
// say whether something matches nothing counts that may stand at an end or not.
func plain(p string, search bool) string {
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return p
	}
	if search {
		re = needed(bare(re), true, true)
	}
	return re.Simplify().String()
}

// bare is an expression without what decides how much it takes and what it keeps.
func bare(re *syntax.Regexp) *syntax.Regexp {
	for i, sub := range re.Sub {
		re.Sub[i] = bare(sub)
	}
	re.Flags &^= syntax.NonGreedy
	if re.Op == syntax.OpCapture {
		return re.Sub[0]
	}
	return re
}

// needed is an expression without what need not be there at its beginning and its end.
func needed(re *syntax.Regexp, first, last bool) *syntax.Regexp {
	nothing := &syntax.Regexp{Op: syntax.OpEmptyMatch}
	if !first && !last {
		return re
	}
	switch re.Op {
	case syntax.OpStar, syntax.OpQuest:
		return nothing
	case syntax.OpPlus:
		return needed(re.Sub[0], first, last)
	case syntax.OpRepeat:
		switch re.Min {
		case 0:
			return nothing
		case 1:
			return needed(re.Sub[0], first, last)
		}
		re.Max = re.Min
	case syntax.OpAlternate:
		for i, sub := range re.Sub {
			if re.Sub[i] = needed(sub, first, last); re.Sub[i].Op == syntax.OpEmptyMatch {
				return nothing
			}
		}
	case syntax.OpConcat:
		subs := re.Sub
		for first && len(subs) > 0 {
			if subs[0] = needed(subs[0], true, last && len(subs) == 1); subs[0].Op != syntax.OpEmptyMatch {
				break
			}
			subs = subs[1:]
		}
		for last && len(subs) > 0 {
			end := len(subs) - 1
			if subs[end] = needed(subs[end], first && end == 0, true); subs[end].Op != syntax.OpEmptyMatch {
				break
			}
			subs = subs[:end]
		}
		if len(subs) == 0 {
			return nothing
		}
		re.Sub = subs
	}
	return re
}
