// Package nearly finds the texts of a run that a decision of the program met, that were equal to nothing there, and
// that are nearly a word which is there: a scenario that gives "canceled" where the program knows "cancelled" sees it
// refused as any unknown word is, and shows nothing of what is done with the word that is meant.
//
//	p, watch := nearly.On(p)
//	// p is run, seen is what was observed, and then
//	for _, part := range watch.Texts(seen) {
//		fmt.Println(part) // "canceled" (x.scenario.hcl:13): equal to nothing in contains(local.known, input.to), nearly equal to "cancelled"
//	}
package nearly

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// What bounds a look. Where there is more to look at than the first four, nothing is told: what was not seen may be
// equal. Of schemas, sets and programs of jq, which have the same bounds for themselves, nothing is told alone.
const (
	decisionsMost = 2048 // of a run, with the turns of for expressions
	turnsMost     = 32   // of one for expression
	textsMost     = 512  // in a value, and of each list of them
	longest       = 120  // bytes of a text
	pairsMost     = 1 << 17
	apartMost     = 8 * decisionsMost // of a run, in schemas, sets and programs of jq
	told          = 5
	shownMost     = 60 // signs of a decision
)

// A Watch is told of what is evaluated in a run, by several goroutines at a time.
type Watch struct {
	plan   *plan.Plan
	next   dsl.Follower // nil for none
	checks []hcl.Range

	mu sync.Mutex // of what follows
	*seen
	apart *seen // of the deciders that have bounds of their own
	// written are the variables of for expressions around, over what the file says.
	written []string
}

// A seen is what was seen of decisions.
type seen struct {
	// left is how much more is looked at, and cut says that there was more.
	left int
	cut  bool
	met  []meeting
	// equal are the texts that were equal to something, there the words that texts were compared with, and said
	// those of them that the file says.
	equal, there, said *words
}

func newSeen(left int) *seen {
	return &seen{left: left, equal: &words{}, there: &words{}, said: &words{}}
}

func (s *seen) isCut() bool { return s.cut || s.equal.cut || s.there.cut || s.said.cut }

// with is what was seen here and there.
func (s *seen) with(o *seen) *seen {
	return &seen{met: append(s.met, o.met...), equal: s.equal.with(o.equal), there: s.there.with(o.there), said: s.said.with(o.said)}
}

// A meeting is one of a text with a decision.
type meeting struct {
	text string
	// decision and place are how it is shown, and where it stands.
	decision, place string
	// words are all that there may be, where others are refused; none where any other text is as good, or where it is
	// not known which way is the one that is refused. Loose says that the decision refuses no text by itself.
	words []string
	loose bool
}

// On is the plan for a run that is watched.
func On(p *plan.Plan) (*plan.Plan, *Watch) {
	w := &Watch{plan: p, seen: newSeen(decisionsMost), apart: newSeen(apartMost)}
	if p.Static == nil || p.BenchRun != nil {
		return p, w
	}
	if p.Secrets.Tracker != nil {
		w.next = p.Secrets.Tracker
	}
	for _, c := range p.Conditions() {
		w.checks = append(w.checks, c.Range())
	}
	q := *p
	q.Static = dsl.Followed(p.Static, w)
	return &q, w
}

// Evaluated implements [dsl.Follower].
func (w *Watch) Evaluated(e dsl.Evaluation) (cost int64) {
	if w.next != nil {
		cost = w.next.Evaluated(e)
	}
	if !plan.IsLiteral(e.Expr) && !w.isCheck(e.Expr.Range()) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.look(e.Expr, func(part hclsyntax.Expression, vars map[string]cty.Value) (cty.Value, hcl.Diagnostics) {
			return e.Of(part).Again(vars, nil)
		}, nil)
	}
	return cost
}

// isCheck reports whether a place is in a condition of the scenario.
func (w *Watch) isCheck(at hcl.Range) bool {
	for _, c := range w.checks {
		if at.Filename == c.Filename && c.Start.Byte <= at.Start.Byte && at.End.Byte <= c.End.Byte {
			return true
		}
	}
	return false
}

