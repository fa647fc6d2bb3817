package mutate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Bounds of what is added: values that scenarios give in all, and to one list.
const (
	givenMax = 5000
	addedMax = 8
)

// A given value is one that a scenario gives a program, and where: "inputs", "on " and the name of a step, or "".
type given struct {
	value cty.Value
	where string
}

// A met failure is one that a scenario injects at a step, in the words of retry_on.
type met struct{ word, step string }

// collect notes the members of an object that a scenario gives.
func (m *members) collect(x *hclsyntax.ObjectConsExpr, where string) {
	for _, item := range x.Items {
		name := keyName(item.KeyExpr)
		v, written := dsl.Literal(item.ValueExpr)
		if m.values < givenMax && name != "" && written && !v.IsNull() && v.IsKnown() && (v.Type() == cty.Number || v.Type() == cty.String) {
			m.values++
			m.given[name] = append(m.given[name], given{v, where})
		}
	}
}

// where says of a block of a scenario to whom it gives what is in it.
func where(b *dsl.Block, a *dsl.Attr, around string) string {
	if b.Type == "scenario" && a.Name == "inputs" {
		return "inputs"
	}
	return around
}

// lastName is the name of a step in an address.
func lastName(address string) string { return address[strings.LastIndexByte(address, '.')+1:] }

// note remembers what a block says of failures: a fault that a scenario injects, an answer that is one, and which
// steps have a policy of retries.
func (m *members) note(b *dsl.Block, around string, src []byte, program bool) {
	if program {
		if a := b.Attr("retry"); a != nil {
			user := ""
			if b.Type == "step" || b.Type == "sub" {
				user = lastName(b.Name())
			}
			policy := string(a.Expr.Range().SliceBytes(src))
			m.users[policy] = append(m.users[policy], user)
		}
		return
	}
	step, is := strings.CutPrefix(around, "on ")
	if !is {
		return
	}
	word, kind := "", ""
	if b.Type == "fault" && len(b.Labels) > 0 {
		kind = b.Labels[0]
	}
	switch status, written := literalOf(b, "status_code"); {
	case kind == "timeout":
		word = "timeout"
	case strings.HasPrefix(kind, "connection_"):
		word = strings.Replace(kind, "_", ".", 1)
	case written && status.Type() == cty.Number: // of a status, or of a reply
		if n, _ := status.AsBigFloat().Int64(); n >= 400 && n < 600 {
			word = strconv.FormatInt(n, 10)
		}
	}
	if word != "" && len(m.met) < givenMax {
		m.met = append(m.met, met{word, step})
	}
}

func literalOf(b *dsl.Block, name string) (cty.Value, bool) {
	a := b.Attr(name)
	if a == nil {
		return cty.NilVal, false
	}
	v, written := dsl.Literal(a.Expr)
	return v, written && !v.IsNull()
}

// retryOn are the changes of what a policy tries again: whatever is worth it, one of several kinds of failures not,
// or one more, which a scenario injects where the policy is used.
func retryOn(s *site) []edit {
	a := s.Attr("retry_on")
	if a == nil {
		return nil
	}
	tuple, is := a.Expr.(*hclsyntax.TupleConsExpr)
	if is && len(tuple.Exprs) == 0 { // it is the default
		return nil
	}
	list := s.drop("retry_on")
	if !is {
		return list
	}
	var words []string
	for _, e := range tuple.Exprs {
		v, written := dsl.Literal(e)
		switch {
		case !written || v.IsNull():
			return list
		case v.Type() == cty.Number:
			words = append(words, v.AsBigFloat().Text('f', -1))
		case isText(v):
			words = append(words, v.AsString())
		}
	}
	put := func(what, text string) {
		list = append(list, edit{keeps: "retry_on", what: "retry_on: " + what, rng: a.Range, text: replaced(s.src, tuple.Range(), withRows("["+text+"]", s.source(tuple.Range())))})
	}
	for i, e := range tuple.Exprs {
		if len(tuple.Exprs) < 2 || len(tuple.Exprs) != len(words) {
			break
		}
		others := slices.Delete(s.texts(tuple.Exprs), i, i+1)
		put(s.brief(e.Range())+" left out", strings.Join(others, ", "))
	}
	mode := func(word string) bool { // of a mode nobody knows here which failures it has
		return word != "timeout" && !strings.HasPrefix(word, "connection") && strings.Trim(word, "0123456789x") != ""
	}
	if s.near == nil || s.Type != "retry" || slices.ContainsFunc(words, mode) {
		return list
	}
	m := s.near()
	users := m.users[s.name()]
	for _, f := range m.met {
		if slices.Contains(words, f.word) || slices.Contains(words, f.word[:1]+"xx") || slices.Contains(words, strings.Split(f.word, ".")[0]) ||
			!slices.Contains(users, f.step) && !slices.Contains(users, "") {
			continue
		}
		words = append(words, f.word)
		word := strconv.Quote(f.word)
		put(word+" added", strings.Join(append(s.texts(tuple.Exprs), word), ", "))
	}
	return list
}

