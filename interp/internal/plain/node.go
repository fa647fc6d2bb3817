package plain

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// A node is a part of a condition. What it comes to is unsure where a part of it is, as
// the whole evaluation may find an error there, unless the other side of && or || decides.
type node interface {
	eval(*frame) Value
}

// frame is one evaluation of a condition.
type frame struct {
	Run
	vars     []Value // of the for expressions around
	elements int
	// like, where not nil, is asked of every text that is read until it is so of one.
	like  func(text string) bool
	found bool
}

// reads notes what was read, and is it.
func (f *frame) reads(v Value) Value {
	if f.like != nil && !f.found && v.is(cty.String) {
		f.found = f.like(v.scalar.AsString())
	}
	return v
}

// literal is a value that is written out.
type literal struct{ Value }

func (l literal) eval(*frame) Value { return l.Value }

// constant is a local or a variable.
type constant struct{ path hcl.Traversal }

func (c constant) eval(f *frame) Value {
	v, diags := c.path.TraverseAbs(f.Static())
	if diags.HasErrors() || v.IsNull() {
		return Unknown
	}
	return Of(v)
}

// operand is something of the run. It is absent where it is null, beneath null or
// behind the end of a list.
type operand struct {
	path hcl.Traversal
	root string
	rest []segment
}

func (o *operand) eval(f *frame) Value { return f.reads(o.read(f.Run)) }

func (o *operand) read(r Run) Value {
	v := r.Root(o.root).at(o.rest)
	if v.kind == null {
		return missing
	}
	return v
}

// element is the variable of a for expression, or an attribute of it. Null is a
// value there, and beneath it there is none.
type element struct {
	depth int
	rest  []segment
}

func (e element) eval(f *frame) Value {
	v := f.vars[e.depth]
	for i := range e.rest {
		if v.kind != object && v.kind != list {
			return Unknown
		}
		if v.kind == list && e.rest[i].index >= v.list.Len() {
			return Unknown
		}
		v = v.at(e.rest[i : i+1])
	}
	return f.reads(v)
}

type not struct{ node }

func (n not) eval(f *frame) Value {
	v := n.node.eval(f)
	if v.kind == absent {
		return v
	}
	if !v.is(cty.Bool) {
		return Unknown
	}
	return ofBool(v.scalar.False())
}

// both is &&. Where one side is false, what the other one waits for does not
// matter.
type both struct{ left, right node }

func (n both) eval(f *frame) Value { return joined(n.left.eval(f), n.right.eval(f), no) }

// either is ||.
type either struct{ left, right node }

func (n either) eval(f *frame) Value { return joined(n.left.eval(f), n.right.eval(f), yes) }

// joined is what two sides come to of which one alone decides by being so.
func joined(left, right, decides Value) Value {
	l, r := truth(left), truth(right)
	switch {
	case l == truth(decides) || r == truth(decides):
		return decides // also where the other side has an error
	case l == Unsure || r == Unsure:
		return Unknown
	case l == Open || r == Open:
		return missing
	}
	return left // neither decides, so both are the other one
}

// numbers is an operation on two numbers.
type numbers struct {
	left, right node
	op          func(a, b cty.Value) cty.Value
}

func (n numbers) eval(f *frame) Value {
	l, r := n.left.eval(f), n.right.eval(f)
	number := func(v Value) bool { return v.kind == absent || v.is(cty.Number) }
	switch {
	case !number(l) || !number(r):
		return Unknown
	case l.kind == absent || r.kind == absent:
		return missing
	}
	return Of(n.op(l.scalar, r.scalar))
}

// equal compares two scalars of one type, or null where an element has it.
type equal struct {
	left, right node
	want        bool
}

func (n equal) eval(f *frame) Value {
	l, r := n.left.eval(f), n.right.eval(f)
	known := func(v Value) bool { return v.kind == scalar || v.kind == null || v.kind == absent }
	switch {
	case !known(l) || !known(r):
		return Unknown
	case l.kind == absent || r.kind == absent:
		return missing
	case l.kind == null || r.kind == null:
		return ofBool((l.kind == r.kind) == n.want)
	case l.scalar.Type() != r.scalar.Type():
		return Unknown // an error, which the whole evaluation explains
	}
	return ofBool(same(l.scalar, r.scalar) == n.want)
}

