package unwatched

import (
	"encoding/json"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/names"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A value is one that the program was given.
type value struct {
	// path are the keys to it, key the last that is one, and parent that of the object around it, "" for none.
	path, parent, key string
	keys              []string
	text              string
	number            bool
	at                int // the place of the event with which it was given
}

// What a value has at least and at most that can be known again, in bytes, and what a text has at least of which a word
// is in a title: words, and letters of that word.
const (
	textLeast   = 3
	textMost    = 1 << 10
	wordsLeast  = 3
	letterLeast = 6
)

// given are the values that the parts of a title name and that the program sends nowhere.
func (l *look) given(not []title) (list []value) {
	var sent []string
	add := func(of cty.Value, at int) {
		leaves(of, nil, func(keys []string, text string) {
			if len(list) == valuesMost || len(keys) == 0 || len(text) < textLeast || len(text) > textMost || !slices.ContainsFunc(not, func(t title) bool { return t.names(keys, text) }) {
				return
			}
			v := value{path: strings.Join(keys, "."), text: text, at: at, keys: keys}
			v.parent, v.key = last(keys)
			_, v.number = new(big.Float).SetString(text)
			if sent == nil {
				sent = l.sent()
			}
			quoted, _ := json.Marshal(text) // never fails for a string
			small, written := strings.ToLower(text), strings.ToLower(strings.Trim(string(quoted), `"`))
			if !slices.ContainsFunc(sent, func(s string) bool { return strings.Contains(s, small) || strings.Contains(s, written) }) {
				list = append(list, v)
			}
		})
	}
	for i, e := range l.events {
		switch p := e.Payload.(type) {
		case *event.RunStart:
			if e.Step == "" {
				add(p.Inputs.OrNull(), i)
			}
		case *event.StepEnd:
			s := l.o.Steps[e.Step]
			if s == nil || s.Step.Gateway == nil || p.Status != read.StatusSuccess { // what else ends is made of what was given before
				continue
			}
			for _, of := range []cty.Value{p.JSON.OrNull(), p.Rows.OrNull(), p.Structured.OrNull()} {
				add(of, i)
			}
			if s.Step.Kind == plan.KindLLM {
				add(decoded(p.Content), i)
			}
		}
	}
	return list
}

// element stands for the place in a list among keys.
const element = "[]"

// last are the last key, and that of the object around it; "" where that stands in a list, of which what the elements
// have is told of by its own name.
func last(keys []string) (parent, key string) {
	n := len(keys) - 1
	for n > 0 && keys[n] == element {
		n--
	}
	if n > 0 && keys[n-1] != element {
		parent = keys[n-1]
	}
	return parent, keys[n]
}

// names reports whether a title names a value: by its key, by that of the object around it, or by a word of a text of
// several.
func (t title) names(keys []string, text string) bool {
	if parent, key := last(keys); t.hasKey(key) || t.hasParent(parent) {
		return true
	}
	words := names.Words(text)
	return len(words) >= wordsLeast && t.denies() && slices.ContainsFunc(words, func(w string) bool { return len(w) >= letterLeast && t.has(w) })
}

// decoded is a text of JSON as a value, null for any other.
func decoded(text string) cty.Value {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return dsl.CtyValue(v)
}

// leaves gives the texts and numbers of a value, each with the keys to it.
func leaves(v cty.Value, keys []string, give func(keys []string, text string)) {
	v, _ = v.Unmark()
	if v == cty.NilVal || !v.IsKnown() || v.IsNull() {
		return
	}
	switch ty := v.Type(); {
	case ty == cty.String:
		give(keys, v.AsString())
	case ty == cty.Number:
		give(keys, v.AsBigFloat().Text('f', -1))
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			name := element
			if ty.IsObjectType() || ty.IsMapType() {
				name = k.AsString()
			}
			leaves(e, append(slices.Clone(keys), name), give)
		}
	}
}

// plainly is an address without what stands for signs.
func plainly(raw string) string {
	if plain, err := url.QueryUnescape(raw); err == nil {
		return plain
	}
	return raw
}
