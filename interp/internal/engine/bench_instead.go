package engine

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// insteadMost bounds, in bytes, an answer that another text is put in the place of, and that text.
const insteadMost = 10_000

// saysNothing is what an answer may be that does not refuse either: what a rubric passes with
// [bench.Refusal] and not with this asks for a refusal.
const saysNothing = "Let me see."

// An insteadOf is an answer that passes, and what of it others can be put in the place of.
type insteadOf struct {
	*run
	rubric *plan.BenchRubric
	c      *plan.BenchCase
	output any
	texts  []hcl.Traversal // the texts in the output that the rubric reads
	wanted []string        // the texts of the case that it reads
}

// instead says with which texts in the place of the answer the rubric passes as well. It tells of
// rubrics that read of the answer texts, and no more than that: another part may tell answers apart.
func (r *run) instead(k *plan.BenchRubric, c *plan.BenchCase, a bench.Answer, s *bench.Score) (found bench.Instead) {
	if r.host == nil || !s.Passed || s.Nothing != "" || k.Passed == nil || len(a.Output) > insteadMost {
		return found
	}
	i := &insteadOf{run: r, rubric: k, c: c}
	d := json.NewDecoder(bytes.NewReader(a.Output))
	d.UseNumber()
	if d.Decode(&i.output) != nil || !i.read(a) {
		return found
	}
	if i.passes(func(string) string { return saysNothing }) {
		found.Refusal = i.passes(func(string) string { return bench.Refusal })
		return found
	}
	if asked := i.asked(); asked != "" {
		found.Asked = i.passes(func(string) string { return asked })
	}
	if i.hasNumbers() {
		found.Numbers = i.passes(otherNumbers)
		found.Told = !found.Numbers
	}
	return found
}

// read finds the texts that the rubric reads, and reports whether it reads some and nothing else of
// the output but what it compares with a value of its own, such as exit_code == 0.
func (i *insteadOf) read(a bench.Answer) bool {
	ctx, fixed := rubricContext(i.c, a), literals(i.rubric.Passed)
	for _, s := range dsl.NewAbsence(i.rubric.Passed, func(root string) bool { return root == "output" }).Slots {
		v, diags := s.Path.TraverseAbs(ctx)
		switch {
		case diags.HasErrors() || v.IsNull() || v.Type() == cty.Bool || slices.ContainsFunc(fixed, v.RawEquals):
		case !isText(v):
			return false
		case v.AsString() != "":
			i.texts = append(i.texts, s.Path)
		}
	}
	for _, s := range dsl.NewAbsence(i.rubric.Passed, func(root string) bool { return root == "case" }).Slots {
		if v := askedBy(i.c, s.Path); v.IsWhollyKnown() && len(s.Path) > 1 {
			i.wanted = append(i.wanted, textsIn(dsl.GoValue(v), nil)...)
		}
	}
	return len(i.texts) > 0
}

// literals are the texts and numbers that are written out in an expression.
func literals(e hclsyntax.Expression) (list []cty.Value) {
	var visit func(e hclsyntax.Expression)
	visit = func(e hclsyntax.Expression) {
		if v, is := dsl.Literal(e); is {
			list = append(list, v)
		}
		dsl.EachPart(e, visit)
	}
	visit(e)
	return list
}

// textsIn adds the texts in a value, but for members that say what an answer has to be.
func textsIn(v any, but []string) (list []string) {
	switch x := v.(type) {
	case string:
		return []string{x}
	case []any:
		for _, e := range x {
			list = append(list, textsIn(e, but)...)
		}
	case map[string]any:
		for name, e := range x {
			if !slices.Contains(but, name) {
				list = append(list, textsIn(e, but)...)
			}
		}
	}
	return list
}

// asked is the longest text of the case that was given to the program or the workflow and is not what
// the rubric looks for, "" where there is none.
func (i *insteadOf) asked() (longest string) {
	var input any
	if json.Unmarshal(i.c.Input, &input) != nil {
		return ""
	}
	given := i.given()
	for _, text := range textsIn(input, bench.Expected()) {
		if len(text) > insteadMost || slices.Contains(i.wanted, text) || !gives(given, text) {
			continue
		}
		if len(text) > len(longest) || len(text) == len(longest) && text < longest {
			longest = text
		}
	}
	return longest
}