// same compares two scalars of one type.
func same(a, b cty.Value) bool {
	if a.Type() == cty.String {
		return a.AsString() == b.AsString()
	}
	return a.Equals(b).True()
}

// nullTest asks whether something is there.
type nullTest struct {
	of   node
	want bool
}

func (n nullTest) eval(f *frame) Value {
	v := n.of.eval(f)
	if v.kind == unsure {
		return v
	}
	return ofBool((v.kind == absent || v.kind == null) == n.want)
}

// length counts a list.
type length struct{ of node }

func (n length) eval(f *frame) Value {
	switch v := n.of.eval(f); v.kind {
	case absent:
		return v
	case list:
		return number(v.list.Len())
	}
	return Unknown
}

// tuple is a list that is written out.
type tuple struct{ parts []node }

func (n *tuple) eval(f *frame) Value {
	list := make(values, len(n.parts))
	for i, part := range n.parts {
		v := part.eval(f)
		if v.kind == unsure || v.kind == absent {
			return v
		}
		list[i] = v
	}
	return ListOf(list)
}

// texts are its parts where they are texts that are written out, nil otherwise.
func (n *tuple) texts() (list []string) {
	for _, part := range n.parts {
		l, ok := part.(literal)
		if !ok || !l.is(cty.String) {
			return nil
		}
		list = append(list, l.scalar.AsString())
	}
	return list
}

type values []Value

func (l values) Len() int       { return len(l) }
func (l values) At(i int) Value { return l[i] }

// among asks whether a text is one of some.
type among struct {
	texts []string
	of    node
}

func (n among) eval(f *frame) Value {
	switch v := n.of.eval(f); {
	case v.kind == absent:
		return v
	case v.kind == null:
		return no
	case v.is(cty.String):
		return ofBool(slices.Contains(n.texts, v.scalar.AsString()))
	}
	return Unknown // an error, which the whole evaluation explains
}

// orNone is a list, or an empty one in the place of one that is missing.
type orNone struct{ of node }

func (n orNone) eval(f *frame) Value {
	switch v := n.of.eval(f); v.kind {
	case absent, null:
		return ListOf(values(nil))
	case list:
		return v
	}
	return Unknown
}

// turns go over a list: each element that only admits, all of them where it is
// nil.
type turns struct {
	list        node
	value, only node
	depth       int
}

// each yields the values of the elements until it is told to stop. It returns what
// the whole comes to where a turn is not like that: the list is absent, or a turn is
// unsure.
func (t *turns) each(f *frame, yield func(Value)) (other Value, all bool) {
	over := t.list.eval(f)
	if over.kind != list {
		if over.kind == absent {
			return over, false
		}
		return Unknown, false
	}
	f.vars = append(f.vars[:t.depth], Unknown)
	for i := range over.list.Len() {
		f.elements++
		f.vars[t.depth] = over.list.At(i)
		if t.only != nil {
			admits := t.only.eval(f)
			if !admits.is(cty.Bool) {
				return Unknown, false
			}
			if admits.scalar.False() {
				continue
			}
		}
		v := t.value.eval(f)
		if v.kind == unsure || v.kind == absent {
			return Unknown, false
		}
		yield(v)
	}
	f.vars = f.vars[:t.depth]
	return Value{}, true
}

// count is the length of a for expression.
type count struct{ of *turns }

func (n count) eval(f *frame) Value {
	total := 0
	if other, all := n.of.each(f, func(Value) { total++ }); !all {
		return other
	}
	return number(total)
}

// quantifier asks whether all elements are true, or else whether one of them is.
type quantifier struct {
	of  *turns
	all bool
}

func (n quantifier) eval(f *frame) Value {
	found, bools := false, true
	other, all := n.of.each(f, func(v Value) {
		bools = bools && v.is(cty.Bool)
		found = found || bools && v.scalar.True() != n.all
	})
	switch {
	case !all:
		return other
	case !bools:
		return Unknown
	}
	return ofBool(found != n.all)
}
