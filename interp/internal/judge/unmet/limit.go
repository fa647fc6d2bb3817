package unmet

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A kind is what an upper limit is on.
type kind int

const (
	none    kind = iota
	lengths      // how long a text or a list is, or what a counter has counted
	crowds       // how many requests, or connections, there are at one time
	costs        // what is spent, together
	times        // how long something takes
)

// What conditions read, by kind: attempts are what grows with what a program asks.
var (
	together = []string{"in_flight_max", "connections", "connection"}
	spending = []string{"cost_usd", "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "total_tokens"}
	took     = []string{"elapsed_ms"}
	attempts = []string{"attempts", "calls"}
	// counted are lists whose limits are told of by what the file says of retries and loops.
	counted = []string{"attempts", "calls", "runs", "turns", "iterations", "retries", "delays_ms", "gaps_ms"}
)

// A bound is a comparison of a condition that may be an upper limit.
type bound struct {
	kind  kind
	of    hclsyntax.Expression
	turns bool // the limit is on the left
}

// boundIn is what a comparison may limit; its kind is none for anything else.
func (l *look) boundIn(e hclsyntax.Expression) bound {
	x, is := e.(*hclsyntax.BinaryOpExpr)
	if !is || !premise.IsOrder(x.Op) {
		return bound{}
	}
	for turned, sides := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
		if k := l.kindOf(dsl.Bare(sides[0])); k != none && !isOfRun(sides[1]) {
			return bound{k, dsl.Bare(sides[0]), turned == 1}
		}
	}
	return bound{}
}

func (l *look) kindOf(e hclsyntax.Expression) kind {
	switch x := e.(type) {
	case *hclsyntax.FunctionCallExpr:
		return l.kindOfCall(x)
	case *hclsyntax.ScopeTraversalExpr:
		name, _ := read.AttrName(x.Traversal, len(x.Traversal)-1)
		switch {
		case slices.Contains(took, name) && l.exec:
			return times
		case slices.Contains(together[:2], name) && l.exec:
			return crowds
		case slices.Contains(spending, name) && l.exec && !reads(e, attempts):
			return costs
		}
	case *hclsyntax.RelativeTraversalExpr:
		name, _ := read.AttrName(x.Traversal, len(x.Traversal)-1)
		if slices.Contains(took, name) && l.exec {
			return times
		}
	}
	return none
}

func (l *look) kindOfCall(x *hclsyntax.FunctionCallExpr) kind {
	switch {
	case len(x.Args) == 0 || !isOfRun(x):
		return none
	case x.Name == "length":
		switch {
		case reads(x, together) && l.exec:
			return crowds
		case !l.exec && (reads(x, counted) && !isOfRequest(x.Args[0]) || readsRoot(x, "steps") || read.HasQuery(x)):
			return none
		}
		return lengths
	case x.Name == "sut.metric":
		if l.exec && l.counts(x.Args[0]) {
			return lengths
		}
	case slices.Contains([]string{"sum", "max", "percentile"}, x.Name):
		for _, k := range []struct {
			kind
			is bool
		}{{times, reads(x, took) && l.exec && x.Name != "sum"}, {costs, reads(x, spending) && l.exec && x.Name == "sum"}, {lengths, x.Name == "max" && asksFor(x, "length") && (l.exec || isOfRequest(x))}} {
			if k.is {
				return k.kind
			}
		}
	}
	return none
}

// counts reports whether a metric of the program is a counter, which only grows.
func (l *look) counts(name hclsyntax.Expression) bool {
	v, diags := dsl.Evaluate(name, l.ctx)
	if diags.HasErrors() || l.o.Sut.Said == nil || v.IsMarked() || !v.IsKnown() || v.IsNull() || v.Type() != cty.String {
		return false
	}
	series, err := l.o.Sut.Said.Metrics(v.AsString())
	return err == nil && len(series) > 0 && !slices.ContainsFunc(series, func(s any) bool {
		o, _ := s.(map[string]any)
		return o["kind"] != "counter"
	})
}

// reads reports whether an expression reads an attribute of one of some names.
func reads(e hclsyntax.Expression, names []string) bool {
	for name := range read.Names(e) {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

func asksFor(e hclsyntax.Expression, name string) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		found = found || is && f.Name == name
	})
	return found
}

