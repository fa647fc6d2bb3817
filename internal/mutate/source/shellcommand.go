package source

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// end keeps the list that was read up to an item, and adds its changes. script is
// false for what stands in $(…): leaving that out says nothing.
func (s *shellFile) end(fr *shellFrame, items []item, i int, script bool) {
	first, last := fr.first, i-1
	parts, signs, skips := fr.parts, fr.signs, fr.skips
	fr.first, fr.pipe, fr.parts, fr.signs, fr.skips = -1, -1, nil, nil, nil
	for last > first && items[max(last, 0)].sign == "\n" {
		last--
	}
	if first < 0 || last < first || len(parts) != len(signs)+1 {
		fr.before = [2]int{-1, -1}
		return
	}
	from, to := items[first].from, items[last].to
	if !fr.function {
		s.lists = append(s.lists, shellList{from, to, fr.safe})
	}
	fr.function = false
	s.chain(items, parts, signs, last)
	s.pipes(items, first, last, skips)
	before := fr.before
	fr.before = [2]int{-1, -1}
	if len(skips) > 0 {
		return // what stands in it was read
	}
	what := s.what(items[first : last+1])
	for _, it := range items[first : last+1] {
		if name, _, is := s.assignment(it); is {
			s.assigned[name] = true // from here on
		}
	}
	if len(parts) > 1 || slices.ContainsFunc(items[first:last+1], func(it item) bool { return it.document > 0 }) {
		return
	}
	moves := what == call || what == assign || what == declare
	if moves {
		fr.before = [2]int{first, last}
	}
	if fr.key != "" || !script || to-from > span {
		return
	}
	if what == control || what == call || what == assign {
		s.add("statement", from, to, ":", without(s.source[from:to]))
	}
	if before[0] >= 0 && moves && (what != declare || strings.Contains(s.source[from:to], "$(")) {
		s.swapped(items, before, [2]int{first, last})
	}
}

// chain leaves out each side of && and ||.
func (s *shellFile) chain(items []item, parts, signs []int, last int) {
	for n := range parts {
		end := last
		if n < len(signs) {
			end = signs[n] - 1
		}
		for end > parts[n] && items[end].sign == "\n" {
			end--
		}
		if len(parts) < 2 || parts[n] > end || end >= len(items) {
			continue
		}
		shown := "without `" + short(s.brief(items[parts[n]].from, items[end].to), 68) + "`"
		if s.noise(items[parts[n]:min(end+1, parts[n]+reach)]) {
			continue
		}
		if n == 0 {
			if parts[1] < len(items) {
				s.add("condition", items[parts[0]].from, items[parts[1]].from, "", shown)
			}
		} else {
			s.add("condition", items[signs[n-1]-1].to, items[end].to, "", shown)
		}
	}
}

var filters = set("sort uniq head tail tr sed grep egrep fgrep cut rev tac column iconv fold fmt expand dos2unix shuf")

// pipes goes through the commands of a list, and leaves out filters.
func (s *shellFile) pipes(items []item, first, last int, skips [][2]int) {
	start, before := first, first // the command, and the one before it
	for i := first; i <= last+1; i++ {
		if len(skips) > 0 && i == skips[0][0] {
			i, skips = min(skips[0][1], last), skips[1:]
			for start = i + 1; len(skips) > 0 && skips[0][0] <= i; {
				skips = skips[1:]
			}
			continue
		}
		if i <= last {
			switch items[i].sign {
			case "&&", "||", "|", "|&":
			default:
				if items[i].sign == "" && s.str(items[i]) == "[[" {
					for i < last && s.str(items[i]) != "]]" {
						i++
					}
				}
				continue
			}
		}
		for piped := start; start < i && items[start].sign == "\n" && piped > first && items[piped-1].sign == "|"; {
			start++ // the command stands on the line below
		}
		if start < i {
			s.command(items[start:i])
			s.written(items[start:i])
			s.unfiltered(items[start:i], start > first)
			s.oneLine(items[before:start], items[start:i], before > first)
			before = start
			sign := start - 1
			for sign > first && items[sign].sign == "\n" {
				sign--
			}
			if start > first && items[sign].sign == "|" && filters()[s.str(items[start])] {
				from, to := items[sign-1].to, items[i-1].to
				kept := ""
				for _, it := range items[start:i] {
					if it.sign == "<" {
						kept += " " + s.str(it)
					}
				}
				s.add("call", from, to, kept, without("| "+s.source[items[start].from:to]))
				name := s.str(items[start])
				if !inPlace(name) { // what it does stands beside its name
					name = s.source[items[start].from:to]
				}
				s.leaveCommand(name, from, to, kept)
			}
		}
		start = i + 1
	}
}

