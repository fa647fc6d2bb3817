package plan

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ChecksItself reports whether the scenario says what must hold of a run of a way
// and can be observed there. An invariant of its file or of an import does not:
// it is about every run, and says nothing of what this scenario is there for.
func (p *Plan) ChecksItself(w Way) bool {
	seen := func(u Unseen) bool { return u.In(w) == "" }
	return slices.ContainsFunc(p.Asserts, func(a *Assertion) bool { return seen(a.Unseen) }) ||
		slices.ContainsFunc(p.SnapshotChecks, func(s *SnapshotCheck) bool { return seen(s.Unseen) }) ||
		slices.ContainsFunc(p.Invariants, func(i *Invariant) bool { return i.Own && seen(i.Unseen) }) ||
		slices.ContainsFunc(p.Expects, func(x *Expectation) bool {
			return slices.ContainsFunc(x.Attrs, func(a *dsl.Attr) bool { return seen(x.Unseen[a.Name]) })
		})
}

// Checks reports whether the scenario has checks of its own, observed or not.
func (p *Plan) Checks() bool {
	return len(p.Asserts) > 0 || len(p.SnapshotChecks) > 0 || len(p.Expects) > 0 ||
		slices.ContainsFunc(p.Invariants, func(i *Invariant) bool { return i.Own })
}

// Excuses are the endings other than success that a scenario asks for: of the
// run ("run"), of each block of it that has a result, by its address, and of its
// program.
type Excuses map[string]*Excuse

// Excuse is what a scenario asks of the endings of one thing.
type Excuse struct {
	// given are those that an expect block gives.
	given map[string]bool
	// Asked are the conditions that compare its ending.
	Asked []*AskedEnding
}

// AskedEnding is a condition that compares an ending with some that it names. It asks
// for the one that was met only if it would not hold of another.
type AskedEnding struct {
	Of *Assertion
	// Needs is what the condition reads, nil for what the plan does.
	Needs *read.Needs
	names map[string]bool
}

// What a scenario can ask of the end of its program.
const (
	ExitCode  = "sut.exit_code"
	EndSignal = "sut.signal"
)

// NoSignal is the ending of a program that no signal ended.
const NoSignal = ""

// ExcusedProgram is the subject of an attribute of sut, "" for one that is no way
// to end.
func ExcusedProgram(attribute string) string {
	if subject := "sut." + attribute; IsExcusedProgram(subject) {
		return subject
	}
	return ""
}

// IsExcusedProgram reports whether a subject is about the end of the program.
func IsExcusedProgram(subject string) bool { return subject == ExitCode || subject == EndSignal }

// Give notes the status that an expect block gives.
func (x *Excuses) Give(subject string, v cty.Value) {
	for _, ending := range endings(subject, v) {
		x.of(subject).given[ending] = true
	}
}

// All excuses every ending of a subject.
func (x *Excuses) All(subject string) { x.of(subject).given[read.StatusSuccess] = true }

// Ask notes that a condition compares the ending of a subject with a value, which is
// one or a list of them; of the program its exit codes, and its signals, of which
// null is none.
func (x *Excuses) Ask(subject string, v cty.Value, of *Assertion, needs *read.Needs) {
	names := endings(subject, v)
	if len(names) == 0 {
		return
	}
	excuse := x.of(subject)
	if n := len(excuse.Asked); n == 0 || excuse.Asked[n-1].Of != of {
		excuse.Asked = append(excuse.Asked, &AskedEnding{of, needs, map[string]bool{}})
	}
	for _, name := range names {
		excuse.Asked[len(excuse.Asked)-1].names[name] = true
	}
}

func endings(subject string, v cty.Value) (names []string) {
	switch t := v.Type(); {
	case v.IsNull() && subject == EndSignal:
		return []string{NoSignal}
	case v.IsNull():
	case t == cty.Number && subject == ExitCode:
		return []string{v.AsBigFloat().Text('f', -1)}
	case t == cty.String:
		return []string{v.AsString()}
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		for _, e := range v.AsValueSlice() {
			names = append(names, endings(subject, e)...)
		}
	}
	return names
}

func (x *Excuses) of(subject string) *Excuse {
	if *x == nil {
		*x = Excuses{}
	}
	if (*x)[subject] == nil {
		(*x)[subject] = &Excuse{given: map[string]bool{}}
	}
	return (*x)[subject]
}

// Gives reports whether an expect block gives an ending.
func (x Excuses) Gives(subject, status string) bool {
	return x[subject] != nil && (x[subject].given[status] || x[subject].given[read.StatusSuccess])
}

// Names reports whether the condition compares with an ending.
func (a *AskedEnding) Names(ending string) bool { return a.names[ending] }
