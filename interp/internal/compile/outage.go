package compile

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/strike"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// outage compiles what does not work for a while.
func (sc *scenarioCompiler) outage(b *dsl.Block) {
	r, f := sc.Read(b), b.First("fault")
	by := strike.Whereabouts(r)
	if by == "" || f == nil {
		return
	}
	place, known := sc.placeOf(r, by)
	if !known || strike.OnProgram(r, by, place.Steps, sc.p.Sut) {
		return
	}
	fault, kind := sc.Read(f), sc.File.Extensions.Fault(f.Labels[0])
	o := strike.Outage(r, fault, kind, place)
	strike.WithoutEffect(fault, kind, o.Entry.Args)
	strike.Acts(fault, kind, o.Entry.Args, nil, nil)
	sc.swapped(fault, kind, place.Steps)
	if mode, given := o.Entry.Args["mode"].(string); given {
		for _, t := range strike.Taxonomies(place.Steps) {
			sc.checkMode(fault, mode, t)
		}
	}
	sc.p.Outages = append(sc.p.Outages, o)
}

// placeOf finds what is at the place of an outage; what the scenario does not have
// is reported.
func (sc *scenarioCompiler) placeOf(r dsl.Reader, by string) (place strike.Place, known bool) {
	place.Unsure = sc.unresolved
	if by == "address" {
		// An address is that of a script, whose label it is there.
		as := &dsl.Block{Type: "outage", Labels: []string{r.String("address")}, LabelRanges: []hcl.Range{r.Range("address")}, DefRange: r.Block.DefRange}
		part, mine := sc.partOf(as)
		if mine {
			place.Part = part
			return place, part != nil
		}
		place.Steps = sc.families(&plan.Script{Address: as.Name()}, as)
		return place, place.Steps != nil
	}
	provider := unit.Find(sc.Unit, sc.providers, r.Ref("provider"))
	all := sc.calling()
	if by == "target" {
		sc.checkTarget(r, r.String("target"), all)
	}
	place.Steps = strike.On(all, r.String("target"), provider)
	if by == "provider" && provider != nil && place.Steps == nil && !sc.unresolved {
		r.Errorf(by, "Unknown address", "Nothing that this scenario runs calls provider.%s, so no attempt could meet the outage.", provider.Name)
	}
	return place, place.Steps != nil || sc.unresolved
}

// calling are the steps and endpoints that call a service.
func (sc *scenarioCompiler) calling() []*plan.Step {
	var list []*plan.Step
	plan.EachNode(sc.scriptable("*"), func(n *plan.Node) {
		if n.Step.Gateway != nil {
			list = append(list, n.Step)
		}
	})
	return list
}