// given is all that the system under test was given for the case.
func (i *insteadOf) given() string {
	p := i.c.Program
	switch {
	case p == nil && i.c.Inputs != cty.NilVal && i.c.Inputs.IsWhollyKnown():
		return string(trace.AppendValue(nil, dsl.GoValue(i.c.Inputs)))
	case p == nil:
		return ""
	case p.Stdin == nil:
		return string(i.c.Input)
	}
	given := strings.Join(p.Command, "\n") + "\n" + string(p.Stdin)
	for _, v := range p.Env {
		given += "\n" + v
	}
	return given
}

// gives reports whether a text is in another one, as it is or as JSON has it.
func gives(given, text string) bool {
	if strings.Contains(given, text) {
		return true
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return false
	}
	escaped, _ := json.Marshal(text)
	return strings.Contains(given, strings.Trim(b.String(), "\"\n")) || strings.Contains(given, strings.Trim(string(escaped), `"`))
}

// hasNumbers reports whether the answer has a number, and what the rubric compares it with, too. A
// pattern of the case says itself which numbers it takes.
func (i *insteadOf) hasNumbers() bool {
	return slices.ContainsFunc(i.wanted, numbered) && !readsPattern(i.rubric.Passed) &&
		slices.ContainsFunc(i.texts, func(path hcl.Traversal) bool {
			text, _ := at(i.output, path[1:]).(string)
			return numbered(text)
		})
}

func numbered(text string) bool { return strings.ContainsFunc(text, isDigit) }

func isDigit(c rune) bool { return '0' <= c && c <= '9' }

// readsPattern reports whether a pattern or a schema of the case is applied to something.
func readsPattern(e hclsyntax.Expression) (is bool) {
	if call, calls := e.(*hclsyntax.FunctionCallExpr); calls && (strings.HasPrefix(call.Name, "regex") || call.Name == "schemaerror") {
		is = slices.ContainsFunc(call.Variables(), func(t hcl.Traversal) bool { return t.RootName() == "case" })
	}
	dsl.EachPart(e, func(part hclsyntax.Expression) { is = is || readsPattern(part) })
	return is
}

// otherNumbers is a text with another digit in the place of each.
func otherNumbers(text string) string {
	return strings.Map(func(c rune) rune {
		if isDigit(c) {
			return '0' + (c-'0'+1)%10
		}
		return c
	}, text)
}

// passes reports whether the rubric passes with others in the place of the texts that it reads, finds no
// failure mode then, and gives the score that each gate wants.
func (i *insteadOf) passes(other func(text string) string) bool {
	output := i.output
	for _, path := range i.texts {
		if text, is := at(i.output, path[1:]).(string); is {
			output = put(output, path[1:], other(text))
		}
	}
	text, err := json.Marshal(output)
	if err != nil {
		return false
	}
	s, err := evaluateRubric(i.rubric, i.c, bench.Answer{Output: text})
	if err != nil || !s.Passed || len(s.FailureModes) > 0 {
		return false
	}
	return i.rubric.Score == nil || !slices.ContainsFunc(i.plan.BenchRun.Spec.Gates, func(g bench.Gate) bool { return s.Score < g.LowerBound })
}

// at is what a value has at the end of a path, nil for nothing.
func at(v any, path hcl.Traversal) any {
	for _, step := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[nameOf(step)]
		case []any:
			n := placeOf(step, len(x))
			if n < 0 {
				return nil
			}
			v = x[n]
		default:
			return nil
		}
	}
	return v
}

// put is a copy of a value with a text at the end of a path, at which [at] finds one.
func put(v any, path hcl.Traversal, text string) any {
	if len(path) == 0 {
		return text
	}
	switch x := v.(type) {
	case map[string]any:
		own, name := make(map[string]any, len(x)), nameOf(path[0])
		for key, e := range x {
			own[key] = e
		}
		own[name] = put(x[name], path[1:], text)
		return own
	case []any:
		own := slices.Clone(x)
		if n := placeOf(path[0], len(x)); n >= 0 {
			own[n] = put(x[n], path[1:], text)
		}
		return own
	}
	return v
}

// nameOf is the member that a step of a path goes to, "" for an element.
func nameOf(step hcl.Traverser) string {
	switch s := step.(type) {
	case hcl.TraverseAttr:
		return s.Name
	case hcl.TraverseIndex:
		if isText(s.Key) {
			return s.Key.AsString()
		}
	}
	return ""
}

// placeOf is the element of n that a step of a path goes to, -1 for none.
func placeOf(step hcl.Traverser, n int) int {
	s, is := step.(hcl.TraverseIndex)
	if !is || s.Key.Type() != cty.Number {
		return -1
	}
	if f, _ := s.Key.AsBigFloat().Int64(); f >= 0 && f < int64(n) {
		return int(f)
	}
	return -1
}
