package source

import (
	"path"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/quoted"
)

// printfs are the functions that take a format of printf, by language and name.
var printfs = set(`python.format_string go.fmt.Sprintf go.fmt.Printf go.fmt.Fprintf go.fmt.Errorf go.fmt.Appendf
	java.String.format java.printf java.format ruby.format ruby.sprintf ruby.printf`)

// timers are those that take the format of a time.
var timers = set(`python.strftime ruby.strftime go.Format go.AppendFormat java.ofPattern java.SimpleDateFormat javascript.format typescript.format`)

// paddings are the methods which a format takes the place of elsewhere, and that are not among receivers.
var paddings = set("ljust center padEnd toPrecision toLocaleString toLocaleDateString toLocaleTimeString")

// formats changes formats: what is left out is the width, the sign, the separator of
// thousands, the precision, or a part of a date.
func (f *file) formats() {
	for i := range f.tokens {
		if f.quiet[i] || f.noise(i) {
			continue
		}
		switch {
		case f.kindAt(i) == piece && f.lang.indented:
			f.computedFormat(i)
		case f.isOperator(i, "%") && (f.lang.indented || f.lang.worded):
			f.formatText(f.textBefore(i), f.printf)
		case f.bracket(i, "(") && f.tokens[i].Mate > i && f.kindAt(i-1) == word && !f.inHead(i):
			if f.isMember(i-1) && paddings()[f.at(i-1)] && !f.lang.typed {
				f.received(i)
			}
			f.formatCall(i)
		case f.kindAt(i) == word && f.lang.worded && f.beginsText(i+1) && !f.tokens[i+1].Newline:
			f.formatCalled(i, i+1, i+2)
		case f.lang.bare && f.at(i) == "RFC3339" && f.at(i-2) == "time" && f.at(i-3) == "(" && f.at(i-4) == "Format" && f.at(i+1) == ")":
			f.swap("format", i, i, "RFC3339[:19]")
			f.swap("format", i, i, "RFC3339[:10]")
		}
	}
}

// A formatter finds the changes of a format.
type formatter = func(s string, put func(a, b int, with string))

// printf are the changes of a format of printf in the language of the file.
func (f *file) printf(s string, put func(a, b int, with string)) {
	any := "%s"
	if f.lang.bare {
		any = "%v"
	}
	inner.Formats(s, any, put)
}

// times are the changes of the format of a time in the language of the file.
func (f *file) times(s string, put func(a, b int, with string)) {
	switch {
	case f.lang.bare:
		inner.Layouts(s, put)
	case f.lang.ended:
		inner.Letters(s, put)
	case f.lang.tick == 't':
		if strings.Trim(s, "\"'`YyMDdHhmsSAaZ:/.,- ") == "" {
			inner.Letters(s, put)
		}
	default:
		inner.Times(s, put)
	}
}

// formatBytes adds the changes of a format that stands at some bytes of what is shown with it.
func (f *file) formatBytes(first, last, from, to int, changes formatter) {
	if to-from > 400 || to <= from {
		return
	}
	changes(f.source[from:to], func(a, b int, with string) {
		f.add("format", from+a, from+b, with, f.within(first, last, from+a, from+b, with))
	})
}

// formatText does so for the parts of a text that begins at a token, if one does.
func (f *file) formatText(i int, changes formatter) {
	if i < 0 || !f.beginsText(i) {
		return
	}
	if f.kindAt(i) == text {
		from, to := f.bytes(i, i+1)
		prefix, quote := quoted.Of(f.source[from:to])
		f.formatBytes(from, to, from+len(prefix)+len(quote), to-len(quote), changes)
		return
	}
	mate := f.tokens[i].Mate
	first, last := f.bytes(i, mate+1)
	for n := i + 1; n < mate; n++ {
		switch t := f.tokens[n]; {
		case t.Kind == opening && t.Mate > n:
			n = t.Mate
		case t.Kind == piece:
			f.formatBytes(first, last, t.From, t.To, changes)
		}
	}
}

// textBefore is where the text begins that ends before a token, -1 where there is none.
func (f *file) textBefore(i int) int {
	switch f.kindAt(i - 1) {
	case text:
		return i - 1
	case closing:
		if f.isText(i - 1) {
			return f.tokens[i-1].Mate
		}
	}
	return -1
}

