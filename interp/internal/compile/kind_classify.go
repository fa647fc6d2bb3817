package compile

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// classifyKind routes a text by asking a model.
type classifyKind struct{ basicKind }

// family implements stepKind: with an answer of its own it asks nobody.
func (classifyKind) family(b *dsl.Block) string {
	if b.Attr("reply") != nil {
		return ""
	}
	return "llm"
}

func (classifyKind) arguments(wc *workflowCompiler, s *plan.Step, r dsl.Reader) { wc.classifies(s, r) }

// entryTypes are the types that a schema may name.
var entryTypes = []string{"string", "number", "bool", "object", "tuple", "any"}

func (c *compiler) compileClassifiers() {
	c.classifiers = map[string]*plan.Classifier{}
	for _, b := range c.Top("classifier") {
		c.classifiers[b.Name()] = c.classifier(b)
	}
}

func (c *compiler) classifier(b *dsl.Block) *plan.Classifier {
	r := c.Read(b)
	k := &plan.Classifier{
		Name: b.Name(), Rationale: r.String("rationale"),
		Types: map[string]string{plan.EntryTarget: "string", plan.EntryPrompt: "string", plan.EntrySegment: "object"},
	}
	if e := b.Expr("fallback"); e != nil {
		k.Fallback = c.routed(e)
	}
	if e := b.Expr("candidates"); e != nil {
		k.Candidates = c.candidates(e)
	}
	if r.Has("schema") {
		k.Types = r.StringMap("schema")
		c.entrySchema(r, k)
	}
	k.Keys = read.SortedNames(k.Types)
	for _, name := range k.Candidates {
		if c.services.Actors[name] != nil {
			k.Actors = append(k.Actors, name)
		}
	}
	return k
}

// entrySchema refuses a schema whose entries could not be routed.
func (c *compiler) entrySchema(r dsl.Reader, k *plan.Classifier) {
	for _, name := range read.SortedNames(k.Types) {
		if t := k.Types[name]; !read.Contains(entryTypes, t) {
			r.Errorf("schema", "Wrong value", "%q cannot hold %q.%s The types are: %s.", name, t, dsl.DidYouMean(t, entryTypes), strings.Join(entryTypes, ", "))
		}
	}
	if k.Types != nil && k.Types[plan.EntryTarget] != "string" {
		r.Errorf("schema", "Schema without a target", `Every entry says where it goes: add target = "string".`)
	}
}

// candidates reads a tuple of names.
func (c *compiler) candidates(e hclsyntax.Expression) []string {
	tuple, ok := e.(*hclsyntax.TupleConsExpr)
	if !ok {
		v, diags := c.static(e)
		if diags {
			return nil
		}
		if !v.IsNull() && (v.Type().IsTupleType() || v.Type().IsListType() || v.Type().IsSetType()) {
			var names []string
			for it := v.ElementIterator(); it.Next(); {
				_, name := it.Element()
				names = c.candidate(names, c.targetName(name, e.Range()), e.Range())
			}
			return names
		}
		c.Errorf(e.Range(), "Wrong value", "The candidates are a list of names or actors, such as [\"health\", \"mail\"].")
		return nil
	}
	var names []string
	for _, e := range tuple.Exprs {
		names = c.candidate(names, c.routed(e), e.Range())
	}
	if len(tuple.Exprs) == 0 {
		c.Errorf(e.Range(), "Wrong value", "Without a candidate every text would go to the fallback: name at least one.")
	}
	return names
}

func (c *compiler) candidate(names []string, name string, rng hcl.Range) []string {
	if name != "" && slices.Contains(names, name) {
		c.Errorf(rng, "Duplicate name", "The candidate %q is a duplicate.", name)
		return names
	}
	if actors := read.SortedNames(c.services.Actors); name != "" && len(actors) > 0 && !slices.Contains(actors, name) {
		if meant := dsl.DidYouMean(name, actors); meant != "" {
			c.Warnf(rng, "Candidate that is no actor", "No actor %q is declared.%s What is sent to a name without an actor is not run here.", name, meant)
		}
	}
	return append(names, name)
}

// routed is the name of a target: of an actor that is referred to, or as it is
// given.
func (c *compiler) routed(e hclsyntax.Expression) string {
	if ref, ok := e.(*hclsyntax.ScopeTraversalExpr); ok && ref.Traversal.RootName() == "actor" {
		name, ok := read.AttrName(ref.Traversal, 1)
		if !ok || len(ref.Traversal) != 2 {
			c.Errorf(e.Range(), "Wrong reference", "A target is an actor, of the form actor.name.")
			return ""
		}
		if c.services.Actors[name] == nil {
			c.UnknownRef(dsl.Reference{Type: "actor", Name: name, Range: e.Range()}, c.services.Order)
		}
		return name
	}
	v, broken := c.static(e)
	if broken {
		return ""
	}
	return c.targetName(v, e.Range())
}

func (c *compiler) targetName(v cty.Value, rng hcl.Range) string {
	if v.IsNull() || v.Type() != cty.String || strings.TrimSpace(v.AsString()) == "" {
		c.Errorf(rng, "Wrong value", "A target is a name in quotes or an actor, not %s.", render.Value(v, 60))
		return ""
	}
	return v.AsString()
}

// static evaluates an expression that is known before the run, and reports
// whether it could not be.
func (c *compiler) static(e hclsyntax.Expression) (cty.Value, bool) {
	if _, diags := dsl.Infer(e, c.Static); diags.HasErrors() {
		c.Diags = append(c.Diags, diags...)
		return read.Null, true
	}
	v, diags := dsl.Evaluate(e, c.Statics)
	c.Diags = append(c.Diags, diags...)
	return v, diags.HasErrors()
}

// classifies reads what a step that classifies needs before it runs.
func (wc *workflowCompiler) classifies(s *plan.Step, r dsl.Reader) {
	if ref := r.Ref("with"); ref.Name != "" {
		if s.Classifier = wc.classifiers[ref.Name]; s.Classifier == nil {
			wc.UnknownRef(ref, read.SortedNames(wc.classifiers))
		}
	}
}
