// Package elsewhere finds where else a workflow could have a value from: an input, the answer of another step, or a
// constant, where all runs of its scenarios have the same there. Data that do not tell two such sources apart show
// nothing of which one the workflow reads.
//
//	for _, o := range elsewhere.Others(workflow, source, runs, titles) {
//		fmt.Println(o.Shown) // step.find.json.email → input.email, which is the same in every run
//		try(o.With)
//	}
package elsewhere

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/names"
)

// Bounds of what is looked at, and of what is found for one place and for a workflow.
const (
	mostReads = 200
	mostAsked = 32
	mostEach  = 2
	mostFound = 16
)

// An Other is what could stand in the place of a read.
type Other struct {
	Block *dsl.Block
	Attr  *dsl.Attr
	Range hcl.Range
	// With is the text that stands there. What was read is still evaluated, so that a step waits for the same steps.
	With, Shown string
}

// A Run is one of a scenario: the value of an expression in it, as a condition would read it.
type Run func(expr string) (cty.Value, hcl.Diagnostics)

// A read is where an expression of a workflow reads a member of an input or of a result.
type read struct {
	block, step *dsl.Block // step is the one that it stands in, nil for none
	attr        *dsl.Attr
	at          hcl.Range
	text        string
	of, member  string // of is the step that is read, "" for an input
}

// finder looks through one workflow.
type finder struct {
	src   []byte
	runs  []Run
	place map[string]int // of the steps, by their names
	reads []read
	by    map[string][]read // by the step that they stand in
	known map[string][]cty.Value
	from  map[string][]string // what reads are made of
}

// Others finds the sources of one workflow that are run by itself. Titles are the names of its scenarios: a constant
// is a source where they name the member that has it.
func Others(workflow *dsl.Block, src []byte, runs []Run, titles []string) (list []Other) {
	f := &finder{src: src, runs: runs, place: map[string]int{}, known: map[string][]cty.Value{}, by: map[string][]read{}, from: map[string][]string{}}
	f.look(workflow, nil)
	for _, r := range f.reads {
		if r.step != nil {
			f.by[r.step.Name()] = append(f.by[r.step.Name()], r)
		}
	}
	sources := f.sources(workflow)
	for _, r := range f.reads {
		n := 0
		for _, s := range sources {
			if n < mostEach && len(list) < mostFound && f.before(s, r) && f.equal(r.text, s.text) && !f.made(r, s) {
				n++
				list = append(list, Other{Block: r.block, Attr: r.attr, Range: r.at, With: "[" + s.text + ", " + r.text + "][0]", Shown: r.text + " → " + s.text + ", which is the same in every run"})
			}
		}
		if value := f.constant(r); n == 0 && value != "" && r.of != "" && names.Mentioned(titles, r.member) && len(list) < mostFound {
			list = append(list, Other{Block: r.block, Attr: r.attr, Range: r.at, With: "[" + value + ", " + r.text + "][0]", Shown: r.text + " → " + value + ", which it is in every run"})
		}
	}
	return list
}

// look notes what the blocks of a workflow read, in their order, and where its steps stand.
func (f *finder) look(b, step *dsl.Block) {
	if b.Type == "step" {
		step = b
		f.place[b.Name()] = len(f.place)
	}
	for _, a := range b.Attrs {
		if slices.Contains([]string{"inputs", "depends_on"}, a.Name) && b.Type != "step" || a.Name == "depends_on" {
			continue
		}
		_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			x, is := n.(*hclsyntax.ScopeTraversalExpr)
			if !is || len(f.reads) == mostReads {
				return nil
			}
			of, member, is := reads(x.Traversal)
			if is {
				f.reads = append(f.reads, read{b, step, a, x.Range(), string(x.Range().SliceBytes(f.src)), of, member})
			}
			return nil
		})
	}
	for _, inner := range b.Blocks {
		f.look(inner, step)
	}
}

