package drive

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// An endpoint is what a run remembers of one of the plan's.
type endpoint struct {
	*plan.Node
	// n counts its attempts, and calls its calls.
	n, calls int
	lanes    map[string]*lane
	// answer is the last that was served.
	answer event.Answer
	status int
}

// asks reports whether requests to a provider may be its own.
func (e *endpoint) asks(p *plan.Provider) bool { return e.target(p) != nil }

// target is the target of a provider, nil for none.
func (e *endpoint) target(p *plan.Provider) *plan.Target {
	for _, t := range e.Step.Gateway.Targets {
		if t.Provider == p {
			return t
		}
	}
	return nil
}

// lanesMax bounds the lanes of an endpoint: whoever asks names them.
const lanesMax = 10_000

// lane is the lane of a name, made at its first request.
func (e *endpoint) lane(name string) *lane {
	l := e.lanes[name]
	if l == nil {
		l = &lane{endpoint: e, name: name, calls: map[what][]*call{}}
		e.lanes[name] = l
	}
	return l
}

// A lane is one line of requests of an endpoint, with cursors of its own.
type lane struct {
	*endpoint
	name string
	// taken are the entries taken since the first answer that is not over, in
	// order, and waiting those whose turn has not come.
	taken   []*taken
	waiting []*ticket
	// changed is closed when an exchange gets on or a turn is passed on, and nil
	// where nobody waits for that.
	changed chan struct{}
	// calls are those that the next attempts may be part of, by what they asked.
	calls map[what][]*call
	// said are the bytes that were asked last, and what they ask.
	said struct{ bytes, asks what }
	// mixed says that requests overlapped where it made no difference, and entries
	// are those of its script that it gave.
	mixed   bool
	entries map[*plan.Entry]bool
	// disturbed are the exchanges in which an injected fault disturbs an answer that
	// is not used up yet.
	disturbed []*Exchange
}

// A ticket is a place in the line of a lane.
type ticket struct {
	// read is when its request had been read to the end, and met are the exchanges whose
	// answers were not over then.
	read time.Duration
	met  []*Exchange
}

// taken is an entry that was taken, with the cursor as it was before.
type taken struct {
	*Exchange
	before *exchange.Cursor
	wanted exchange.Wanted
	entry  *plan.Entry
}

// wake lets everybody look who waits in the lane.
func (l *lane) wake() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// queue gives a request its place in the line.
func (l *lane) queue(read time.Duration) *ticket {
	mine := &ticket{read: read}
	for _, t := range l.taken {
		if !t.isOver() {
			mine.met = append(mine.met, t.Exchange)
		}
	}
	l.waiting = append(l.waiting, mine)
	return mine
}

// take notes what was taken, which everybody overlaps who waits already.
func (l *lane) take(t *taken) {
	l.taken = append(l.taken, t)
	if t.isOver() {
		return
	}
	for _, w := range l.waiting {
		w.met = append(w.met, t.Exchange)
	}
}

// settle forgets what was taken before the first answer that is not over, that was put
// aside, or that somebody overlaps who waits: all of it where there is none.
func (l *lane) settle() {
	i := slices.IndexFunc(l.taken, func(t *taken) bool {
		return !t.isOver() || t.aside && !t.ended || slices.ContainsFunc(l.waiting, func(w *ticket) bool { return w.overlaps(t.Exchange) })
	})
	if i < 0 {
		i = len(l.taken)
	}
	l.taken = l.taken[i:]
}

// harmless reports whether the other order of arrival would have given each of those
// in the way, and the next request, the same entry.
func (l *lane) harmless(now *exchange.Cursor, w exchange.Wanted, inTheWay func(*Exchange) bool) bool {
	if now == nil || l.Step.Endpoint.ByArrival {
		return true
	}
	next, _ := now.Copy().Next(w)
	if next == nil {
		return true // nothing is left for it
	}
	for i, t := range l.taken {
		if !inTheWay(t.Exchange) {
			continue
		}
		if t.before == nil {
			return true // the recording answered, by what was asked
		}
		c := t.before.Copy()
		if e, _ := c.Next(w); e != next {
			return false
		}
		for _, later := range l.taken[i:] {
			if e := later.entry; e != nil && e.Outage != "" {
				if e.Looks() {
					return false // it takes an entry once it has succeeded
				}
				continue // it struck as it would any other
			}
			if e, _ := c.Next(later.wanted); e != later.entry {
				return false
			}
		}
	}
	return true
}

// emitOf appends an event of an endpoint.
func (r *Run) emitOf(e *endpoint, p trace.Payload) {
	r.emit(trace.Event{Step: e.Name, Payload: p})
}
