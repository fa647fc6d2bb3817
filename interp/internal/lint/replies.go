package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// answered are the attributes of a reply that a step has as its result.
var answered = []string{"content", "json", "body", "status_code", "rows", "affected", "structured", "headers", "model", "finish_reason", "tool_calls", "turns"}

// priced are the attributes of a reply that say what it costs, which is that of its step, and of the
// run if that has no other.
var priced = []string{"cost_usd", "usage"}

// replies are what the scripts of a scenario answer.
type replies struct {
	// single are the steps whose script has one reply, whatever fails before it.
	single map[string]bool
	// only are the steps where nothing fails, and the reply comes in time: at once, or late
	// where nothing in the file has a deadline. Before it may come others that ask for tools.
	only map[string]bool
	// replies are the last ones of all of single and only.
	replies map[string]*dsl.Block
	// others says that there is a script which is none of only, and none of stray.
	others bool
	// stray are the scripts whose fault need not matter to what is checked, in workflow.
	stray    []*strayFault
	workflow *dsl.Block
	// computed are the steps that make something of their answer, which is a check or a
	// value of their own.
	computed map[string]bool
	// output is the step whose answer the workflow gives as its own, "" for none.
	output string
	checks []*dsl.Block
}

// newReplies reads the scripts of a scenario that runs a workflow. patient says that nothing
// in the file has a deadline, so that it does not matter how late a reply comes, and unbounded that
// nothing has a budget, so that it does not matter what one costs.
func newReplies(s, workflow *dsl.Block, patient, unbounded bool) *replies {
	r := &replies{workflow: workflow, single: map[string]bool{}, only: map[string]bool{}, computed: map[string]bool{}, replies: map[string]*dsl.Block{}}
	for _, step := range workflow.All("step") {
		r.computed[step.Name()] = step.First("validate") != nil || step.Attr("output") != nil
	}
	for _, b := range s.Blocks {
		if b.Type != "on" {
			r.checks = append(r.checks, b)
			continue
		}
		only := onlyReply(b, patient, unbounded)
		r.only[b.Name()] = only
		if of := strayFaultOf(b, workflow); of != nil {
			r.stray = append(r.stray, of)
		} else {
			r.others = r.others || !only
		}
		if r.single[b.Name()] = oneReply(b); only || r.single[b.Name()] {
			list := b.All("reply")
			r.replies[b.Name()] = list[len(list)-1]
		}
	}
	if path, is := workflow.Expr("output").(*hclsyntax.ScopeTraversalExpr); is && path.Traversal.RootName() == "step" {
		r.output = r.stepOf(path.Traversal)
	}
	return r
}

// onlyReply reports whether a script is one reply that comes in time, behind those that ask
// for tools: a model says which.
func onlyReply(on *dsl.Block, patient, unbounded bool) bool {
	list := on.All("reply")
	if len(list) == 0 || len(list) != len(on.Blocks) || len(on.Attrs) > 0 {
		return false
	}
	for i, b := range list {
		if len(b.Blocks) > 0 || i < len(list)-1 && b.Attr("tool_calls") == nil || slices.ContainsFunc(b.Attrs, func(a *dsl.Attr) bool {
			return !slices.Contains(answered, a.Name) && !(patient && a.Name == "latency") && !(unbounded && len(list) == 1 && slices.Contains(priced, a.Name))
		}) {
			return false
		}
	}
	return true
}

// limitsTime reports whether anything in a block has a deadline.
func limitsTime(b *dsl.Block) bool {
	return slices.ContainsFunc(b.Attrs, func(a *dsl.Attr) bool { return strings.HasSuffix(a.Name, "timeout") }) ||
		slices.ContainsFunc(b.Blocks, limitsTime)
}

