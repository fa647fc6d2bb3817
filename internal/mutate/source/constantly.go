package source

import "strings"

// constants bounds how many functions of a file always give the same.
const constants = 8

// constantly lets a function of the file that gives a text give always the same one, if it
// is called at two places or more: who writes and who reads with it still agree.
func (f *file) constantly() {
	if f.lang.worded {
		return
	}
	calls := map[string]int{}
	for i := range f.tokens {
		if f.kindAt(i) == word && f.at(i+1) == "(" && f.tokens[i+1].Mate > i+1 && !f.isMember(i) && !f.quiet[i] && !f.declares(i) && !f.told(i) && f.used(i, f.tokens[i+1].Mate+1) {
			calls[f.at(i)]++
		}
	}
	found := 0
	for i := 0; i < len(f.tokens) && found < constants; i++ {
		if f.quiet[i] || f.kindAt(i) != word {
			continue
		}
		name, from, to, with := f.givesText(i)
		if name == "" || calls[name] < 2 {
			continue
		}
		before := len(f.mutants)
		f.add("call", from, to, with, "`"+short(name, 40)+"(…)` always gives the same")
		found += len(f.mutants) - before
	}
}

// declares reports whether a name before a bracket is that of a function that is declared.
func (f *file) declares(i int) bool {
	return f.isWord(i-1, "def") || f.isWord(i-1, "function") || f.isWord(i-1, "func") || f.declaresName(i) || f.lang.ended && f.kindAt(i-1) == word && f.at(f.tokens[i+1].Mate+1) == "{"
}

// givesText is the name of a function of one or two parameters that is declared at a token
// and gives a text, with what makes it always the same one.
func (f *file) givesText(i int) (name string, from, to int, with string) {
	name = f.at(i)
	open := i + 1
	if f.lang.tick == 't' && f.isOperator(open, "=") && (f.isWord(i-1, "const") || f.isWord(i-1, "let") || f.isWord(i-1, "var")) {
		return f.givesArrow(i)
	}
	if f.at(open) != "(" || !f.declares(i) || !f.few(open) {
		return "", 0, 0, ""
	}
	mate := f.tokens[open].Mate
	s := f.owner[i]
	switch {
	case f.lang.indented:
		if s < 0 || !f.statements[s].head || f.statements[s].member || f.isWord(f.statements[s].first, "async") {
			return "", 0, 0, ""
		}
		body := f.statements[s].last + 1
		if body >= len(f.tokens) {
			return "", 0, 0, ""
		}
		value := f.gives(body, f.indentedEnd(s, body), false)
		if value == "" {
			return "", 0, 0, ""
		}
		at := f.tokens[body].From
		if !f.tokens[body].Newline {
			return name, at, at, "return " + value + "; "
		}
		line := f.lines[f.line(at)-1]
		if strings.TrimSpace(f.source[line:at]) != "" {
			return "", 0, 0, ""
		}
		return name, at, at, "return " + value + "\n" + f.source[line:at]
	case f.lang.bare, f.lang.ended:
		sure := f.at(mate+1) == "string" && f.at(mate+2) == "{" || f.lang.ended && f.at(i-1) == "String" && f.at(mate+1) == "{"
		body := mate + 1
		if f.lang.bare {
			body++
		}
		if !sure || f.gives(body+1, f.tokens[body].Mate, false) == "" && f.asks(body+1, f.tokens[body].Mate) {
			return "", 0, 0, ""
		}
		at := f.tokens[body].To
		if f.lang.bare {
			return name, at, at, " if true { return \"0\" };"
		}
		return name, at, at, " if (true) return \"0\";"
	case f.lang.tick == 't' && f.isWord(i-1, "function") && !f.isWord(i-2, "async"):
		body := mate + 1
		for n := 0; n < 4 && body < len(f.tokens) && f.at(body) != "{"; n++ {
			body++
		}
		return f.givesBlock(name, body)
	}
	return "", 0, 0, ""
}

// few reports whether a bracket has one or two parameters.
func (f *file) few(open int) bool {
	n := len(f.args(open))
	return n == 1 || n == 2
}

// givesBlock is givesText for a body in brackets of JavaScript.
func (f *file) givesBlock(name string, body int) (string, int, int, string) {
	if f.at(body) != "{" || f.tokens[body].Mate < body {
		return "", 0, 0, ""
	}
	value := f.gives(body+1, f.tokens[body].Mate, false)
	if value == "" {
		return "", 0, 0, ""
	}
	at := f.tokens[body].To
	return name, at, at, " return " + value + ";"
}

