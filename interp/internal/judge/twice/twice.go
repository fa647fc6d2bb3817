// Package twice finds the values that two have given in one run under one name, so that no check can tell
// which of them was used: a price that the browser sends and the shop answers, a city before it is changed and
// after.
//
//	for _, p := range twice.Values(observed) {
//		fmt.Println(p) // the answer of prices: cents, which is 1299 in the request of checkout, too
//	}
package twice

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/internal/says"
)

// most bounds how many values of a run are looked at, and how many are told of.
const (
	most = 4096
	told = 8
)

// A given is a value of a run with its name, and who gave it.
type given struct {
	name, value, by string
	// answer is the attempt that it answered, 0 for what a caller or an input gave.
	answer int
}

// Values are those that a check is about, and that were given under one name both by the inputs or a caller and by an
// answer that does not repeat its request; or by two answers, where a check compares two values of that name.
func Values(o *observe.Observed) (list []observe.RequestPart) {
	all := collect(o)
	checks := checked(o.Plan)
	type key struct{ name, value string }
	by := map[key]given{} // who has given it first, an input before an answer
	seen := map[[2]string]bool{}
	for _, g := range all {
		at := key{g.name, g.value}
		if first, is := by[at]; !is || g.answer == 0 && first.answer > 0 {
			by[at] = g
		}
	}
	for _, g := range all {
		first, what := by[key{g.name, g.value}], [2]string{g.by, g.name}
		another := first.answer == 0 || first.answer < g.answer && checks.compared[g.name]
		if g.answer == 0 || !another || seen[what] || len(list) == told || !checks.about(g) {
			continue
		}
		seen[what] = true
		where := first.by
		if first.by == g.by {
			where = "an earlier one"
		}
		list = append(list, observe.RequestPart{Of: g.by, Name: fmt.Sprintf("%s, which is %s in %s, too", g.name, g.value, where)})
	}
	return list
}

// collect are the values of a run in the order in which they were given.
func collect(o *observe.Observed) (all []given) {
	add := func(by string, answer int, asked string) func(path, value string) {
		return func(path, value string) {
			name := path[strings.LastIndexByte(path, '.')+1:]
			if len(all) < most && telling(value) && !strings.Contains(asked, value) {
				all = append(all, given{strings.TrimSuffix(name, "[]"), value, by, answer})
			}
		}
	}
	leaves("", read.Normalise(o.Plan.Inputs), add("the inputs", 0, ""))
	serving := o.Plan.Sut.Serving()
	asked := map[string]string{}
	answers := 0
	for _, e := range o.Log.Events() {
		at := e.Step + "\x00" + e.Call + "\x00" + strconv.Itoa(e.Attempt)
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Request == nil {
				continue
			}
			if serving != nil && p.Provider == serving.Name && p.Asker == nil {
				says.JSON(p.Body, add("the request of "+e.Step, 0, ""))
				continue
			}
			asked[at] = p.URL + "\n" + p.Body
			if plain, err := url.PathUnescape(p.URL); err == nil {
				asked[at] += "\n" + plain
			}
		case *event.AttemptEnd:
			text, is := asked[at]
			s := o.Plan.ScriptFor(e.Step, e.Target)
			if !is || p.By != "script" || p.StatusCode >= 400 || s == nil || p.Entry < 1 || p.Entry > len(s.Entries) || s.Entries[p.Entry-1].Reply == nil {
				continue
			}
			answers++
			says.Reply(s.Entries[p.Entry-1].Reply, add("the answer of "+e.Step, answers, text))
		}
	}
	return all
}

// leaves gives the texts and numbers of a value with the paths to them.
func leaves(path string, v cty.Value, give func(path, value string)) {
	if v == cty.NilVal || v.IsNull() || !v.IsWhollyKnown() {
		return
	}
	switch ty := v.Type(); {
	case ty == cty.String:
		give(path, v.AsString())
	case ty == cty.Number:
		give(path, v.AsBigFloat().Text('f', -1))
	case ty.IsObjectType() || ty.IsMapType():
		members := v.AsValueMap()
		for _, name := range read.SortedNames(members) {
			leaves(path+"."+name, members[name], give)
		}
	case ty.IsTupleType() || ty.IsListType() || ty.IsSetType():
		for _, inner := range v.AsValueSlice() {
			leaves(path+"[]", inner, give)
		}
	}
}

// telling reports whether a value is one that two give by chance or by mistake, and no word that many use.
func telling(value string) bool {
	if len(value) < 3 || len(value) > 200 {
		return false
	}
	return len(strings.TrimRight(value, "0.")) >= 2 && strings.ContainsAny(value, "0123456789@ ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// A set of checks knows which values they are about.
type set struct {
	compared map[string]bool // of which conditions compare two
	text     string          // of the conditions
}

func checked(p *plan.Plan) *set {
	s := &set{compared: map[string]bool{}}
	var text []byte
	for _, c := range p.Conditions() {
		text = append(dsl.AppendSource(text, c), '\n')
		dsl.EachExpr(c, func(e hclsyntax.Expression) {
			switch x := e.(type) {
			case *hclsyntax.BinaryOpExpr:
				if name := lastName(dsl.Bare(x.LHS)); dsl.IsEqual(x.Op) && name != "" && name == lastName(dsl.Bare(x.RHS)) {
					s.compared[name] = true
				}
			case *hclsyntax.FunctionCallExpr:
				if x.Name == "distinct" || x.Name == "toset" {
					dsl.EachExpr(x, func(e hclsyntax.Expression) { s.compared[lastName(e)] = true })
				}
			}
		})
	}
	s.text = string(text)
	return s
}

// lastName is the name with which a path ends, "" for any other expression.
func lastName(e hclsyntax.Expression) string {
	t, is := e.(*hclsyntax.ScopeTraversalExpr)
	if !is || len(t.Traversal) < 2 {
		return ""
	}
	name, _ := read.AttrName(t.Traversal, len(t.Traversal)-1)
	return name
}

// about reports whether a check has the name of a value, and says the value or compares two of that name.
func (s *set) about(g given) bool {
	return strings.Contains(s.text, g.name) && (s.compared[g.name] || strings.Contains(s.text, g.value))
}
