package nearly

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/observe"
)

// A comparison is how a decision compares texts.
type comparison struct {
	// finds reports whether the result of a call says that the text was found; nil for one that is no call.
	finds func(result cty.Value) bool
	// loose says that a text which is none of the words is not refused, and may be any other one.
	loose bool
}

var (
	equality = comparison{}
	// isThere is that of a function whose result is true, or anything but an error, where the text is found.
	isThere = comparison{finds: holds}
	finds   = comparison{finds: holdsOne}
	loosely = comparison{loose: true}
)

func holds(v cty.Value) bool { return v.Type() != cty.Bool || v.True() }

func holdsOne(v cty.Value) bool { return v.CanIterateElements() && v.LengthInt() > 0 }

// A decider notes what a call of a function compares.
type decider func(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value)

// deciders are the functions that compare texts with words. The test has the reason of each other one.
var deciders = map[string]decider{
	"contains":        contains,
	"index":           oneIn(1, 0, isThere),
	"lookup":          oneIn(1, 0, equality),
	"startswith":      oneIn(0, 1, isThere),
	"endswith":        oneIn(0, 1, isThere),
	"strcontains":     oneIn(0, 1, isThere),
	"regex":           oneIn(1, 0, isThere),
	"regexmatch":      oneIn(1, 0, isThere),
	"regexall":        oneIn(1, 0, finds),
	"word":            phrases,
	"setintersection": apart(together(finds)),
	"setunion":        apart(together(loosely)),
	"distinct":        apart(together(loosely)),
	"toset":           apart(together(loosely)),
	"tobool":          truth,
	"jq":              apart(program),
	"schemaerror":     apart(conforms),
}

// oneIn is the decider of a function that looks for one argument in another.
func oneIn(text, with int, how comparison) decider {
	return func(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
		if len(x.Args) > 1 {
			w.compared(x, value, x.Args[text], x.Args[with], how)
		}
	}
}

// contains looks for a value in a list, or for a text in another, either of which may be what the file says.
func contains(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
	if len(x.Args) != 2 {
		return
	}
	w.compared(x, value, x.Args[1], x.Args[0], isThere)
	if w.isWritten(x.Args[1]) {
		w.compared(x, value, x.Args[0], x.Args[1], isThere)
	}
}

// phrases are looked for in whatever case they are written.
func phrases(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
	lower := func(e hclsyntax.Expression) cty.Value {
		v := value(e)
		if v, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
			if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
				v = cty.StringVal(strings.ToLower(v.AsString()))
			}
			return v, nil
		}); err == nil {
			return v
		}
		return v
	}
	for i := 1; i < len(x.Args); i++ {
		w.compared(x, lower, x.Args[0], x.Args[i], isThere)
	}
}

// partsMost bounds the lists that are compared with each other.
const partsMost = 8

// together is the decider of a function that compares the elements of lists: its arguments, or what is put together in
// the one that it has.
func together(how comparison) decider {
	return func(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
		w.together(x, value, how)
	}
}

func (w *Watch) together(x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value, how comparison) {
	lists := x.Args
	if len(lists) == 1 {
		lists = parts(lists[0])
	}
	if len(lists) > partsMost {
		w.cut = true
		return
	}
	for i, text := range lists {
		for j, with := range lists {
			if i != j {
				w.compared(x, value, text, with, how)
			}
		}
	}
}

// parts are the lists, or the elements, that an expression puts together.
func parts(e hclsyntax.Expression) []hclsyntax.Expression {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.TupleConsExpr:
		return x.Exprs
	case *hclsyntax.FunctionCallExpr:
		if x.Name == "concat" && !x.ExpandFinal {
			return x.Args
		}
		if x.Name == "flatten" && len(x.Args) == 1 {
			return parts(x.Args[0])
		}
	}
	return []hclsyntax.Expression{e}
}

func truth(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
	if len(x.Args) == 1 && !w.isWritten(x.Args[0]) {
		w.meets(x, w.texts(value(x.Args[0]), false), []string{"true", "false"}, equality)
	}
}

var (
	literal   = pattern.New(`"(?:[^"\\]|\\.)*"`)
	caseless  = pattern.New(`\bascii_(?:down|up)case\b|"[a-z]*i[a-z]*"\s*\)`)
	programOf = 1 // the argument of jq that is the program
)

// program notes the texts that a jq program is given, and the words that it has.
func program(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
	if len(x.Args) != 2 || w.isWritten(x.Args[0]) {
		return
	}
	source := value(x.Args[programOf])
	if source.Type() != cty.String || source.IsNull() || !source.IsKnown() || caseless().MatchString(source.AsString()) {
		return
	}
	var list []string
	for _, text := range literal().FindAllString(source.AsString(), -1) {
		var word string
		if json.Unmarshal([]byte(text), &word) == nil && w.keeps(word) {
			list = append(list, word)
		}
	}
	for _, t := range w.texts(value(x.Args[0]), false) {
		w.meets(x, []string{t}, list, loosely)
	}
}

