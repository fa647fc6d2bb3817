package unmet

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
)

// amounts are what a run was given: how long the longest list and the longest text of it are, and its texts.
type amounts struct {
	list, text float64
	said       []string
	left       int // how many bytes may still be looked at
}

// givenMost bounds the texts that are looked at, and deepest how far into lists in lists.
const (
	givenMost = 16 << 20
	deepest   = 64
)

// offered are those of what services answered, of the inputs of a workflow, and of what a program was given.
func offered(o *observe.Observed, given func() []string) *amounts {
	a := &amounts{left: givenMost}
	for _, s := range o.Steps {
		for _, asked := range s.Asked() {
			if asked.End == nil {
				continue
			}
			a.read(asked.End.Content)
			a.read(strings.Join(asked.End.Chunks, ""))
			for _, call := range asked.End.ToolCalls {
				a.read(call.Arguments)
			}
		}
	}
	a.value(o.Plan.Inputs, 0)
	if given != nil {
		for _, text := range given() {
			a.read(text)
		}
	}
	return a
}

// read takes in a text: what it says as JSON, or its lines.
func (a *amounts) read(text string) {
	if a.left -= len(text); a.left < 0 || text == "" {
		return
	}
	if text[0] == '{' || text[0] == '[' {
		var v any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&v) == nil && !d.More() {
			a.json(v, 0)
			return
		}
	}
	a.plain(text)
}

func (a *amounts) plain(text string) {
	a.said = append(a.said, text)
	a.text = max(a.text, float64(utf8.RuneCountInString(strings.TrimSpace(text))))
	n := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	a.list = max(a.list, float64(n))
}

func (a *amounts) json(v any, depth int) {
	if depth > deepest {
		return
	}
	switch v := v.(type) {
	case string:
		a.plain(v)
	case json.Number:
		a.said = append(a.said, v.String())
	case []any:
		a.list = max(a.list, float64(len(v)))
		for _, e := range v {
			a.json(e, depth+1)
		}
	case map[string]any:
		for _, e := range v {
			a.json(e, depth+1)
		}
	}
}

func (a *amounts) value(v cty.Value, depth int) {
	v, _ = v.Unmark()
	if v == cty.NilVal || depth > deepest || !v.IsKnown() || v.IsNull() {
		return
	}
	switch t := v.Type(); {
	case t == cty.String:
		a.read(v.AsString())
	case t == cty.Number:
		a.said = append(a.said, v.AsBigFloat().Text('f', -1))
	case v.CanIterateElements():
		if !t.IsObjectType() && !t.IsMapType() {
			a.list = max(a.list, float64(v.LengthInt()))
		}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			a.value(e, depth+1)
		}
	}
}
