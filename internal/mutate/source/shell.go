package source

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/tokens"
)

// A shellFile reads what a script consists of.
type shellFile struct {
	*file
	assigned map[string]bool
	lists    []shellList
	docs     []tokens.Document
	// inside says that what stands in $(…) is read, functions are those of the script, and temps the values of the
	// variables that are names of temporary files.
	inside    bool
	functions map[string]bool
	temps     map[string][2]int
}

// An item is a word or a sign of a script, as [tokens.Item] tells.
type item struct {
	from, to int
	sign     string
	plain    bool
	document int
}

func itemsOf(all []tokens.Item) []item {
	list := make([]item, len(all))
	for i, it := range all {
		list[i] = item{it.From, it.To, it.Sign, it.Plain, it.Document}
	}
	return list
}

// A shellList is a statement of a script: commands that && or || or | join.
type shellList struct {
	from, to int
	// safe says that `exit` there ends the script and not only a part of it.
	safe bool
}

// A shellFrame is a compound command that is open, or the script.
type shellFrame struct {
	// word began it: if, while, for, case, {, (, and "" for the script.
	word string
	// key is the word before a condition that is read, at its first item.
	key  string
	cond int
	// first is the first item of the list that is read, -1 for none. parts are the
	// first items of what && and || join, and pipe the first of a pipeline's command.
	first, pipe int
	parts       []int
	signs       []int
	// skips are the compound commands in the list, from the first item to the last.
	skips [][2]int
	// before is the statement before, its first and last items.
	before [2]int
	safe   bool
	// body says that the next { is that of a function, function that the list is one.
	body, function bool
	// pattern says that the patterns of a case are read.
	pattern bool
}

// shellMutants are those of a script.
func (f *file) shellMutants() {
	if s := f.shell(true); s == nil {
		f.mutants = nil
	}
}

// shell reads a script. It is nil for one that cannot be read.
func (f *file) shell(mutants bool) *shellFile {
	read, ok := tokens.OfShell(f.text)
	if !ok {
		return nil
	}
	s := &shellFile{file: f, assigned: map[string]bool{}, docs: read.Docs, functions: map[string]bool{}, temps: map[string][2]int{}}
	s.walk(itemsOf(read.Items), true)
	s.inside = true
	for _, sub := range read.Subs {
		s.walk(itemsOf(sub), false)
	}
	if mutants {
		for _, sum := range read.Sums {
			f.sum(sum[0], sum[1])
		}
	}
	return s
}

func (s *shellFile) str(it item) string { return s.source[it.from:it.to] }

var reserved = set("if then elif else fi while until do done for select case esac in { } ! function time [[")

// walk finds the lists and commands among items. script is false for what stands in
// $(…).
func (s *shellFile) walk(items []item, script bool) {
	frames := []shellFrame{{first: -1, cond: -1, before: [2]int{-1, -1}, safe: script}}
	for i := 0; i < len(items); i++ {
		fr := &frames[len(frames)-1]
		it := items[i]
		if fr.pattern && !(it.sign == "" && s.str(it) == "esac") {
			if it.sign == ")" {
				fr.pattern = false
			}
			continue
		}
		starts := fr.first < 0 || fr.pipe == i
		w := ""
		if it.sign == "" {
			w = s.str(it)
		}
		switch {
		case it.sign == "\n" && (fr.first < 0 || fr.pipe == i):
			if fr.pipe == i {
				fr.pipe++ // `a &&` goes on in the next line
				if n := len(fr.parts); n > 0 && fr.parts[n-1] == i {
					fr.parts[n-1]++
				}
			}
		case it.sign == ";" || it.sign == "\n" || it.sign == "&":
			s.end(fr, items, i, script)
			if it.sign == "&" {
				fr.before = [2]int{-1, -1}
			}
		case strings.HasPrefix(it.sign, ";"): // ;;
			s.end(fr, items, i, script)
			fr.before, fr.pattern = [2]int{-1, -1}, fr.word == "case"
		case it.sign == "&&" || it.sign == "||":
			fr.signs, fr.parts, fr.pipe = append(fr.signs, i), append(fr.parts, i+1), i+1
		case it.sign == "|" || it.sign == "|&":
			fr.pipe = i + 1
		case it.sign == "(" && !starts && i+1 < len(items) && items[i+1].sign == ")": // f()
			s.functions[s.str(items[i-1])] = true
			fr.first, fr.parts, fr.signs, fr.body = -1, nil, nil, true
			fr.before = [2]int{-1, -1}
			i++
		case it.sign == "(":
			s.begins(fr, i)
			fr.skips = append(fr.skips, [2]int{i, len(items)})
			frames = append(frames, shellFrame{word: "(", first: -1, cond: -1, before: [2]int{-1, -1}})
		case it.sign == ")":
			if fr.word == "(" {
				s.end(fr, items, i, script)
				frames = frames[:len(frames)-1]
				closed(&frames[len(frames)-1], i)
			}
		case it.sign != "":
			s.begin(fr, i)
		case !starts || !reserved()[w]:
			s.begin(fr, i)
			if w == "[[" {
				for i+1 < len(items) && s.str(items[i]) != "]]" {
					i++
				}
			}
		case w == "[[":
			s.begin(fr, i)
			for i+1 < len(items) && s.str(items[i]) != "]]" {
				i++
			}
		case w == "!" || w == "time":
			s.begin(fr, i)
			fr.pipe = i + 1
		case w == "function":
			i++
			fr.body = true
		default:
			frames, i = s.compound(frames, items, i, w)
		}
	}
	for len(frames) > 0 {
		s.end(&frames[len(frames)-1], items, len(items), script)
		frames = frames[:len(frames)-1]
	}
}

