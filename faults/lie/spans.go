package lie

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// A Span is a value of a JSON document: where it is, and what it is.
type Span struct {
	// Path leads to it from the whole: the names of members, and "" for an element
	// of a list.
	Path       []string
	Start, End int
	// Kind is the first byte of the value: '{', '[', '"', 't', 'f', 'n', or '0' for
	// a number.
	Kind byte
	// Elements are those of a list, by their spans' places in the document.
	Elements [][2]int
	// Lists is how many lists it lies in.
	Lists int
}

// Name is that of the member that a value is, "" where the whole is no object. An
// element of a list has the name of the list.
func (s *Span) Name() string {
	for _, name := range slices.Backward(s.Path) {
		if name != "" {
			return name
		}
	}
	return ""
}

// errNotJSON says that a text is words.
var errNotJSON = errors.New("it is no JSON")

// Scan finds the values of a JSON document in the order in which they begin. The
// error says that a text is no JSON object or list: a number or a word may as well
// be words.
func Scan(doc string) ([]Span, error) {
	text := strings.TrimSpace(doc)
	if text == "" || text[0] != '{' && text[0] != '[' || !json.Valid([]byte(text)) {
		return nil, errNotJSON
	}
	s := scanner{d: json.NewDecoder(strings.NewReader(doc)), doc: doc}
	s.d.UseNumber()
	if err := s.value(nil, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return s.spans, nil
}

// depthMax bounds how deep a document is looked into: what is deeper is left as it is.
const depthMax = 200

type scanner struct {
	d     *json.Decoder
	doc   string
	spans []Span
}

// value reads the next value.
func (s *scanner) value(path []string, lists int) error {
	if len(path) > depthMax {
		return errNotJSON
	}
	token, err := s.d.Token()
	if err != nil {
		return err
	}
	end := int(s.d.InputOffset())
	n := len(s.spans)
	s.spans = append(s.spans, Span{Path: slices.Clone(path), End: end, Lists: lists})
	switch t := token.(type) {
	case json.Delim:
		s.spans[n].Start, s.spans[n].Kind = end-1, byte(t)
		for s.d.More() {
			if t == '{' {
				name, err := s.d.Token()
				if err != nil {
					return err
				}
				if err := s.value(append(path, name.(string)), lists); err != nil {
					return err
				}
				continue
			}
			at := len(s.spans)
			if err := s.value(append(path, ""), lists+1); err != nil {
				return err
			}
			s.spans[n].Elements = append(s.spans[n].Elements, [2]int{s.spans[at].Start, s.spans[at].End})
		}
		if _, err := s.d.Token(); err != nil {
			return err
		}
		s.spans[n].End = int(s.d.InputOffset())
	case string:
		s.spans[n].Start, s.spans[n].Kind = s.quote(end), '"'
	case json.Number:
		s.spans[n].Start, s.spans[n].Kind = end-len(t), '0'
	case bool:
		size := len("true")
		if !t {
			size = len("false")
		}
		s.spans[n].Start, s.spans[n].Kind = end-size, s.doc[end-size]
	default:
		s.spans[n].Start, s.spans[n].Kind = end-len("null"), 'n'
	}
	return nil
}

// quote is where the string begins that ends before end.
func (s *scanner) quote(end int) int {
	for i := end - 2; i >= 0; i-- {
		if s.doc[i] != '"' {
			continue
		}
		slashes := 0
		for j := i - 1; j >= 0 && s.doc[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return 0
}

// Text is a string or number of a document as it is meant.
func (s *Span) Text(doc string) string {
	raw := doc[s.Start:s.End]
	if s.Kind != '"' {
		return raw
	}
	var text string
	if json.Unmarshal([]byte(raw), &text) != nil {
		return ""
	}
	return text
}

// An Edit puts a text in the place of a part of a document.
type Edit struct {
	Start, End int
	With       string
}

// Splice makes edits, which are in order and do not overlap. All other bytes stay.
func Splice(doc string, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(doc[at:e.Start])
		b.WriteString(e.With)
		at = e.End
	}
	b.WriteString(doc[at:])
	return b.String()
}

// Quoted is a text as JSON.
func Quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// scalars changes strings and numbers of a document of JSON, where change says so. It
// returns how many.
func scalars(doc *string, change func(s *Span, text string) (string, bool)) int {
	spans, err := Scan(*doc)
	if err != nil {
		return 0
	}
	var edits []Edit
	for i := range spans {
		s := &spans[i]
		if s.Kind != '"' && s.Kind != '0' {
			continue
		}
		with, ok := change(s, s.Text(*doc))
		if !ok {
			continue
		}
		if s.Kind == '"' {
			with = Quoted(with)
		}
		edits = append(edits, Edit{s.Start, s.End, with})
	}
	*doc = Splice(*doc, edits)
	return len(edits)
}
