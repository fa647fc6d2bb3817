package source

import (
	"strings"

	"github.com/itchyny/gojq"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/quoted"
)

// An innerText is what a text of a source says, put together from its parts, with where
// each of its bytes stands in the source.
type innerText struct {
	text  []byte
	holes [][2]int
	// from and to are the bytes of the source that a byte was read from, and in the part
	// in which it stands.
	from, to, in []int
	parts        []innerPart
}

// An innerPart is one text with its quotes, or what is computed between two.
type innerPart struct {
	// open and close are its quotes.
	open, close string
	// write is a text as it is written in it, false where it cannot be.
	write func(string) (string, bool)
	// operand says that it is no text, but what stands between two + of a chain.
	operand bool
}

// put keeps one byte.
func (t *innerText) put(c byte, from, to int) {
	t.text = append(t.text, c)
	t.from, t.to, t.in = append(t.from, from), append(t.to, to), append(t.in, len(t.parts)-1)
}

// hole keeps what is computed, as it is written.
func (t *innerText) hole(source string, from, to int) {
	begin := len(t.text)
	for i := from; i < to; i++ {
		t.put(source[i], i, i+1)
	}
	if begin < len(t.text) {
		t.holes = append(t.holes, [2]int{begin, len(t.text)})
	}
}

// large is how long a text may be whose parts are changed.
const large = 16 << 10

// innerChanges adds the changes of a text in a language of its own.
func (f *file) innerChanges(language string, t *innerText) {
	s := string(t.text)
	for _, c := range inner.Around(language, s, t.holes) {
		if language == "jq" && len(t.holes) == 0 && !jqParses(c.Apply(s)) {
			continue
		}
		if from, to, text, ok := t.edit(c); ok {
			f.add(c.Operator, from, to, text, c.Change)
		}
	}
}

// jqParses reports whether a program of jq is one.
func jqParses(program string) bool {
	_, err := gojq.Parse(program)
	return err == nil
}

// edit is a change of a text as one of the source.
func (t *innerText) edit(c inner.Change) (from, to int, text string, ok bool) {
	if len(t.text) == 0 {
		return 0, 0, "", false
	}
	if c.From == c.To {
		at := max(c.From-1, 0)
		part := t.parts[t.in[at]]
		if from = t.to[at]; c.From == 0 {
			from = t.from[0]
		}
		if part.operand {
			return 0, 0, "", false
		}
		text, ok = part.write(c.Text)
		return from, from, text, ok
	}
	first, last := t.parts[t.in[c.From]], t.parts[t.in[c.To-1]]
	from, to = t.from[c.From], t.to[c.To-1]
	switch {
	case first.operand && last.operand:
		if c.Text != "" || t.in[c.From] == 0 {
			return 0, 0, "", false
		}
		before := t.parts[t.in[c.From]-1]
		return from, to, before.open + before.close, true
	case first.operand:
		first, from = last, t.from[c.From]
		if text, ok = last.write(c.Text); ok {
			text = last.open + text
		}
	case last.operand:
		if text, ok = first.write(c.Text); ok {
			text += first.close
		}
	default:
		text, ok = first.write(c.Text)
	}
	if !last.operand && (first.open != last.open || first.close != last.close) {
		return 0, 0, "", false // it ends in another kind of text than it begins in
	}
	return from, to, text, ok
}

// innerTexts changes what is written in another language in the texts of a file.
func (f *file) innerTexts() {
	for i := 0; i < len(f.tokens); i++ {
		if f.quiet[i] || !f.beginsText(i) {
			continue
		}
		t, end := f.chained(i)
		if language := f.innerLanguage(i, t); language != "" {
			f.innerChanges(language, t)
			if language == "sql" && end == i+1 {
				f.putTogether(i, t)
			}
		}
		i = max(i, end-1)
	}
}

