package dsl

import (
	"sync"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/schema"
)

// AsStep is the step of a kind that a block of a scenario stands for: it has
// the name and the place of b, and of the attributes those that such a step
// knows. The others are returned beside it.
func (b *Block) AsStep(kind string, attrs []*Attr) (step *Block, unknown []*Attr) {
	s := stepSchema().ForKind(kind)
	step = &Block{
		Schema: s, Type: "step", Labels: []string{kind, b.Name()}, LabelRanges: append(b.LabelRanges[:1:1], b.LabelRanges...),
		DefRange: b.DefRange, End: b.End, Parent: b.Parent,
	}
	for _, a := range attrs {
		known := s.Attr(a.Name)
		if known == nil {
			unknown = append(unknown, a)
			continue
		}
		own := *a
		own.Schema = known
		step.Attrs = append(step.Attrs, &own)
	}
	for _, n := range b.Blocks {
		if s.Block(n.Type) != nil {
			step.Blocks = append(step.Blocks, n)
		}
	}
	return step, unknown
}

var stepSchema = sync.OnceValue(language.StepBlock)

// StepArguments names the attributes that only steps of a kind have, in the
// order of the reference.
func StepArguments(kind string) []string {
	var names []string
	for _, a := range stepSchema().ForKind(kind).Attrs {
		if !isCommon(a) {
			names = append(names, a.Name)
		}
	}
	return names
}

func isCommon(a schema.Attr) bool {
	for _, c := range language.StepAttrs() {
		if c.Name == a.Name {
			return true
		}
	}
	return false
}