// computedFormat changes the format behind the colon in what a Python text computes.
func (f *file) computedFormat(i int) {
	t := f.tokens[i]
	if t.Up < 0 || !f.bracket(t.Up, "{") || f.tokens[t.Up].Mate < i {
		return
	}
	colon := strings.IndexByte(f.source[t.From:t.To], ':')
	if colon < 0 {
		return
	}
	first, last := f.bytes(t.Up, f.tokens[t.Up].Mate+1)
	from := t.From + colon + 1
	f.formatBytes(first, last, from, t.To, func(s string, put func(a, b int, with string)) {
		inner.Specs(s, func(a, b int, with string) {
			if a == 0 && b == len(s) && with == "" {
				a = -1 // with the colon
			}
			put(a, b, with)
		})
	})
}

// formatCall changes the format that a call is given.
func (f *file) formatCall(open int) {
	name, args := f.at(open-1), f.args(open)
	mate := f.tokens[open].Mate
	first := f.chain(open - 1)
	from, to := f.bytes(first, mate+1)
	switch {
	case len(args) == 0 || to-from > span:
	case !f.isMember(open-1) && name == "format" && f.lang.indented:
		if len(args) == 2 && f.kindAt(args[1][0]) == text && args[1][1]-args[1][0] == 1 {
			a, b := f.bytes(args[1][0], args[1][1])
			prefix, quote := quoted.Of(f.source[a:b])
			f.formatBytes(from, to, a+len(prefix)+len(quote), b-len(quote), inner.Specs)
		}
	case f.isMember(open-1) && (name == "format" && f.lang.indented || name == "formatted" && f.lang.ended):
		changes := f.printf
		if f.lang.indented {
			changes = inner.Braces
		}
		f.formatText(f.textBefore(open-2), changes)
	case f.lang.tick == 't' && f.isMember(open-1) && name == "toFixed":
		if n, err := strconv.Atoi(f.slice(open+1, mate)); err == nil && n < 20 {
			with := "toPrecision(" + strconv.Itoa(n+2) + ")"
			a, b := f.bytes(open-1, mate+1)
			f.add("format", a, b, with, f.within(from, to, a, b, with))
		}
	case f.lang.bare && f.slice(first, open) == "strconv.FormatFloat" && len(args) == 4 && f.slice(args[1][0], args[1][1]) == "'f'":
		if n, err := strconv.Atoi(f.slice(args[2][0], args[2][1])); err == nil && n >= 0 {
			a, b := f.bytes(args[1][0], args[2][1])
			for _, with := range []string{"'f', -1", "'g', " + strconv.Itoa(n+2)} {
				f.add("format", a, b, with, f.within(from, to, a, b, with))
			}
		}
	case f.lang.ended && name == "DecimalFormat":
		f.formatText(args[0][0], inner.Decimals)
	default:
		for _, a := range args[:min(2, len(args))] {
			if f.beginsText(a[0]) {
				f.formatCalled(open-1, a[0], a[1])
				break
			}
		}
	}
}

// formatCalled changes the texts of an argument, if the function of a name takes it as a format.
func (f *file) formatCalled(name, first, last int) {
	key := f.lang.name + "." + f.at(name)
	changes := f.printf
	switch {
	case timers()[key]:
		changes = f.times
	case printfs()[key], f.isMember(name) && printfs()[f.lang.name+"."+f.at(name-2)+"."+f.at(name)]:
	default:
		return
	}
	for i := first; i < last; i++ {
		if f.beginsText(i) {
			f.formatText(i, changes)
		}
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
		}
	}
}

// formatWords changes the format among the words behind a command of a script.
func (s *shellFile) formatWords(name string, words []item, from, to int) {
	change := func(it item, changes formatter) {
		if w := s.str(it); !strings.Contains(w, "${") && !strings.Contains(w, "$(") && !strings.Contains(w, "`") {
			s.formatBytes(from, to, it.from, it.to, changes)
		}
	}
	switch path.Base(name) {
	case "printf":
		for n := 0; n < len(words); n++ {
			switch w := s.str(words[n]); {
			case words[n].sign != "" || w == "--":
			case w == "-v":
				n++
			default:
				change(words[n], func(s string, put func(a, b int, with string)) { inner.Formats(s, "%s", put) })
				return
			}
		}
	case "date", "gdate":
		for _, it := range words {
			if it.sign == "" && strings.HasPrefix(strings.TrimLeft(s.str(it), `"'`), "+") {
				change(it, inner.Times)
			}
		}
	}
}
