package given

import (
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/schema"
)

// OfBounds says why to allow every value that may come shows nothing.
const OfBounds = "it holds whatever the value is: every one that it can have meets the condition, by what it is or by a limit of the file, such as max_retries, so it shows nothing here.\nhint: name the one that it has to be"

// A Draw is a run that may come: of every number, word and truth value of which the language
// or the file says between which it is, it has one, and lists have some number of elements.
// All else is unknown.
type Draw struct {
	f *File
	n int
	// said are the values that a condition names, and nulls says that it asks for null.
	said  []cty.Value
	nulls bool
	// reach is how many elements of a list may matter to the condition, 0 where it does not
	// count any.
	reach float64
	// asked are the attributes that the condition names: no others are drawn.
	asked map[string]bool
	// longest is how many elements a list has at most that nothing bounds.
	longest float64
}

// How many draws there are: in the even ones all numbers are as little or as much as each
// other, in the mixed ones each is at one of its ends by itself.
const (
	evenDraws  = 16
	mixedDraws = 96
)

// Draws are runs that may come, for a condition that names some values; nulls says that it
// compares something with null, and reach is how many elements of a list may matter to it, 0
// where it counts none.
func (f *File) Draws(e hclsyntax.Expression, said []cty.Value, nulls bool, reach float64) (list []Draw) {
	d := Draw{f: f, said: said, nulls: nulls, reach: reach, asked: map[string]bool{}, longest: longest}
	compared := 0
	for name := range read.Names(e) {
		d.asked[name] = true
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if _, is := e.(*hclsyntax.BinaryOpExpr); is {
			compared++
		}
	})
	for _, v := range said {
		if v.Type() == cty.String { // of an index, or of lookup
			d.asked[v.AsString()] = true
		}
	}
	if reach == 0 && compared <= 2 {
		d.longest = enough
	}
	for d.n = range evenDraws + mixedDraws {
		list = append(list, d)
	}
	return list
}

// Reach is beyond all that comes of some numbers by adding, multiplying and dividing them,
// each used once: 101 for 100, 303 for 100 / 2.
func Reach(said []cty.Value) float64 {
	reach := 1.0
	for _, v := range said {
		if v.Type() == cty.Number {
			n, _ := v.AsBigFloat().Float64()
			if n = math.Abs(n); n > 0 {
				reach *= max(n, 1/n) + 1
			}
		}
	}
	return reach
}

// At is what an operand comes to, unknown where nothing bounds it. tested says that it is
// compared with null.
func (d Draw) At(path hcl.Traversal, ctx *hcl.EvalContext, tested bool) cty.Value {
	v, diags := path[:1].TraverseAbs(ctx)
	s := d.f.shapes()[path.RootName()]
	if diags.HasErrors() || s == nil {
		return cty.DynamicVal
	}
	p, key := d.f.root(path.RootName()), path.RootName()
	for i := 1; i < len(path); i++ {
		next, diags := path[i : i+1].TraverseRel(v)
		if diags.HasErrors() {
			return cty.DynamicVal
		}
		if at, is := place(path[i]); is {
			if s.Kind != schema.ShapeTuple || p == nil || p.elem == nil || !p.has(at) {
				return cty.DynamicVal // that it is there shows something
			}
			v, s, p, key = next, s.Elem, p.elem(at), key+"."+strconv.Itoa(at)
		} else {
			name, named := read.AttrName(path, i)
			if !named || s == nil || s.Kind != schema.ShapeObject {
				return cty.DynamicVal
			}
			of, known := d.attr(name, s, p)
			if v, p, key = next, p.part(name), key+"."+name; known != free {
				rest, diags := path[i+1:].TraverseRel(known.or(v))
				if diags.HasErrors() {
					return cty.DynamicVal
				}
				return rest
			}
			s = of
		}
		if s == nil {
			return cty.DynamicVal
		}
	}
	if tested && s.Nullable && d.nulls && d.chance(key+" null", 2) == 0 {
		return null
	}
	return d.value(v, s, p, key)
}

// attr is the shape of an attribute, with what the file says of its limits, and what the
// file gives of it, free where a run decides that.
func (d Draw) attr(name string, s *schema.Shape, p *part) (*schema.Shape, given) {
	if p != nil && p.attr != nil {
		if g := p.attr(name); g.why != "" && (g.value == cty.NilVal || g.value.Type() != cty.Number) {
			return nil, g // of numbers, what they are between is enough
		}
	}
	of := s.Attrs[name]
	if of == nil {
		of = s.Elem
	}
	if p != nil && p.limit != nil && of != nil {
		if least, most := p.limit(name); least <= most {
			bounded := *of
			bounded.Range = &schema.Range{Least: least, Most: most}
			return &bounded, free
		}
	}
	return of, free
}