// what a simple command does.
func (s *shellFile) what(items []item) doing {
	if s.noise(items) {
		return logs
	}
	name := ""
	known := true
	for _, it := range items {
		if it.sign != "" {
			continue
		}
		variable, _, is := s.assignment(it)
		if !is {
			name = s.str(it)
			break
		}
		known = known && s.assigned[variable]
	}
	switch name {
	case "":
		if known {
			return assign
		}
		return declare
	case "exit", "return", "break", "continue", "exec":
		return control
	case "export", "local", "readonly", "declare", "typeset", "source", ".", ":", "true", "false":
		return other
	}
	return call
}

// ontoStderr are the redirections to stderr, and writers the commands that only write what they are given.
var (
	ontoStderr = set(">&2 1>&2 >/dev/stderr >>/dev/stderr")
	writers    = set("echo printf cat")
)

// noise reports whether a command only writes to stderr or to a log.
func (s *shellFile) noise(items []item) bool {
	name := ""
	for _, it := range items {
		if it.sign == "" && name == "" {
			name = s.str(it)
		}
		if it.sign == "|" || it.sign == "&&" || it.sign == "||" {
			return false
		}
		if it.sign == "<" && ontoStderr()[strings.ReplaceAll(s.str(it), " ", "")] && (name == "" || writers()[name]) {
			return true
		}
	}
	return name == "logger"
}

// assignment is the name and the value of a word such as x=1.
func (s *shellFile) assignment(it item) (name string, value int, is bool) {
	if it.sign != "" {
		return "", 0, false
	}
	w := s.str(it)
	at := strings.IndexByte(w, '=')
	if at < 1 || digit(w[0]) {
		return "", 0, false
	}
	name = strings.TrimSuffix(w[:at], "+")
	for i := range len(name) {
		if !nameByte(name[i]) {
			return "", 0, false
		}
	}
	return name, at + 1, true
}

// swapped adds two statements in the other order.
func (s *shellFile) swapped(items []item, a, b [2]int) {
	fromA, toA := items[a[0]].from, items[a[1]].to
	fromB, toB := items[b[0]].from, items[b[1]].to
	if toB-fromA > span || fromB < toA {
		return
	}
	first, between, second := s.source[fromA:toA], s.source[toA:fromB], s.source[fromB:toB]
	if first == second || s.what(items[a[0]:a[1]+1]) != call && s.what(items[b[0]:b[1]+1]) != call {
		return
	}
	for _, it := range items[a[0] : a[1]+1] {
		if name, _, is := s.assignment(it); is && (strings.Contains(second, "$"+name) || strings.Contains(second, "${"+name)) {
			return
		}
	}
	runs := strings.Contains(strings.ReplaceAll(second, "$((", ""), "$(") || strings.ContainsAny(first+second, "`")
	reads := func(name string) bool {
		return strings.Contains(first, "$(") || strings.Contains(first, "$"+name) || strings.Contains(first, "${")
	}
	if name, _, is := s.assignment(items[b[0]]); is && b[0] == b[1] && !runs && !reads(name) {
		if w := s.str(items[a[0]]); w == "echo" || w == "printf" {
			return // it prints nothing of what is computed
		}
	}
	switch s.str(items[a[0]]) {
	case "set", "cd", "shift", "trap", "read", "umask":
		return
	}
	s.add("order", fromA, toB, second+between+first, "`"+short(second, 32)+"` before `"+short(first, 32)+"`")
}

var tested = pairs("-lt -le -le -lt -gt -ge -ge -gt -eq -ne -ne -eq = != == != != = -z -n -n -z")

// scripts are the commands whose arguments are programs of other languages, and those
// whose texts people read.
var scripts = set("sed awk gawk jq grep egrep perl python python3 node ruby psql sqlite3 trap read tr cut date")

// command changes the words of a simple command.
func (s *shellFile) command(items []item) {
	if s.noise(items) {
		return
	}
	from, to := items[0].from, items[len(items)-1].to
	s.prefix(items)
	name := ""
	for n, it := range items {
		if it.sign != "" {
			continue
		}
		w := s.str(it)
		change := func(operator string, a, b int, with string) {
			s.add(operator, a, b, with, s.within(from, to, a, b, with))
		}
		if _, value, is := s.assignment(it); is && (name == "" || declares()[name]) {
			s.value(it.from+value, it.to, it.plain, change)
			for _, z := range inner.FixedZones(strings.Trim(w[value:], "\"'")) {
				change("related", it.from+value, it.to, z)
			}
			continue
		}
		if name == "" {
			name = w
			s.byName(name, items)
			s.formatWords(name, items[n+1:], from, to)
			s.inner(name, items[n:])
			continue
		}
		test := name == "[" || name == "[[" || name == "test"
		switch {
		case test && tested()[w] != "" && n+1 < len(items):
			change("compare", it.from, it.to, tested()[w])
		case name == "set" || name == "chmod" || name == "umask" || name == "echo" || name == "printf" || name == "kill":
		case scripts()[name] && !it.plain:
		case strings.HasPrefix(w, "--") && strings.IndexByte(w, '=') > 0:
			if n > 0 {
				s.add("argument", items[n-1].to, it.to, "", without(w))
			}
		default:
			s.value(it.from, it.to, it.plain, change)
		}
	}
}