// begin notes that a list begins, where none is read.
func (s *shellFile) begin(fr *shellFrame, i int) {
	if fr.first < 0 {
		fr.first, fr.pipe, fr.parts, fr.signs, fr.skips = i, i, []int{i}, nil, nil
	}
	if fr.key != "" && fr.cond < 0 {
		fr.cond = i
	}
}

// begins notes that a compound command begins, or the body of a function.
func (s *shellFile) begins(fr *shellFrame, i int) {
	function := fr.body
	if function {
		fr.first, fr.body = -1, false
	}
	s.begin(fr, i)
	fr.function = function
}

// compound handles a reserved word where a command begins.
func (s *shellFile) compound(frames []shellFrame, items []item, i int, w string) ([]shellFrame, int) {
	fr := &frames[len(frames)-1]
	push := func(f shellFrame) {
		f.first, f.cond, f.before = -1, -1, [2]int{-1, -1}
		safe := fr.safe && !fr.body && (fr.first < 0 || fr.pipe == fr.first)
		s.begins(fr, i)
		fr.skips = append(fr.skips, [2]int{i, len(items)})
		f.safe = safe && (f.word == "if" || f.word == "case")
		frames = append(frames, f)
	}
	switch w {
	case "if", "while", "until":
		word := w
		if w == "until" {
			word = "while"
		}
		push(shellFrame{word: word, key: w})
	case "for", "select":
		push(shellFrame{word: "while"})
		for i+1 < len(items) && items[i+1].sign != ";" && items[i+1].sign != "\n" && s.str(items[i+1]) != "do" {
			i++
		}
	case "case":
		push(shellFrame{word: "case", pattern: true})
		for i+1 < len(items) && s.str(items[i]) != "in" {
			i++
		}
	case "{":
		push(shellFrame{word: "{"})
	case "then", "do":
		s.condition(fr, items, i)
	case "elif", "else":
		s.end(fr, items, i, true)
		fr.before = [2]int{-1, -1}
		if w == "elif" {
			fr.key, fr.cond = "elif", -1
		}
	case "fi", "done", "esac", "}":
		if len(frames) > 1 && closes()[w] == fr.word {
			s.end(fr, items, i, true)
			frames = frames[:len(frames)-1]
			closed(&frames[len(frames)-1], i)
		}
	}
	return frames, i
}

// closed notes the end of a compound command in the list around it.
func closed(fr *shellFrame, i int) {
	if n := len(fr.skips); n > 0 {
		fr.skips[n-1][1] = i
	}
	if fr.first >= 0 {
		fr.pipe = fr.first
	}
}

var closes = pairs("fi if done while esac case } {")

// condition adds the ways in which a condition does not decide, at the `then` after it.
func (s *shellFile) condition(fr *shellFrame, items []item, i int) {
	key, first := fr.key, fr.cond
	fr.key, fr.cond = "", -1
	fr.before = [2]int{-1, -1}
	last := i - 1
	for last > first && (items[last].sign == ";" || items[last].sign == "\n") {
		last--
	}
	if key == "" || first < 0 || last < first {
		return
	}
	for _, it := range items[first:min(last+1, first+reach)] {
		if it.document > 0 {
			return
		}
	}
	from, to := items[first].from, items[last].to
	c := s.source[from:to]
	if to-from > span || c == "true" || c == ":" || c == "false" {
		return
	}
	end := "; }"
	if strings.Contains(c, "\n") || strings.HasSuffix(c, "&") {
		end = "\n}"
	}
	shown := "`" + short(key+" "+c, 70) + "`"
	if key != "while" {
		s.add("condition", from, to, "{ "+c+end+" || true", shown+" always")
	}
	if key != "until" {
		s.add("condition", from, to, "{ "+c+end+" && false", shown+" never")
	}
}
