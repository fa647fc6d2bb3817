package dsl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// call infers the arguments even of a function that does not exist: they may
// be wrong by themselves. An argument may be a directory, as in keys(step).
func (in *inference) call(e *hclsyntax.FunctionCallExpr, sc *scope) *schema.Shape {
	args := make([]*schema.Shape, len(e.Args))
	before := len(in.diags)
	about := e.Name == "try" || e.Name == "can"
	if about {
		in.excused++
	}
	for i, a := range e.Args {
		args[i] = in.shape(a, sc)
	}
	if about {
		in.excused--
	}
	sig, ok := in.env.Funcs[e.Name]
	if !ok {
		return in.unknownFunc(e)
	}
	in.observed = in.observed || sig.Query
	if !in.checkArity(e, sig) {
		return schema.UnknownShape
	}
	if len(in.diags) == before {
		if sig.Query && in.env.Query != nil {
			gives, diags := in.env.Query(e.Name, e, args)
			if in.diags = append(in.diags, diags...); gives != nil {
				return gives
			}
		}
		if sig.Meets != nil && !e.ExpandFinal {
			in.meetings(e, sig.Meets(args))
		}
		in.refusals(e, sig, args)
	}
	if sig.Result == nil || e.ExpandFinal {
		return schema.UnknownShape
	}
	return orUnknown(sig.Result(args))
}

// refusals looks for arguments that the function can never read, of texts that the file
// writes. A call that is about whether it can is left alone.
func (in *inference) refusals(e *hclsyntax.FunctionCallExpr, sig stdlib.Sig, args []*schema.Shape) {
	if in.excused > 0 || e.ExpandFinal {
		return
	}
	for i, a := range args {
		read := sig.Reads[i]
		if read == nil || a.Kind != schema.ShapeString || len(a.Texts) == 0 {
			continue
		}
		var why error
		for _, text := range a.Texts {
			if why = read(text); why == nil {
				break
			}
		}
		if why != nil {
			in.refused(e, i, why)
			return
		}
	}
	for _, b := range sig.Bounds {
		if arg, why := refusedTogether(e, b); why != nil {
			in.refused(e, arg, why)
			return
		}
	}
}

// refusedTogether is why a function refuses arguments that have a range, or bound each
// other, where the file writes all of them, and the one that a run would name.
func refusedTogether(e *hclsyntax.FunctionCallExpr, b stdlib.Bounds) (arg int, why error) {
	if b.Given > 0 && b.Given != len(e.Args) {
		return 0, nil
	}
	var values []cty.Value
	for _, i := range b.Args {
		if i >= len(e.Args) {
			return 0, nil
		}
		v, diags := Evaluate(e.Args[i], nil)
		if diags.HasErrors() || v.IsNull() || !v.IsWhollyKnown() || !b.Whole && v.Type() != cty.Number && v.Type() != cty.String {
			return 0, nil
		}
		values = append(values, v)
	}
	why = b.Read(values)
	arg = b.Args[len(b.Args)-1]
	var unfit function.ArgError
	if errors.As(why, &unfit) && unfit.Index < len(e.Args) {
		arg = unfit.Index
	}
	return arg, why
}

// refused says what a run would say of a call.
func (in *inference) refused(e *hclsyntax.FunctionCallExpr, arg int, why error) {
	var unfit function.ArgError
	if errors.As(why, &unfit) {
		in.errorf(e.Args[arg].Range(), summaryUnfit, "%s", unfits(e.Name, why.Error()))
		return
	}
	in.errorf(callRange(e), summaryNoResult, "%s", noResult(e.Name, why.Error()))
}

// meetings checks what a function compares of its arguments.
func (in *inference) meetings(e *hclsyntax.FunctionCallExpr, list []stdlib.Meeting) {
	for _, m := range list {
		if why := in.env.Meet(m); why != "" {
			in.errorf(callRange(e), "Comparison can never hold", "%s", why)
			return
		}
	}
}

