package source

// Probe is a change with which the program ends as soon as it comes to the line of a
// mutant: with status 97, or in Go, where nothing is imported for that, with a panic
// that nobody can recover from. It is false where there is no place for one. What it
// tells are the lines that no scenario runs.
func Probe(name string, text []byte, line int) (Mutant, bool) {
	f := read(name, text)
	if f == nil || line < 1 || line > len(f.lines) {
		return Mutant{}, false
	}
	if f.lang.shell {
		return f.shellProbe(line)
	}
	best := -1
	for n, s := range f.statements {
		first, last := f.line(f.tokens[s.first].From), f.line(f.tokens[s.last-1].To-1)
		if first > line || last < line || s.member && !s.head {
			continue
		}
		if best < 0 || f.closer(s, f.statements[best], line) {
			best = n
		}
	}
	if best < 0 {
		return Mutant{}, false
	}
	return f.probe(f.statements[best])
}

// closer reports whether a statement tells more of a line than another one: of those
// that begin on it the first, else the one that begins last.
func (f *file) closer(s, best statement, line int) bool {
	begins := f.line(f.tokens[s.first].From) == line
	bestBegins := f.line(f.tokens[best.first].From) == line
	if begins && bestBegins {
		return s.first < best.first
	}
	return begins || !bestBegins && s.first > best.first
}

// exits are what ends a program at once: as a statement, and as an expression whose
// value is never used.
func (f *file) exits() (statement, expression string) {
	switch f.lang.name {
	case "python":
		return `__import__("os")._exit(97)`, `__import__("os")._exit(97)`
	case "go":
		if f.importsOS() {
			return "os.Exit(97)", "(func() bool { os.Exit(97); return true }())"
		}
		return "go panic(97); select {}", "(func() bool { go panic(97); select {} }())"
	case "java":
		return "System.exit(97)", ""
	case "ruby":
		return "exit!(97)", "exit!(97)"
	}
	return "process.exit(97)", "process.exit(97)"
}

// importsOS reports whether a Go file imports os under its own name.
func (f *file) importsOS() bool {
	for i := range f.tokens {
		if f.kindAt(i) == word && f.at(i) == "func" {
			return false
		}
		if f.at(i) == `"os"` {
			return f.kindAt(i-1) != word || f.at(i-1) == "import"
		}
	}
	return false
}

func (f *file) probe(s statement) (Mutant, bool) {
	exit, value := f.exits()
	at := f.tokens[s.first].From
	put := func(from, to int, text string) (Mutant, bool) {
		return Mutant{"probe", f.line(from), from, to, text, "the program ends here"}, true
	}
	word := f.at(s.first)
	switch {
	case s.member && !f.lang.indented || s.top && f.lang.bare || f.lang.bare && (word == "import" || word == "package"):
		return Mutant{}, false
	case s.member && s.head && s.key != "def" && s.key != "class":
		return Mutant{}, false
	case f.lang.indented && word == "@":
		return put(at, at, exit+"\n"+f.margin(at))
	case s.head && (word == "case" || word == "default") && f.lang.indented:
		return Mutant{}, false
	case s.head && (word == "case" || word == "default"):
		if s.last >= len(f.tokens) || !f.isOperator(s.last, ":") {
			return Mutant{}, false
		}
		to := f.tokens[s.last].To
		return put(to, to, " "+exit+";")
	case word == "elif" || word == "else" || word == "elsif":
		_, first, last := f.conditionRange(s)
		if first >= last || value == "" {
			return Mutant{}, false
		}
		from, to := f.bytes(first, last)
		return put(from, to, value+" "+f.lang.or+" ("+f.source[from:to]+")")
	case word == "except" || word == "finally" || word == "catch" || word == "rescue" || word == "ensure" || word == "when" || word == "end" || word == "while" && f.at(s.first-1) == "}":
		return Mutant{}, false
	case s.head && f.lang.indented:
		if n := s.first; n > 0 && f.decorated(n) {
			return Mutant{}, false
		}
		return put(at, at, exit+"\n"+f.margin(at))
	case s.lone && !f.lang.indented && !f.lang.worded:
		to := f.tokens[s.last-1].To
		if f.at(s.last) != ";" {
			exit += ";"
		}
		if s.head { // `else` and its like, followed by another head
			return Mutant{}, false
		}
		return put(at, to, exit)
	}
	return put(at, at, exit+"; ")
}

// decorated reports whether the statement before a token is one of Python's @names.
func (f *file) decorated(i int) bool {
	s := f.owner[i-1]
	return s >= 0 && f.isOperator(f.statements[s].first, "@")
}

// margin is what stands before a token on its line.
func (f *file) margin(at int) string { return f.source[f.lines[f.line(at)-1]:at] }