// compared notes a text that is compared with something else, and the words there.
func (w *Watch) compared(at hclsyntax.Expression, value func(hclsyntax.Expression) cty.Value, text, with hclsyntax.Expression, how comparison) {
	if w.isWritten(text) {
		return
	}
	met, there := w.texts(value(text), false), w.texts(value(with), true)
	if len(there) == 0 {
		return
	}
	if how.finds != nil {
		if v := value(at); v.IsKnown() && !v.IsNull() && how.finds(v) {
			w.there.add(there...)
			w.equal.add(met...)
			met = nil
		}
	}
	if w.isWritten(with) {
		w.meets(at, met, there, how)
		return
	}
	w.there.add(there...)
	w.note(at, met, there, how.loose)
}

// meets notes texts that are compared with words which the file says.
func (w *Watch) meets(at hclsyntax.Expression, met, words []string, how comparison) {
	w.there.add(words...)
	w.said.add(words...)
	w.note(at, met, words, how.loose)
}

// note notes texts that a decision met. One of them that is a word there is what was looked for. Of are all words that
// there may be, where others are refused.
func (w *Watch) note(at hclsyntax.Expression, met, there []string, loose bool, of ...string) {
	if slices.ContainsFunc(met, func(t string) bool { return slices.Contains(there, t) }) {
		w.equal.add(met...)
		return
	}
	var decision, place string
	for _, t := range met {
		if decision == "" {
			decision, place = source(at)
		}
		w.meet(meeting{text: t, decision: decision, place: place, words: of, loose: loose})
	}
}

func (s *seen) meet(m meeting) {
	switch same := func(o meeting) bool { return o.text == m.text && o.decision == m.decision && o.place == m.place }; {
	case slices.ContainsFunc(s.met, same):
	case len(s.met) == textsMost:
		s.cut = true
	default:
		s.met = append(s.met, m)
	}
}

// apart is a decider with bounds of its own, for what may be large, such as a schema: where it has more than them, what
// it met is dropped, and what other decisions met is not.
func apart(decide decider) decider {
	return func(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
		w.decideApart(decide, x, value)
	}
}

func (w *Watch) decideApart(decide decider, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
	if w.apart.left <= 0 {
		return
	}
	outer, all := w.seen, w.apart
	w.seen = newSeen(min(decisionsMost, all.left))
	before := w.left
	decide(w, x, value)
	all.left -= before - w.left + 1
	if !w.isCut() {
		all.there.add(w.there.whole...)
		all.said.add(w.said.whole...)
		for _, m := range w.met {
			all.meet(m)
		}
	}
	all.equal.add(w.equal.whole...)
	w.seen = outer
}

// classified notes the targets that models gave and that are none of the candidates.
func (w *Watch) classified(o *observe.Observed) {
	for _, s := range o.Order {
		k := s.Step.Classifier
		if k == nil {
			continue
		}
		w.there.add(k.Candidates...)
		w.said.add(k.Candidates...)
		for _, a := range s.Asked() {
			var entries []struct {
				Target string `json:"target"`
			}
			if a.End == nil || json.Unmarshal([]byte(a.End.Content), &entries) != nil {
				continue
			}
			for _, e := range entries {
				switch {
				case !w.keeps(e.Target):
				case slices.Contains(k.Candidates, e.Target):
					w.equal.add(e.Target)
				default:
					w.meet(meeting{text: e.Target, decision: "the candidates of classifier " + k.Name, place: placeOf(s.Step.Rng), words: k.Candidates})
				}
			}
		}
	}
}

// What bounds the form of a text that is told of: how many words there are, and how many a text may have.
const (
	formLeast  = 2
	blanksMost = 2
)

// unlike says how the form of a text is unlike that of all of some words; "" where one has it, or where the text is a
// sentence or has a number.
func unlike(text string, words []string) string {
	blanks := strings.Count(text, " ")
	if len(words) < formLeast || !strings.ContainsFunc(text, unicode.IsLetter) || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !strings.ContainsRune("_- ", c) }) || blanks > blanksMost {
		return ""
	}
	all := func(is func(word string) bool) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !is(w) })
	}
	switch {
	case text != strings.ToLower(text) && all(func(w string) bool { return w == strings.ToLower(w) && w != strings.ToUpper(w) }):
		return "where no word has a capital letter"
	case text != strings.ToUpper(text) && all(func(w string) bool { return w == strings.ToUpper(w) && w != strings.ToLower(w) }):
		return "where all words are in capital letters"
	case blanks > 0 && all(func(w string) bool { return !strings.Contains(w, " ") }):
		return "where no word has a blank"
	}
	return ""
}
