package judge

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/certain"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/judge/regrouped"
	"github.com/scenario-lang/scenario/interp/internal/judge/rows"
	"github.com/scenario-lang/scenario/interp/internal/judge/sealed"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// aboutNothing says why a condition that holds does so over nothing, "" where it
// does not. All that it says is said of the elements of lists that are empty, of
// values that are not there, of what nothing came to, or of intervals that are
// empty; or its value is decided before anything is observed. A part of it that
// is joined with && and says something else is enough, but not beside a part that
// says of what came one at a time that it was kept apart.
//
// What there is nothing of counts as unknown: the result of a quantifier over an
// empty list, a comparison of null with null, an operand of a step that never
// ran. What is known all the same does not rest on it.
func (c *checker) aboutNothing(a *plan.Assertion) (why string) {
	c.source = a.Source
	condition, always := certain.Without(a.Condition, c.shapes)
	parts := dsl.Conjuncts(premise.Plainly(condition))
	for _, part := range parts {
		if why = cmp.Or(c.orderedByFile(part), c.absentSoFar(part), c.withheld(part), c.neverEqual(part), c.byChance(part), sealed.Unread(part, c.run.Obs, c.ctx)); why != "" {
			return why
		}
	}
	chosen := always || c.mentions(a, choices)
	if len(parts) > 1 && c.mentions(a, exclusion) {
		for _, part := range parts {
			if why = c.partAboutNothing(part, chosen); isOfExclusion(why) {
				return why
			}
		}
	}
	if slices.ContainsFunc(parts, c.showsAtSight) {
		return ""
	}
	for _, part := range parts {
		now := c.partAboutNothing(part, chosen)
		if always && now == ofNoRun {
			now = certain.OfCertain
		}
		if now == "" {
			return ""
		}
		why = now
	}
	return why
}

// ofPart says of a part of a condition what [ofNothing] says of a whole one.
const ofPart = "a part of it holds of 0 of 0, and no other part says how many there are of what it quantifies over: that part shows nothing here.\nhint: say how many there have to be, such as length(…) == 2 of the same list"

// inPart says why a part of a condition shows nothing of which another part shows something: it
// quantifies over an empty list, or limits what came near no limit, and no other part reads that; or
// it allows all that an element of a list may be of which the others read the length alone. "" where
// there is no such part.
func (c *checker) inPart(a *plan.Assertion) string {
	parts := dsl.Conjuncts(premise.Plainly(a.Condition))
	for i, part := range parts {
		if why := cmp.Or(c.uncapped(part), c.run.others.Part(part, c.needs)); why != "" {
			return why
		}
		if len(parts) == 1 || premise.Elsewhere(parts, i) {
			continue
		}
		if premise.OnlyCounted(parts, i) {
			if why := c.allowsWhatMayCome(part, given.OfChoicesInPart); why != "" {
				return why
			}
		}
		if readsAny(part, given.Limited) {
			why := c.few(part)
			if why == "" && readsAny(part, given.AtOnce) {
				why = c.partAboutNothing(part, false)
			}
			if why != "" && !strings.HasPrefix(why, given.OfFew) && !strings.HasPrefix(why, given.OfEnough) {
				return why
			}
		}
		if !mentionsCall(part, "alltrue") || len(premise.Paths(part)) == 0 || c.showsAtSight(part) {
			continue
		}
		switch why := c.partAboutNothing(part, false); {
		case why == ofNothing:
			return ofPart
		case strings.HasPrefix(why, regrouped.Counted):
			return why
		}
	}
	return ""
}

// choices are how a condition begins to read what its file chooses.
var choices = []string{"var.", "local.", "true", "false"}

// exclusion are the words of conditions about what is kept apart or told apart, and of
// those that look for lines.
var exclusion = []string{"overlaps", "waited_ms", "distinct", "toset", "regex"}

// mentions reports whether one of some words is in the source of a condition.
func (c *checker) mentions(a *plan.Assertion, words []string) bool {
	rng := a.Condition.Range()
	if !rng.CanSliceBytes(a.Source) {
		return false
	}
	source := rng.SliceBytes(a.Source)
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(source, []byte(w)) })
}