// value is a value with others in the place of all that is bounded.
func (d Draw) value(v cty.Value, s *schema.Shape, p *part, key string) cty.Value {
	if v.IsMarked() || s == nil || v.IsNull() || !v.IsKnown() {
		return cty.DynamicVal
	}
	switch t := v.Type(); {
	case t.IsTupleType() && s.Kind == schema.ShapeTuple:
		return d.list(v.AsValueSlice(), s, p, key)
	case t.IsObjectType() && s.Open && s.Elem == nil: // a service may give it other members
	case t.IsObjectType() && s.Kind == schema.ShapeObject:
		attrs := v.AsValueMap()
		for name, a := range attrs {
			if !d.asked[name] {
				attrs[name] = cty.DynamicVal
				continue
			}
			switch of, g := d.attr(name, s, p); {
			case g != free:
				attrs[name] = g.or(a)
			case of != nil && of.Nullable && d.nulls && d.chance(key+"."+name+" null", 2) == 0:
				attrs[name] = null
			default:
				attrs[name] = d.value(a, of, p.part(name), key+"."+name)
			}
		}
		return cty.ObjectVal(attrs)
	case t == cty.Number && s.Range != nil:
		return d.number(s.Range, key)
	case t == cty.Bool:
		return cty.BoolVal(d.chance(key, 2) == 0)
	case t == cty.String && p != nil && len(p.words) > 0:
		return d.word(p.words, key)
	case t == cty.String && len(s.Words) == 1 && s.Words[0].Domain == "" && s.Words[0].Free == nil:
		return d.word(s.Words[0].Members, key)
	}
	return cty.DynamicVal
}

// list is a list with some number of elements, each another one.
func (d Draw) list(of []cty.Value, s *schema.Shape, p *part, key string) cty.Value {
	n := len(of)
	if p == nil || !p.whole {
		r := schema.Range{Most: math.Inf(1)}
		if p != nil {
			r.Least = float64(p.sure)
			if p.most > 0 {
				r.Most = float64(p.most)
			}
		}
		drawn := false
		if n, drawn = d.length(&r, key); !drawn {
			return cty.DynamicVal
		}
	}
	list := make([]cty.Value, n)
	for i := range list {
		var part *part
		if p != nil && p.elem != nil {
			part = p.elem(i)
		}
		at := key + "." + strconv.Itoa(i)
		switch {
		case len(of) > 0:
			list[i] = d.value(of[i%len(of)], s.Elem, part, at)
		case s.Elem != nil && s.Elem.Kind == schema.ShapeNumber && s.Elem.Range != nil:
			list[i] = d.number(s.Elem.Range, at)
		default:
			list[i] = cty.DynamicVal
		}
	}
	return cty.TupleVal(list)
}

// A list that nothing bounds has at most longest elements, or as many as may matter to the
// condition; of more than farthest nothing is said, as drawing so many takes too long.
// Where a condition looks at each by itself, and compares little of it, there are enough of
// them in all draws together.
const longest, enough, farthest = 70, 20, 300

// length is how many elements a list has, whose number is between two others; ok is false
// where numbers may matter that are not drawn.
func (d Draw) length(r *schema.Range, key string) (n int, ok bool) {
	most := math.Min(r.Most, max(d.longest, r.Least, d.reach))
	if most > max(farthest, r.Least) {
		return 0, false
	}
	drawn, _ := d.number(&schema.Range{Least: r.Least, Most: most}, key+" length").AsBigFloat().Int64()
	return int(drawn), true
}

// number is one of a range: its ends, and what the condition names with the numbers beside
// that, as far as it is within.
func (d Draw) number(r *schema.Range, key string) cty.Value {
	most := r.Most
	if math.IsInf(most, 1) {
		most = 1e15
	}
	ends := []float64{r.Least, most}
	if d.n >= evenDraws && d.chance(key, 2) == 0 {
		return cty.NumberFloatVal(ends[d.chance(key+" end", 2)])
	}
	list := append(ends, r.Least+1, math.Floor((r.Least+most)/2), 1000)
	for _, v := range d.said {
		if v.Type() == cty.Number {
			f, _ := v.AsBigFloat().Float64()
			list = append(list, f-1, f, f+1)
		}
	}
	list = slices.DeleteFunc(list, func(f float64) bool { return f < r.Least || f > most })
	slices.Sort(list)
	return cty.NumberFloatVal(list[d.at(key, len(list))])
}