// A values gives the value of a part of what is evaluated, with variables of for expressions around it.
type values func(part hclsyntax.Expression, vars map[string]cty.Value) (cty.Value, hcl.Diagnostics)

// look notes what the decisions in an expression meet.
func (w *Watch) look(e hclsyntax.Expression, of values, vars map[string]cty.Value) {
	value := func(part hclsyntax.Expression) cty.Value {
		v, diags := of(part, vars)
		if diags.HasErrors() || v == cty.NilVal {
			return cty.DynamicVal
		}
		v, _ = v.UnmarkDeep()
		return v
	}
	if w.left <= 0 {
		w.cut = true
		return
	}
	switch x := e.(type) {
	case nil:
		return
	case *hclsyntax.ConditionalExpr: // the other branch meets nothing
		w.look(x.Condition, of, vars)
		if is := value(x.Condition); is.Type() == cty.Bool && is.IsKnown() && !is.IsNull() {
			if is.True() {
				w.look(x.TrueResult, of, vars)
			} else {
				w.look(x.FalseResult, of, vars)
			}
		}
		return
	case *hclsyntax.BinaryOpExpr:
		if w.decides(dsl.IsComparison(x.Op)) {
			w.compared(x, value, x.LHS, x.RHS, equality)
			if w.isWritten(x.LHS) {
				w.compared(x, value, x.RHS, x.LHS, equality)
			}
		}
	case *hclsyntax.IndexExpr: // all that could be looked up by another key is there, too
		if w.decides(!plan.IsLiteral(x.Key)) {
			w.compared(x, value, x.Key, x.Collection, equality)
		}
	case *hclsyntax.FunctionCallExpr:
		if decide, is := deciders[x.Name]; w.decides(is && (!x.ExpandFinal || x.Name == "word")) {
			decide(w, x, value)
		}
	case *hclsyntax.ForExpr:
		w.look(x.CollExpr, of, vars)
		list := value(x.CollExpr)
		if !list.IsKnown() || list.IsNull() || !list.CanIterateElements() {
			return
		}
		outer := w.written
		if w.isWritten(x.CollExpr) {
			w.written = append(slices.Clone(outer), x.KeyVar, x.ValVar)
		}
		defer func() { w.written = outer }()
		for it, n := list.ElementIterator(), 0; it.Next(); n++ {
			if n == turnsMost {
				w.cut = true
				break
			}
			w.left--
			inner := map[string]cty.Value{}
			for name, v := range vars {
				inner[name] = v
			}
			k, v := it.Element()
			inner[x.ValVar] = v
			if x.KeyVar != "" {
				inner[x.KeyVar] = k
			}
			for _, part := range []hclsyntax.Expression{x.CondExpr, x.KeyExpr, x.ValExpr} {
				w.look(part, of, inner)
			}
		}
		return
	}
	dsl.EachPart(e, func(part hclsyntax.Expression) { w.look(part, of, vars) })
}

// decides counts a decision, and reports whether it is one.
func (w *Watch) decides(is bool) bool {
	if is {
		w.left--
	}
	return is
}

// isWritten reports whether the file says what an expression is.
func (w *Watch) isWritten(e hclsyntax.Expression) bool {
	for t := range dsl.Variables(e) {
		if root := t.RootName(); root != "local" && root != "var" && !slices.Contains(w.written, root) {
			return false
		}
	}
	return true
}

// texts are the texts in a value, with the names of members where these are looked for, too, and without those that
// have a secret in them, of which a word would not be known for one.
func (w *Watch) texts(v cty.Value, names bool) (list []string) {
	var visit func(v cty.Value)
	visit = func(v cty.Value) {
		if v == cty.NilVal || !v.IsKnown() || v.IsNull() {
			return
		}
		if len(list) == textsMost {
			w.cut = true
			return
		}
		switch ty := v.Type(); {
		case ty == cty.String:
			if text := v.AsString(); w.keeps(text) {
				list = append(list, text)
			}
		case v.CanIterateElements():
			for it := v.ElementIterator(); it.Next(); {
				k, e := it.Element()
				if names && (ty.IsObjectType() || ty.IsMapType()) {
					visit(k)
				}
				visit(e)
			}
		}
	}
	visit(v)
	return list
}

