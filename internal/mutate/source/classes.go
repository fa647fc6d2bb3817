package source

import "strings"

// A class is one of the file that has a base in the same file, or is such a base.
type class struct {
	base    string
	methods map[string]method
	plain   bool // it has nothing but methods of its base
}

// A method is one of a class.
type method struct {
	first, last int    // its tokens
	params      string // what it takes
	raises      bool   // it only says that a class below has it
}

// overrides leaves out methods that take the place of those of a base, and makes the
// base in the place of a class.
func (f *file) overrides() {
	if f.lang.bare {
		return
	}
	classes := f.classes()
	based := map[string]string{}
	for name, c := range classes {
		base, known := classes[c.base]
		if !known || c.base == name {
			continue
		}
		c.plain = len(c.methods) > 0
		for n, m := range c.methods {
			old, is := base.methods[n]
			if up, two := classes[base.base]; !is && two {
				old, is = up.methods[n]
			}
			if !is || old.params != m.params || old.raises {
				c.plain = false
				continue
			}
			from, to := f.bytes(m.first, m.last)
			empty := ""
			if f.lang.indented {
				empty = "pass"
			}
			if n != "__init__" && n != "constructor" && n != "initialize" {
				f.add("statement", from, to, empty, "`"+short(name+"."+n, 50)+"` is that of `"+short(c.base, 20)+"`")
			}
		}
		if c.plain {
			based[name] = c.base
		}
	}
	if len(based) == 0 {
		return
	}
	for i := range f.tokens {
		base, is := based[f.at(i)]
		if !is || f.kindAt(i) != word || f.quiet[i] || f.isMember(i) || f.inHead(i) || f.isWord(i-1, "class") || f.isWord(i-1, "extends") || f.isOperator(i-1, "<") || f.isWord(i-1, "instanceof") || f.isOperator(i+1, "=") {
			continue
		}
		if o := f.owner[i]; o >= 0 && (f.statements[o].key == "class" || f.statements[o].key == "except" || f.statements[o].head && f.lang.indented && f.statements[o].key == "def") {
			continue
		}
		if up := f.tokens[i].Up; up > 0 && (f.at(up-1) == "isinstance" || f.at(up-1) == "issubclass" || f.at(up-1) == "super") {
			continue
		}
		switch {
		case f.lang.ended && !f.isWord(i-1, "new"), f.lang.worded && !(f.isOperator(i+1, ".") && f.at(i+2) == "new"), f.lang.tick == 't' && (f.isOperator(i+1, ".") || f.at(f.tokens[i].Up) == "{" && (f.at(i-1) == "," || f.at(i-1) == "{")):
			continue
		}
		f.swap("related", i, i, base)
	}
}

// classes are those of the file, by name.
func (f *file) classes() map[string]*class {
	all := map[string]*class{}
	for n, s := range f.statements {
		if !s.head || s.key != "class" || f.quiet[s.first] {
			continue
		}
		i := s.first
		for i < s.last && !f.isWord(i, "class") {
			i++
		}
		name := f.at(i + 1)
		if _, twice := all[name]; twice || i+1 >= s.last || f.kindAt(i+1) != word {
			continue
		}
		c := &class{methods: map[string]method{}}
		switch i += 2; {
		case f.lang.indented && f.at(i) == "(" && f.kindAt(i+1) == word, f.isWord(i, "extends"), f.lang.worded && f.isOperator(i, "<"):
			c.base = f.at(i + 1)
		}
		all[name] = c
		f.methodsOf(n, c)
	}
	return all
}

// methodsOf reads the methods of a class up to the end of its block.
func (f *file) methodsOf(n int, c *class) {
	s := f.statements[n]
	margin := f.indent(f.tokens[s.first].From)
	end := len(f.tokens)
	if !f.lang.indented && !f.lang.worded {
		if f.at(s.last) != "{" || f.tokens[s.last].Mate < 0 {
			return
		}
		end = f.tokens[s.last].Mate
	}
	inner := -1
	for m := n + 1; m < len(f.statements) && m < n+reach; m++ {
		h := f.statements[m]
		if h.first >= end {
			return
		}
		if h.first < s.last {
			continue
		}
		at := f.tokens[h.first]
		if !f.lang.indented && !f.lang.worded {
			if h.head && at.Up == s.last && f.at(h.last) == "{" && f.tokens[h.last].Mate > 0 {
				f.method(c, h, f.tokens[h.last].Mate+1)
			}
			continue
		}
		if !at.Newline {
			continue
		}
		in := f.indent(at.From)
		if in <= margin {
			return
		}
		if inner < 0 {
			inner = in
		}
		if in != inner || !h.head || h.key != "def" {
			continue
		}
		if last := f.blockEnd(m, in); last > 0 {
			f.method(c, h, last)
		}
	}
}

// blockEnd is the end of what stands below a head: of Ruby with its end, -1 where that
// is too far.
func (f *file) blockEnd(n, indent int) int {
	last := f.statements[n].last
	for m := n + 1; m < len(f.statements) && m < n+reach; m++ {
		s := f.statements[m]
		if at := f.tokens[s.first]; at.Newline && f.indent(at.From) <= indent {
			if f.lang.worded {
				if f.isWord(s.first, "end") {
					return s.first + 1
				}
				return -1
			}
			return last
		}
		last = max(last, s.last)
	}
	if f.lang.worded {
		return -1
	}
	return last
}

// method keeps one of a class.
func (f *file) method(c *class, h statement, last int) {
	open := h.first
	for open < h.last && f.at(open) != "(" {
		open++
	}
	name := f.at(open - 1)
	m := method{first: h.first, last: last}
	switch {
	case open < h.last && f.tokens[open].Mate > 0:
		var params []string
		for i := open + 1; i < f.tokens[open].Mate; i++ {
			params = append(params, f.at(i))
		}
		m.params = strings.Join(params, " ")
	case f.lang.worded:
		name = f.at(h.last - 1)
	default:
		return
	}
	if f.kindAt(h.first) == word && (f.at(h.first) == "get" || f.at(h.first) == "set") && f.lang.tick == 't' && open > h.first+1 {
		return
	}
	if f.lang.indented && h.first > 0 && f.decorated(h.first) {
		return
	}
	body := h.last + 1
	for n := 0; n < 2 && body < last; n++ {
		w := f.at(body)
		if w == "raise" || w == "throw" || w == "pass" && body == last-1 || w == "..." {
			m.raises = true
		}
		if f.kindAt(body) != text {
			break
		}
		body++
	}
	if f.lang.worded && f.at(h.last) == "raise" {
		m.raises = true
	}
	c.methods[name] = m
}