// isOfRequest reports whether an expression reads a part of a request.
func isOfRequest(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			found = found || read.IsRequest(x.Traversal)
		case *hclsyntax.RelativeTraversalExpr:
			found = found || read.IsRequest(x.Traversal)
		}
	})
	return found
}

// A trial is one evaluation of a part of a condition with other amounts in the place of those that it limits.
type trial struct {
	bounds  []bound
	instead func(b bound, n float64) float64

	most   float64 // the largest amount, with the limit on it
	limit  float64
	strict bool
	text   bool    // it is the length of a text
	all    float64 // all of them together
	of     kind
}

// measured begins the names of functions that stand in the place of comparisons. No file can write such a name.
const measured = "an amount "

// holds reports whether a part of a condition holds with other amounts, and whether that is known.
func (t *trial) holds(l *look, part hclsyntax.Expression, ctx *hcl.EvalContext) (holds, known bool) {
	inner := ctx.NewChild()
	inner.Functions = map[string]function.Function{}
	copied := dsl.Replaced(part, func(e hclsyntax.Expression) hclsyntax.Expression {
		b := l.boundIn(e)
		if b.kind == none {
			return nil
		}
		x := e.(*hclsyntax.BinaryOpExpr)
		name := measured + strconv.Itoa(len(t.bounds))
		t.bounds = append(t.bounds, b)
		inner.Functions[name] = t.compare(b, x.Op)
		of, limit, rng := b.of, x.RHS, x.Range()
		if b.turns {
			limit = x.LHS
		}
		if f, is := of.(*hclsyntax.FunctionCallExpr); is && f.Name == "length" {
			of = f.Args[0]
		}
		return &hclsyntax.FunctionCallExpr{Name: name, Args: []hclsyntax.Expression{of, limit}, NameRange: rng, OpenParenRange: rng, CloseParenRange: rng}
	})
	if len(t.bounds) == 0 {
		return false, false
	}
	v, diags := dsl.Evaluate(copied, inner)
	if diags.HasErrors() {
		return false, false
	}
	v, _ = v.Unmark()
	return v.RawEquals(cty.True), v.IsKnown()
}

// compare is a comparison of an amount, or of what has a length, with a limit.
func (t *trial) compare(b bound, op *hclsyntax.Operation) function.Function {
	if b.turns {
		op = premise.Turned(op)
	}
	param := func(name string) function.Parameter {
		return function.Parameter{Name: name, Type: cty.DynamicPseudoType, AllowMarked: true, AllowDynamicType: true}
	}
	return function.New(&function.Spec{
		Params: []function.Parameter{param("of"), param("limit")},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			n, text, is := amountOf(args[0])
			most, _, limited := amountOf(args[1])
			if !is || !limited || args[1].Type() != cty.Number {
				return cty.UnknownVal(cty.Bool), nil
			}
			t.all += n
			if n > t.most || t.of == none {
				t.most, t.limit, t.text, t.of = n, most, text, b.kind
				t.strict = op == hclsyntax.OpLessThan || op == hclsyntax.OpGreaterThanOrEqual // the latter chooses what there may be none of
			}
			if t.instead != nil {
				n = t.instead(b, n)
			}
			return op.Impl.Call([]cty.Value{cty.NumberFloatVal(n), cty.NumberFloatVal(most)})
		},
	})
}

// amountOf is a number, or how long a text or a list is.
func amountOf(v cty.Value) (n float64, text, is bool) {
	v, _ = v.Unmark()
	switch {
	case !v.IsKnown() || v.IsNull():
		return 0, false, false
	case v.Type() == cty.Number:
		n, _ = v.AsBigFloat().Float64()
		return n, false, true
	case v.Type() == cty.String:
		return float64(utf8.RuneCountInString(v.AsString())), true, true
	case v.CanIterateElements():
		return float64(v.LengthInt()), false, true
	}
	return 0, false, false
}

// far is more than any limit.
const far = 1e15