func (in *inference) checkArity(e *hclsyntax.FunctionCallExpr, sig stdlib.Sig) bool {
	given := len(e.Args)
	if e.ExpandFinal {
		given-- // the last stands for any number of arguments
		if sig.Max == stdlib.Unlimited || given <= sig.Max {
			return true
		}
	} else if given >= sig.Min && (sig.Max == stdlib.Unlimited || given <= sig.Max) {
		return true
	}
	hint := signature(e.Name)
	if other := in.otherNumber(e.Name, given); other != "" {
		hint = fmt.Sprintf(" Did you mean %s?%s", other, signature(other))
	}
	if e.Name == "trim" && given == 1 {
		hint += " White space is taken off by trimspace(text)."
	}
	if e.Name == "contains" && given == 1 {
		if part, ok := Literal(e.Args[0]); ok && part.Type() == cty.String {
			hint = fmt.Sprintf(" Whether a string has a part says strcontains(text, %s), in the condition of an assert block.", Excerpt(e.Args[0]))
		}
	}
	in.errorf(callRange(e), "Wrong number of arguments", "%s takes %s and is given %d.%s", e.Name, arity(sig), given, hint)
	return false
}

// otherNumber is the function of the same name in the singular or the plural that takes so
// many arguments, "" for none: metric for metrics.
func (in *inference) otherNumber(name string, given int) string {
	for _, other := range []string{strings.TrimSuffix(name, "s"), name + "s"} {
		if sig, known := in.env.Funcs[other]; known && other != name && given >= sig.Min && (sig.Max == stdlib.Unlimited || given <= sig.Max) {
			return other
		}
	}
	return ""
}

func callRange(e *hclsyntax.FunctionCallExpr) hcl.Range {
	return hcl.RangeBetween(e.NameRange, e.CloseParenRange)
}

func arity(sig stdlib.Sig) string {
	switch {
	case sig.Max == stdlib.Unlimited:
		return fmt.Sprintf("at least %s", countOf(sig.Min))
	case sig.Min == sig.Max:
		return countOf(sig.Min)
	}
	return fmt.Sprintf("%d to %s", sig.Min, countOf(sig.Max))
}

func countOf(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// signature shows how a standard function is called.
func signature(name string) string {
	for _, f := range slices.Concat(stdlib.List(), stdlib.Queries(), stdlib.OfProgram(), stdlib.Environment()) {
		if f.Name == name {
			return fmt.Sprintf(" It is called as %s.", f.Signature)
		}
	}
	return ""
}

func (in *inference) unknownFunc(e *hclsyntax.FunctionCallExpr) *schema.Shape {
	if why := elsewhere(e.Name); why != "" {
		return in.errorf(e.NameRange, "Not available here", "%s It cannot be called in %s.", why, in.env.place())
	}
	if root, attr, ok := strings.Cut(e.Name, "."); ok && in.env.Roots[root] != nil && in.env.Roots[root].Attrs[attr] != nil {
		return in.errorf(e.NameRange, "Unknown function", "%s is an attribute, which is not called: write it without parentheses.", e.Name)
	}
	hint := DidYouMean(e.Name, slices.Sorted(maps.Keys(in.env.Funcs)))
	if strings.EqualFold(e.Name, "not") {
		hint = " The opposite of a condition is written with an exclamation mark: !(…)."
	}
	if _, isRoot := in.env.Roots[e.Name]; isRoot && hint == "" {
		hint = fmt.Sprintf(" %s is a reference: write %s.name.", e.Name, e.Name)
	}
	return in.errorf(e.NameRange, "Unknown function", "There is no function %q.%s", e.Name, hint)
}

// elsewhere explains a function that exists, but not in every place.
func elsewhere(name string) string {
	for _, f := range stdlib.Queries() {
		if f.Name == name {
			return fmt.Sprintf("%s asks about a run, so it belongs in a condition.", name)
		}
	}
	for _, f := range stdlib.OfProgram() {
		if f.Name == name {
			return fmt.Sprintf("%s asks what a program under test said of itself, which has no place in its trace: it belongs in the condition of an assert block, in a snapshot, or in until of the sut.", name)
		}
	}
	for _, f := range stdlib.Environment() {
		if f.Name == name {
			return fmt.Sprintf("%s reads the environment of this machine and belongs in provider blocks.", name)
		}
	}
	for _, f := range stdlib.List() {
		if f.Name == name {
			return fmt.Sprintf("%s is a function of the language.", name)
		}
	}
	return ""
}
