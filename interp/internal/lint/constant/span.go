package constant

import (
	"fmt"
	"math"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A span is what a number can be.
type span struct {
	low, high float64
	// why says of a number that is observed what bounds it, and counts that it is a
	// length.
	why    string
	counts bool
}

// anything is a number of which nothing is known, or no number.
var anything = span{low: math.Inf(-1), high: math.Inf(1)}

// fromZero is a number that is never negative.
func fromZero(why string, counts bool) span { return span{0, math.Inf(1), why, counts} }

// spanOf is what an expression can be, unless it cannot be evaluated.
func (f *finder) spanOf(e hclsyntax.Expression) span {
	e = dsl.Bare(e)
	switch x := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		if x.Val.Type() == cty.Number && x.Val.IsKnown() && !x.Val.IsNull() {
			n, _ := x.Val.AsBigFloat().Float64()
			return span{low: n, high: n}
		}
	case *hclsyntax.UnaryOpExpr:
		if s := f.spanOf(x.Val); x.Op == hclsyntax.OpNegate {
			return span{-s.high, -s.low, s.why, s.counts}
		}
	case *hclsyntax.BinaryOpExpr:
		if x.Op == hclsyntax.OpAdd {
			a, b := f.spanOf(x.LHS), f.spanOf(x.RHS)
			return span{a.low + b.low, a.high + b.high, firstOf(a.why, b.why), a.counts || b.counts}
		}
		if x.Op == hclsyntax.OpMultiply {
			a, b := f.spanOf(x.LHS), f.spanOf(x.RHS)
			if s := a.times(b); a.low >= 0 && b.low >= 0 {
				return s
			}
		}
		if x.Op == hclsyntax.OpSubtract && f.same(x.LHS, x.RHS) {
			return span{why: "what is taken away is the same"}
		}
	case *hclsyntax.ConditionalExpr:
		a, b := f.spanOf(x.TrueResult), f.spanOf(x.FalseResult)
		return span{math.Min(a.low, b.low), math.Max(a.high, b.high), firstOf(a.why, b.why), false}
	case *hclsyntax.FunctionCallExpr:
		return f.spanOfCall(x)
	case *hclsyntax.ScopeTraversalExpr:
		if name := f.fixed(x); slices.Contains(neverNegative, name) {
			return fromZero(name+" is never negative", false)
		}
		return f.spanOfElement(x)
	}
	return anything
}

// Least is the least value that a number can have, minus infinity where nothing bounds it or
// it is no number.
func Least(e hclsyntax.Expression) float64 { return (&finder{}).spanOf(e).low }

// times is the product of two numbers that are not negative.
func (s span) times(other span) span {
	high := s.high * other.high
	if math.IsNaN(high) { // 0 times what has no bound
		high = math.Inf(1)
	}
	return span{s.low * other.low, high, firstOf(s.why, other.why), false}
}

// ofAttempts are the least values of numbers that every attempt has.
var ofAttempts = map[string]float64{"n": 1, "at_ms": 0, "started_at_ms": 0, "ended_at_ms": 0}

// instants are times of what queries find, from the start of the run.
var instants = []string{"at_ms", "start_ms", "end_ms"}

// spanOfElement is what a variable of a for expression over attempts, waits or what a
// query finds can be, or an attribute of it.
func (f *finder) spanOfElement(x *hclsyntax.ScopeTraversalExpr) span {
	name, _ := read.AttrName(x.Traversal, len(x.Traversal)-1)
	switch of := f.variable(x.Traversal.RootName()).list; {
	case of == "delays_ms" && len(x.Traversal) == 1:
		return fromZero("a wait is never negative", false)
	case (of == "events" || of == "spans") && len(x.Traversal) == 2 && slices.Contains(instants, name):
		return fromZero(name+" is never negative", false)
	case of == "attempts" && len(x.Traversal) == 2:
		if least, known := ofAttempts[name]; known {
			return span{least, math.Inf(1), fmt.Sprintf("%s of an attempt is never less than %g", name, least), false}
		}
	}
	return anything
}

