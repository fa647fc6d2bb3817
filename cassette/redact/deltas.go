package redact

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/styles"
)

// hideDeltas hides secrets that a stream carries in pieces: the texts which
// stand at one place of its events, one after the other, are what a model said.
// Each piece is hidden where it stands, so that the events stay what they are.
func (r *Redactor) hideDeltas(contentType, body string) string {
	if !httptext.IsStream(contentType) {
		return body
	}
	return hidePieces(body, r.Recording())
}

// hidePieces hides what stands in pieces in the lines of a text, as another redactor
// finds it.
func hidePieces(body string, by *Redactor) string {
	byPath := deltasOf(body)
	var list []edit
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		if pieces := byPath[path]; len(pieces) > 1 {
			list = append(list, by.pieces(pieces)...)
		}
	}
	e := edits{list: list, mixed: true}
	e.sort()
	return e.apply(body)
}

// deltasOf are the texts in the JSON that begins in lines of a stream, by where
// they stand in it, and those of the events that are no JSON.
func deltasOf(body string) map[string][]delta {
	byPath := map[string][]delta{}
	at := 0
	for line := range strings.Lines(body) {
		start, raw := eventText(line)
		add := func(path string, from, to int) {
			d := delta{start: at + start + from, end: at + start + to, raw: raw}
			if d.text = body[d.start:d.end]; !raw {
				d.text = unescape(d.text)
			}
			byPath[path] = append(byPath[path], d)
		}
		switch text := line[start:]; {
		case raw:
			add("", 0, len(text)-len(lineEnd(text)))
		case strings.HasPrefix(text, `"`):
			add(`"`, 1, 1+len(inside(text, 0, stringEnd(text, 0))))
		default:
			scanLeaves(text, add)
		}
		at += len(line)
	}
	return byPath
}

// eventText returns where the JSON of a line begins, or where the text of an
// event begins that is none, which raw says.
func eventText(line string) (start int, raw bool) {
	object := strings.IndexByte(line, '{')
	data, isEvent := strings.CutPrefix(line, "data:")
	start = len(line) - len(strings.TrimPrefix(data, " "))
	switch {
	case isEvent && start < len(line) && strings.IndexByte(`{["`, line[start]) >= 0:
		return start, false
	case isEvent && (object < 0 || !json.Valid([]byte(line[object:]))):
		return start, true
	case object >= 0:
		return object, false
	}
	return max(0, strings.IndexByte(line, '[')), false
}

// lineEnd is the end of a line, "" where the text has none.
func lineEnd(line string) string { return line[len(strings.TrimRight(line, "\r\n")):] }

// A delta is the inside of a string in a stream, or the raw text of an event.
type delta struct {
	start, end int
	text       string
	raw        bool
}

// pieces are the replacements for what is hidden in several texts together.
func (r *Redactor) pieces(list []delta) []edit {
	texts := make([]string, len(list))
	for i, d := range list {
		texts[i] = d.text
	}
	joined := strings.Join(texts, "")
	found := r.everything(joined)
	if found == nil {
		return nil
	}
	var out []edit
	at := 0
	for _, d := range list {
		if shown := cutOut(d.text, at, found); shown != d.text {
			if !d.raw {
				shown = styles.JSON(shown)
			}
			out = append(out, edit{d.start, d.end, shown})
		}
		at += len(d.text)
	}
	return out
}

// everything finds what must go of a text: values, tokens where those are hidden,
// and what stands under a name.
func (r *Redactor) everything(text string) []region {
	found := underNames(text)
	if r != nil {
		found = append(found, r.regions(text)...)
	}
	return sorted(found)
}

// underNames finds what stands under a name that carries credentials: in the arguments of
// a tool that a model gives piece by piece, or in what it says.
func underNames(text string) []region {
	if !mayName(text) && !strings.Contains(text, "IDENTIFIED") && !strings.Contains(text, "identified") {
		return nil
	}
	var found []region
	for _, find := range []func(string) edits{findFields, findMembers, findAssignments} {
		for _, e := range foundIn(text, find).list {
			found = append(found, region{start: e.start, end: e.end, longest: e.end - e.start, with: e.with})
		}
	}
	return sorted(found)
}

// scanLeaves tells of every text in a JSON object by the path to it. What is no
// JSON ends it.
func scanLeaves(text string, leaf func(path string, from, to int)) {
	var stack []frame
	key := false // the next string is a name
	for i := 0; i < len(text); i++ {
		top := len(stack) - 1
		switch text[i] {
		case '{', '[':
			stack = append(stack, frame{list: text[i] == '['})
			key = text[i] == '{'
		case '}', ']':
			if top <= 0 {
				return
			}
			stack = stack[:top]
		case ',':
			if top < 0 {
				return
			}
			stack[top].n++
			key = !stack[top].list
		case '"':
			end := stringEnd(text, i)
			inner := inside(text, i, end)
			switch {
			case top < 0:
				return
			case key:
				stack[top].name, key = inner, false
			default:
				leaf(pathOf(stack), i+1, i+1+len(inner))
			}
			i = end - 1
		}
	}
}

// A frame is an object or a list that is being read.
type frame struct {
	list bool
	n    int
	name string
}

func pathOf(stack []frame) string {
	var b strings.Builder
	for _, f := range stack {
		if f.list {
			b.WriteString(strconv.Itoa(f.n))
		} else {
			b.WriteString(f.name)
		}
		b.WriteByte('/')
	}
	return b.String()
}
