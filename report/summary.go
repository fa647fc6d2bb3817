package report

import (
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// A Summary counts verdicts. Its zero value has counted nothing.
type Summary struct {
	Passed, Failed, Errored, Skipped int
	// Done counts benches that ran to their end and have no gate to pass.
	Done int
	// Virtual is the time that all runs took on their own clocks, added up.
	Virtual time.Duration
	// Wall is the real time of the whole, 0 where nobody measured it.
	Wall time.Duration
	// Incomplete says that the counts are not the whole story: the suite was
	// interrupted, could not be read, or broke a guarantee.
	Incomplete bool
	// Shard says which part of a suite this is, nil for a whole one. Only the
	// JSON format shows it.
	Shard *Shard
	// Partial says that only some of the scenarios of the files were wanted.
	Partial bool
	// idle knows which invariants were evaluated.
	idle idleInvariants
}

// A Shard is one part of a suite, as it says of itself so that the parts can be
// put together again.
type Shard struct {
	// Number counts from 1 up to Of.
	Number int `json:"shard"`
	Of     int `json:"shards"`
	// Scenarios is how many the whole suite has.
	Scenarios int `json:"scenarios"`
	// Positions are the places in the suite, from 1, of the scenarios that were
	// added, in their order.
	Positions []int `json:"positions"`
}

// Add counts one result.
func (s *Summary) Add(r *interp.Result) {
	s.count(r.Verdict, r.Virtual)
	s.addInvariants(r)
}

// count counts a verdict, of what took so long on its own clock.
func (s *Summary) count(v interp.Verdict, took time.Duration) {
	s.Virtual += took
	switch v {
	case interp.Pass:
		s.Passed++
	case interp.Fail:
		s.Failed++
	case interp.Error:
		s.Errored++
	case interp.Skip:
		s.Skipped++
	case interp.Done:
		s.Done++
	}
}

// Total is how many results were counted.
func (s *Summary) Total() int { return s.Passed + s.Failed + s.Errored + s.Skipped + s.Done }

// Status is the worst verdict: error before fail before pass before done, and
// skip where nothing ran. An incomplete suite is an error whatever was counted.
func (s *Summary) Status() interp.Verdict {
	switch {
	case s.Incomplete || s.Errored > 0:
		return interp.Error
	case s.Failed > 0:
		return interp.Fail
	case s.Passed > 0:
		return interp.Pass
	case s.Done > 0:
		return interp.Done
	}
	return interp.Skip
}

// line is the last line of a report for people; clock is that of its times.
func (s *Summary) line(clock string) string {
	return fmt.Sprintf("%s (%s %s)", s.counts(), clock, virtual(s.Virtual))
}

func (s *Summary) counts() string {
	counts := fmt.Sprintf("%d passed, %d failed, %d errored, %d skipped", s.Passed, s.Failed, s.Errored, s.Skipped)
	if s.Done > 0 {
		counts += fmt.Sprintf(", %d done", s.Done)
	}
	return counts
}

// real writes a time of the wall clock, as exact as it interests people.
func real(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// virtual writes a time of a virtual clock; below a millisecond nothing is
// shown, as in every attribute that expressions read.
func virtual(d time.Duration) string { return d.Truncate(time.Millisecond).String() }