// limitsCosts reports whether anything in a block has a budget, or may cost no more than so much.
func limitsCosts(b *dsl.Block) bool {
	return slices.ContainsFunc(b.Attrs, func(a *dsl.Attr) bool { return a.Name == "budget" || a.Name == "cost_cap" }) ||
		slices.ContainsFunc(b.Blocks, func(b *dsl.Block) bool { return b.Type == "budget" || limitsCosts(b) })
}

// costOf is the step of whose reply what a step costs, or the run of one step, is a part; "" where the
// reply says nothing of it.
func (r *replies) costOf(step, attr string) string {
	if steps := r.workflow.All("step"); step == "run" && len(steps) == 1 {
		step = steps[0].Name()
	}
	if b := r.replies[step]; b == nil || !slices.Contains(priced, attr) || b.Attr(attr) == nil {
		return ""
	}
	return step
}

// oneReply reports whether a script has one reply, which is played once.
func oneReply(on *dsl.Block) bool {
	list := on.All("reply")
	return len(list) == 1 && len(on.Attrs) == 0 && list[0].Attr("times") == nil && len(list[0].Blocks) == 0 && on.First("dynamic") == nil
}

// repeats is the first check of a scenario of which each reads replies alone, nil where one
// reads more, or where more happens than that its scripts answer.
func (r *replies) repeats() (at *hcl.Range) {
	if r.others {
		return nil
	}
	for _, b := range r.checks {
		repeated := false
		if !r.apart(b) {
			return nil
		}
		switch b.Type {
		case "expect":
			repeated = r.expected(b)
		case "assert":
			repeated = len(r.read(b.Expr("condition"), r.only)) > 0 && !r.contradicted(b.Expr("condition"))
		case "snapshot":
			repeated = len(r.read(b.Expr("value"), r.only)) > 0
		}
		if !repeated {
			return nil
		}
		if at == nil {
			at = b.DefRange.Ptr()
		}
	}
	return at
}

// apart reports whether what a check reads is the same whatever becomes of the faults beside it.
func (r *replies) apart(check *dsl.Block) bool {
	if len(r.stray) == 0 {
		return true
	}
	refers := references{}
	refers.addBlock(check)
	expected := check.Type == "expect" && check.Name() == "run"
	steps := r.read(cmp.Or(check.Expr("condition"), check.Expr("value")), r.only)
	if check.Type == "expect" {
		steps = []string{check.Name()}
		if expected {
			steps = []string{r.output}
		}
	}
	return !slices.ContainsFunc(r.stray, func(b *strayFault) bool {
		return b.optional && (expected || refers.to("run", "output")) ||
			slices.ContainsFunc(steps, func(step string) bool { return b.reaches(step, r.workflow) })
	})
}

// expected reports whether a block expects of a step, or of the run, what a reply decides.
func (r *replies) expected(b *dsl.Block) (repeats bool) {
	for _, a := range b.Attrs {
		if costs := r.costOf(b.Name(), a.Name); r.only[costs] && !r.computed[costs] && r.reads(a.Expr, r.only, nil) {
			repeats = true
			continue
		}
		step := b.Name()
		if step == "run" {
			step = r.output
		}
		if !r.only[step] || r.computed[step] {
			return false
		}
		if text, written := writtenText(a.Expr); a.Name == "status" && written && text == "success" {
			continue
		}
		given := slices.Contains(answered, a.Name) && b.Name() != "run" || a.Name == "output"
		if !given || !r.reads(a.Expr, r.only, nil) || r.other(step, a.Name, a.Expr) {
			return false
		}
		repeats = true
	}
	return repeats
}

// contradicted reports whether a condition asks for another text than the one that a reply
// says, so that it does not hold, and says so itself.
func (r *replies) contradicted(condition hclsyntax.Expression) bool {
	return slices.ContainsFunc(dsl.Conjuncts(condition), func(e hclsyntax.Expression) bool {
		x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
		if !is || !dsl.IsEqual(x.Op) {
			return false
		}
		for _, sides := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
			path, is := dsl.Bare(sides[0]).(*hclsyntax.ScopeTraversalExpr)
			if !is || len(path.Traversal) != 3 {
				continue
			}
			attr, _ := read.AttrName(path.Traversal, 2)
			if r.other(r.stepOf(path.Traversal), attr, sides[1]) {
				return true
			}
		}
		return false
	})
}