// word is one of a closed set, more often one that the condition names.
func (d Draw) word(words []string, key string) cty.Value {
	if d.chance(key+" named", 2) == 0 {
		var named []string
		for _, v := range d.said {
			if v.Type() == cty.String && slices.Contains(words, v.AsString()) {
				named = append(named, v.AsString())
			}
		}
		if len(named) > 0 {
			words = named
		}
	}
	return cty.StringVal(words[d.at(key, len(words))])
}

// at is which of so many there is, the same of each kind in an even draw.
func (d Draw) at(key string, n int) int {
	if d.n < evenDraws {
		return d.n * n / evenDraws % n
	}
	return d.chance(key+" at", n)
}

// chance is a number below n that a name comes to, another one in each draw.
func (d Draw) chance(name string, n int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name + " " + strconv.Itoa(d.n*7919)))
	x := h.Sum32()
	x ^= x >> 15
	x *= 0x2c1b3c6d
	x ^= x >> 12
	return int(x>>4) % n
}

// allShapes are those of the roots of conditions, of what the run observes.
func allShapes(f *File) map[string]*schema.Shape {
	o, p := f.o, f.p
	names := func(of *schema.Shape) *schema.Shape {
		return &schema.Shape{Kind: schema.ShapeObject, Elem: of, Open: true}
	}
	steps, endpoints := map[string]*schema.Shape{}, map[string]*schema.Shape{}
	for name, s := range o.Steps {
		if s.Outer != nil {
			continue
		}
		if steps[name] = s.Step.Shape; s.Step.Endpoint != nil {
			endpoints[name] = s.Step.Shape
		}
	}
	calls := map[string]*schema.Shape{}
	for _, a := range p.Actions {
		switch {
		case a.Call == nil:
		case a.Step != nil:
			calls[a.Name] = a.Step.Shape
		case a.Call.Several:
			calls[a.Name] = read.TupleOf(observe.StepShape(plan.KindCall))
		default:
			calls[a.Name] = observe.StepShape(plan.KindCall)
		}
	}
	actors := map[string]*schema.Shape{}
	if p.Population != nil {
		for _, a := range p.Population.Actors {
			actors[a.Name] = observe.ActorShape(a, nil)
		}
	}
	step := plan.Directory("", "", steps)
	all := map[string]*schema.Shape{
		"step": step, "fanout": step, "classify": step, "steps": read.TupleOf(observe.StepsItemShape), "run": observe.RunShape,
		"target": names(observe.TargetShape), "breaker": names(observe.BreakerShape), "gateway": names(observe.GatewayShape),
		"endpoint": plan.Directory("", "", endpoints), "endpoints": read.TupleOf(observe.EndpointsItemShape), "sut": observe.SutInTrace,
		"call": plan.Directory("", "", calls), "actor": plan.Directory("", "", actors), "lock": names(observe.LockShape), "registry": names(observe.RegistryShape),
	}
	if p.BenchRun != nil {
		all["report"] = observe.BenchShape(p.BenchRun, "")
	}
	return all
}

// none is what no limit is.
func none() (least, most float64) { return 1, 0 }

// limitOfStep is what the file says of a number of a step: no policy of it lets more come.
func (f *File) limitOfStep(s *plan.Step, name string) (least, most float64) {
	if !f.plays(s) || f.p.Instances > 1 {
		return none()
	}
	switch {
	case name == "retries" && s.Gateway != nil && len(s.Tools) == 0:
		return 0, float64(s.Retry.MaxRetries)
	case name == "elapsed_ms" && s.Timeout > 0:
		return 0, float64(s.Timeout.Milliseconds())
	case name == "iterations" && s.Kind == plan.KindLoop:
		return 0, float64(iterations(s))
	case name == "turns" && s.MaxTurns > 0:
		return 0, float64(s.MaxTurns)
	}
	return none()
}

// limitOfRun is what the file says of a number of a run that has to succeed: one that costs
// more than its budget fails, and limitOfUsage is that of its tokens.
func (f *File) limitOfRun(name string) (least, most float64) {
	if b := f.budget(); name == "cost_usd" && b.USD != nil {
		return 0, b.USD.Float64()
	}
	return none()
}

func (f *File) limitOfUsage(name string) (least, most float64) {
	if b := f.budget(); name == "total_tokens" && b.Tokens != nil {
		return 0, *b.Tokens
	}
	return none()
}

