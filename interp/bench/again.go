package bench

import (
	"errors"
	"strings"
)

// ErrCutAnswer says that an answer is not known whole, so that nothing can score it.
var ErrCutAnswer = errors.New("what was kept of the answer is its beginning")

// Again is the answer of a trial that ended before, for a rubric to score anew: what
// was kept of it, or the failure that it ended in. Its cost was spent then.
func (t *Trial) Again() (Answer, error) {
	a := Answer{Elapsed: t.Elapsed}
	if k := t.Look(); k != nil {
		a.Log, a.Calls = k.Log.Text, k.Calls
		a.Output = []byte(k.Output.Text)
		if k.Output.Cut() {
			return a, ErrCutAnswer
		}
	}
	for _, m := range t.FailureModes {
		switch m.Code {
		case SUTTimeout:
			return a, ErrTimeout
		case SUTException:
			kind, message, _ := strings.Cut(m.Detail, ": ")
			return a, &Exception{Type: kind, Message: message}
		}
	}
	return a, nil
}

// Whole reports whether a trial can be scored anew: its answer is kept to its end,
// or it ended without one.
func (t *Trial) Whole() bool {
	a, err := t.Again()
	return !errors.Is(err, ErrCutAnswer) && (err != nil || len(a.Output) > 0)
}