// other reports whether what is asked of an attribute of a step is written, and is not what
// its reply says there.
func (r *replies) other(step, attr string, asked hclsyntax.Expression) bool {
	if reply := r.replies[step]; reply != nil && reply.Expr(attr) != nil {
		said, is := writtenText(reply.Expr(attr))
		want, written := writtenText(asked)
		return is && written && said != want
	}
	return false
}

// compared are the steps whose replies a condition compares with each other, nil where it
// compares none, or reads anything else.
func (r *replies) compared(condition hclsyntax.Expression) []string {
	if condition == nil || r.read(condition, r.single) == nil {
		return nil
	}
	for _, e := range dsl.Conjuncts(condition) {
		if steps := r.read(e, r.single); len(steps) > 1 {
			return steps
		}
	}
	return nil
}

// read are the steps of which an expression reads replies, nil where it reads anything else.
func (r *replies) read(e hclsyntax.Expression, of map[string]bool) (steps []string) {
	if e == nil || !r.reads(e, of, func(step string) {
		if !slices.Contains(steps, step) {
			steps = append(steps, step)
		}
	}) {
		return nil
	}
	return steps
}

// reads reports whether an expression reads, of all that runs decide, the replies of some
// steps alone, and names them.
func (r *replies) reads(e hclsyntax.Expression, of map[string]bool, step func(string)) bool {
	asked := toolsIn(e)
	for t := range dsl.Variables(e) {
		if !read.IsObserved(t.RootName()) || t.RootName() == "input" {
			continue
		}
		name := r.stepOf(t)
		if asked[t.SourceRange().Start.Byte] {
			name, _ = read.AttrName(t, 1)
		}
		if !of[name] || r.computed[name] {
			return false
		}
		if step != nil {
			step(name)
		}
	}
	return !read.HasQuery(e)
}

// stepOf is the step of whose reply a path is a part, "" where it is none.
func (r *replies) stepOf(t hcl.Traversal) string {
	first, _ := read.AttrName(t, 1)
	attr, _ := read.AttrName(t, 2)
	switch {
	case t.RootName() == "run" && first == "output":
		return r.output
	case t.RootName() == "run":
		return r.costOf("run", first)
	case t.RootName() == "step" && slices.Contains(priced, attr):
		return r.costOf(first, attr)
	case t.RootName() == "step" && (attr == "output" || slices.Contains(answered, attr)):
		return first
	}
	return ""
}

// toolsIn are the places of the lists of messages of which an expression reads, in a loop, only
// who says them and which tools they ask for: those that a model asked for stand in the next
// request to it, whatever the workflow does.
func toolsIn(e hclsyntax.Expression) map[int]bool {
	var places map[int]bool
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		loop, is := e.(*hclsyntax.ForExpr)
		if !is {
			return
		}
		list, is := dsl.Bare(loop.CollExpr).(*hclsyntax.ScopeTraversalExpr)
		if !is || list.Traversal.RootName() != "step" || !strings.HasSuffix(dsl.TraversalText(list.Traversal), ".request.json.messages") {
			return
		}
		tools := false
		for _, part := range []hclsyntax.Expression{loop.KeyExpr, loop.ValExpr, loop.CondExpr} {
			if part == nil {
				continue
			}
			for t := range dsl.Variables(part) {
				if t.RootName() != loop.ValVar {
					continue
				}
				switch attr, _ := read.AttrName(t, 1); attr {
				case "tool_calls":
					tools = true
				case "role":
				default:
					return
				}
			}
		}
		if tools {
			if places == nil {
				places = map[int]bool{}
			}
			places[list.Range().Start.Byte] = true
		}
	})
	return places
}