// idleSteps reports whether there are steps that never ran.
func idleSteps(o *observe.Observed) bool {
	for _, s := range o.Steps {
		if s.NeverRan() {
			return true
		}
	}
	return false
}

// stepErrors is the attribute of a step that is null after a success, too.
const stepErrors = "error"

// Why a condition shows nothing.
const (
	ofNothing = "it holds of 0 of 0: what it quantifies over was empty, so it shows nothing here.\nhint: say how many there have to be as well, such as length(…) > 0, or with == [] that there are none"
	ofNoStep  = "it holds because a step that it reads never ran, so it shows nothing here.\nhint: say that the step ran, such as step.NAME.status == \"success\", or that it did not"
	ofNoRun   = "it holds whatever the run does: what the file itself says decides it"
)

// partAboutNothing is aboutNothing for one part of a condition.
func (c *checker) partAboutNothing(e hclsyntax.Expression, chosen bool) string {
	if why := cmp.Or(c.waitedFor(e), c.unwaited(e), c.limitsSoFar(e), c.ofScript(e), c.fixedByFile(e), c.rulesOutImpossible(e), c.constant(e), c.absentKey(e), c.neverCome(e), c.neverOpened(e)); why != "" {
		return why
	}
	absence := dsl.NewComparisons(e, oneHolds, read.IsObserved)
	l := newLook(c, e, absence)
	refused := ""
	out := func(s *dsl.Slot) bool {
		if step := c.run.Obs.RefusedAnswer(s.Path); step != nil {
			refused = ofRefused(step)
			return true
		}
		return c.ofIdleStep(s)
	}
	if v, known, read := c.without(absence, out, l.functions); !known || onlyDefaults(v, absence) || madeOfNone(v.Marks(), nil) != "" && !hasAlternatives(e) {
		switch {
		case known && onlyDefaults(v, absence):
			return ofDefault
		case known:
			return madeOfNone(v.Marks(), nil)
		case l.why != "":
			return l.why
		case refused != "":
			return refused
		case read:
			return ofNoStep
		}
	}
	if why := cmp.Or(c.few(e), c.limited(e), c.allowsAll(e)); why != "" {
		return why
	}
	if !chosen {
		return ""
	}
	if _, known, _ := c.without(dsl.NewAbsence(e, read.IsObserved), func(*dsl.Slot) bool { return true }, unknown.Queries()); known {
		return ofNoRun
	}
	return ""
}

// ofRefused says that the fallback of a classifier met a check.
func ofRefused(s *observe.StepResult) string {
	return fmt.Sprintf("it holds because the answer was refused (%s) and the fallback, which the answer names, took its place, so it shows nothing of the answer.\nhint: write an answer that the classifier takes, or say that it is refused: expect %q { outcome = %[1]q }", s.Outcome, s.Name)
}

// without is the value of a condition, and reports whether that is known without the operands
// that are out, and with other answers of some functions; and whether there are
// such operands.
func (c *checker) without(a *dsl.Absence, out func(*dsl.Slot) bool, functions map[string]function.Function) (v cty.Value, known, some bool) {
	ctx := c.ctx.NewChild()
	ctx.Functions = functions
	ctx.Variables = make(map[string]cty.Value, len(a.Slots))
	for _, s := range a.Slots {
		path := s.Path
		if s.Caught {
			path = path[:1]
		}
		v, diags := path.TraverseAbs(c.ctx)
		switch {
		case out(s):
			v, some = cty.DynamicVal, true
		case diags.HasErrors() && s.NullTest:
			v = cty.NullVal(cty.DynamicPseudoType) // as an invariant takes it
		case diags.HasErrors():
			continue // an error as well where it is read
		}
		ctx.Variables[s.Var] = v
	}
	v, diags := dsl.Evaluate(a.Expr, ctx)
	return v, diags.HasErrors() || v.IsKnown(), some
}

