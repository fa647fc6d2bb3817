package mutate

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
)

// explain finds out how the run of a survivor differs, and an assertion that sees it.
func (r *runner) explain(m *Mutant, x *reading) *Difference {
	d, conditions := differenceOf(x, interp.RunOptions{})
	for _, c := range conditions {
		if assertion := m.assertion(c); r.kills(assertion, m, x) {
			d.Assert = string(assertion)
			break
		}
	}
	return d
}

// name is what an assertion is called that sees the mutant.
func (m *Mutant) name() string {
	if m.keeps == "" {
		return m.Declaration + " has an effect"
	}
	return m.Declaration + " keeps its " + m.keeps
}

// assertion is one with a condition, as it is written.
func (m *Mutant) assertion(condition string) []byte {
	return fmt.Appendf(nil, "assert %s { condition = %s }", quoted(m.name()), condition)
}

// kills reports whether a scenario with an assertion more is green without a mutant, and
// red for this assertion with it.
func (r *runner) kills(assertion []byte, m *Mutant, x *reading) bool {
	plain, ok := r.withAssertion(assertion, x, nil)
	if !ok || plain.Verdict != interp.Pass {
		return false
	}
	mutant, ok := r.withAssertion(assertion, x, m)
	return ok && slices.ContainsFunc(mutant.Problems, func(p interp.Problem) bool { return p.Kind == "assert" && p.Name == m.name() })
}

// withAssertion runs a scenario that has an assertion more, with a mutant where that is
// not nil.
func (r *runner) withAssertion(assertion []byte, x *reading, m *Mutant) (*interp.Result, bool) {
	texts, source := map[string][]byte{}, x.host.Source
	if m != nil {
		texts[m.File] = m.Text()
		if m.File == x.host.Path {
			source = m.Text()
		}
	}
	number := scenarioAt(x.host.Source, x.plan.Line)
	if source = appended(source, number, assertion); source == nil {
		return nil, false
	}
	texts[x.host.Path] = source
	f := r.Compile(x.host.Path, texts)
	if f.Failed() {
		return nil, false
	}
	i := slices.IndexFunc(f.Plans, func(p *interp.Plan) bool { return p.Name == x.plan.Name })
	if i < 0 {
		return nil, false
	}
	return interp.Run(f.Plans[i], interp.RunOptions{Done: r.Done}), true
}

// scenarioAt is the number of the scenario block that begins in a line, -1 for none.
func scenarioAt(src []byte, line int) int {
	return slices.IndexFunc(scenarios(src), func(b *dsl.Block) bool { return b.DefRange.Start.Line == line })
}

func scenarios(src []byte) []*dsl.Block {
	file, _ := dsl.Parse("", src)
	if file == nil {
		return nil
	}
	return file.Body.All("scenario")
}

// appended is a text with a block more in one of its scenarios, nil where it has none of
// this number.
func appended(src []byte, number int, block []byte) []byte {
	list := scenarios(src)
	if number < 0 || number >= len(list) {
		return nil
	}
	at := list[number].End.Start.Byte
	return spliced(src, at, at, "\n"+string(block)+"\n")
}
