package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/valuediff"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// diff says how the two sides of the failing comparison differ, "" where the
// condition is none.
func (c *checker) diff(e hclsyntax.Expression) string {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return c.diff(x.Expression)
	case *hclsyntax.BinaryOpExpr:
		switch {
		case dsl.IsEqual(x.Op):
			l, ldiags := dsl.Evaluate(x.LHS, c.ctx)
			r, rdiags := dsl.Evaluate(x.RHS, c.ctx)
			if ldiags.HasErrors() || rdiags.HasErrors() {
				return ""
			}
			hidden, source := c.run.Plan.Secrets, string(dsl.AppendSource(nil, x.LHS))
			return valuediff.Of(hidden.Operand(source, l), hidden.Operand(source, r))
		case x.Op == hclsyntax.OpLogicalAnd:
			if l, diags := dsl.Evaluate(x.LHS, c.ctx); !diags.HasErrors() && !plan.IsTrue(l) {
				return c.diff(x.LHS)
			}
			return c.diff(x.RHS)
		case x.Op == hclsyntax.OpLogicalOr && dsl.IsNullTest(x.LHS):
			return c.diff(x.RHS) // what holds once the left side is there
		}
	}
	return ""
}

// snapshot compares a value with its record; the problem is nil where they are
// the same.
func (c *checker) snapshot(s *plan.SnapshotCheck) (plan.Snapshot, *plan.Problem) {
	seen := plan.Snapshot{Name: s.Name, Path: s.Path, Recorded: s.Golden != nil}
	p := &plan.Problem{Kind: "snapshot", Name: s.Name, Range: s.Rng}
	v, diags := dsl.Evaluate(s.Value, c.ctx)
	switch {
	case diags.HasErrors():
		p.Message = "the value cannot be evaluated: " + plan.FirstError(diags)
		return seen, p
	case !v.IsWhollyKnown():
		p.Message = "the value is not known."
		return seen, p
	}
	v = c.run.Plan.Secrets.Operand(string(dsl.AppendSource(nil, s.Value)), read.Normalise(v))
	canonical := stdlib.CanonicalJSON(v)
	seen.Value = indented(canonical)
	if !seen.Recorded {
		p.Message = fmt.Sprintf("nothing is recorded in %s yet.\nhint: run `scenario test --update` to record the value, read it, and commit the file", s.Path)
		return seen, p
	}
	golden, err := readGolden(s.Golden)
	if err != nil {
		p.Message = fmt.Sprintf("%s is no JSON: %s\nhint: run `scenario test --update` to record the value anew", s.Path, err)
		return seen, p
	}
	if seen.Same = bytes.Equal(canonical, stdlib.CanonicalJSON(golden)); seen.Same {
		return seen, nil
	}
	p.Diff = valuediff.Of(v, golden)
	p.Message = fmt.Sprintf("the value is not what %s has.\nhint: if the new value is right, run `scenario test --update` and commit the file", s.Path)
	return seen, p
}

// isVoid reports whether a value is null, an empty string or list, or made of
// nothing else.
func isVoid(v cty.Value) bool {
	switch t := v.Type(); {
	case v.IsNull() || v.RawEquals(cty.StringVal("")):
		return true
	case !v.IsWhollyKnown() || t.IsPrimitiveType() || !v.CanIterateElements():
		return false
	}
	for _, e := range v.AsValueSlice() {
		if !isVoid(e) {
			return false
		}
	}
	return true
}

func indented(canonical []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, canonical, "", "  ") != nil {
		b.Write(canonical) // never: it is JSON
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// readGolden reads a record, however it is laid out: a checkout may have other
// line ends, and an editor another taste.
func readGolden(data []byte) (cty.Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // an id may be too long for a float
	var v any
	if err := d.Decode(&v); err != nil {
		return cty.NilVal, err
	}
	if d.More() {
		return cty.NilVal, errors.New("there is more than one value")
	}
	return read.Normalise(dsl.CtyValue(v)), nil
}
