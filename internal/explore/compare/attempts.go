package compare

import (
	"net/http"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// An attempt is one request of a step, as a trace has it.
type attempt struct {
	start, end time.Duration
	// n is the place of its beginning in the trace.
	n int
	// ended says that there is an end, and left that whoever asked brought it about:
	// its time was over, or nobody wanted the answer any more.
	ended, left    bool
	fault, outcome string
	kind           string
	status         int
	// slack is how much shorter, and longer, the wait before it might have been by
	// the jitter of its policy.
	shorter, longer time.Duration
}

// A line is the attempts of one step in one lane, in the order in which they began.
type line []*attempt

// A course is what a trace says of the attempts of a run.
type course struct {
	// steps are the addresses in the order in which they were first asked.
	steps []string
	lines map[string]map[string]line
	end   time.Duration
	// status is that of the run, redirected says that an answer sent whoever asked
	// elsewhere, and tied that one came at the very instant of a deadline.
	status           string
	redirected, tied bool
}

// all are the attempts of a step in all its lanes.
func (c *course) all(step string) line {
	var list line
	for _, l := range c.lines[step] {
		list = append(list, l...)
	}
	slices.SortStableFunc(list, func(a, b *attempt) int { return a.n - b.n })
	return list
}

// lanes reports whether a step was asked in a lane that has a name.
func (c *course) lanes(step string) bool {
	for name := range c.lines[step] {
		if name != "" {
			return true
		}
	}
	return false
}

// courseOf reads a trace. The waits of policies are those of the model alone.
func (m *Model) courseOf(events []trace.Event) *course {
	c := &course{lines: map[string]map[string]line{}}
	type key struct {
		step, call string
		n, i       int
	}
	open := map[key]*attempt{}
	waits := map[string]trace.Event{}
	failed := map[string]trace.Event{}
	for n, e := range events {
		c.end = max(c.end, e.At)
		at := key{e.Step, e.Call, e.Attempt, e.Iteration}
		switch e.Type {
		case trace.AttemptStart:
			a := &attempt{start: e.At, n: n}
			if w, waited := waits[e.Step]; waited {
				a.shorter, a.longer = m.slack(e.Step, w, failed[e.Step])
				delete(waits, e.Step)
			}
			open[at] = a
			c.add(e.Step, e.Text("lane"), a)
		case trace.AttemptEnd:
			if a := open[at]; a != nil {
				a.over(&e)
				c.tied = c.tied || !a.left && slices.Contains(m.deadlines, a.end-a.start)
				c.redirected = c.redirected || a.status/100 == 3 && a.status != http.StatusNotModified
				delete(open, at)
			}
			failed[e.Step] = e
		case trace.RetryWait:
			waits[e.Step] = e
		case trace.RunEnd:
			if _, inner := e.Attr("session").(int); e.Step == "" && !inner {
				c.status = e.Text("status")
			}
		}
	}
	return c
}

func (c *course) add(step, lane string, a *attempt) {
	if c.lines[step] == nil {
		c.steps = append(c.steps, step)
		c.lines[step] = map[string]line{}
	}
	c.lines[step][lane] = append(c.lines[step][lane], a)
}

// over notes how an attempt ended.
func (a *attempt) over(e *trace.Event) {
	a.end, a.ended = e.At, true
	a.fault, a.outcome, a.kind = e.Text("fault_type"), e.Text("outcome"), e.Text("kind")
	a.status, _ = e.Attr("status_code").(int)
	a.left = e.Text("ended_by") == "client" || a.outcome == "cancelled" || a.kind == "timeout"
}
