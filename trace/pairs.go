package trace

// pairs lists the events that begin something and the ones that end it; every
// start has its end, also on failure and cancellation.
var pairs = [...]struct{ start, end Type }{
	{RunStart, RunEnd},
	{StepStart, StepEnd},
	{AttemptStart, AttemptEnd},
	{SessionStart, SessionEnd},
	{Lock, Unlock},
	{CaseStart, CaseEnd},
	{SutStart, SutEnd},
}

// pairOf returns the pair a type belongs to, and +1 for its start, -1 for its
// end, 0 for a type that is neither.
func pairOf(t Type) (kind, step int) {
	for i := range pairs {
		switch t {
		case pairs[i].start:
			return i, 1
		case pairs[i].end:
			return i, -1
		}
	}
	return 0, 0
}

// An identity says which start an end belongs to.
type identity struct {
	kind                            int
	step, call, actor, lock, ofCase string
	attempt, iteration              int
}

func identify(kind int, e *Event) identity {
	id := identity{kind: kind, step: e.Step, call: e.Call, actor: e.Actor, iteration: e.Iteration}
	switch pairs[kind].start {
	case AttemptStart:
		// The end of a step names an attempt too: the one whose failure is the
		// step's. It is no part of the step's identity.
		id.attempt = e.Attempt
	case Lock:
		id.lock = e.Text("lock")
	case CaseStart:
		id.ofCase = e.Text("case")
		id.iteration = int(e.Int("trial"))
	}
	return id
}

// started counts the starts that have no end yet.
func started(events []Event) map[identity]int {
	open := map[identity]int{}
	for i := range events {
		kind, step := pairOf(events[i].Type)
		if id := identify(kind, &events[i]); step > 0 {
			open[id]++
		} else if step < 0 && open[id] > 0 {
			open[id]--
		}
	}
	return open
}
