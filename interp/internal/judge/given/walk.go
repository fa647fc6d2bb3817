package given

import (
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Many are other numbers of elements of a list of which a run decides how many it has.
type Many func(list []cty.Value) []cty.Value

// A look is how values are read.
type look struct {
	many Many
	// blind says that all that the file gives is unknown, too.
	blind bool
}

// OftenOrNot are as many as there were, twice as many, one, and as many in another order.
var OftenOrNot = []Many{
	AsMany,
	func(list []cty.Value) []cty.Value { return slices.Concat(list, list) },
	func(list []cty.Value) []cty.Value { return list[:min(1, len(list))] },
	func(list []cty.Value) []cty.Value {
		list = slices.Clone(list)
		slices.Reverse(list)
		return list
	},
}

// Often are [OftenOrNot], and as many as a reach where that is more, see [Reach]. short turns
// true once that was asked for too many to try.
func Often(reach float64) (list []Many, short *bool) {
	short = new(bool)
	if reach <= 1 {
		return OftenOrNot, short
	}
	return append(slices.Clone(OftenOrNot), func(list []cty.Value) []cty.Value {
		n := len(list)
		switch {
		case n == 0 || float64(n) >= reach:
			return list
		case reach > farthest:
			*short = true
			return list
		}
		return slices.Repeat(list, (int(reach)+n-1)/n)
	}), short
}

// AsMany are as many as there were.
func AsMany(list []cty.Value) []cty.Value { return list }

// A part is a value of a result, or what it is part of.
type part struct {
	f *File
	// attr is what the file gives of an attribute of an object.
	attr func(name string) given
	// child is what an attribute is that has parts, and elem an element of a list; nil
	// where all of it is what a run comes to.
	child func(name string) *part
	elem  func(at int) *part
	// whole says that the file alone gives which elements a list or directory has, and
	// sure how many there are at least.
	whole bool
	sure  int
	// asked is how many there are at least as a gate demands it, so that to read one of
	// them shows nothing, but that there are so many may be said.
	asked int
	// why says why.
	why string
	// limit is between which numbers an attribute is by what the file says, the greater
	// one first where it says nothing; most is how many elements a list has at most, 0 for
	// any number, and words are what a string may be.
	limit func(name string) (least, most float64)
	most  int
	words []string
}

// At is what the file gives of an operand, with unknown values for all that a run decides,
// and says why that is so; "" where it gives nothing.
func (f *File) At(path hcl.Traversal, ctx *hcl.EvalContext, many Many) (cty.Value, string) {
	return f.at(path, ctx, look{many: many})
}

// Blind is [File.At] without what the file gives, but with as many elements: what a
// condition comes to with it does not rest on that.
func (f *File) Blind(path hcl.Traversal, ctx *hcl.EvalContext, many Many) cty.Value {
	v, _ := f.at(path, ctx, look{many: many, blind: true})
	return v
}

func (f *File) at(path hcl.Traversal, ctx *hcl.EvalContext, l look) (cty.Value, string) {
	v, diags := path[:1].TraverseAbs(ctx)
	p := f.root(path.RootName())
	if diags.HasErrors() || p == nil {
		return cty.DynamicVal, ""
	}
	void := false
	for i := 1; i < len(path); i++ {
		if p == nil {
			return cty.DynamicVal, ""
		}
		next, diags := path[i : i+1].TraverseRel(v)
		if diags.HasErrors() {
			return cty.DynamicVal, ""
		}
		if v.Type().IsTupleType() {
			at, is := place(path[i])
			if !is || p.elem == nil {
				return cty.DynamicVal, ""
			}
			void = void || !p.has(at)
			v, p = next, p.elem(at)
			continue
		}
		name, named := read.AttrName(path, i)
		if !named {
			return cty.DynamicVal, ""
		}
		if p.attr != nil {
			if g := p.attr(name); g.why != "" {
				if l.blind || void && !g.isNone() {
					return cty.DynamicVal, ""
				}
				rest, diags := path[i+1:].TraverseRel(g.or(next))
				if diags.HasErrors() {
					return cty.DynamicVal, ""
				}
				return rest, g.why
			}
		}
		v, p = next, p.part(name)
	}
	if void {
		return cty.DynamicVal, ""
	}
	return p.value(v, l)
}

// isNone reports whether what the file gives is null: that an element has none of it says
// nothing of it, and is no way to say that there is such an element.
func (g given) isNone() bool { return g.value != cty.NilVal && g.value.IsNull() }

// Why says why the file alone gives what a path reads, "" where a run decides it or some of
// it.
func (f *File) Why(path hcl.Traversal) string {
	p, void := f.root(path.RootName()), false
	for i := 1; i < len(path) && p != nil; i++ {
		if at, is := place(path[i]); is {
			if p.elem == nil {
				return ""
			}
			void = void || !p.has(at)
			p = p.elem(at)
			continue
		}
		name, named := read.AttrName(path, i)
		if !named {
			return ""
		}
		if p.attr != nil {
			if g := p.attr(name); g.why != "" {
				if void && !g.isNone() {
					return ""
				}
				return g.why
			}
		}
		p = p.part(name)
	}
	return ""
}

// place is the index that a traverser reads, and reports whether it is a number.
func place(t hcl.Traverser) (int, bool) {
	index, is := t.(hcl.TraverseIndex)
	if !is || index.Key.Type() != cty.Number {
		return 0, false
	}
	n, _ := index.Key.AsBigFloat().Int64()
	return int(n), true
}

func (g given) or(v cty.Value) cty.Value {
	if g.value == cty.NilVal {
		return v
	}
	return g.value
}

// has reports whether a list has an element at a place, whatever a run does.
func (p *part) has(at int) bool { return p.whole || at < max(p.sure, p.asked) }

func (p *part) part(name string) *part {
	if p == nil || p.child == nil {
		return nil
	}
	return p.child(name)
}

// value is a value with unknown ones for all that a run decides, and why the rest is given.
func (p *part) value(v cty.Value, l look) (out cty.Value, why string) {
	switch {
	case p == nil || v.IsNull() || !v.IsKnown():
		return cty.DynamicVal, ""
	case v.Type().IsTupleType() && p.elem != nil:
		list := v.AsValueSlice()
		switch {
		case p.whole && l.blind:
			return cty.DynamicVal, ""
		case p.whole:
			why = p.why
		default:
			all := list
			if list = l.many(list); len(list) < p.sure {
				list = all[:min(p.sure, len(all))]
			}
		}
		for i, e := range list {
			var of string
			if list[i], of = p.elem(i).value(e, l); of != "" {
				why = of
			}
		}
		return cty.TupleVal(list), why
	case v.Type().IsObjectType() && (p.attr != nil || p.child != nil):
		if p.whole && l.blind {
			return cty.DynamicVal, ""
		}
		attrs := v.AsValueMap()
		for name, a := range attrs {
			var g given
			if p.attr != nil {
				g = p.attr(name)
			}
			if g.why != "" && l.blind {
				attrs[name] = cty.DynamicVal
				continue
			}
			if g.why != "" {
				attrs[name], why = g.or(a), g.why
				continue
			}
			var of string
			if attrs[name], of = p.part(name).value(a, l); of != "" {
				why = of
			}
		}
		if p.whole {
			why = p.why
		}
		return cty.ObjectVal(attrs), why
	}
	return cty.DynamicVal, ""
}

// root is what the roots of conditions are.
func (f *File) root(name string) *part {
	switch name {
	case "step", "fanout", "classify":
		return f.directory(func(step string) *part {
			if s := f.o.Steps[step]; s != nil && f.plays(s.Step) {
				return f.stepPart(s, name == "fanout")
			}
			return f.endpointPart(step)
		})
	case "endpoint":
		return f.directory(f.endpointPart)
	case "breaker":
		return f.directory(func(string) *part { return nil })
	case "actor":
		return f.directory(f.actorPart)
	case "call":
		return &part{f: f, child: f.callPart}
	case "target":
		return f.directory(f.targetPart)
	case "gateway":
		return f.directory(f.gatewayPart)
	case "run":
		return &part{f: f, limit: f.limitOfRun, attr: func(name string) given {
			if row := ofRun[name]; row != nil && !f.o.Driven() {
				return row(f)
			}
			return free
		}, child: func(name string) *part {
			if name == "lifecycle" {
				return &part{f: f, sure: 1, elem: func(int) *part { return nil }}
			}
			if name == "usage" {
				return &part{f: f, limit: f.limitOfUsage}
			}
			if name != "partial" || f.o.Driven() {
				return nil
			}
			return &part{f: f, child: func(string) *part {
				if f.p.Workflow == nil {
					return nil
				}
				return &part{f: f, most: len(f.p.Workflow.Steps)}
			}, attr: func(name string) given {
				return when(slices.Contains(ofPartial, name) && f.p.Workflow != nil && len(f.p.Workflow.Steps) > 0 && f.alwaysBegins(f.p.Workflow.Steps[0]), cty.EmptyTupleVal, NoSubject("a reason to skip the step"))
			}}
		}}
	case "steps":
		sure := 0
		if w := f.p.Workflow; w != nil && slices.ContainsFunc(w.Steps, f.begins) {
			sure = 1
		}
		most := 0
		if f.eachOnce() {
			most = len(f.steps())
		}
		return &part{f: f, sure: sure, most: most, elem: func(int) *part {
			return &part{f: f, attr: f.alike, limit: f.limitOfAny, child: func(name string) *part { return f.attemptsOfAny(name) }}
		}}
	case "registry":
		return f.directory(f.registryPart)
	case "report":
		return f.reportPart()
	case "endpoints":
		return &part{f: f, whole: true, why: ofNames, elem: f.endpointItem}
	}
	return nil
}

// directory is one of what a file declares: which names it has is given.
func (f *File) directory(child func(name string) *part) *part {
	return &part{f: f, child: child, whole: true, why: ofNames}
}

// stepPart is the result of a step, and of those inside it.
func (f *File) stepPart(s *observe.StepResult, fanout bool) *part {
	if s == nil || !f.plays(s.Step) {
		return nil
	}
	if f.neverRuns(s.Step) {
		return &part{f: f, attr: ofSkipped}
	}
	if !s.Began {
		return nil
	}
	return &part{
		f:     f,
		attr:  func(name string) given { return f.step(name, s) },
		limit: func(name string) (least, most float64) { return f.limitOfStep(s.Step, name) },
		child: func(name string) *part {
			switch name {
			case "attempts":
				sure := 0
				if f.dials(s.Step) || f.dialsAny(s.Step) {
					sure = 1
				}
				list := f.attempts(&attempt{step: s.Step, target: oneTarget(s.Step), provider: oneProvider(s.Step), inner: s.Outer != nil}, sure)
				list.most, list.asked = f.mostAttempts(s.Step), f.mustAsk(s)
				return list
			case "delays_ms":
				if _, most := f.limitOfStep(s.Step, "retries"); most > 0 {
					return &part{f: f, most: int(most)}
				}
			case "runs":
				if s.Step.Kind == plan.KindLoop {
					return &part{f: f, most: iterations(s.Step)}
				}
			case "subs":
				if s.Step.Fanout == nil {
					return nil
				}
				return &part{f: f, whole: true, why: ofNames, elem: func(int) *part {
					return &part{f: f, attr: func(name string) given { return when(slices.Contains(ofSub, name), cty.NilVal, ofNames) }}
				}}
			}
			return f.stepPart(f.o.Steps[s.Name+"."+name], false)
		},
	}
}

// attempts are those of a step or a target, of which there are so many at least.
func (f *File) attempts(like *attempt, sure int) *part {
	return &part{f: f, sure: sure, elem: func(at int) *part {
		a := *like
		a.at = at
		return &part{f: f, limit: func(name string) (least, most float64) { return f.limitOfAttempt(&a, name) }, attr: func(name string) given {
			if row := ofAttempt[name]; row != nil {
				return row(f, &a)
			}
			return free
		}, child: func(name string) *part {
			switch {
			case name == "target" && a.step != nil && a.step.Gateway != nil && !f.o.Driven():
				return &part{f: f, words: targetNames(a.step.Gateway)}
			case name == "provider" && a.step != nil && a.step.Gateway != nil && !f.o.Driven():
				return &part{f: f, words: providerNames(a.step.Gateway)}
			case name == "request":
				return f.requestPart(&a)
			case name == "response":
				return &part{f: f, attr: func(name string) given {
					return when(name == "sqlstate" && f.sentBy(&a, func(s *plan.Step) bool { return s.Family != "sql" }), null, NoSubject("a step that asks a database"))
				}}
			}
			return nil
		}}
	}}
}

// attemptsOfAny are those of a step of which nothing is known but that it is one of all.
func (f *File) attemptsOfAny(name string) *part {
	if name != "attempts" || f.o.Driven() {
		return nil
	}
	like := &attempt{}
	dialled := false
	for _, s := range f.steps() {
		if s.Step.Gateway == nil {
			continue
		}
		t, by := oneTarget(s.Step), oneProvider(s.Step)
		if !dialled {
			like.target, like.provider, dialled = t, by, true
			continue
		}
		if t != like.target {
			like.target = nil
		}
		if by != like.provider {
			like.provider = nil
		}
	}
	list := f.attempts(like, 0)
	if n, most := widest(f.senders(like), func(s *plan.Step) (least, most float64) { n := float64(f.mostAttempts(s)); return n, n }); n > 0 && n <= most {
		list.most = int(most)
	}
	return list
}

// targetPart is a target by its name.
func (f *File) targetPart(name string) *part {
	t := f.target(name)
	if t == nil || f.o.Driven() {
		return nil
	}
	return &part{
		f: f,
		attr: func(name string) given {
			if row := ofTarget[name]; row != nil {
				return row(f, t)
			}
			return free
		},
		child: func(name string) *part {
			if name != "attempts" {
				return nil
			}
			sure := 0
			if slices.ContainsFunc(f.steps(), func(s *observe.StepResult) bool { return oneTarget(s.Step) == t && f.dials(s.Step) }) {
				sure = 1
			}
			p := f.attempts(&attempt{target: t, provider: t.Provider}, sure)
			p.most = f.mostOfTarget(t)
			return p
		},
		limit: func(name string) (least, most float64) {
			if callers := f.senders(&attempt{target: t}); name == "in_flight_max" && f.eachOnce() {
				return 0, float64(len(callers))
			}
			return none()
		},
	}
}

// gatewayPart is a gateway by its name.
func (f *File) gatewayPart(name string) *part {
	g := f.gateway(name)
	if g == nil || f.o.Driven() {
		return nil
	}
	row := func(rows map[string]func(*File, *plan.Gateway) given) func(name string) given {
		return func(name string) given {
			if r := rows[name]; r != nil {
				return r(f, g)
			}
			return free
		}
	}
	return &part{f: f, attr: row(ofGateway), child: func(name string) *part {
		if name != "decisions" {
			return nil
		}
		sure := 0
		if slices.ContainsFunc(f.steps(), func(s *observe.StepResult) bool { return s.Step.Gateway == g && f.begins(s.Step) }) {
			sure = 1
		}
		return &part{f: f, sure: sure, elem: func(int) *part {
			return &part{f: f, attr: row(ofDecision), child: func(name string) *part {
				if name != "candidates" && name != "tried" {
					return nil
				}
				return &part{f: f, most: len(g.Targets), elem: func(int) *part { return &part{f: f, words: targetNames(g)} }}
			}}
		}}
	}}
}

// None are none of a list that may be empty, and one of another.
func None(list []cty.Value) []cty.Value { return list[:0] }

// OfLists are the names of attributes that a file may give in elements of a list, and of
// the lists of which it gives the elements.
var OfLists = sync.OnceValue(func() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for _, name := range slices.Concat(slices.Collect(maps.Keys(ofStep)), slices.Collect(maps.Keys(ofAttempt)), slices.Collect(maps.Keys(ofDecision)), slices.Collect(maps.Keys(ofSession)), slices.Collect(maps.Keys(ofCall)), ofSub, ofEndpoint, ofRequest, ofServices, ofCalls, []string{"subs", "cases"}) {
			if !yield(name) {
				return
			}
		}
	})
})

// OfEvents are the attributes of events and spans of which a file may decide.
var OfEvents = []string{"target", "provider"}

// OfOne says why a target or provider shows nothing where there is one.
const OfOne = ofOne

// Events are those that a query found, with nothing known of them but what the file gives,
// and other numbers of them.
func (f *File) Events(v cty.Value, many Many) cty.Value {
	p := f.attemptsOfAny("attempts")
	if p == nil {
		return Unknown(v, many)
	}
	of := p.elem(-1)
	events := &part{f: f, elem: func(int) *part {
		return &part{f: f, attr: func(name string) given {
			if slices.Contains(OfEvents, name) {
				return of.attr(name)
			}
			return free
		}}
	}}
	v, _ = events.value(v, look{many: many})
	return v
}

// Unknown is a list of other numbers of elements of which nothing is known.
func Unknown(v cty.Value, many Many) cty.Value {
	v, _ = (&part{elem: func(int) *part { return &part{attr: func(string) given { return free }} }}).value(v, look{many: many})
	return v
}
