package constant

import (
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// A Finding is a condition, or a part of one, that is constant.
type Finding struct {
	// Whole says that it is all of the condition.
	Whole bool
	// Value is what it is, unless it cannot be evaluated.
	Value bool
	// Why says in a sentence why that is so, and Hint in another what to write
	// instead.
	Why, Hint string
	Range     hcl.Range
}

// Find returns the outermost parts of a condition that are constant although they
// read something. source is the file in which the condition stands.
func Find(condition hclsyntax.Expression, source []byte) []Finding {
	f := &finder{source: source}
	f.visit(condition)
	for i := range f.found {
		f.found[i].Whole = f.found[i].Range == dsl.Bare(condition).Range()
	}
	return f.found
}

// A verdict is what is known of a truth value.
type verdict struct {
	known, value bool
	why, hint    string
}

func always(value bool, why, hint string) verdict { return verdict{true, value, why, hint} }

func (v verdict) is(value bool) bool { return v.known && v.value == value }

func (v verdict) not() verdict {
	v.value = !v.value
	return v
}

// finder follows one condition.
type finder struct {
	source []byte
	// loops are the for expressions around a part, the outermost first, and none those
	// that let no element through.
	loops []binding
	none  []*hclsyntax.ForExpr
	found []Finding
}

// visit is what is known of an expression, and notes what is constant in it: the
// whole in the place of its parts.
func (f *finder) visit(e hclsyntax.Expression) verdict {
	e = dsl.Bare(e)
	before := len(f.found)
	v := f.decide(e)
	if v.known && v.why != "" && reads(e) {
		f.found = append(f.found[:before], Finding{Value: v.value, Why: v.why, Hint: v.hint, Range: e.Range()})
	}
	return v
}

// decide is what the form of an expression says of its value, after its parts
// were visited.
func (f *finder) decide(e hclsyntax.Expression) verdict {
	switch x := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		if x.Val.Type() == cty.Bool && x.Val.IsKnown() && !x.Val.IsNull() {
			return verdict{known: true, value: x.Val.True()}
		}
		return verdict{}
	case *hclsyntax.UnaryOpExpr:
		v := f.visit(x.Val)
		if x.Op != hclsyntax.OpLogicalNot {
			return verdict{}
		}
		return v.not()
	case *hclsyntax.BinaryOpExpr:
		if x.Op == hclsyntax.OpLogicalAnd || x.Op == hclsyntax.OpLogicalOr {
			return f.joined(x)
		}
		left, right := f.visit(x.LHS), f.visit(x.RHS)
		return f.comparison(x, left, right)
	case *hclsyntax.ConditionalExpr:
		return f.conditional(x)
	case *hclsyntax.FunctionCallExpr:
		return f.call(x)
	case *hclsyntax.ForExpr:
		f.loop(x)
		return verdict{}
	}
	dsl.EachPart(e, func(part hclsyntax.Expression) { f.visit(part) })
	return verdict{}
}

// joined is the verdict on parts that are joined with && or ||. One of them may
// decide, and so may two of them together.
func (f *finder) joined(x *hclsyntax.BinaryOpExpr) verdict {
	parts := operandsOf(x, x.Op, nil)
	decides := x.Op == hclsyntax.OpLogicalOr // true decides ||, and false &&
	all, one := true, verdict{}
	for _, p := range parts {
		v := f.visit(p)
		if v.is(decides) && one.why == "" {
			one = v
		}
		all = all && v.known
	}
	switch {
	case one.known && one.why == "":
		return always(decides, "one part is written out as "+strconv.FormatBool(decides), hintValue)
	case one.known:
		return one
	case all:
		return always(!decides, "all of its parts are constant", hintValue)
	}
	if len(parts) > mostParts {
		return verdict{}
	}
	for i, p := range parts {
		for _, q := range parts[i+1:] {
			if v := f.pair(p, q, decides); v.known {
				return v
			}
		}
	}
	return verdict{}
}

// mostParts bounds the parts of one condition of which each two are compared.
const mostParts = 40

// operandsOf adds the operands of a chain of one operator.
func operandsOf(e hclsyntax.Expression, op *hclsyntax.Operation, list []hclsyntax.Expression) []hclsyntax.Expression {
	if x, ok := dsl.Bare(e).(*hclsyntax.BinaryOpExpr); ok && x.Op == op {
		return operandsOf(x.RHS, op, operandsOf(x.LHS, op, list))
	}
	return append(list, e)
}