// beginsText reports whether a text begins at a token: one that is whole, or one in which
// something is computed.
func (f *file) beginsText(i int) bool {
	switch f.kindAt(i) {
	case text:
		return true
	case opening:
		return f.isText(i) && f.tokens[i].Mate > i
	}
	return false
}

// innerPrograms are commands with a program of another language among their arguments.
var innerPrograms = pairs("jq jq gojq jq awk awk gawk awk mawk awk sed sed")

// innerLanguage is the language of a text: by what it is given to, or by itself.
func (f *file) innerLanguage(i int, t *innerText) string {
	if len(t.text) < 6 || len(t.text) > large {
		return ""
	}
	s := string(t.text)
	for up, n := f.tokens[i].Up, 0; up >= 0 && n < 2; up, n = f.tokens[up].Up, n+1 {
		first := f.at(up + 1)
		if f.kindAt(up+1) != text || up+1 == i || len(first) < 4 || (f.at(up) != "(" && f.at(up) != "[") {
			continue
		}
		if language := innerPrograms()[strings.Trim(first, `"'`)]; language != "" && strings.ContainsAny(s, "|({[./,$") && s[0] != '-' {
			return language
		}
	}
	return inner.Language(s)
}

// isProgram reports whether a text is SQL: without a part it would be none.
func (f *file) isProgram(i, j int) bool {
	from, to := f.bytes(i, j+1)
	prefix, quote := quoted.Of(f.brief(from, to))
	from += len(prefix) + len(quote)
	return to-from > 12 && inner.Language(f.brief(from, to)) == "sql"
}

// chained puts together the texts that a chain of + joins, or that stand side by side,
// from a token on. end is the token behind them.
func (f *file) chained(i int) (t *innerText, end int) {
	t = &innerText{}
	for n := 0; n < 60 && len(t.text) <= large; n++ {
		switch {
		case f.kindAt(i) == text:
			f.textPart(t, i)
			i++
		case f.kindAt(i) == opening:
			f.computedPart(t, i)
			i = f.tokens[i].Mate + 1
		}
		switch {
		case (f.lang.indented || f.lang.worded) && f.beginsText(i) && (!f.tokens[i].Newline || f.tokens[i].Up >= 0):
		case f.isOperator(i, "+") && i+1 < len(f.tokens):
			// What is no text is a hole, up to the next text.
			at := i + 1
			for n := 0; n < 10 && at < len(f.tokens) && !f.beginsText(at); n++ {
				stop := func(k int) bool {
					and, or := f.logic(k)
					return and || or || f.bound(k) || compared()[f.at(k)] != "" || f.isOperator(k, "+")
				}
				last := f.right(at-1, stop)
				if last <= at || last > len(f.tokens) || f.tokens[last-1].To-f.tokens[at].From > span {
					return t, i
				}
				t.parts = append(t.parts, innerPart{operand: true})
				from, to := f.bytes(at, last)
				t.hole(f.source, from, to)
				if !f.isOperator(last, "+") {
					return t, last
				}
				at = last + 1
			}
			if at >= len(f.tokens) || !f.beginsText(at) {
				return t, at
			}
			i = at
		default:
			return t, i
		}
	}
	return t, i
}

// textPart adds a text in which nothing is computed.
func (f *file) textPart(t *innerText, i int) {
	from, to := f.bytes(i, i+1)
	prefix, quote := quoted.Of(f.source[from:to])
	if quote == "" || to-from < len(prefix)+2*len(quote) {
		return
	}
	raw := quote == "`" || strings.ContainsAny(prefix, "rR") || quote == "'" && f.lang.worded
	t.parts = append(t.parts, innerPart{open: prefix + quote, close: quote, write: quoted.Written(quote, raw, false)})
	f.content(t, from+len(prefix)+len(quote), to-len(quote), raw, false)
}

