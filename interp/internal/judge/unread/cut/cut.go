// Package cut divides a text that is sent into its parts: elements of XML, pairs of a form, parameters of a header
// field, and else lines, sentences, clauses, options of a command, and what stands between commas or in brackets.
//
//	for _, p := range cut.Text("team = a AND labels NOT IN (internal)") {
//		fmt.Println(p.Name) // "team = a", then "AND labels NOT IN (internal)"
//	}
package cut

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// A Piece is a part of a text, from one byte to another, with the parts in it.
type Piece struct {
	From, To int
	Inner    []Piece
	// Instead is what stands in its place in a text without it, such as null in JSON.
	Instead string
	// Name is how it is told of.
	Name string
}

// Without is a text without a piece of it.
func (p *Piece) Without(text string) string { return text[:p.From] + p.Instead + text[p.To:] }

// deepest bounds how deep pieces are in each other.
const deepest = 4

// Text are the pieces of a text, nil where it is one.
func Text(text string) []Piece {
	trimmed := strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(trimmed, "<") && (strings.Contains(trimmed, "</") || strings.Contains(trimmed, "/>")):
		return elements(text, 0, len(text))
	case form().MatchString(trimmed):
		return spans(text, split(text, 0, len(text), func(i int) int { return sign(text, i, "&") }), nil)
	}
	return plain(text, 0, len(text), 0, 0)
}

// form is a body of pairs.
var form = pattern.New(`^[\w.~%+*\[\]-]+=[^&\s]*(&[\w.~%+*\[\]-]+=[^&\s]*)+$`)

// Field are the pieces of the value of a header field: its parameters, and the words in them.
func Field(text string) []Piece {
	return spans(text, split(text, 0, len(text), func(i int) int { return sign(text, i, ";,") }), func(from, to int) []Piece {
		words := split(text, from, to, func(i int) int { return sign(text, i, " /.+=") })
		if len(words) < 2 {
			return nil
		}
		return spans(text, words, nil)
	})
}

// Columns are the pieces of a clause of a statement: what stands between its commas, and in brackets.
func Columns(text string) []Piece { return plain(text, 0, len(text), len(levels)-1, 0) }

// sign is 1 where one of some signs stands.
func sign(text string, i int, signs string) int {
	if strings.IndexByte(signs, text[i]) >= 0 {
		return 1
	}
	return 0
}

type span struct{ from, to int }

// split divides what stands between two bytes where ends says how many bytes are between two pieces, -1 for a
// piece that begins there.
func split(text string, from, to int, ends func(i int) int) (list []span) {
	at := from
	for i := from; i < to; {
		n := ends(i)
		switch {
		case n > 0:
			list = append(list, span{at, i})
			i += n
			at = i
			continue
		case n < 0 && i > at:
			list = append(list, span{at, i})
			at = i
		}
		i++
	}
	return append(list, span{at, to})
}

// spans are pieces without the space around them. What has no letter and no digit is none.
func spans(text string, list []span, inner func(from, to int) []Piece) (pieces []Piece) {
	for _, s := range list {
		for s.from < s.to && isSpace(text[s.from]) {
			s.from++
		}
		for s.to > s.from && isSpace(text[s.to-1]) {
			s.to--
		}
		if strings.IndexFunc(text[s.from:s.to], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
			continue
		}
		p := Piece{From: s.from, To: s.to, Name: name(text[s.from:s.to])}
		if inner != nil {
			p.Inner = inner(s.from, s.to)
		}
		pieces = append(pieces, p)
	}
	return pieces
}

func isSpace(b byte) bool { return strings.IndexByte(" \t\r\n", b) >= 0 }

// nameMost bounds how much of a piece is told of, in characters.
const nameMost = 48

// name is a piece as it is told of.
func name(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > nameMost {
		runes = append(runes[:nameMost:nameMost], '…')
	}
	return strconv.Quote(string(runes))
}

// element is one of XML that has no other in it.
var element = pattern.New(`<[\w:.-]+(\s[^<>]*)?/>|<([\w:.-]+)(\s[^<>]*)?>[^<>]*</[\w:.-]+>`)

// inElement is an attribute of an element or what stands in it.
var inElement = pattern.New(`[\w:.-]+="[^"]*"|[\w:.-]+='[^']*'|>[^<>]+<`)