func (f *finder) conditional(x *hclsyntax.ConditionalExpr) verdict {
	c, yes, no := f.visit(x.Condition), f.visit(x.TrueResult), f.visit(x.FalseResult)
	switch {
	case c.is(true):
		return yes
	case c.is(false):
		return no
	case yes.known && no.is(yes.value):
		return always(yes.value, "both results are the same", hintValue)
	}
	return verdict{}
}

// loop visits a for expression, whose variables hide what is called so outside,
// and returns what is known of its elements and of its filter.
func (f *finder) loop(x *hclsyntax.ForExpr) (element, filter verdict) {
	f.visit(x.CollExpr)
	defer f.bind(x)()
	if x.KeyExpr != nil {
		f.visit(x.KeyExpr)
	}
	element = f.visit(x.ValExpr)
	if x.CondExpr != nil {
		if filter = f.visit(x.CondExpr); filter.is(false) {
			f.none = append(f.none, x)
		}
	}
	return element, filter
}

// What to write in place of a condition that is constant.
const (
	hintValue   = "Compare what the run did with the value that it must have."
	hintLength  = "Say how many there have to be, such as length(…) == 2 or length(…) > 0."
	hintAnd     = "For a value that is neither, join the two with &&."
	hintCan     = "Compare the value, or ask can() for what may be missing, such as an element of a list."
	hintText    = "Write the text that has to be there."
	hintPattern = "Outside of (?m), ^ is the beginning of the string and $ its end: write \\\\$ for a dollar sign, or (?m) in front for lines."
)

// comparison is the verdict on one comparison; left and right are those on its
// sides.
func (f *finder) comparison(x *hclsyntax.BinaryOpExpr, left, right verdict) verdict {
	r := relationOf(x.Op)
	if r == none {
		return verdict{}
	}
	if f.same(x.LHS, x.RHS) {
		return always(r&equal != 0, "both sides are the same", hintValue)
	}
	if r == equal || r == unequal {
		switch {
		case left.known && right.known && (left.why != "" || right.why != ""):
			return always((left.value == right.value) == (r == equal), "both sides are constant", hintValue)
		case isNull(x.RHS) && f.present(x.LHS), isNull(x.LHS) && f.present(x.RHS):
			return always(r == unequal, "the value is never null", hintValue)
		case f.empty(x.LHS) && f.empty(x.RHS):
			return always(r == equal, "both lists are always empty", hintValue)
		}
		for _, v := range []verdict{f.unequal(x.LHS, x.RHS), f.unequal(x.RHS, x.LHS)} {
			if v.known {
				v.value = r != equal
				return v
			}
		}
	}
	return f.bounded(r, f.spanOf(x.LHS), f.spanOf(x.RHS))
}

// bounded is the verdict on a comparison of two numbers by what they can be.
func (f *finder) bounded(r relation, a, b span) verdict {
	could := none
	if a.low < b.high {
		could |= less
	}
	if a.high > b.low {
		could |= greater
	}
	if a.low <= b.high && b.low <= a.high {
		could |= equal
	}
	why := firstOf(firstOf(a.why, b.why), "the numbers leave nothing else")
	hint := hintValue
	if a.counts || b.counts {
		hint = hintLength
	}
	switch {
	case could&^r == none:
		return always(true, why, hint)
	case could&r == none:
		return always(false, why, hint)
	}
	return verdict{}
}

// relation is a set of the ways in which two values can be ordered.
type relation uint8

const (
	less relation = 1 << iota
	equal
	greater
	none    relation = 0
	unequal          = less | greater
)

// relationOf is the set for which a comparison holds, none for other operations.
func relationOf(op *hclsyntax.Operation) relation {
	switch op {
	case hclsyntax.OpLessThan:
		return less
	case hclsyntax.OpLessThanOrEqual:
		return less | equal
	case hclsyntax.OpGreaterThan:
		return greater
	case hclsyntax.OpGreaterThanOrEqual:
		return greater | equal
	}
	switch {
	case dsl.IsEqual(op):
		return equal
	case dsl.IsComparison(op):
		return unequal
	}
	return none
}

// turned is the relation with its sides exchanged.
func (r relation) turned() relation {
	t := r & equal
	if r&less != 0 {
		t |= greater
	}
	if r&greater != 0 {
		t |= less
	}
	return t
}