// limit says of a part of a condition that it is an upper limit that nothing of the run came to; "" where
// something did, and where the part, or another one with it, is a band.
func (l *look) limit(parts []hclsyntax.Expression, i int, ctx *hcl.EvalContext) string {
	part := parts[i]
	was, beyond := trial{}, trial{instead: func(bound, float64) float64 { return far }}
	if holds, known := was.holds(l, part, ctx); !holds || !known || was.of == none {
		return ""
	}
	if holds, known := beyond.holds(l, part, ctx); holds || !known {
		return ""
	}
	k := was.of
	if slices.ContainsFunc(was.bounds, func(b bound) bool { return b.kind != k }) {
		return ""
	}
	if k == times {
		return l.timeLimit(parts, i, ctx)
	}
	asked := l.asked(was.bounds)
	// A list that a program was given may have ended what it spends.
	ended := k == costs && l.endedWith(asked)
	more := trial{instead: func(_ bound, n float64) float64 {
		switch k {
		case crowds:
			return max(n, float64(tries(asked)))
		case costs:
			return n + l.costOfOne(asked, was.bounds)
		}
		return n + 1
	}}
	if holds, known := more.holds(l, part, ctx); was.most == 0 || !known || !holds && !ended {
		return ""
	}
	least := 1.0
	if k == costs && was.most < 1 {
		least = 1e-9
	}
	if k != crowds && l.isBand(parts, i, ctx, least) {
		return ""
	}
	allowed := "of at most " + number(was.limit)
	if was.strict {
		allowed = "of less than " + number(was.limit)
	}
	switch {
	case k == crowds:
		if len(asked) == 0 || slices.ContainsFunc(was.bounds, func(b bound) bool { return !readsRoot(b.of, "endpoint", "endpoints", "step") }) {
			return ""
		}
		return fmt.Sprintf("nothing can come to more than the limit: there are %s in the whole run, and so many may be there at one time, so a program that makes all of its requests at once passes as well.\nhint: let it make more requests than the limit allows (%s), and give each reply a latency, such as \"200ms\"", plural(tries(asked), "request"), number(was.limit))
	case ended:
		return fmt.Sprintf("the program asked %s %d times, once for each part of what it was given: that ended before the limit was reached, so a program that does not look at what it spends passes as well.\nhint: give it more than the limit allows, and check what it leaves out", names(asked), tries(asked))
	case k == costs:
		if unfinished(asked) {
			return ""
		}
		return fmt.Sprintf("nothing came to the limit: it is %s %s, and with one answer more it would keep the limit, too, so a program that does not look at what it spends passes as well.\nhint: give it so much to do that it would spend more than the limit, and check what it leaves out", number(was.most), allowed)
	case was.text:
		if l.given().text > was.limit {
			return "" // it was cut
		}
		return fmt.Sprintf("nothing came to the limit: the text has %s characters %s, and no text that was given is longer, so where nothing is cut off it would hold as well.\nhint: let the text be made of one that is longer than the limit (%s)", number(was.most), allowed, number(was.limit))
	case l.given().list > was.limit, was.all > was.limit && areOfRequests(was.bounds):
		return "" // it was divided or cut
	case l.exec && unfinished(asked):
		return "" // more would have come
	}
	return fmt.Sprintf("nothing came to the limit: the most is %s %s, and no list that was given is longer, so without any limit it would hold as well.\nhint: let there be more to do than the limit allows (%s), such as a longer list; where it is on tries or on turns, let every attempt fail, or a model ask for tools without end", number(was.most), allowed, number(was.limit))
}

// areOfRequests reports whether what is limited are lists and texts as requests have them, and nothing made of
// several.
func areOfRequests(bounds []bound) bool {
	return !slices.ContainsFunc(bounds, func(b bound) bool {
		f, is := b.of.(*hclsyntax.FunctionCallExpr)
		if !is || f.Name != "length" {
			return true
		}
		switch x := dsl.Bare(f.Args[0]).(type) {
		case *hclsyntax.ScopeTraversalExpr:
			return !read.IsRequest(x.Traversal)
		case *hclsyntax.RelativeTraversalExpr:
			return !read.IsRequest(x.Traversal)
		}
		return true
	})
}

// isBand reports whether a part, or another one that reads the same, does not hold with as little as a limit
// allows: both together say how much there has to be.
func (l *look) isBand(parts []hclsyntax.Expression, i int, ctx *hcl.EvalContext, least float64) bool {
	own := l.limitedIn(parts[i])
	for j, part := range parts {
		if j != i && !slices.ContainsFunc(l.limitedIn(part), func(s string) bool { return slices.Contains(own, s) }) {
			continue
		}
		low := trial{instead: func(bound, float64) float64 { return least }}
		if holds, known := low.holds(l, part, ctx); known && !holds {
			return true
		}
	}
	return false
}