// ofIdleStep reports whether an operand is one that a step would have if it had
// run: null is no answer then. A comparison with null asks just that, but for the
// error, which is null also after a success.
func (c *checker) ofIdleStep(s *dsl.Slot) bool {
	step := c.run.Obs.StepAt(s.Path)
	if step == nil || !step.NeverRan() || s.Caught {
		return false
	}
	if len(s.Path) == 2+strings.Count(step.Name, ".") {
		return true // all of what it would have come to
	}
	v, diags := s.Path.TraverseAbs(c.ctx)
	if diags.HasErrors() || !v.IsNull() {
		return false
	}
	attr, _ := read.AttrName(s.Path, len(s.Path)-1)
	return !s.Nullable || attr == stepErrors
}

// metByNothing says why an expectation that is met shows nothing, "" where it
// does: it asks for nothing but the absence of an error, or the success, of what
// never ran, was never asked or did nothing.
func (c *checker) metByNothing(x *plan.Expectation) (why string) {
	s := c.run.Obs.Steps[x.Address]
	if s == nil && x.Address != "run" {
		return ""
	}
	root := "run"
	if s != nil {
		root = rootOf(s)
	}
	for _, a := range x.Attrs {
		switch path := pathTo(root, x.Address, a.Name); {
		case s != nil && s.NeverRan() && s.Err == nil && a.Name == stepErrors:
			why = ofNoStep
		case c.run.Obs.RefusedAnswer(path) != nil:
			why = ofRefused(s)
		case c.run.Obs.Idle(path) && (a.Name == stepErrors || !c.saysNoneOf(a.Expr)):
			why = ofIdle(path)
		case c.cutShort() && s != nil && root == "endpoint" && !c.untilReads(path[:2]) && c.saysNoneOf(a.Expr):
			why = ofLater
		case c.givenBy(path) != "":
			why = c.givenBy(path)
		case c.asksForAnything(a.Expr):
			why = ofAnyObject
		case c.answered(path) != "":
			why = c.answered(path)
		case c.run.others.Expected(x.Address, a) != "":
			why = c.run.others.Expected(x.Address, a)
		case c.expectedOfWaited(dsl.TraversalText(path), c.result(x.Address).GetAttr(a.Name)) != "":
			why = c.expectedOfWaited(dsl.TraversalText(path), c.result(x.Address).GetAttr(a.Name))
		default:
			return ""
		}
	}
	return why
}

// ofAnyObject says why an object without attributes shows nothing.
const ofAnyObject = "it holds because an object is compared as far as it is given, and {} is equal to any object, so it shows nothing here.\nhint: give the attributes that it must have, or say in an assertion that it is empty"

// asksForAnything reports whether an expected value is an object without attributes.
func (c *checker) asksForAnything(e hclsyntax.Expression) bool {
	v, diags := dsl.Evaluate(e, c.ctx)
	return !diags.HasErrors() && v.IsKnown() && !v.IsNull() && (v.Type().IsObjectType() || v.Type().IsMapType()) && v.LengthInt() == 0
}

// pathTo is the reference that a condition reads an attribute of a result by.
func pathTo(root, address, attr string) hcl.Traversal {
	path := hcl.Traversal{hcl.TraverseRoot{Name: root}}
	if root != "run" {
		for name := range strings.SplitSeq(address, ".") {
			path = append(path, hcl.TraverseAttr{Name: name})
		}
	}
	return append(path, hcl.TraverseAttr{Name: attr})
}

// saysNoneOf reports whether an expected value says that nothing was there: it is
// empty, or the status of what nobody asked for.
func (c *checker) saysNoneOf(e hclsyntax.Expression) bool {
	v, diags := dsl.Evaluate(e, c.ctx)
	return !diags.HasErrors() && saysNone(v)
}

// overNothing is a check that shows nothing, as reports have it.
func overNothing(check, name, why string, rng hcl.Range) plan.Problem {
	kind := plan.KindIdle
	if why == ofNothing {
		kind = plan.KindNothing
	}
	return plan.Problem{Kind: kind, Name: check + " " + strconv.Quote(name), Range: rng, Message: why}
}

// partlyNothing is overNothing for a check that counts as one all the same.
func partlyNothing(check, name, why string, rng hcl.Range) plan.Problem {
	p := overNothing(check, name, why, rng)
	p.Partly = true
	return p
}

