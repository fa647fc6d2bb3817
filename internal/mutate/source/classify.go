package source

import "strings"

// A doing says what a simple statement does.
type doing uint8

const (
	other   doing = iota
	control       // return, raise, break
	assign        // to a name that is there, to a member or an element
	declare       // a name
	call          // a call whose value is not used, or an await
	logs          // only writes to a log
	brings        // an import
)

// classify is what is done by a simple statement, and where an assignment's first sign
// stands, -1 for none.
func (f *file) classify(s statement) (doing, int) {
	first, last := f.past(s), s.last
	if f.lang.indented && f.isOperator(first, "@") {
		if wrappers()[f.at(first+1)] && !keeps()[f.at(first+3)] || f.routes(first, last) || f.at(last-1) == "setter" || f.at(last-1) == "abstractmethod" {
			return other, -1
		}
		return call, -1
	}
	if first >= last || s.member {
		return other, -1
	}
	key := f.at(first)
	sign := f.assignment(first, last)
	switch {
	case f.kindAt(first) == word && f.lang.imports()[key] && (f.lang.tick != 't' || f.at(first+1) != "("):
		return brings, -1
	case s.key == "export" || key == "export":
		return brings, -1
	case f.kindAt(first) == word && f.lang.declares()[key] && !f.isOperator(first+1, ".") && first+1 != sign && (key != "type" || f.kindAt(first+1) == word):
		return declare, sign
	case f.kindAt(first) == word && f.lang.control()[key]:
		return control, -1
	case f.logged(first, last):
		return logs, -1
	case sign >= 0 && f.lang.worded && sign == first+1 && key[0] >= 'A' && key[0] <= 'Z':
		return declare, sign
	case sign >= 0 && f.at(sign) == ":=":
		return declare, sign
	case sign >= 0 && f.declaring(first, sign):
		return declare, sign
	case sign >= 0:
		return assign, sign
	case f.isOperator(last-1, "++") || f.isOperator(last-1, "--") || f.isOperator(first, "++") || f.isOperator(first, "--"):
		return assign, -1
	case f.isWord(first, "await"):
		return call, -1
	case f.isWord(first, "super") && !f.lang.indented:
		return other, -1 // nothing works without it
	case f.lang.worded && f.commands(first, last):
		return call, -1
	case f.isOperator(first+1, "<-") && f.lang.bare, f.isOperator(first, "<-"):
		return call, -1
	case f.at(last-1) == ")" && f.tokens[last-1].Mate > first && f.operandEnds(f.tokens[last-1].Mate-1) && f.tokens[last-1].Up == f.tokens[first].Up:
		return call, -1
	}
	return other, -1
}

// wrappers are decorators without which a class is none, or a method cannot be called.
var wrappers = set("staticmethod classmethod property dataclass dataclasses functools contextmanager contextlib abc pytest overload override")

// keeps are the decorators of functools that change what a function does.
var keeps = set("lru_cache cache")

var methods = set("route get post put patch delete head options websocket")

// routes reports whether a decorator says which requests a function answers: without
// it there is no answer at all.
func (f *file) routes(first, last int) bool {
	for i := first + 2; i+2 < last && i < first+8; i++ {
		if f.isMember(i) && methods()[f.at(i)] && f.at(i+1) == "(" && f.kindAt(i+2) == text {
			return strings.Contains(f.at(i+2), "/")
		}
	}
	return false
}

// past is the first token of a statement behind words such as `export`.
func (f *file) past(s statement) int {
	first := s.first
	for first < s.last && f.kindAt(first) == word && modifiers()[f.at(first)] && f.at(first) != "default" && f.kindAt(first+1) == word {
		first++
	}
	return first
}

var assigns = set("= += -= *= /= //= %= **= |= &= ^= <<= >>= >>>= ||= &&= ??= @= &^= :=")

// assignment is the first sign of a statement that assigns, -1 where none does.
func (f *file) assignment(first, last int) int {
	for i := first; i < last; i++ {
		t := f.tokens[i]
		if t.Kind == opening && t.Mate > i {
			i = t.Mate
			continue
		}
		if t.Kind == operator {
			if s := f.at(i); assigns()[s] {
				return i
			} else if s == "=>" || s == "->" || s == "?" {
				return -1
			}
		}
	}
	return -1
}

// declaring reports whether the target of an assignment has a type: `int x = 3`, and
// `x: int = 3`.
func (f *file) declaring(first, sign int) bool {
	if f.lang.indented {
		for i := first; i < sign; i++ {
			if f.isOperator(i, ":") && f.tokens[i].Up == f.tokens[first].Up {
				return true
			}
		}
		return false
	}
	if !f.lang.ended {
		return false
	}
	return sign-first > 1 && f.kindAt(sign-1) == word && (f.kindAt(sign-2) == word || f.at(sign-2) == ">" || f.at(sign-2) == "]" && f.at(sign-3) == "[")
}

var (
	loggers = set("log logger logging logs slog LOG LOGGER Log Logger _log _logger warnings")
	// toStderr are methods of console that write there; the others write to standard output.
	toStderr = set("error warn trace assert")
	levels   = set("debug info warn warning error err exception critical trace notice fine log Debug Info Warn Error Print Printf Println Debugf Infof Warnf Errorf DebugContext InfoContext WarnContext ErrorContext")
)