// limitedIn is what comparisons of a part limit, as it is written.
func (l *look) limitedIn(part hclsyntax.Expression) (list []string) {
	dsl.EachExpr(part, func(e hclsyntax.Expression) {
		if b := l.boundIn(e); b.kind != none {
			list = append(list, strings.Join(strings.Fields(string(dsl.AppendSource(nil, b.of))), " "))
		}
	})
	return list
}

// asked are the endpoints that limits are on, all of them where a limit names none, without those that nobody
// asked.
func (l *look) asked(bounds []bound) (list []*observe.StepResult) {
	named := false
	add := func(s *observe.StepResult) {
		if s != nil && s.Step.Endpoint != nil && s.Tries() > 0 && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	for _, b := range bounds {
		for t := range dsl.Variables(b.of) {
			if name, is := read.AttrName(t, 1); is && (t.RootName() == "endpoint" || t.RootName() == "step") {
				if s := l.o.Steps[name]; s != nil && s.Step.Endpoint != nil {
					named = true
					add(s)
				}
			}
		}
	}
	for _, n := range l.o.Plan.Endpoints {
		if !named {
			add(l.o.Steps[n.Name])
		}
	}
	return list
}

func readsRoot(e hclsyntax.Expression, roots ...string) bool {
	for t := range dsl.Variables(e) {
		if slices.Contains(roots, t.RootName()) {
			return true
		}
	}
	return false
}

func tries(asked []*observe.StepResult) (n int) {
	for _, s := range asked {
		n += s.Tries()
	}
	return n
}

func names(asked []*observe.StepResult) string {
	var list []string
	for _, s := range asked {
		list = append(list, s.Name)
	}
	return strings.Join(list, " and ")
}

// unfinished reports whether a program would have gone on, or come again, if nothing had kept it from that:
// its last attempt failed, it was asked for a tool, or it was told the same again when it asked the same.
func unfinished(asked []*observe.StepResult) bool {
	return slices.ContainsFunc(asked, func(s *observe.StepResult) bool {
		list := s.Asked()
		if len(list) == 0 {
			return true
		}
		last := list[len(list)-1]
		if last.End == nil || last.End.Outcome != read.StatusSuccess || len(last.End.ToolCalls) > 0 {
			return true
		}
		if len(list) < 2 {
			return false
		}
		before := list[len(list)-2]
		return before.End != nil && before.End.By == last.End.By && before.End.Entry == last.End.Entry && before.Request.Equal(last.Request)
	})
}

// costOfOne is the most that one answer adds to what is limited.
func (l *look) costOfOne(asked []*observe.StepResult, bounds []bound) (most float64) {
	if len(asked) == 0 {
		return far
	}
	of := func(name string) bool {
		return slices.ContainsFunc(bounds, func(b bound) bool { return reads(b.of, []string{name}) })
	}
	for _, s := range asked {
		for _, a := range s.Asked() {
			if a.End == nil {
				continue
			}
			u, n := a.End.Usage, 0.0
			switch {
			case of("cost_usd"):
				n = a.End.CostUSD
			case of("prompt_tokens") || of("input_tokens"):
				n = float64(u.Prompt)
			case of("completion_tokens") || of("output_tokens"):
				n = float64(u.Completion)
			default:
				n = float64(u.Total)
			}
			most = max(most, n)
		}
	}
	if most == 0 {
		return far
	}
	return most
}

// endedWith reports whether a program asked once for each element of a list that it was given, or each line of
// a text, and none has more; and every answer was a success.
func (l *look) endedWith(asked []*observe.StepResult) bool {
	n := tries(asked)
	if n < 2 || slices.ContainsFunc(asked, func(s *observe.StepResult) bool { return !s.AllSucceeded() }) {
		return false
	}
	g := l.given()
	return g.list == float64(n)
}

func number(n float64) string {
	if n == math.Trunc(n) {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Round(n*1e9)/1e9, 'f', -1, 64)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