func (s *site) texts(list []hclsyntax.Expression) []string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = s.source(e.Range())
	}
	return texts
}

// withRows is a list that has as many lines as another one.
func withRows(text, as string) string {
	missing := strings.Count(as, "\n") - strings.Count(text, "\n")
	return strings.TrimSuffix(text, "]") + strings.Repeat("\n", max(0, missing)) + "]"
}

// wider lets contains(LIST, VALUE) hold for one value more, which a scenario gives in the place of VALUE and which is
// not in the list: a list that is too wide looks like one that is right unless something depends on that value.
func wider(s *site) []edit {
	if s.near == nil {
		return nil
	}
	var list []edit
	for _, a := range s.Attrs {
		vars := forVariables(a.Expr)
		_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			call, is := n.(*hclsyntax.FunctionCallExpr)
			if !is || call.Name != "contains" || len(call.Args) != 2 || call.ExpandFinal {
				return nil
			}
			one, is := dsl.Bare(call.Args[1]).(*hclsyntax.ScopeTraversalExpr)
			if !is || !readsMember(one.Traversal, vars) {
				return nil
			}
			last, is := one.Traversal[len(one.Traversal)-1].(hcl.TraverseAttr)
			known, written := s.near().elements(call.Args[0], 0)
			if !is || !written || len(known) == 0 {
				return nil
			}
			added := 0
			for _, g := range s.near().given[last.Name] {
				text, ok := asWritten(g.value)
				if !ok || added >= addedMax || g.value.Type() != known[0].Type() || !fits(one.Traversal, g.where) || slices.ContainsFunc(known, g.value.RawEquals) {
					continue
				}
				known = append(known, g.value)
				added++
				whole := s.source(call.Range())
				with := fmt.Sprintf("(%s || %s == %s)", whole, s.source(one.Range()), text)
				list = append(list, s.part(a, call.NameRange, fmt.Sprintf("%s added to %s", text, s.brief(call.Args[0].Range())), spliced(s.src, call.Range().Start.Byte, call.Range().End.Byte, with)))
			}
			return nil
		})
	}
	return list
}

// asWritten is a value as it is written; ok is false for a long text, and for one that needs signs before it.
func asWritten(v cty.Value) (text string, ok bool) {
	if v.Type() == cty.Number {
		return v.AsBigFloat().Text('f', -1), true
	}
	text = v.AsString()
	return strconv.Quote(text), len(text) <= wordMax && !strings.ContainsAny(text, "\\\"$%\n\r\t")
}

// fits reports whether what is given somewhere may be what a traversal reads.
func fits(t hcl.Traversal, where string) bool {
	switch t.RootName() {
	case "input":
		return where == "inputs"
	case "step":
		of, is := t[1].(hcl.TraverseAttr)
		return is && where == "on "+of.Name
	}
	return true
}