// logged reports whether a statement only writes to a log, or to where errors go.
func (f *file) logged(first, last int) bool {
	if f.isWord(first, "await") {
		first++
	}
	i, parts := first, 0
	log := false
	for ; i < last && f.kindAt(i) == word; i += 2 {
		w := f.at(i)
		parts++
		if w == "console" && parts == 1 && f.isOperator(i+1, ".") {
			log = true
		}
		if !f.isOperator(i+1, ".") {
			if log && toStderr()[w] || parts > 1 && levels()[w] && loggers()[strings.TrimLeft(f.at(i-2), "$@")] {
				return f.lang.worded || f.at(i+1) == "(" && f.tokens[i+1].Mate == last-1
			}
			i++
			break
		}
	}
	if f.at(i) != "(" || f.tokens[i].Mate != last-1 {
		return f.lang.worded && (f.at(first) == "warn" || f.at(first) == "$stderr" || f.at(first) == "STDERR")
	}
	switch name := f.slice(first, i); name {
	case "sys.stderr.write", "sys.stderr.flush", "process.stderr.write", "System.err.println", "System.err.print", "System.err.printf", "traceback.print_exc", "$stderr.puts", "warn", "STDERR.puts":
		return true
	case "print":
		return f.holds(i+1, last-1, "file=sys.stderr")
	case "println":
		return f.lang.bare
	case "fmt.Fprintln", "fmt.Fprintf", "fmt.Fprint":
		return strings.HasPrefix(f.slice(i+1, min(i+4, last)), "os.Stderr")
	}
	return false
}

// holds reports whether tokens without their spaces have a part.
func (f *file) holds(first, last int, part string) bool {
	for i := max(first, last-40); i < last; i++ {
		rest := part
		for n := i; n < last && rest != "" && strings.HasPrefix(rest, f.at(n)); n++ {
			rest = rest[len(f.at(n)):]
		}
		if rest == "" {
			return true
		}
	}
	return false
}

// targets are the plain names that a statement assigns or declares.
func (f *file) targets(s statement, sign int) []string {
	var names []string
	if sign < 0 {
		for i := s.first; i < s.last && s.last-s.first == 2; i++ { // x++
			if f.kindAt(i) == word {
				names = append(names, f.at(i))
			}
		}
		return names
	}
	start := f.past(s)
	for i := start; i < sign && i < start+reach; i++ {
		if f.kindAt(i) == word && !f.isMember(i) && !f.lang.declares()[f.at(i)] && f.at(i+1) != "." && f.at(i+1) != "[" && f.at(i+1) != "(" && f.at(i+1) != "?." {
			names = append(names, f.at(i))
		}
	}
	if f.lang.indented { // a = b = 3
		for i := sign + 2; i < s.last && f.isOperator(i, "=") && f.tokens[i].Up == f.tokens[sign].Up; i += 2 {
			names = append(names, f.at(i-1))
		}
	}
	return names
}

// hush marks what is not changed: imports, logs, types and versions.
func (f *file) hush() {
	still := func(first, last int) {
		for i := first; i < last; i++ {
			f.quiet[i] = true
		}
	}
	for _, s := range f.statements {
		if s.head {
			switch {
			case s.key == "def" && f.lang.indented:
				f.hushTypes(s)
			case s.key == "if" && f.holds(s.first, min(s.last, s.first+4), "__name__"):
				still(s.first, s.last)
			}
			continue
		}
		sort, sign := f.classify(s)
		switch {
		case sort == brings && f.at(s.first) == "export":
			for i := s.first; i < min(s.last, s.first+2); i++ {
				if f.at(i) == "*" || f.at(i) == "{" || f.at(i) == "type" {
					still(s.first, s.last)
					break
				}
			}
		case sort == logs, sort == brings, f.kindAt(s.first+1) == word && (s.key == "type" || s.key == "interface" || f.at(s.first) == "declare"):
			still(s.first, s.last)
		case sort == other && s.last-s.first == 1:
			still(s.first, s.last) // a docstring, "use strict"
		case sign > 0 && (s.last-s.first < 40) && f.versions(s.first, sign):
			still(s.first, s.last)
		case f.lang.indented:
			f.hushTyped(s)
		}
	}
	for i := range f.tokens {
		if (f.isWord(i, "require") || f.isWord(i, "import")) && f.at(i+1) == "(" && f.kindAt(i+2) == text {
			f.quiet[i+2] = true
		}
		if f.lang.name == "typescript" && (f.kindAt(i) == text || f.kindAt(i) == number) && (f.isOperator(i-1, "|") || f.isOperator(i+1, "|")) {
			f.quiet[i] = true
		}
	}
}

// versions reports whether a name that is assigned says that it is a version.
func (f *file) versions(first, last int) bool {
	for i := first; i < last; i++ {
		if f.kindAt(i) == word {
			w := strings.ToLower(f.at(i))
			if strings.Contains(w, "version") || w == "__all__" || w == "__slots__" || w == "__author__" {
				return true
			}
		}
	}
	return false
}

// hushTyped marks the type in `x: int = 3`.
func (f *file) hushTyped(s statement) {
	for i := s.first + 1; i < s.last; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
			continue
		}
		switch {
		case f.isWord(i, "lambda") || assigns()[f.at(i)]:
			return
		case f.isOperator(i, ":"):
			end := f.assignment(i, s.last)
			if end < 0 {
				end = s.last
			}
			f.hushType(i, end)
			return
		}
	}
}

func (f *file) hushType(first, last int) {
	for i := first; i < last; i++ {
		f.quiet[i] = true
	}
}

// hushTypes marks the types of the parameters and of the result of a Python function.
func (f *file) hushTypes(s statement) {
	open := s.first
	for open < s.last && f.at(open) != "(" {
		open++
	}
	if open >= s.last || f.tokens[open].Mate < 0 {
		return
	}
	f.hushType(f.tokens[open].Mate, s.last)
	typed := false
	for i := open + 1; i < f.tokens[open].Mate; i++ {
		if f.tokens[i].Up == open {
			switch f.at(i) {
			case ":":
				typed = true
			case "=", ",":
				typed = false
			}
		}
		f.quiet[i] = typed
	}
}
