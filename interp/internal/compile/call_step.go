package compile

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// callTargets are the roots of what a call can be for.
var callTargets = []string{"actor", "workflow", "fanout", "classifier", "gateway", "provider"}

// driven compiles a block that does what a step does: a fanout, a
// classification, or a call of anything but an actor. It becomes a step that
// stands beside the scenario's workflow.
func (sc *scenarioCompiler) driven(d *plan.Action, b *dsl.Block) {
	step, unknown := b.AsStep(b.Type, b.Attrs)
	for _, a := range unknown {
		if a.Name != "at" && a.Name != "after" {
			sc.Errorf(a.NameRange, "Unknown attribute", "A %s has no attribute %q.", b.Type, a.Name)
		}
	}
	sc.addStep(d, step)
}

// callStep is the step that a call of something else than an actor is, nil
// where that is wrong.
func (sc *scenarioCompiler) callStep(b *dsl.Block, root string) *dsl.Block {
	r := sc.Read(b)
	target := b.Attr("target")
	attrs := []*dsl.Attr{renamed("timeout", b.Attr("timeout"))}
	if root != "classifier" {
		sc.onlyFor(r, "a classifier", "text", "gateway", "provider")
	}
	kind := root
	switch root {
	case "workflow":
		attrs = append(attrs, renamed("run", target), renamed("inputs", b.Attr("arguments")))
	case "fanout":
		attrs = append(attrs, renamed("run", target), renamed("arguments", b.Attr("arguments")))
	case "classifier":
		kind = string(plan.KindClassify)
		sc.onlyFor(r, "what has inputs", "arguments")
		if !r.Has("text") {
			sc.Errorf(b.DefRange, "Missing attribute", "A call of a classifier says what is classified: give it text.")
			return nil
		}
		attrs = append(attrs, renamed("with", target), b.Attr("text"), b.Attr("gateway"), b.Attr("provider"))
	default:
		kind = sc.familyOf(root, target)
		if kind == "" {
			return nil
		}
		attrs = append(attrs, renamed(root, target))
		attrs = append(attrs, sc.lifted(b.Attr("arguments"))...)
	}
	step, unknown := b.AsStep(kind, slices.DeleteFunc(attrs, func(a *dsl.Attr) bool { return a == nil }))
	for _, a := range unknown {
		known := dsl.StepArguments(kind)
		hint := dsl.DidYouMean(a.Name, known)
		if hint == "" {
			hint = " It has: " + strings.Join(known, ", ") + "."
		}
		sc.Errorf(a.NameRange, "Unknown attribute", "The arguments of a call of a %s are those of a step of kind %q, which has no %q.%s", root, kind, a.Name, hint)
	}
	return step
}

// onlyFor refuses attributes of a call that mean nothing for its target.
func (sc *scenarioCompiler) onlyFor(r dsl.Reader, whom string, attrs ...string) {
	for _, name := range attrs {
		if r.Has(name) {
			r.Errorf(name, "Attribute that means nothing here", "%q is for a call of %s, and this one calls %s.", name, whom, dsl.Excerpt(r.Block.Expr("target")))
		}
	}
}

// renamed is an attribute under another name, nil for nil.
func renamed(name string, a *dsl.Attr) *dsl.Attr {
	if a == nil {
		return nil
	}
	own := *a
	own.Name = name
	return &own
}

// familyOf is the kind of step that calls a gateway or provider, "" where there
// is none of that name.
func (sc *scenarioCompiler) familyOf(root string, target *dsl.Attr) string {
	own := renamed(root, target)
	ref := dsl.Reader{Block: &dsl.Block{Type: "call", Attrs: []*dsl.Attr{withSchema(own, schema.Attr{Name: root, Type: schema.Ref, Refs: []string{root}})}}, Ctx: sc.Statics, Diags: &sc.Diags}
	g := sc.route(ref.Block, ref)
	if g == nil {
		return ""
	}
	return g.Family()
}

func withSchema(a *dsl.Attr, s schema.Attr) *dsl.Attr {
	a.Schema = &s
	return a
}

// lifted are the items of an object as attributes.
func (sc *scenarioCompiler) lifted(a *dsl.Attr) []*dsl.Attr {
	if a == nil {
		return nil
	}
	obj, ok := a.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		sc.Errorf(a.Expr.Range(), "Wrong value", "The arguments of a call of a gateway are written out, { name = value, … }: each is one of a step's.")
		return nil
	}
	var list []*dsl.Attr
	for _, item := range obj.Items {
		name := hcl.ExprAsKeyword(item.KeyExpr)
		if v, diags := dsl.Evaluate(item.KeyExpr, nil); name == "" && !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() {
			name = v.AsString()
		}
		rng := hcl.RangeBetween(item.KeyExpr.Range(), item.ValueExpr.Range())
		list = append(list, &dsl.Attr{Name: name, Expr: item.ValueExpr, Range: rng, NameRange: item.KeyExpr.Range()})
	}
	return list
}

// addStep compiles a step that stands beside the scenario's workflow.
func (sc *scenarioCompiler) addStep(d *plan.Action, block *dsl.Block) {
	w := &plan.Workflow{Rng: d.Rng, OnFailure: plan.FailFast, MaxConcurrent: 1, Inputs: map[string]cty.Value{}, OutputNeeds: &read.Needs{}, Taxonomy: sc.taxonomyHere()}
	wc := &workflowCompiler{compiler: sc.compiler, w: w, block: &dsl.Block{Type: "scenario", Blocks: []*dsl.Block{block}}, driven: true}
	if b := sc.File.Body.Named("workflow", sc.p.Workflow.Name); b != nil {
		wc.gateway = sc.route(b, dsl.Reader{Block: b, Ctx: sc.Statics, Diags: &sc.Diags})
	}
	wc.declare()
	wc.steps()
	if len(w.Steps) == 0 {
		return
	}
	s := w.Steps[0]
	d.Step = s
	if d.Call != nil {
		s.Valued = true
		shape := *s.Shape
		shape.Attrs = map[string]*schema.Shape{}
		for name, a := range s.Shape.Attrs {
			shape.Attrs[name] = a
		}
		shape.Attrs["value"] = read.AnyShape
		s.Shape = &shape
	}
	d.Node = s.Tree(sc.nextOrder)
	sc.nextOrder = lastOrder(d.Node) + 1
	sc.p.Outside = append(sc.p.Outside, d.Node)
	sc.addresses = nil
}

// taxonomyHere is that of the scenario's workflow.
func (sc *scenarioCompiler) taxonomyHere() *plan.Taxonomy {
	if t := sc.p.Workflow.Taxonomy; t != nil {
		return t
	}
	return plan.DefaultTaxonomy()
}

// callKind is a call block of a scenario.
type callKind struct{ basicKind }

func (callKind) takes(attr string) bool { return attr == "target" }

func (callKind) arguments(wc *workflowCompiler, s *plan.Step, _ dsl.Reader) {
	s.Target, _ = wc.services.Target(s.Block.Expr("target"), "target")
}