// budget is what a run may spend that has to succeed, nothing for another.
func (f *File) budget() (b policy.Budget) {
	if f.struck || f.o.Driven() || f.p.Workflow == nil || f.p.Instances > 1 || f.o.Run.Status != read.StatusSuccess || f.p.Allow[plan.GateUnexpected] {
		return b
	}
	return f.p.Workflow.Budget
}

func iterations(s *plan.Step) int {
	if s.Iterations > 0 {
		return s.Iterations
	}
	return plan.IterationsMax
}

// mostAttempts is how many attempts a step has at most by its policy, 0 where it has none: that
// one without a policy was called once is a check that it was called.
func (f *File) mostAttempts(s *plan.Step) int {
	if s.Gateway == nil || s.Retry.MaxRetries == 0 || len(s.Tools) > 0 || f.p.Instances > 1 || f.o.Driven() {
		return 0
	}
	return (s.Retry.MaxRetries + 1) * len(s.Gateway.Targets)
}

// mostOfTarget is how many attempts a target has at most, 0 where nothing bounds them: of one
// step that has no policy it is a check that there was one.
func (f *File) mostOfTarget(t *plan.Target) (most int) {
	callers := f.senders(&attempt{target: t})
	if !f.eachOnce() {
		return 0
	}
	for _, s := range callers {
		switch n := f.mostAttempts(s); {
		case n > 0:
			most += n
		case len(callers) == 1 || s.Gateway == nil:
			return 0
		default:
			most++
		}
	}
	return most
}

// limitOfAttempt is what the file says of a number of an attempt, whichever step made it.
func (f *File) limitOfAttempt(a *attempt, name string) (least, most float64) {
	list := f.senders(a)
	if f.p.Instances > 1 {
		return none()
	}
	return widest(list, func(s *plan.Step) (least, most float64) {
		switch n := f.mostAttempts(s); {
		case name == "n" && n > 0:
			return 1, float64(n)
		case name == "round" && len(s.Tools) == 0:
			return 1, float64(s.Retry.MaxRetries + 1)
		case name == "elapsed_ms" && s.AttemptTimeout > 0:
			return 0, float64(s.AttemptTimeout.Milliseconds())
		}
		return none()
	})
}

// widest are the limits that hold of each of some steps, none where one has none.
func widest(list []*plan.Step, of func(*plan.Step) (least, most float64)) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, s := range list {
		from, to := of(s)
		if from > to {
			return none()
		}
		least, most = min(least, from), max(most, to)
	}
	return least, most
}

// limitOfAny is what the file says of a number of a step of which nothing is known but that it
// is one of all.
func (f *File) limitOfAny(name string) (least, most float64) {
	var list []*plan.Step
	for _, s := range f.steps() {
		if name != "retries" || s.Step.Gateway != nil { // else it is null
			list = append(list, s.Step)
		}
	}
	return widest(list, func(s *plan.Step) (least, most float64) { return f.limitOfStep(s, name) })
}

// limitOfPool is what the file says of a number of a pool.
func limitOfPool(p *actor.PoolSpec, name string) (least, most float64) {
	if name == "in_use" || name == "in_use_max" {
		return 0, float64(p.Size)
	}
	return none()
}

// reportPart is the report of a bench.
func (f *File) reportPart() *part {
	b := f.p.BenchRun
	if b == nil {
		return nil
	}
	each := func(int) *part {
		return &part{f: f, attr: func(name string) given { return when(name == "id", cty.NilVal, ofNames) }, child: func(name string) *part {
			if name != "trials" {
				return nil
			}
			return &part{f: f, elem: func(int) *part { return nil }}
		}}
	}
	return &part{
		f: f,
		limit: func(name string) (least, most float64) {
			if name == "passed" {
				return 0, float64(len(b.Cases))
			}
			return none()
		},
		child: func(name string) *part {
			switch name {
			case "cases":
				return &part{f: f, whole: true, why: ofNames, elem: each}
			case "case", "gate":
				return f.directory(func(string) *part { return each(0) })
			}
			return nil
		},
	}
}

// targetNames and providerNames are who may be called through a gateway.
func targetNames(g *plan.Gateway) (list []string) {
	for _, t := range g.Targets {
		list = append(list, t.Name)
	}
	return list
}

func providerNames(g *plan.Gateway) []string {
	set := map[string]bool{}
	for _, t := range g.Targets {
		set[t.Provider.Name] = true
	}
	return slices.Sorted(maps.Keys(set))
}
