package drive

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// past is what a run that has no end of its own remembers of the exchanges that
// are over.
type past struct {
	list  []memory
	bytes int
	// events counts those of the log, and last is the number of the newest.
	events    int
	last      uint64
	forgotten int
	// limit is how many bytes are kept where nothing is forgotten, 0 for keepBytes.
	limit int
}

func (p *past) most() int { return cmp.Or(p.limit, keepBytes) }

// A memory is what there is to forget of one exchange.
type memory struct {
	seq     uint64 // of the event that began it
	started time.Duration
	bytes   int
	id      string // of what it answered, by which others continue
}

const (
	// keepBytes bounds the bodies that are remembered: a run that forgets drops the oldest beyond it,
	// and one that does not answers no more.
	keepBytes = 256 << 20
	// keepEvents is how many events are remembered for each exchange that is: few
	// have more, and what is no exchange has events, too.
	keepEvents = 8
	// A part of what is kept, one of slack, is what may be there beyond it: forgetting takes
	// as long as there is left, and what is alive decides how far the collector lets memory grow.
	slack = 4
)

// tooMuch says why a run that forgets nothing answers no more, "" where it does: what its checks, its
// trace and its reports read is all there, to the last request that was answered. Without one of those,
// a check of it could be true.
func (r *Run) tooMuch() string {
	if r.options.Keep != 0 || r.recall.Kept() <= r.past.most() {
		return ""
	}
	const why = "the requests of the program and their answers have more than %d MiB together, and a run keeps no more of them: this request, and those after it, have no answer.\nhint: have the program send less, or in several scenarios; scenario serve keeps the newest alone"
	return fmt.Sprintf(why, r.past.most()>>20)
}

// full reports whether there is so much beyond what is kept that it is worth to forget it.
func full(is, kept int) bool { return is >= kept+max(kept/slack, 1) }

// seen counts an event.
func (p *past) seen(e trace.Event) { p.events, p.last = p.events+1, e.Seq }

// remember notes an exchange that is over, and forgets older ones in its favour.
func (r *Run) remember(x *Exchange, id string) {
	if r.options.Keep == 0 {
		return
	}
	m := memory{x.seq, x.started, len(x.request.plain) + x.size, id}
	r.past.list, r.past.bytes = append(r.past.list, m), r.past.bytes+m.bytes
	r.forget()
}

// forget drops what is older than the exchanges that are to be kept, when there is
// a fourth more than that.
func (r *Run) forget() {
	p, most := &r.past, r.options.Keep
	if most == 0 || !full(len(p.list), most) && !full(p.bytes, keepBytes) && !full(p.events, keepEvents*most) {
		return
	}
	slices.SortFunc(p.list, func(a, b memory) int { return cmp.Compare(a.seq, b.seq) })
	before, since := p.last+1, r.Now()
	newest := max(p.last, uint64(keepEvents*most)) - uint64(keepEvents*most)
	n := 0
	for ; n < len(p.list); n++ {
		m := p.list[n]
		if len(p.list)-n <= most && p.bytes <= keepBytes && m.seq > newest {
			before, since = m.seq, m.started
			break
		}
		p.bytes -= m.bytes
		delete(r.turns, m.id)
	}
	p.list = slices.Clone(p.list[n:])
	p.forgotten += n
	if before == p.last+1 { // what is there is no exchange
		before = newest + 1
	}
	p.events = int(p.last + 1 - before)
	r.Log.Forget(before)
	r.Obs.Forget(before)
	for _, e := range r.endpoints {
		for _, l := range e.lanes {
			l.forget(since)
		}
	}
}

// forget drops the calls that nothing was under way of any more before an instant.
func (l *lane) forget(since time.Duration) {
	maps.DeleteFunc(l.calls, func(_ what, calls []*call) bool {
		return !slices.ContainsFunc(calls, func(c *call) bool { return c.last.free >= since })
	})
}