// elements are those of a list that is written out, here or in a local; ok is false for any other one.
func (m *members) elements(e hclsyntax.Expression, depth int) (list []cty.Value, ok bool) {
	if depth > nestedMax {
		return nil, false
	}
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.TupleConsExpr:
		for _, one := range x.Exprs {
			v, written := dsl.Literal(one)
			if !written || v.IsNull() {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case *hclsyntax.ScopeTraversalExpr:
		if of := m.local(x.Traversal); of != nil {
			return m.elements(of, depth+1)
		}
	case *hclsyntax.FunctionCallExpr:
		if !slices.Contains([]string{"toset", "concat", "setunion", "sort", "distinct"}, x.Name) {
			return nil, false
		}
		for _, arg := range x.Args {
			more, written := m.elements(arg, depth+1)
			if !written {
				return nil, false
			}
			list = append(list, more...)
		}
		return list, true
	}
	return nil, false
}

// local is what a local says, nil where a traversal reads none.
func (m *members) local(t hcl.Traversal) hclsyntax.Expression {
	if len(t) != 2 || t.RootName() != "local" {
		return nil
	}
	name, is := t[1].(hcl.TraverseAttr)
	if !is {
		return nil
	}
	return m.locals[name.Name]
}

// keys are the names of the members of an object that is written out, here or in a local; ok is false for any other.
func (m *members) keys(e hclsyntax.Expression) (names []string, ok bool) {
	e = dsl.Bare(e)
	if x, is := e.(*hclsyntax.ScopeTraversalExpr); is && m.local(x.Traversal) != nil {
		e = dsl.Bare(m.local(x.Traversal))
	}
	x, is := e.(*hclsyntax.ObjectConsExpr)
	if !is {
		return nil, false
	}
	for _, item := range x.Items {
		name := keyName(item.KeyExpr)
		if name == "" {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

// merged leaves out each argument of merge, and swaps neighbours, of which the later one says what counts. The first
// of all others is left out as any call is. What is left out is still evaluated.
func (s *site) merged(a *dsl.Attr, call *hclsyntax.FunctionCallExpr) []edit {
	if call.Name != "merge" || call.ExpandFinal || len(call.Args) < 2 {
		return nil
	}
	var list []edit
	for i, arg := range call.Args {
		if i == 0 || len(call.Args) > 2 { // of two, the call is its first argument otherwise
			rng := arg.Range()
			with := "try({ for k, v in (" + s.source(rng) + ") : k => v if false }, {})"
			list = append(list, s.part(a, rng, fmt.Sprintf("%s left out of merge", s.brief(rng)), spliced(s.src, rng.Start.Byte, rng.End.Byte, with)))
		}
		if i+1 == len(call.Args) || s.disjoint(arg, call.Args[i+1]) {
			continue
		}
		one, other := arg.Range(), call.Args[i+1].Range()
		text := s.source(other) + string(s.src[one.End.Byte:other.Start.Byte]) + s.source(one)
		list = append(list, s.part(a, call.NameRange, fmt.Sprintf("%s and %s swapped in merge", s.brief(one), s.brief(other)), spliced(s.src, one.Start.Byte, other.End.Byte, text)))
	}
	return list
}

// swapped puts the second of two neighbours first of which the first one counts that there is: of coalesce, of try, and
// of a choice such as x != null ? x : y. One that is written as it is comes last.
func (s *site) swapped(a *dsl.Attr, n hclsyntax.Node) (list []edit) {
	put := func(of string, rng hcl.Range, one, other hclsyntax.Expression, text string) {
		_, written := dsl.Literal(one)
		_, alsoWritten := dsl.Literal(other)
		if !written && !alsoWritten && s.source(one.Range()) != s.source(other.Range()) {
			list = append(list, s.part(a, rng, fmt.Sprintf("%s and %s swapped in %s", s.brief(one.Range()), s.brief(other.Range()), of), replaced(s.src, rng, text)))
		}
	}
	switch x := n.(type) {
	case *hclsyntax.FunctionCallExpr:
		for i := 0; (x.Name == "coalesce" || x.Name == "try") && !x.ExpandFinal && i+1 < len(x.Args); i++ {
			one, other := x.Args[i], x.Args[i+1]
			first, second := s.ofStep(one), s.ofStep(other)
			if first != "" && (first == second && x.Name == "try" || first != second && (s.sometimes(first) || s.sometimes(second))) {
				continue // two forms of one answer, or what comes from one step or from the other
			}
			between := string(s.src[one.Range().End.Byte:other.Range().Start.Byte])
			put(x.Name, hcl.RangeBetween(one.Range(), other.Range()), one, other, s.source(other.Range())+between+s.source(one.Range()))
		}
	case *hclsyntax.ConditionalExpr:
		cond, is := dsl.Bare(x.Condition).(*hclsyntax.BinaryOpExpr)
		if !is || !dsl.IsComparison(cond.Op) {
			break
		}
		first, second := x.TrueResult, x.FalseResult
		if dsl.IsEqual(cond.Op) {
			first, second = second, first
		}
		if _, written := dsl.Literal(cond.RHS); written && s.source(cond.LHS.Range()) == s.source(first.Range()) {
			text := s.source(second.Range())
			put("the choice", x.Range(), first, second, withLines(fmt.Sprintf("((%s) != %s ? %[1]s : %s)", text, s.source(cond.RHS.Range()), s.source(first.Range())), s.source(x.Range())))
		}
	}
	return list
}

// ofStep is the step whose result an expression is a part of, "" for any other expression.
func (s *site) ofStep(e hclsyntax.Expression) string {
	x, is := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
	if !is || len(x.Traversal) < 2 || x.Traversal.RootName() != "step" {
		return ""
	}
	name, _ := x.Traversal[1].(hcl.TraverseAttr)
	return name.Name
}

// sometimes reports whether a step beside the block, or in it, has a condition.
func (s *site) sometimes(step string) bool {
	steps := s.All("step")
	if s.Parent != nil {
		steps = slices.Concat(steps, s.Parent.All("step"))
	}
	return slices.ContainsFunc(steps, func(b *dsl.Block) bool { return b.Name() == step && b.Attr("when") != nil })
}

// disjoint reports whether two objects that are written out have no member in common.
func (s *site) disjoint(a, b hclsyntax.Expression) bool {
	m := &members{}
	if s.near != nil {
		m = s.near()
	}
	of, known := m.keys(a)
	others, alsoKnown := m.keys(b)
	return known && alsoKnown && !slices.ContainsFunc(of, func(name string) bool { return slices.Contains(others, name) })
}

// defaults give another value where nothing is found: much more, nothing, or the other one.
func (s *site) defaults(a *dsl.Attr, call *hclsyntax.FunctionCallExpr) []edit {
	n := len(call.Args)
	if call.ExpandFinal || !(call.Name == "lookup" && n == 3 || (call.Name == "try" || call.Name == "coalesce") && n > 1) {
		return nil
	}
	last := call.Args[n-1]
	var list []edit
	put := func(to string) {
		rng := last.Range()
		e := s.part(a, rng, fmt.Sprintf("default of %s: %s → %s", call.Name, s.source(rng), to), replaced(s.src, rng, to))
		e.part = true
		list = append(list, e)
	}
	v, written := dsl.Literal(last)
	if !written || v.IsNull() {
		return nil
	}
	switch v.Type() {
	case cty.Number:
		if f, _ := v.AsBigFloat().Float64(); f == 0 {
			put("1000000")
		} else {
			put(shown(f * 1000))
			put("0")
		}
	case cty.Bool:
		put(strconv.FormatBool(v.False()))
	case cty.String:
		text := s.source(last.Range())
		if !strings.HasSuffix(text, `"`) {
			break // a heredoc
		}
		if v.AsString() == "" {
			put(`"x"`)
			break
		}
		at := last.Range().End.Byte - 1
		e := s.part(a, last.Range(), "default of "+call.Name+": another text", spliced(s.src, at, at, " x"))
		e.part = true
		list = append(list, e)
	}
	return list
}
