package recording

import (
	"slices"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp"
)

// A Committed is what became of one cassette.
type Committed struct {
	*Cassette
	// Recorded counts the new interactions, and Total those that the file holds
	// now, 0 where it is as it was.
	Recorded, Total int
	// Unanswered are the errors of calls that met no service.
	Unanswered []string
	// Lost says that the file is as it was, because its answers would have given
	// way to nothing but transport errors, which is rarely meant. Discarding is
	// what kept the new ones from being removed, nil where nothing did.
	Lost       bool
	Discarding error
	// Worse are the failures that were met in the place of answers. Where only what
	// drifted is recorded, they are Lost: who wants them says of which step.
	Worse []Worse
	// Less is the scenario of which the file would have held less than before, nil
	// where there is none: it is Lost.
	Less *Less
	// Dropped are the header fields that a replay will not have although a
	// scenario may read them without the file saying which.
	Dropped []string
}

// Worse is a step that was answered, and now met a failure: its outcome.
type Worse struct{ Step, Outcome string }

// Less is a scenario that recorded less than the file holds of it: no call at all, or
// fewer than before and its run failed.
type Less struct {
	Plan      *interp.Plan
	Were, Now int
	// Steps are those of what the file holds, in its order, and Last is that of what was
	// recorded last.
	Steps []string
	Last  string
}

// Commit puts the recordings in the place of the files. Where the runs were
// stopped, which why says, they stay in the journals, and where no service was
// met, the answers stay. With an error it returns what was done before.
func (s *Set) Commit(why string) ([]Committed, error) {
	var done []Committed
	for _, c := range s.list {
		if c.recorder == nil {
			continue
		}
		if why != "" {
			c.Broken = why
		}
		out, err := s.commit(c)
		if err != nil {
			return done, &Error{c, err}
		}
		done = append(done, out)
	}
	return done, nil
}

func (s *Set) commit(c *Cassette) (Committed, error) {
	out := Committed{Cassette: c, Recorded: c.recorder.Sealed()}
	if err := c.recorder.Sync(); err != nil {
		return out, err
	}
	if c.Broken != "" {
		return out, nil
	}
	if !slices.ContainsFunc(c.Picked, s.ran) {
		c.Broken = "none of its scenarios was run"
		return out, nil
	}
	out.Unanswered = c.recorder.Unanswered()
	if c.recorder.LosesAnswers(s.replaced(c)) {
		out.Lost, out.Discarding = true, c.recorder.Discard()
		return out, nil
	}
	for _, it := range c.recorder.Worsened(s.replaced(c)) {
		out.Worse = append(out.Worse, Worse{Step: it.Step, Outcome: it.Outcome()})
	}
	out.Less = s.less(c)
	if out.Less != nil || s.options.Drifted && len(out.Worse) > 0 {
		out.Lost, out.Discarding = true, c.recorder.Discard()
		return out, nil
	}
	written, err := c.recorder.Commit(s.replaced(c))
	if err != nil {
		return out, err
	}
	c.written, out.Total = written, len(written.Interactions)
	if slices.ContainsFunc(c.Picked, (*interp.Plan).ComputesHeaders) {
		out.Dropped = c.recorder.Dropped()
	}
	return out, nil
}

// less finds a scenario that recorded less than the file holds of it. Who names the
// step, or the endpoint, wants whatever it is answered, if anything is.
func (s *Set) less(c *Cassette) *Less {
	old, replaced := c.recorder.Old(), s.replaced(c)
	if old == nil {
		return nil
	}
	named := s.options.Steps != nil && !s.options.Drifted
	for _, p := range c.Picked {
		end, ran := s.ends[p]
		if !ran {
			continue
		}
		mine := func(it *cassette.Interaction) bool { return it.Scenario == "" || it.Scenario == p.Name }
		l := &Less{Plan: p}
		for _, it := range old.Interactions {
			if mine(it) && replaced(it) {
				if l.Were++; !slices.Contains(l.Steps, it.Step) {
					l.Steps = append(l.Steps, it.Step)
				}
			}
		}
		for _, it := range c.recorder.Fresh() {
			if mine(it) {
				l.Now++
				l.Last = it.Step
			}
		}
		failed := end.verdict == interp.Fail && end.status != "success"
		if l.Were > 0 && l.Now == 0 || failed && !named && l.Now < l.Were {
			return l
		}
	}
	return nil
}