// counted says of how many elements a quantifier speaks where there are none,
// beside the value of its operand.
func counted(o dsl.Operand, parts []dsl.Operand) string {
	for _, name := range []string{"alltrue(", "anytrue("} {
		inner, ok := strings.CutPrefix(o.Text, name)
		if !ok || o.Err != "" {
			continue
		}
		for _, p := range parts {
			if p.Err == "" && p.Text+")" == inner && empty(p.Value) {
				return " (0 of 0)"
			}
		}
	}
	return ""
}

func empty(v cty.Value) bool {
	return !v.IsNull() && v.IsKnown() && v.Type().IsTupleType() && len(v.Type().TupleElementTypes()) == 0
}

// inTheEnd says why an invariant shows nothing in spite of what it seemed to show while
// the run went on: there was no time, or no second attempt, in all of it, or the file alone
// decides it. "" where it does. strict is that of a checker.
func (r *finished) inTheEnd(i *watched, strict bool) string {
	c := r.checkerOf(i.Needs, i.Lacking)
	c.strict = strict
	if v, diags := dsl.Evaluate(i.Condition, c.ctx); diags.HasErrors() || !plan.IsTrue(v) {
		return ""
	}
	why := c.aboutNothing(&i.Assertion)
	if why == ofNoTime || given.Decides(why) || r.others.Told(why) || slices.ContainsFunc([]string{ofZero, ofOneAttempt, ofOneCall, given.OfBounds, given.OfFew, given.OfEnough, given.OfUncapped, given.OfUnhurried, given.OfUncrowded, given.OfUnmetered}, func(begin string) bool { return strings.HasPrefix(why, begin) }) {
		return why
	}
	return ""
}

// Weigh says of the invariants that held to the end of a run why they hold in every run of
// the file, whatever strikes it: what they read is what the file says, or within its limits.
// That a scenario injects no such fault, or cancels nothing, is no reason for a search.
func (w *Watcher) Weigh(result *plan.Result) {
	r := w.finished()
	r.premises(result)
	for _, i := range w.Left {
		at := slices.IndexFunc(result.Invariants, func(c plan.InvariantCount) bool { return c.Range == i.Rng })
		if at < 0 || i.evaluated == 0 || result.Invariants[at].Standard {
			continue
		}
		c := r.checkerOf(i.Needs, i.Lacking)
		c.of = given.New(r.Obs).UnderFaults()
		if v, diags := dsl.Evaluate(i.Condition, c.ctx); diags.HasErrors() || !plan.IsTrue(v) || c.mentions(&i.Assertion, []string{"fault"}) {
			continue
		}
		condition, _ := certain.Without(i.Condition, c.shapes)
		why := ""
		for _, part := range dsl.Conjuncts(premise.Plainly(condition)) {
			if why = cmp.Or(c.givenByFile(part), c.everyRunHas(part), c.file().SucceedsOnce(part), c.saidTwice(part), c.allowsAll(part)); why == "" {
				break
			}
		}
		result.Invariants[at].Always = why
	}
}

// premises notes which of the invariants that held to the end say nothing of the run, as their
// premise did not hold.
func (r *finished) premises(result *plan.Result) {
	for _, i := range r.watcher.Left {
		at := slices.IndexFunc(result.Invariants, func(c plan.InvariantCount) bool { return c.Range == i.Rng })
		if at < 0 || result.Invariants[at].Standard {
			continue
		}
		rulesOut := premise.Of(premise.Plainly(i.Condition), r.Obs.IsSub)
		if len(rulesOut) == 0 {
			continue
		}
		c := r.checkerOf(i.Needs, i.Lacking)
		result.Invariants[at].Unmet = slices.ContainsFunc(rulesOut, func(e hclsyntax.Expression) bool {
			v, diags := dsl.Evaluate(e, c.ctx)
			return diags.HasErrors() || plan.IsTrue(v)
		})
	}
}

