package taint

import (
	"maps"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// A Tracker makes a redactor learn what evaluations make of its secrets. It is a
// [dsl.Follower], and safe for concurrent use.
type Tracker struct {
	secrets *redact.Redactor

	mu sync.Mutex
	// short are the pieces that are too short to be hidden in a text: they are
	// followed where they are a value of their own.
	short map[string]bool
}

// New is a tracker for a redactor that can learn.
func New(secrets *redact.Redactor) *Tracker {
	return &Tracker{secrets: secrets, short: map[string]bool{}}
}

// With is a tracker that knows what t has found, which may be nil, and tells
// another redactor of what it finds itself.
func (t *Tracker) With(secrets *redact.Redactor) *Tracker {
	out := New(secrets)
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		maps.Copy(out.short, t.short)
	}
	return out
}

// What it takes to keep a text, and to look at one, in bytes: a secret is looked
// for in some eighty forms.
const (
	bytesLearned = 8 << 10
	formsLearned = 80
	readsFor     = 8
)

// Evaluated implements [dsl.Follower].
func (t *Tracker) Evaluated(e dsl.Evaluation) int64 {
	failed := e.Diags.HasErrors()
	if !failed && !says(e.Value) {
		return 0
	}
	s := &swap{tracker: t}
	roots := map[string]cty.Value{}
	for name, v := range e.Roots() {
		if twin, changed := s.value(v); changed {
			roots[name] = twin
		}
	}
	functions := t.environment(e)
	if len(roots)+len(functions) == 0 {
		return s.read / readsFor
	}
	v, diags := e.Again(roots, functions)
	c := &comparison{tracker: t, written: written(e.Expr)}
	switch {
	case failed:
		c.messages(e.Diags, diags)
	case diags.HasErrors():
		c.value(e.Value, cty.NilVal)
	default:
		c.collect(v)
		c.value(e.Value, v)
	}
	return c.cost + (s.read+c.read)/readsFor
}

// environment are the functions that read the environment, with the twins of the
// secrets that they find there, as far as an expression calls one.
func (t *Tracker) environment(e dsl.Evaluation) map[string]function.Function {
	var swapped map[string]function.Function
	dsl.EachExpr(e.Expr, func(x hclsyntax.Expression) {
		call, is := x.(*hclsyntax.FunctionCallExpr)
		if !is {
			return
		}
		for _, f := range stdlib.Environment() {
			if read, found := e.Function(f.Name); found && call.Name == f.Name {
				if swapped == nil {
					swapped = map[string]function.Function{}
				}
				swapped[f.Name] = t.swapping(read)
			}
		}
	})
	return swapped
}

// swapping is a function whose secrets are others.
func (t *Tracker) swapping(f function.Function) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), Type: function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			if err == nil {
				v, _ = (&swap{tracker: t}).value(v)
			}
			return v, err
		},
	})
}

// twin is a text with other secrets.
func (t *Tracker) twin(text string) string {
	if len(text) < redact.ShortestSecret {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.short[text] {
			return redact.TwinOf(text)
		}
		return text
	}
	return t.secrets.Twin(text)
}

// twinNumber is a number, as it is written, with other secrets.
func (t *Tracker) twinNumber(text string) string {
	if _, secret := t.secrets.Exact(text); secret {
		return redact.TwinOf(text)
	}
	return text
}

// learn makes a text a secret. One that is too short to be hidden in other texts is
// remembered for what is made of it.
func (t *Tracker) learn(text string) (cost int64) {
	if len(text) >= redact.ShortestSecret {
		t.secrets.Learn(text)
		return bytesLearned + formsLearned*int64(len(text))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.short[text] = true
	return 0
}

// written are the strings that stand in an expression: whatever it chooses among
// them is in the file for everyone to read.
func written(e hclsyntax.Expression) map[string]bool {
	list := map[string]bool{}
	dsl.EachExpr(e, func(x hclsyntax.Expression) {
		if v, literal := dsl.Literal(x); literal && v.Type() == cty.String && !v.IsNull() {
			list[v.AsString()] = true
		}
	})
	return list
}