// givesArrow is givesText for const f = (x) => ….
func (f *file) givesArrow(i int) (string, int, int, string) {
	arrow := i + 3
	switch {
	case f.at(i+2) == "(" && f.tokens[i+2].Mate > i+2 && f.few(i+2):
		arrow = f.tokens[i+2].Mate + 1
		for n := 0; n < 3 && f.lang.name == "typescript" && !f.isOperator(arrow, "=>"); n++ {
			arrow++
		}
	case f.kindAt(i+2) != word:
		return "", 0, 0, ""
	}
	if !f.isOperator(arrow, "=>") || arrow+1 >= len(f.tokens) {
		return "", 0, 0, ""
	}
	body := arrow + 1
	if f.at(body) == "{" {
		return f.givesBlock(f.at(i), body)
	}
	last := f.bodyEnd(body)
	if last <= body || last > len(f.tokens) {
		return "", 0, 0, ""
	}
	value := f.gives(body, last, true)
	if value == "" {
		return "", 0, 0, ""
	}
	from, to := f.bytes(body, last)
	return f.at(i), from, to, value
}

// asking are names of what a function does besides computing.
var asking = set("await yield open urlopen fetch request input readFile readFileSync read readlines print execSync spawnSync run check_output system get post query execute fetchone ReadFile Get Post Do Query QueryRow Exec randomUUID uuid4 now next random randomBytes token_hex")

// asks reports whether tokens ask or tell somebody else.
func (f *file) asks(first, last int) bool {
	if last-first > reach {
		return true
	}
	for i := first; i < last; i++ {
		if f.kindAt(i) == word && asking()[f.at(i)] && (f.at(i+1) == "(" || f.at(i) == "await" || f.at(i) == "yield") {
			return true
		}
	}
	return false
}

var (
	textual = set("hexdigest decode hex join format lower upper toLowerCase toUpperCase toString String str encodeURIComponent quote quote_plus dumps stringify padStart replaceAll replace strip trim toFixed")
	octets  = set("digest encode b64encode urlsafe_b64encode")
)

// gives is a value of the kind that the body of a function gives, "" where that is no text
// or not known: each of its values ends with what makes a text.
func (f *file) gives(first, last int, expression bool) string {
	if first >= last || last > len(f.tokens) || f.asks(first, last) {
		return ""
	}
	if expression {
		return f.kindOfText(first, last)
	}
	value := ""
	for i := first; i < last; i++ {
		if !f.isWord(i, "return") {
			continue
		}
		end := last
		if s := f.owner[i]; s >= 0 {
			end = min(f.statements[s].last, last)
		}
		v := f.kindOfText(i+1, end)
		if v == "" || value != "" && v != value {
			return ""
		}
		value = v
	}
	return value
}

// kindOfText is a constant of the kind of an expression that is a text, "" for another one.
func (f *file) kindOfText(first, last int) string {
	if first >= last || last > len(f.tokens) {
		return ""
	}
	for i := first; i < last; i++ { // one that is put together by + or nothing
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
		} else if t.Kind == operator && f.at(i) != "." && f.at(i) != "+" && f.at(i) != "?." && !(f.at(i) == "%" && f.isText(first)) || t.Kind == word && i > first && !f.isMember(i) && !f.isWord(i-1, "+") && !f.isOperator(i-1, "+") {
			return ""
		}
	}
	if f.isText(first) && f.tokens[first].Mate < 0 && last == first+1 {
		return "" // it is constant
	}
	end := last - 1
	switch {
	case f.isText(end) || f.isText(first) && (first+1 == last || f.tokens[first].Mate == end || f.isOperator(first+1, "+") || f.isOperator(first+1, "%")):
		if w := f.at(first); strings.HasPrefix(strings.ToLower(w), "b") && f.lang.indented {
			return ""
		}
		return `"0"`
	case f.at(end) == ")" && f.kindAt(f.tokens[end].Mate-1) == word:
		open := f.tokens[end].Mate
		name := f.at(open - 1)
		switch {
		case name == "digest" && f.lang.tick == 't' && f.isMember(open-1):
			if end == open+1 {
				return `Buffer.from("0")`
			}
			return `"0"`
		case octets()[name] && f.lang.indented && (name != "digest" || end == open+1):
			return `b"0"`
		case textual()[name]:
			return `"0"`
		}
	case f.at(end) == "]" && f.lang.indented && f.tokens[end].Mate > first+1: // a part of a text
		if slice := f.tokens[end].Mate; strings.Contains(f.slice(slice, end), ":") {
			return f.kindOfText(first, slice)
		}
	}
	return ""
}
