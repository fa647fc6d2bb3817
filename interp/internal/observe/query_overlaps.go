package observe

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Overlaps counts the pairs of sessions that ran at the same time. A session is
// over at the instant at which it ends, so one that begins then does not overlap
// it; one that never began overlaps nothing, and one that never ended all that
// came after its start.
func Overlaps(args []cty.Value) (cty.Value, error) {
	if len(args) != 1 || args[0].IsNull() || !args[0].Type().IsTupleType() {
		return read.Null, errors.New("overlaps takes a list of sessions, calls or steps, such as actor.a.sessions")
	}
	began, err := spansOf(args[0].AsValueSlice())
	if err != nil {
		return read.Null, err
	}
	pairs := 0
	for i, a := range began {
		for _, b := range began[:i] {
			if a.startsBeforeEndOf(b) && b.startsBeforeEndOf(a) {
				pairs++
			}
		}
	}
	return read.Number(pairs), nil
}

// Began counts the sessions of a list that ever began: fewer than two of them
// overlap in no run.
func Began(sessions []cty.Value) int {
	began, _ := spansOf(sessions)
	return len(began)
}

// Timeless reports whether fewer than two of the sessions of a list that ever began took
// any time, and several of them began at one instant: what was under way at once cannot be
// told.
func Timeless(sessions []cty.Value) bool {
	began, _ := spansOf(sessions)
	together, lasting := false, 0
	for i, s := range began {
		if s.end.IsNull() || !s.start.RawEquals(s.end) {
			lasting++
		}
		for _, o := range began[:i] {
			together = together || s.start.RawEquals(o.start)
		}
	}
	return together && lasting < 2
}

func spansOf(sessions []cty.Value) (began []span, err error) {
	for i, v := range sessions {
		s, ok, err := spanOf(v)
		if err != nil {
			return nil, fmt.Errorf("overlaps cannot read element %d: %w", i, err)
		}
		if ok {
			began = append(began, s)
		}
	}
	return began, nil
}

// span is the time of one session; end is null where it did not end.
type span struct{ start, end cty.Value }

func (s span) startsBeforeEndOf(o span) bool {
	return o.end.IsNull() || s.start.LessThan(o.end).True()
}

// spanOf reads a session; ok is false for one that never began.
func spanOf(v cty.Value) (s span, ok bool, err error) {
	if v.IsNull() || !v.Type().IsObjectType() {
		return s, false, errors.New("it is no object")
	}
	for _, at := range []struct {
		name string
		to   *cty.Value
	}{{"started_ms", &s.start}, {"ended_ms", &s.end}} {
		if !v.Type().HasAttribute(at.name) {
			return s, false, fmt.Errorf("it has no %s", at.name)
		}
		if *at.to = v.GetAttr(at.name); !at.to.IsNull() && at.to.Type() != cty.Number {
			return s, false, fmt.Errorf("its %s is no number", at.name)
		}
	}
	return s, !s.start.IsNull(), nil
}