// neverNegative are numbers of results, of which a negative one is none.
var neverNegative = []string{"elapsed_ms", "started_ms", "ended_ms", "retries", "cost_usd"}

func (f *finder) spanOfCall(x *hclsyntax.FunctionCallExpr) span {
	switch {
	case x.ExpandFinal:
	case x.Name == "length" && len(x.Args) == 1:
		if f.empty(x.Args[0]) {
			return span{why: "the list is always empty", counts: true}
		}
		if v := f.neverFound(x.Args[0]); v.known {
			return v.span
		}
		if why := notEmpty(x.Args[0]); why != "" {
			return span{1, math.Inf(1), why, false}
		}
		return fromZero("length() is never negative", true)
	case x.Name == "similarity":
		return span{0, 1, "similarity() is from 0 to 1", false}
	case x.Name == "abs", x.Name == "metric", x.Name == "overlaps":
		return fromZero(x.Name+"() is never negative", false)
	case x.Name == "max" && len(x.Args) > 1:
		return f.spanOfMax(x.Args)
	case x.Name == "min" && len(x.Args) > 1:
		return f.spanOfMin(x.Args)
	}
	return anything
}

// lengthOf is a length that is known.
type lengthOf struct {
	known bool
	span
}

// neverFound is how long a list is that is made by looking for what can never be there.
func (f *finder) neverFound(e hclsyntax.Expression) lengthOf {
	x, call := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
	if !call || len(x.Args) != 2 || x.ExpandFinal || x.Name != "regexall" && x.Name != "split" {
		return lengthOf{}
	}
	sought, said := written(x.Args[0])
	if !said {
		return lengthOf{}
	}
	n := 1.0 // split gives the whole
	if x.Name == "regexall" {
		sought, n = needed(sought), 0
	}
	v := f.impossible(f.textOf(x.Args[1]), sought, inside)
	return lengthOf{v.known, span{n, n, v.why, true}}
}

// notEmpty says why a list or a text has something in it whatever it is made of, "" where it
// need not.
func notEmpty(e hclsyntax.Expression) string {
	x, call := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
	switch {
	case !call || x.ExpandFinal:
	case x.Name == "split" && len(x.Args) == 2:
		if by, said := written(x.Args[0]); said && by != "" {
			return "split() has one element at least, also of an empty text"
		}
	case x.Name == "jsonencode":
		return "jsonencode() is never empty"
	}
	return ""
}

func (f *finder) spanOfMax(args []hclsyntax.Expression) span {
	s := f.spanOf(args[0])
	for _, a := range args[1:] {
		b := f.spanOf(a)
		s = span{math.Max(s.low, b.low), math.Max(s.high, b.high), firstOf(s.why, b.why), false}
	}
	return s
}

func (f *finder) spanOfMin(args []hclsyntax.Expression) span {
	s := f.spanOf(args[0])
	for _, a := range args[1:] {
		b := f.spanOf(a)
		s = span{math.Min(s.low, b.low), math.Min(s.high, b.high), firstOf(s.why, b.why), false}
	}
	return s
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// roots are those whose names have results, with attributes that are always there
// (though they may be null).
var roots = map[string]int{"step": 3, "call": 3, "target": 3, "endpoint": 3, "fanout": 3, "classify": 3, "run": 2, "sut": 2, "self": 2}

// fixed is the name of the attribute of a result that an expression reads, "" for
// everything else: something inside an answer, or of a variable of a for
// expression.
func (f *finder) fixed(x *hclsyntax.ScopeTraversalExpr) string {
	root := x.Traversal.RootName()
	if n := roots[root]; n == 0 || len(x.Traversal) != n || f.isBound(root) {
		return ""
	}
	for i := 1; i < len(x.Traversal); i++ {
		name, ok := read.AttrName(x.Traversal, i)
		if !ok {
			return ""
		}
		if i == len(x.Traversal)-1 {
			return name
		}
	}
	return ""
}