// computedPart adds a text in which something is computed.
func (f *file) computedPart(t *innerText, open int) {
	mate := f.tokens[open].Mate
	prefix, quote := quoted.Of(f.at(open))
	raw := strings.ContainsAny(prefix, "rR")
	format := f.lang.indented
	t.parts = append(t.parts, innerPart{open: prefix + quote, close: quote, write: quoted.Written(quote, raw, format)})
	for i := open + 1; i < mate; i++ {
		if k := f.tokens[i]; k.Kind == opening && k.Mate > i {
			t.hole(f.source, k.From, f.tokens[k.Mate].To)
			i = k.Mate
		} else if k.Kind == piece {
			f.content(t, k.From, k.To, raw, format)
		}
	}
}

// content adds the bytes of a text, with what its escapes stand for.
func (f *file) content(t *innerText, from, to int, raw, format bool) {
	for i := from; i < to; {
		c := f.text[i]
		switch {
		case c == '\\' && !raw && i+1 < to:
			n, with := 2, f.text[i+1]
			switch with {
			case 'n':
				with = '\n'
			case 't':
				with = '\t'
			case 'r':
				with = ' '
			case '\n':
				i += 2
				continue
			case '\\', '"', '\'', '`', '$', '#', '/':
			default:
				with = '_'
			}
			t.put(with, i, i+n)
			i += n
		case format && (c == '{' || c == '}') && i+1 < to && f.text[i+1] == c:
			t.put(c, i, i+2)
			i += 2
		default:
			t.put(c, i, i+1)
			i++
		}
	}
}

// texted are what makes a text of a value, by language.
var texted = map[string][2]string{"python": {"str(", ")"}, "javascript": {"", ""}, "typescript": {"", ""}, "ruby": {"", ".to_s"}, "go": {"fmt.Sprint(", ")"}}

// together bounds how many statements of a file are put together.
const together = 5

// putTogether writes the values that a statement of SQL is given into its text: an
// apostrophe in one of them is read as SQL then.
func (f *file) putTogether(i int, t *innerText) {
	value, known := texted[f.lang.name]
	up := f.tokens[i].Up
	if !known || up < 1 || up != i-1 || !f.bracket(up, "(") || f.kindAt(up-1) != word || !f.isOperator(i+1, ",") || f.together >= together || f.lang.bare && !f.mentions(`"fmt"`) {
		return
	}
	args := f.args(up)
	if len(args) < 2 || !f.lang.bare && len(args) > 2 {
		return
	}
	var values [][2]int
	list := args[1][0]
	switch {
	case f.lang.bare:
		values = args[1:]
	case (f.bracket(list, "(") || f.bracket(list, "[")) && f.tokens[list].Mate == args[1][1]-1:
		values = f.args(list)
	default:
		return
	}
	s := string(t.text)
	places := quoted.Places(s)
	if len(places) == 0 || len(places) != len(values) || !strings.Contains(strings.ToUpper(s), "WHERE") || len(t.parts) != 1 {
		return
	}
	quote := t.parts[0]
	var b strings.Builder
	b.WriteString(quote.open)
	at := t.from[0]
	for n, p := range places {
		v := values[n]
		if f.at(v[0]) == "*" || f.at(v[0]) == "..." || f.isOperator(v[0]+1, "=") {
			return
		}
		apostrophe, ok := quote.write("'")
		if !ok {
			return
		}
		b.WriteString(f.source[at:t.from[p[0]]] + apostrophe + quote.close + " + " + value[0])
		b.WriteString(f.wrapped(v[0], v[1]) + value[1] + " + " + quote.open + apostrophe)
		at = t.to[p[1]-1]
	}
	from, _ := f.bytes(i, i+1)
	_, to := f.bytes(args[1][0], args[len(args)-1][1])
	b.WriteString(f.source[at:f.tokens[i].To])
	f.together++
	f.add("related", from, to, b.String(), "`"+short(f.slice(args[1][0], args[len(args)-1][1]), side)+"` written into the text of the statement")
}
