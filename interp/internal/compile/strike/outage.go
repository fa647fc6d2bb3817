package strike

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A Place is what a scenario has at the place of an outage.
type Place struct {
	// Part is what of an actor is there, nil for steps and endpoints, which are
	// Steps then.
	Part  *plan.Part
	Steps []*plan.Step
	// Unsure says that the file has errors for which there may be more.
	Unsure bool
}

// Where are the attributes of which an outage has one.
var Where = []string{"address", "target", "provider"}

// Whereabouts is the one of them that a block has, "" where it has none or several, which
// is reported.
func Whereabouts(r dsl.Reader) string {
	var given []string
	for _, name := range Where {
		if r.Has(name) {
			given = append(given, name)
		}
	}
	switch {
	case len(given) == 1:
		return given[0]
	case len(given) > 1:
		r.Errorf(given[1], "Two places for one outage", "Give %s or %s, or write two outages.", given[0], given[1])
	case !slices.ContainsFunc(Where, func(name string) bool { return r.Block.Attr(name) != nil }):
		at{r}.errorf(r.Block.DefRange, "Outage of nothing", "Say what does not work: an address, as that of a script, a target or a provider.")
	}
	return ""
}

// Outage compiles a block whose place is known.
func Outage(r dsl.Reader, fault dsl.Reader, kind *faults.Kind, place Place) *plan.Outage {
	b := r.Block
	o := &plan.Outage{
		Reach:    plan.Reach{Address: r.String("address"), Target: r.String("target"), Provider: r.Ref("provider").Name, From: r.Duration("from"), To: r.Duration("to")},
		Optional: r.Bool("optional"), Rng: b.DefRange,
		Entry: &plan.Entry{
			Outage: b.Name(), Times: plan.Unlimited, Fault: kind, After: fault.Duration("after"), HasAfter: fault.Has("after"), Args: fault.Values("after"), Rng: fault.Block.DefRange,
		},
	}
	if place.Part != nil {
		o.Address = place.Part.Address // as calls name it
	}
	if r.Has("to") && o.To <= o.From && !mistaken(r, "to") && !mistaken(r, "from") {
		r.Errorf("to", "Outage that ends before it begins", "It lasts from %s until %s: to must be later than from.", o.From, o.To)
	}
	if why := place.refuses(kind, o.Where()); why != "" {
		at{fault}.errorf(fault.Block.LabelRanges[0], "Fault that means nothing here", "%s", why)
	}
	return o
}

// refuses says why no attempt at the place can meet a kind of fault, "" where one can.
func (p *Place) refuses(k *faults.Kind, where string) string {
	if p.Part != nil {
		if slices.Contains(k.For, p.Part.Word) {
			return ""
		}
		return fmt.Sprintf("The fault %q is for %s, and %s is of kind %q.", k.Name, strings.Join(k.For, ", "), p.Part.What, p.Part.Word)
	}
	var list []string
	for _, s := range p.Steps {
		if s.Meets(k) {
			return ""
		}
		list = append(list, fmt.Sprintf("%q is %s", s.Name, s.Describe()))
	}
	if list == nil || p.Unsure {
		return ""
	}
	return fmt.Sprintf("The fault %q is for %s, and what calls %s is not: %s.", k.Name, strings.Join(k.For, ", "), where, strings.Join(list, ", "))
}

// On are the steps and endpoints that call a target of a name, or a provider.
func On(all []*plan.Step, target string, provider *plan.Provider) []*plan.Step {
	var list []*plan.Step
	for _, s := range all {
		if slices.ContainsFunc(s.Gateway.Targets, func(t *plan.Target) bool { return t.Name == target || t.Provider == provider && provider != nil }) {
			list = append(list, s)
		}
	}
	return list
}

// OnProgram reports whether only the program under test could meet an outage of what
// by says, and that it is refused: the program answers those steps itself.
func OnProgram(r dsl.Reader, by string, steps []*plan.Step, sut *plan.Sut) bool {
	if sut == nil || sut.Serves == nil || len(steps) == 0 || slices.ContainsFunc(steps, (*plan.Step).Unwritten) {
		return false
	}
	r.Errorf(by, "Script for the program itself", "What is asked there is asked of the program under test, provider.%s, which answers it itself. An outage is for an endpoint: what the program asks.", sut.Serves.Name)
	return true
}

// Taxonomies are those of some steps, each once; the default where there is none.
func Taxonomies(steps []*plan.Step) []*plan.Taxonomy {
	list := []*plan.Taxonomy{}
	for _, s := range steps {
		if !slices.Contains(list, s.Taxonomy) {
			list = append(list, s.Taxonomy)
		}
	}
	if len(list) == 0 {
		list = append(list, plan.DefaultTaxonomy())
	}
	return list
}

// mistaken reports whether an error was said of an attribute, whose value nobody knows then.
func mistaken(r dsl.Reader, name string) bool {
	at := r.Range(name)
	return slices.ContainsFunc([]*hcl.Diagnostic(*r.Diags), func(d *hcl.Diagnostic) bool {
		return d.Severity == hcl.DiagError && d.Subject != nil && d.Subject.Filename == at.Filename && d.Subject.Start.Byte >= at.Start.Byte && d.Subject.End.Byte <= at.End.Byte
	})
}
