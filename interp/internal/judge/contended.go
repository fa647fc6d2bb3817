package judge

import (
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/judge/texts"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// alone is for what a lock, a pool or a breaker kept where nobody tried it: one at a time
// came to the lock or pool, no call failed before the breaker.
func (b *both) alone() string {
	if !b.holds {
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if isZero(v) && !observed(other) && (b.isMost(s) || dsl.IsEqual(b.of.Op)) {
			switch obs, calls := b.checker.run.Obs, ofCalls(s); {
			case lastName(s.Expression) == "waited_ms" && obs.Unwaited():
				return ofApart
			case len(calls) > 0 && obs.Scheduled(calls):
				return ofSchedule
			}
		}
		if len(s.Slots) != 1 || s.Bound || observed(other) || !b.isMost(s) && !dsl.IsEqual(b.of.Op) {
			return ""
		}
		path := s.Slots[0].Path
		what := dsl.TraversalText(path[:len(path)-1])
		switch obs := b.checker.run.Obs; {
		case obs.Uncontended(path):
			return fmt.Sprintf("it holds because one at a time came to %s, so nothing was kept apart and it shows nothing here.\nhint: let two come at one time, each of them for a while", what)
		case obs.Unbroken(path) && (isEmpty(v) || b.isMost(s) || lastName(s.Expression) == "state"):
			return fmt.Sprintf("it holds because no call failed, so %s had nothing to do and it shows nothing here.\nhint: let one fail with a fault, or leave the check out", what)
		}
		return ""
	})
}

// neverOpened says why a condition holds that says of breakers only what is so of each that had no
// reason to open; "" where it says more. Rows of a table may have another number of failures each.
func (c *checker) neverOpened(e hclsyntax.Expression) string {
	states := readsAny(e, []string{"state", "failures"})
	if c.amid || c.run.Plan.Instances > 1 || !states && !mentionsCall(e, "metric") {
		return ""
	}
	a, of, f, queries := c.absence(e), false, c.file(), unknown.Functions()
	if now, asked := c.ctx.Functions["metric"]; asked && mentionsCall(e, "metric") && f.NoneOpened() {
		states, queries = true, maps.Clone(queries)
		queries["metric"] = observe.Query(func(args []cty.Value) (cty.Value, error) {
			if !args[0].RawEquals(cty.StringVal(given.BreakerState)) {
				return cty.DynamicVal, nil
			}
			of = true
			return now.Call(args)
		})
	}
	if !states || !f.SomeUnopened() {
		return ""
	}
	holds := func(failures int) bool {
		v, is := c.knownWith(a, func(path hcl.Traversal) cty.Value {
			v, closed := f.Unopened(path, failures)
			of = of || closed
			return v
		}, queries)
		return is && isTrue(v)
	}
	most := 0
	if readsAny(e, []string{"failures"}) {
		most = f.MostFailures()
	}
	for n := range most + 1 {
		if !holds(n) {
			return ""
		}
	}
	if !of {
		return ""
	}
	return given.OfUnopened
}

// ofApart says why sessions that are apart anyway show nothing.
const ofApart = "it holds because the scenario calls for them one after the other, so nothing had to keep them apart and it shows nothing here.\nhint: let two of them be called for at one time"

// ofSchedule says why calls that do not overlap show nothing.
const ofSchedule = "it holds because calls begin when the scenario says, and nothing had to keep them apart, so it shows nothing here.\nhint: let them be made at one time, and compare the sessions of their actor, such as overlaps(actor.NAME.sessions) == 0"

// ofCalls are the calls of the scenario of which a side counts how often they overlap, nil
// for any other side.
func ofCalls(s dsl.Side) (calls []string) {
	if _, overlaps := call(s.Expression, "overlaps"); !overlaps {
		return nil
	}
	for _, o := range s.Slots {
		name, named := read.AttrName(o.Path, 1)
		if !named || o.Path.RootName() != "call" {
			return nil
		}
		calls = append(calls, name)
	}
	return calls
}

// isOfExclusion reports whether something shows nothing because nobody had to be kept
// apart from another, because nothing was there to be told apart, or because no line but
// the first was looked at. What else a condition says does not mend that.
func isOfExclusion(why string) bool {
	return why == ofApart || why == ofSchedule || why == ofNoneThere || why == texts.OfLine || why == texts.OfPiece || strings.HasPrefix(why, given.OfUnblocked)
}

// lastName is the attribute that an expression reads, "" where it does something else.
func lastName(e hclsyntax.Expression) string {
	var path hcl.Traversal
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		path = x.Traversal
	case *hclsyntax.RelativeTraversalExpr:
		path = x.Traversal
	default:
		return ""
	}
	name, _ := read.AttrName(path, len(path)-1)
	return name
}

// untried reports whether an operand may be of a lock, a pool or a breaker that nobody
// tried.
func (c *checker) untried(t hcl.Traversal) bool {
	switch t.RootName() {
	case "actor":
		part, _ := read.AttrName(t, 2)
		name, _ := read.AttrName(t, 1)
		return part == "sessions" && c.run.Obs.UnwaitedAt(name) || c.run.Obs.Uncontended(t)
	case "lock":
		return c.run.Obs.Uncontended(t)
	case "breaker", "target":
		return c.run.Obs.Unbroken(t)
	}
	return false
}
