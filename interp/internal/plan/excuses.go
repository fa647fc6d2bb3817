package plan

import (
	"slices"
	"strconv"

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

// Excuses are the endings other than success that a scenario asks for: of the
// run ("run"), and of each block of it that has a result, by its address.
type Excuses map[string]map[string]bool

// What a scenario can ask of the end of its program.
const (
	exitCode  = "sut.exit_code"
	endSignal = "sut.signal"
)

// ExcusedProgram is the subject of an attribute of sut, "" for one that is no way
// to end.
func ExcusedProgram(attribute string) string {
	if subject := "sut." + attribute; IsExcusedProgram(subject) {
		return subject
	}
	return ""
}

// IsExcusedProgram reports whether a subject is about the end of the program.
func IsExcusedProgram(subject string) bool { return subject == exitCode || subject == endSignal }

// Add notes the statuses in a value, which is one or a list of them; of the
// program its exit codes, and its signals, of which null is none.
func (x *Excuses) Add(subject string, v cty.Value) {
	switch t := v.Type(); {
	case v.IsNull() && subject == endSignal:
		x.note(subject, "")
	case v.IsNull():
	case t == cty.Number && subject == exitCode:
		x.note(subject, v.AsBigFloat().Text('f', -1))
	case t == cty.String:
		x.note(subject, v.AsString())
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		for _, e := range v.AsValueSlice() {
			x.Add(subject, e)
		}
	}
}

func (x *Excuses) note(subject, ending string) {
	if *x == nil {
		*x = Excuses{}
	}
	if (*x)[subject] == nil {
		(*x)[subject] = map[string]bool{}
	}
	(*x)[subject][ending] = true
}

// CoverProgram reports whether a scenario asks for an end of its program: by its
// exit code or signal, or by a comparison with that of a success.
func (x Excuses) CoverProgram(code *int, signal string) bool {
	if signal != "" {
		return x[endSignal][signal] || x[endSignal][""]
	}
	return code != nil && (x[exitCode][strconv.Itoa(*code)] || x[exitCode]["0"])
}

// All excuses every ending of a subject.
func (x *Excuses) All(subject string) { x.Add(subject, cty.StringVal(read.StatusSuccess)) }

// Cover reports whether a scenario asks for an ending: by its name, or by a
// comparison with success, which every other ending answers.
func (x Excuses) Cover(subject, status string) bool {
	return x[subject][status] || x[subject][read.StatusSuccess]
}