// prefix leaves out what runs a command within a time, under a lock or in another way:
// timeout 3 curl …, flock file make.
func (s *shellFile) prefix(items []item) {
	first := 0
	for first < len(items) {
		if items[first].sign != "" {
			return
		}
		w := s.str(items[first])
		if _, _, is := s.assignment(items[first]); !is && w != "exec" && w != "command" && w != "time" && w != "!" {
			break
		}
		first++
	}
	if first >= len(items) {
		return
	}
	values, words := "", 0 // options with a value, and words before the command
	switch s.str(items[first]) {
	case "timeout", "gtimeout":
		values, words = "-k -s --kill-after --signal", 1
	case "flock":
		values, words = "-w -E --wait --timeout --conflict-exit-code", 1
	case "nice":
		values = "-n --adjustment"
	case "ionice":
		values = "-c -n"
	case "nohup", "setsid":
	default:
		return
	}
	n := first + 1
	for ; n < len(items) && (words > 0 || strings.HasPrefix(s.str(items[n]), "-")); n++ {
		w := s.str(items[n])
		switch {
		case items[n].sign != "", w == "-c" && values != "-c -n", w == "--command": // a text is the command
			return
		case !strings.HasPrefix(w, "-"):
			words--
		case slices.Contains(strings.Fields(values), w):
			n++
		}
	}
	if n >= len(items) || words > 0 || items[n].sign != "" {
		return
	}
	from, to := items[first].from, items[n].from
	s.add("call", from, to, "", without(strings.TrimSpace(s.source[from:to]))+" before `"+short(s.str(items[n]), 20)+"`")
}

var declares = set("export local readonly declare typeset")

// value changes a number, a truth value or a text.
func (s *shellFile) value(from, to int, plain bool, change func(string, int, int, string)) {
	w := s.source[from:to]
	if w == "" {
		return
	}
	switch {
	case w == "true":
		change("boolean", from, to, "false")
	case w == "false":
		change("boolean", from, to, "true")
	case strings.Trim(w, "0123456789") == "" && (w == "0" || w[0] != '0'):
		if n, err := strconv.Atoi(w); err == nil && len(w) < 18 {
			change("number", from, to, strconv.Itoa(n+1))
		}
	case plain && strings.Trim(w, "0123456789.") == "" && strings.Count(w, ".") == 1:
		if x, err := strconv.ParseFloat(w, 64); err == nil && x > 0 && x < 1e9 {
			change("number", from, to, strconv.FormatFloat(x*2, 'f', -1, 64))
		}
	case len(w) >= 2 && (w[0] == '"' || w[0] == '\'') && strings.IndexByte(w[1:], w[0]) == len(w)-2:
		inner := w[1 : len(w)-1]
		if len([]rune(inner)) > 40 || hosts()[inner] || w[0] == '"' && strings.ContainsAny(inner, "$`\\") {
			return
		}
		with := w[:1] + w[:1]
		if inner == "" {
			with = w[:1] + "other" + w[:1]
		}
		change("text", from, to, with)
	}
}

// arithmetic is what stands in $((…)), which is read like a language.
func arithmetic() *language {
	return &language{name: "arithmetic", comment: "\x00", block: true, tick: 't', bare: true, and: "&&", or: "||", before: set(""), bounds: set("")}
}

// sum changes an arithmetic expression.
func (f *file) sum(from, to int) {
	lang := arithmetic()
	tokens, ok := lex(lang, f.text[from:to])
	if !ok {
		return
	}
	g := &file{lang: lang, text: f.text, source: f.source, lines: f.lines, seen: f.seen, tokens: tokens, quiet: make([]bool, len(tokens)), owner: make([]int, len(tokens))}
	for i := range tokens {
		tokens[i].From += from
		tokens[i].To += from
		g.owner[i] = -1
	}
	for i, t := range tokens {
		switch t.Kind {
		case operator:
			g.comparison(i)
			g.arithmetic(i)
		case number:
			g.number(i)
		}
	}
	f.mutants = append(f.mutants, g.mutants...)
}

// shellProbe ends a script before the list of a line.
func (f *file) shellProbe(line int) (Mutant, bool) {
	s := f.shell(false)
	if s == nil {
		return Mutant{}, false
	}
	best, found := shellList{}, false
	for _, l := range s.lists {
		first, last := f.line(l.from), f.line(max(l.to-1, l.from))
		if first > line || last < line {
			continue
		}
		begins, bestBegins := first == line, f.line(best.from) == line
		if !found || begins && (!bestBegins || l.from < best.from) || !begins && !bestBegins && l.from > best.from {
			best, found = l, true
		}
	}
	if !found {
		return Mutant{}, false
	}
	exit := "exit 97; "
	if !best.safe {
		exit = "kill -9 $$; exit 97; "
	}
	return Mutant{"probe", f.line(best.from), best.from, best.from, exit, "the program ends here"}, true
}