// contracts tells of those of steps that accept whatever the answer is, once each, however
// often its step ran.
func (r *finished) contracts(c *checker, result *plan.Result) {
	if r.Obs.Driven() {
		return
	}
	functions := unknown.Lists()
	told := map[hcl.Range]bool{}
	for _, s := range r.Obs.Order {
		if s.Status != read.StatusSuccess {
			continue
		}
		for _, v := range s.Step.Validates {
			rng := v.Condition.Range()
			if told[rng] {
				continue
			}
			e, _ := certain.Without(v.Condition, func() map[string]*schema.Shape { return map[string]*schema.Shape{"self": s.Step.Shape} })
			e = given.Settled(e, s.Step)
			if !comparesMore(e) && given.Accepts(e, s, c.file().Draws(e, c.named(e), readsNull(e), c.reach(e)), functions) {
				told[rng] = true
				result.Relaxed = append(result.Relaxed, overNothing("validate", v.Name, given.OfContract, rng))
			}
		}
	}
}

// nothing tells of the checks that hold over nothing. Where nothing else is
// checked, the scenario checks nothing; where some may hold over something in other rows, these
// decide it.
func (r *finished) nothing(result *plan.Result, empty, unmet []plan.Problem) {
	p, checks, ties := r.Plan, result.Checks, r.tiedInvariants()
	for _, i := range r.watcher.all {
		switch {
		case i.evaluated == 0:
		case !i.Own:
			if checks--; slices.Contains(r.watcher.Left, i) && r.notBroken(i) != "" {
				result.Relaxed = append(result.Relaxed, overNothing("invariant", i.Name, r.notBroken(i), i.Condition.Range()))
			}
		case !slices.Contains(r.watcher.Left, i): // it is broken
		case r.notBroken(i) != "":
			empty = append(empty, overNothing("invariant", i.Name, r.notBroken(i), i.Condition.Range()))
		case ties[i.Invariant] != "":
			empty = append(empty, overNothing("invariant", i.Name, ties[i.Invariant], i.Condition.Range()))
		case r.watcher.sole && !i.shows:
			empty = append(empty, overNothing("invariant", i.Name, cmp.Or(i.why, ofNothing), i.Condition.Range()))
		case r.watcher.sole:
			if why := r.inTheEnd(i, false); why != "" {
				empty = append(empty, overNothing("invariant", i.Name, why, i.Condition.Range()))
			} else if why := cmp.Or(i.unmet, r.inTheEnd(i, true)); why != "" {
				unmet = append(unmet, overNothing("invariant", i.Name, rows.Why(why, p.Instances), i.Condition.Range()))
			}
		case r.inTheEnd(i, false) == ofNoTime:
			empty = append(empty, overNothing("invariant", i.Name, ofNoTime, i.Condition.Range()))
		}
	}
	result.Relaxed = append(result.Relaxed, empty...)
	empty = slices.DeleteFunc(empty, func(p plan.Problem) bool { return p.Message == ofWaited }) // a gate checks it
	if len(result.Problems) > 0 {
		return
	}
	result.Row = rows.Of(p, unmet)
	if n := len(empty) + len(unmet); n == 0 || n < checks || r.Obs.Way == plan.Serve || r.Obs.Way == plan.Embedded {
		return
	}
	gate := rows.Gate(p, len(unmet) > 0)
	switch allowed := p.Allow[plan.GateNoAssertion]; {
	case len(unmet) > 0:
		result.Row.Empty, result.Row.Allowed = &gate, allowed
	case allowed:
		result.Relaxed = append(result.Relaxed, gate)
	default:
		result.Problems = append(result.Problems, gate)
	}
}

// inRows tells of a check that would show nothing if its row were the whole scenario, nil of any
// other one.
func (c *checker) inRows(check string, a *plan.Assertion) []plan.Problem {
	n := c.run.Plan.Instances
	if n <= 1 || !hasAlternatives(premise.Plainly(a.Condition)) && !readsAny(a.Condition, given.Tries) && !readsAny(a.Condition, given.Times) {
		return nil
	}
	if why := c.strictly(a); why != "" {
		return []plan.Problem{overNothing(check, a.Name, rows.Why(why, n), a.Condition.Range())}
	}
	return nil
}

// strictly is aboutNothing where no other row may have what this one lacks.
func (c *checker) strictly(a *plan.Assertion) string {
	c.strict = true
	defer func() { c.strict = false }()
	return c.aboutNothing(a)
}