func elements(text string, from, to int) (pieces []Piece) {
	for _, at := range element().FindAllStringIndex(text[from:to], -1) {
		p := Piece{From: from + at[0], To: from + at[1], Name: name(text[from+at[0] : from+at[1]])}
		for _, in := range inElement().FindAllStringIndex(text[p.From:p.To], -1) {
			in := span{p.From + in[0], p.From + in[1]}
			if text[in.from] == '>' {
				in.from, in.to = in.from+1, in.to-1
			}
			p.Inner = append(p.Inner, spans(text, []span{in}, nil)...)
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// levels say where a text is cut, the largest pieces first: how many bytes are between two pieces, -1 where one
// begins, 0 where none does. What stands in brackets is cut by itself.
var levels = []func(text string, i int) int{
	func(text string, i int) int { return sign(text, i, "\n") },
	func(text string, i int) int {
		if i < 2 || !isSpace(text[i-1]) || strings.IndexByte(".?!;", text[i-2]) < 0 {
			return 0
		}
		if r, _ := utf8.DecodeRuneInString(text[i:]); unicode.IsUpper(r) || text[i-2] == ';' {
			return -1
		}
		return 0
	},
	func(text string, i int) int {
		if i > 0 && isSpace(text[i-1]) && begins().MatchString(text[i:min(len(text), i+24)]) {
			return -1
		}
		return 0
	},
	func(text string, i int) int {
		if text[i] == ',' && (i+1 == len(text) || isSpace(text[i+1]) || !strings.Contains(text, ", ")) {
			return 1
		}
		return 0
	},
}

// begins is what a clause begins with, or an option of a command, or another command.
var begins = pattern.New(`^((AND|OR|FROM|WHERE|GROUP BY|ORDER BY|HAVING|LIMIT|OFFSET|SET|VALUES|RETURNING|(LEFT |RIGHT |INNER |CROSS )?JOIN|UNION|WHEN|ELSE)\b|--?[A-Za-z]|\|\|? |&& |>>? )`)

// plain are the pieces between two bytes by the first level at which there are several, else those in brackets.
func plain(text string, from, to, level, depth int) []Piece {
	if depth == deepest {
		return nil
	}
	for ; level < len(levels); level++ {
		outside := outer(text, from, to)
		list := split(text, from, to, func(i int) int {
			if level > 0 && !outside[i-from] {
				return 0
			}
			return levels[level](text, i)
		})
		pieces := spans(text, list, func(from, to int) []Piece { return plain(text, from, to, level+1, depth+1) })
		if len(pieces) > 1 {
			return pieces
		}
		if len(pieces) == 1 {
			from, to = pieces[0].From, pieces[0].To
		}
	}
	var pieces []Piece
	for _, in := range brackets(text, from, to) {
		inside := plain(text, in.from, in.to, 0, depth+1)
		if len(inside) == 0 {
			inside = spans(text, []span{in}, nil)
		}
		pieces = append(pieces, inside...)
	}
	return pieces
}

// outer says of each byte whether it stands outside of brackets and quotation marks.
func outer(text string, from, to int) []bool {
	list := make([]bool, to-from)
	walk(text, from, to, func(i, depth int, quoted bool) { list[i-from] = depth == 0 && !quoted })
	return list
}

// brackets are the insides of the outermost ones.
func brackets(text string, from, to int) (list []span) {
	was, open := 0, 0
	walk(text, from, to, func(i, depth int, _ bool) {
		switch {
		case was == 0 && depth > 0:
			open = i + 1
		case was > 0 && depth == 0:
			list = append(list, span{open, i})
		}
		was = depth
	})
	if was > 0 && open < to {
		list = append(list, span{open, to})
	}
	return list
}

// walk gives each byte with how many brackets are open behind it, and whether it stands between quotation marks. One
// that stands behind a letter is none that begins.
func walk(text string, from, to int, give func(i, depth int, quoted bool)) {
	depth, quote := 0, byte(0)
	for i := from; i < to; i++ {
		b := text[i]
		switch {
		case quote != 0:
			if b == quote {
				quote = 0
			}
			give(i, depth, true)
			continue
		case (b == '"' || b == '\'') && (i == from || strings.IndexByte(" (=,:[{", text[i-1]) >= 0) && strings.IndexByte(text[i+1:to], b) >= 0:
			quote = b
		case strings.IndexByte("([{", b) >= 0:
			depth++
		case strings.IndexByte(")]}", b) >= 0 && depth > 0:
			depth--
		}
		give(i, depth, false)
	}
}