// keeps reports whether a text is looked at.
func (w *Watch) keeps(text string) bool {
	return text != "" && len(text) <= longest && w.plan.Secrets.Text(text) == text
}

// spelling is how a scenario is named that is about how words are written.
var spelling = pattern.New(`(?i)\b(?:capitals?|(?:upper|lower|another|other|letter|of|ignor\w+)[- ]?case|case[- ](?:in)?sensitiv\w+|misspel\w+|typos?|spel(?:ling|led|t))\b`)

// Texts are those that were equal to nothing, and are nearly a word that is there; and those that have another form than
// all words that they could have been.
func (w *Watch) Texts(o *observe.Observed) (list []observe.RequestPart) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.classified(o)
	if w.isCut() {
		return nil
	}
	all := w.with(w.apart)
	if len(all.met) == 0 {
		return nil
	}
	services, title := w.services(), &words{}
	title.add(w.plan.Name)
	ways := alike | digits | longer
	spelt := spelling().MatchString(w.plan.Name)
	if spelt {
		ways &^= alike
	}
	said, left := map[string]bool{}, pairsMost
	for _, m := range all.met {
		for _, t := range runs(m.text) {
			if said[t] || isNumber(t) && t != m.text || all.there.has(t) || all.equal.has(t) || services.has(t) {
				continue
			}
			why, near := "", all.there.near(t, ways, &left)
			if near == "" {
				near = all.said.near(t, typed, &left)
			}
			if near == "" && t == m.text {
				near = services.near(t, alike|longer, &left)
			}
			if near == "" && !title.has(t) {
				near = title.near(t, typed, &left)
			}
			if near != "" {
				why = fmt.Sprintf("nearly equal to %q", near)
			} else if t == m.text && !spelt && !m.loose {
				why = m.unlike(title, all.met)
			}
			if why == "" {
				continue
			}
			said[t] = true
			list = append(list, observe.RequestPart{Of: strconv.Quote(t) + " (" + m.place + ")", Name: fmt.Sprintf("equal to nothing in %s, %s", m.decision, why)})
			if len(list) == told {
				return list
			}
			break
		}
	}
	return list
}

// unlike says that a text is a word of the title but for its case, or how its form is unlike that of all the words that
// it could have been, where it has to be one: it is refused by its form, whatever the word is. "" is for neither.
func (m meeting) unlike(title *words, met []meeting) string {
	if lower := strings.ToLower(m.text); lower != m.text && title.has(lower) && !title.has(m.text) {
		return fmt.Sprintf("nearly equal to %q", lower)
	}
	if len(m.words) == 0 {
		return ""
	}
	var all []string
	for _, o := range met {
		if o.text == m.text {
			all = append(all, o.words...)
		}
	}
	return unlike(m.text, all)
}

// source is how a decision is shown, and where it stands.
func source(e hclsyntax.Expression) (text, place string) {
	signs := []rune(string(dsl.AppendSource(nil, e)))
	if len(signs) > shownMost {
		signs = append(signs[:shownMost], '…')
	}
	return string(signs), placeOf(e.Range())
}

func placeOf(rng hcl.Range) string {
	return fmt.Sprintf("%s:%d", path.Base(filepath.ToSlash(rng.Filename)), rng.Start.Line)
}

// services are the names of the models that the program asks.
func (w *Watch) services() *words {
	list := &words{}
	for _, n := range w.plan.Nodes() {
		if g := n.Step.Gateway; g != nil {
			for _, t := range g.Targets {
				list.add(t.Provider.Model)
				list.add(t.Models...)
			}
		}
	}
	return list
}