// reads are the step, "" for an input, and the member that a traversal reads.
func reads(t hcl.Traversal) (of, member string, is bool) {
	for _, part := range t[1:] {
		switch p := part.(type) {
		case hcl.TraverseAttr:
			member = p.Name
		case hcl.TraverseIndex:
		default:
			return "", "", false
		}
	}
	switch {
	case t.RootName() == "input" && len(t) > 1:
		return "", member, true
	case t.RootName() == "step" && len(t) > 2:
		name, _ := t[1].(hcl.TraverseAttr)
		what, _ := t[2].(hcl.TraverseAttr)
		return name.Name, member, name.Name != "" && (what.Name == "content" || len(t) > 3 && slices.Contains([]string{"json", "output", "rows", "structured", "headers"}, what.Name))
	}
	return "", "", false
}

// sources are the inputs of the workflow, and what it reads of steps, each once and in their order.
func (f *finder) sources(workflow *dsl.Block) (list []read) {
	if a := workflow.Attr("inputs"); a != nil {
		if x, is := a.Expr.(*hclsyntax.ObjectConsExpr); is {
			for _, item := range x.Items {
				if name := hcl.ExprAsKeyword(item.KeyExpr); name != "" {
					list = append(list, read{text: "input." + name, member: name})
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, r := range f.reads {
		if r.of != "" && !seen[r.text] {
			seen[r.text] = true
			list = append(list, r)
		}
	}
	return list
}

// before reports whether a source is there where something is read: an input, or the result of a step that stands
// before the one that reads.
func (f *finder) before(source, r read) bool {
	if source.of == "" || r.step == nil {
		return true
	}
	at, known := f.place[source.of]
	return known && at < f.place[r.step.Name()]
}

// values are those of an expression in all runs, nil for one that has none there.
func (f *finder) values(text string) []cty.Value {
	if list, known := f.known[text]; known {
		return list
	}
	list := make([]cty.Value, len(f.runs))
	for i, run := range f.runs {
		if v, diags := run(text); !diags.HasErrors() && v != cty.NilVal && v.IsKnown() && !v.IsNull() {
			list[i] = v
		}
	}
	f.known[text] = list
	return list
}

// equal reports whether two expressions have the same value, one that tells, in every run in which the first has one.
func (f *finder) equal(a, b string) bool {
	if a == b {
		return false
	}
	others, some := f.values(b), false
	for i, v := range f.values(a) {
		if v == cty.NilVal {
			continue
		}
		if others[i] == cty.NilVal || !telling(v) || !v.RawEquals(others[i]) {
			return false
		}
		some = true
	}
	return some
}

// constant is how the only value of a read is written, "" where it has several, or none that tells.
func (f *finder) constant(r read) string {
	var only cty.Value
	for _, v := range f.values(r.text) {
		switch {
		case v == cty.NilVal:
			continue
		case !telling(v) || only != cty.NilVal && !v.RawEquals(only):
			return ""
		}
		only = v
	}
	switch {
	case only == cty.NilVal:
		return ""
	case only.Type() == cty.Number:
		return only.AsBigFloat().Text('f', -1)
	case strings.ContainsAny(only.AsString(), "$%\\\"\n"):
		return ""
	}
	return strconv.Quote(only.AsString())
}

// telling reports whether a value is no such that stands everywhere.
func telling(v cty.Value) bool {
	switch v.Type() {
	case cty.String:
		return len(v.AsString()) > 1 && len(v.AsString()) < 200 && !strings.Contains(v.AsString(), "redacted")
	case cty.Number:
		n, _ := v.AsBigFloat().Float64()
		return n < 0 || n > 1
	}
	return false
}

// made reports whether two are one thing by what the steps ask for: the id that stands in a path is that of the answer.
// What is looked for by a query need not be what is found.
func (f *finder) made(r, source read) bool {
	from := f.asked(r)
	return slices.ContainsFunc(f.asked(source), func(text string) bool { return slices.Contains(from, text) })
}

// asked is a read with all that the step that answered it was asked with and that has the same value, and what that was
// asked with.
func (f *finder) asked(r read) []string {
	if list, known := f.from[r.text]; known {
		return list
	}
	list, todo := []string{r.text}, []string{r.of}
	for len(todo) > 0 && len(list) < mostAsked {
		of := todo[0]
		todo = todo[1:]
		for _, other := range f.by[of] {
			if other.attr.Name != "query" || other.block.Attr("args") != nil {
				if !slices.Contains(list, other.text) && f.equal(r.text, other.text) {
					list, todo = append(list, other.text), append(todo, other.of)
				}
			}
		}
	}
	f.from[r.text] = list
	return list
}
