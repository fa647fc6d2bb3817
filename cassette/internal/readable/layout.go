package readable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
)

// A body is laid out for people where that can be undone: compact JSON gets a
// line for every member, line ends of CRLF become LF, and characters that YAML
// can only show on one quoted line become escapes of JSON. What a reader of the
// file makes of it, go-vcr for one, is equal as JSON or as events; our reader
// restores the bytes. The words say how, in the order in which it was done.
const (
	layoutCompact = "compact" // JSON without white space
	layoutSpaced  = "spaced"  // JSON with a blank after every comma and colon
	layoutCRLF    = "crlf"
	layoutEscaped = "escaped" // JSON in which some characters are no escapes
)

// lineMax is up to which length a JSON body, or a list in one, stays on a line.
const lineMax = 80

// LayOut returns the body as it stands in a file, and the words that undo it.
func LayOut(contentType, body string) (string, []string) {
	isStream := httptext.MediaType(contentType) == "text/event-stream"
	core := strings.TrimRight(body, "\n")
	if !utf8.ValidString(body) || !isStream && !json.Valid([]byte(core)) {
		return body, nil
	}
	text, words := body, []string(nil)
	if word := spacing(core); word != "" && !isStream && len(core) > lineMax {
		text, words = indented(core)+body[len(core):], []string{word}
	}
	if strings.Count(text, "\n") > 0 && strings.Count(text, "\r\n") == strings.Count(text, "\n") && strings.Count(text, "\r") == strings.Count(text, "\n") {
		text, words = strings.ReplaceAll(text, "\r\n", "\n"), append(words, layoutCRLF)
	}
	if strings.ContainsFunc(text, isAwkward) && strings.Contains(text, "\n") && onlyInJSON(text, isStream) {
		text, words = escaped(text), append(words, layoutEscaped)
	}
	if back, err := Restored(text, words); err != nil || back != body {
		return body, nil
	}
	return text, words
}

// Restored undoes [LayOut].
func Restored(text string, words []string) (string, error) {
	for _, word := range slices.Backward(words) {
		switch word {
		case layoutCompact, layoutSpaced:
			core := strings.TrimRight(text, "\n")
			var b bytes.Buffer
			if err := json.Compact(&b, []byte(core)); err != nil {
				return "", err
			}
			if word == layoutSpaced {
				b = *bytes.NewBufferString(spaced(b.String()))
			}
			text = b.String() + text[len(core):]
		case layoutCRLF:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case layoutEscaped:
			text = unescaped(text)
		default:
			return "", fmt.Errorf("the layout %s is unknown", strconv.Quote(word))
		}
	}
	return text, nil
}

// spacing is the word for the white space between the tokens of a JSON text,
// "" where there is no rule to it.
func spacing(text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		return ""
	}
	switch text {
	case b.String():
		return layoutCompact
	case spaced(b.String()):
		return layoutSpaced
	}
	return ""
}

// A jsonPiece is a piece of compact JSON: a string, a mark of structure, or a
// number or word.
type jsonPiece = string

// eachPiece calls f for the pieces of compact JSON that is known to be valid.
func eachPiece(text string, f func(jsonPiece)) {
	for at := 0; at < len(text); {
		end := at + 1
		switch c := text[at]; {
		case c == '"':
			for text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end++
		case strings.IndexByte("{}[],:", c) < 0:
			for end < len(text) && strings.IndexByte("}],", text[end]) < 0 {
				end++
			}
		}
		f(text[at:end])
		at = end
	}
}

// spaced is compact JSON as Python and others write it on one line.
func spaced(compact string) string {
	var b strings.Builder
	eachPiece(compact, func(p jsonPiece) {
		b.WriteString(p)
		if p == "," || p == ":" {
			b.WriteByte(' ')
		}
	})
	return b.String()
}

// indented gives every member and every item a line of its own, but for lists
// of numbers, which fill theirs.
func indented(text string) string {
	var compact bytes.Buffer
	_ = json.Compact(&compact, []byte(text)) // it is valid
	w := indenter{}
	eachPiece(compact.String(), w.piece)
	return w.out.String()
}

type indenter struct {
	out   strings.Builder
	depth int
	last  string
	// column counts the bytes of the line.
	column int
}

func (w *indenter) piece(p jsonPiece) {
	closes := p == "}" || p == "]"
	if closes {
		w.depth--
	}
	switch {
	case closes && (w.last == "{" || w.last == "["), p == ",", p == ":":
	case w.last == ":":
		w.write(" ")
	case w.last == "," && isNumber(p) && w.column+len(p) < lineMax:
		w.write(" ")
	case w.last != "":
		w.out.WriteByte('\n')
		w.column = 0
		w.write(strings.Repeat("  ", w.depth))
	}
	w.write(p)
	if p == "{" || p == "[" {
		w.depth++
	}
	w.last = p
}

func (w *indenter) write(s string) {
	w.out.WriteString(s)
	w.column += len(s)
}

// isNumber tells a number from all other pieces. The name of a member is a
// string, so a number after a comma is an item of a list.
func isNumber(p jsonPiece) bool { return p[0] == '-' || '0' <= p[0] && p[0] <= '9' }

// isAwkward reports whether YAML can show a text with this character only on
// one quoted line, or could lose it. A tab, a line feed and a carriage return
// are no part of that: in JSON they stand between tokens alone.
func isAwkward(r rune) bool {
	return r > 0xffff || r == 0x2028 || r == 0x2029 || r == 0xfeff || 0x7f <= r && r <= 0x9f
}

// onlyInJSON reports whether every awkward character stands in JSON, so that
// an escape means the same to whoever reads it.
func onlyInJSON(text string, isStream bool) bool {
	if !isStream {
		return true
	}
	for line := range strings.SplitSeq(text, "\n") {
		data, ok := strings.CutPrefix(line, "data:")
		if strings.ContainsFunc(line, isAwkward) && (!ok || !json.Valid([]byte(data))) {
			return false
		}
	}
	return true
}

func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case !isAwkward(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// unescaped undoes escaped; all other escapes stay.
func unescaped(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		next := strings.IndexByte(text[at:], '\\')
		if next < 0 {
			b.WriteString(text[at:])
			break
		}
		b.WriteString(text[at : at+next])
		at += next
		r, n := numbered(text[at:])
		if low, m := numbered(text[min(at+n, len(text)):]); utf16.IsSurrogate(r) && m > 0 {
			r, n = utf16.DecodeRune(r, low), n+m
		}
		if n == 0 || !isAwkward(r) || r == utf8.RuneError {
			n = min(2, len(text)-at)
			b.WriteString(text[at : at+n])
		} else {
			b.WriteRune(r)
		}
		at += n
	}
	return b.String()
}

// numbered reads one escape of a number, and returns a length of 0 where none
// stands at the beginning.
func numbered(text string) (rune, int) {
	const size = len(`\u0000`)
	if len(text) < size || !strings.HasPrefix(text, `\u`) {
		return 0, 0
	}
	n, err := strconv.ParseUint(text[2:size], 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(n), size
}
