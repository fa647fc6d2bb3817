package report

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// A picture is a run as rows on its time axis, folded from the trace. The
// terminal and the page draw the same one.
type picture struct {
	total    time.Duration
	steps    []*stepRow
	breakers []*breakerRow
	// attempts and faults count what was dialled and what was injected.
	attempts, faults int

	byName map[string]*stepRow
}

// A stepRow is one step, by its address: when it ran, and below that a lane for
// each target that it met. An endpoint, which a program asks, has one for each of its
// own lanes.
type stepRow struct {
	name string
	// spans are the times it ran; more than one in a loop.
	spans []stepSpan
	lanes []*lane
	// byKey are the lanes, and open those of the attempts under way.
	byKey map[laneKey]*lane
	open  map[attemptKey]*lane
	waits []span
	// waiters are whose waits they are, where several wait for one thing.
	waiters []string
	queue   int // the first of them who may still wait
	// quiet says that its spans end without a sign.
	quiet bool
	// moments are what struck the step as a whole.
	moments []mark
}

type span struct{ from, to time.Duration }

type stepSpan struct {
	span
	status, reason string
	open           bool
	key            string // tells those that overlap apart
	seq            uint64 // the place of its end in the trace
}

type (
	laneKey    struct{ target, name string }
	attemptKey struct {
		target string
		n      int
	}
)

// A lane is what a step met at one target, or an endpoint in one of its lanes.
type lane struct {
	laneKey
	bars []bar
	// refused are the times at which the target was not dialled.
	refused []mark
}

// A bar is one attempt.
type bar struct {
	span
	start, end *trace.Event // end is nil for one that never ended
	// struck is what befell it beside its end: its own deadline, a contract that
	// its answer breaks.
	struck []mark
}

// A mark is something that has a time and no length.
type mark struct {
	at   time.Duration
	kind markKind
	text string
	seq  uint64 // its place in the trace
}

// A markKind says which sign stands for a mark.
type markKind int

const (
	succeeded markKind = iota
	failed
	faulted // a failure of an attempt into which a fault was injected
	cancelled
	refused
	struck // a deadline
	skipped
)

// A breakerRow is the state of one target's breaker over time.
type breakerRow struct {
	target string
	bands  []band
}

type band struct {
	span
	state string
}

func newPicture(events []trace.Event, total time.Duration) *picture {
	p := &picture{total: total.Truncate(time.Millisecond), byName: map[string]*stepRow{}}
	for i := range events {
		p.add(&events[i])
	}
	for _, s := range p.steps {
		s.close(total)
	}
	for _, b := range p.breakers {
		b.bands[len(b.bands)-1].to = total
	}
	return p
}

func (p *picture) add(e *trace.Event) {
	switch e.Type {
	case trace.StepStart:
		s := p.step(e)
		s.begin(e, "")
	case trace.StepEnd:
		p.step(e).end(e)
	case trace.AttemptStart:
		p.attempts++
		p.step(e).attempt(e)
	case trace.AttemptEnd:
		if e.Text("fault_type") != "" {
			p.faults++
		}
		p.step(e).over(e)
	case trace.Rejection:
		l := p.step(e).lane(laneKey{target: e.Target})
		l.refused = append(l.refused, mark{e.At, refused, e.Target + " refused: " + e.Text("reason"), e.Seq})
	case trace.RetryWait:
		delay, _ := e.Attr("delay_ns").(time.Duration)
		s := p.step(e)
		s.waits = append(s.waits, span{e.At, e.At + delay})
	case trace.Timeout:
		p.step(e).strike(e, mark{e.At, struck, moment(e), e.Seq})
	case trace.Failure:
		if afterwards(e) && e.Attempt > 0 {
			p.step(e).strike(e, mark{e.At, failed, moment(e), e.Seq})
		}
	case trace.Breaker:
		p.change(e)
	default:
		p.service(e)
	}
}

// step is the row of an event's step, a new one where the step was not seen.
func (p *picture) step(e *trace.Event) *stepRow { return p.row(subjectOf(e)) }

// wholeRun names the row of what strikes no single step.
const wholeRun = "the run"

func (p *picture) row(name string) *stepRow {
	if name == "" {
		name = wholeRun
	}
	s := p.byName[name]
	if s == nil {
		s = &stepRow{name: name, byKey: map[laneKey]*lane{}, open: map[attemptKey]*lane{}}
		p.byName[name] = s
		p.steps = append(p.steps, s)
	}
	return s
}

// never reports whether a step of that status never began.
func never(status string) bool { return status == "skipped" || status == "aborted" }

// end closes the last span. What was skipped has an end alone.
func (s *stepRow) end(e *trace.Event) {
	if n := len(s.spans); n > 0 && s.spans[n-1].open {
		last := &s.spans[n-1]
		last.to, last.open, last.status, last.reason, last.seq = e.At, false, e.Text("status"), e.Text("skipped_reason"), e.Seq
		return
	}
	s.spans = append(s.spans, stepSpan{span: span{e.At, e.At}, status: e.Text("status"), reason: e.Text("skipped_reason"), seq: e.Seq})
	if never(e.Text("status")) {
		s.moments = append(s.moments, mark{e.At, skipped, s.name + " " + ended(e), e.Seq})
	}
}

// close ends what the trace left open, and cuts waits that were broken off. A
// step without attempts gets signs of its own, which else those are.
func (s *stepRow) close(total time.Duration) {
	for i := range s.spans {
		r := &s.spans[i]
		if r.open {
			r.to = total
		} else if len(s.lanes) == 0 && !never(r.status) && !s.quiet {
			s.moments = append(s.moments, mark{r.to, endOf(r.status), s.name + " " + r.status, r.seq})
		}
	}
	slices.SortStableFunc(s.lanes, func(a, b *lane) int { return natural(a.name, b.name) })
	for _, l := range s.lanes {
		for i := range l.bars {
			if l.bars[i].end == nil {
				l.bars[i].to = total
			}
		}
	}
	for i := range s.waits {
		w := &s.waits[i]
		w.to = min(w.to, total)
		if s.quiet {
			continue
		}
		for _, r := range s.spans {
			if r.from <= w.from && w.from <= r.to {
				w.to = min(w.to, r.to)
			}
		}
	}
}

// natural compares names as people order them: numbers by their value.
func natural(a, b string) int {
	x, errA := strconv.ParseUint(a, 10, 64)
	y, errB := strconv.ParseUint(b, 10, 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// endOf is the sign of a step's status.
func endOf(status string) markKind {
	switch status {
	case "success":
		return succeeded
	case "cancelled", "aborted":
		return cancelled
	}
	return failed
}

// status is how the step ended the last time.
func (s *stepRow) status() (status, reason string) {
	if len(s.spans) == 0 {
		return "", ""
	}
	last := s.spans[len(s.spans)-1]
	return last.status, last.reason
}

func (s *stepRow) lane(k laneKey) *lane {
	l := s.byKey[k]
	if l == nil {
		l = &lane{laneKey: k}
		s.byKey[k], s.lanes = l, append(s.lanes, l)
	}
	return l
}

// attempt begins a bar.
func (s *stepRow) attempt(e *trace.Event) {
	l := s.lane(laneKey{e.Target, e.Text("lane")})
	l.bars = append(l.bars, bar{span: span{e.At, e.At}, start: e})
	s.open[attemptKey{e.Target, e.Attempt}] = l
}

// over ends an attempt. Its end does not say in which lane it was.
func (s *stepRow) over(e *trace.Event) {
	k := attemptKey{e.Target, e.Attempt}
	if l := s.open[k]; l != nil {
		l.end(e)
	}
}

// strike puts a mark after the attempt that an event is about, or on the step as
// a whole. Attempts are counted anew in every iteration of a loop, so that of
// several with the number the last is meant.
func (s *stepRow) strike(e *trace.Event, m mark) {
	var struck *bar
	for _, l := range s.lanes {
		for i := range l.bars {
			b := &l.bars[i]
			if b.start.Attempt == e.Attempt && (struck == nil || b.start.Seq > struck.start.Seq) {
				struck = b
			}
		}
	}
	if struck == nil || e.Attempt == 0 {
		s.moments = append(s.moments, m)
		return
	}
	struck.struck = append(struck.struck, m)
}

// end closes the attempt that has the event's number and is open.
func (l *lane) end(e *trace.Event) {
	for i := len(l.bars) - 1; i >= 0; i-- {
		if b := &l.bars[i]; b.end == nil && b.start.Attempt == e.Attempt {
			b.to, b.end = e.At, e
			return
		}
	}
}

// marks are the signs of a lane in the order of their times, and of one instant
// in that of the trace. What struck the step as a whole stands on its last lane.
func (s *stepRow) marks(l *lane) []mark {
	var all []mark
	for i := range l.bars {
		b := &l.bars[i]
		if b.end != nil {
			all = append(all, mark{b.to, b.kind(), b.text(), b.end.Seq})
		}
		for _, m := range b.struck {
			if b.end != nil {
				m.seq = max(m.seq, b.end.Seq) // a deadline is noted just before the end that it causes
			}
			all = append(all, m)
		}
	}
	all = append(all, l.refused...)
	if len(s.lanes) == 0 || l == s.lanes[len(s.lanes)-1] {
		all = append(all, s.moments...)
	}
	slices.SortStableFunc(all, func(a, b mark) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq)) })
	return all
}

func (b *bar) kind() markKind {
	switch {
	case b.end == nil, b.end.Text("outcome") == "cancelled":
		return cancelled
	case b.end.Text("outcome") == "success":
		return succeeded
	}
	if b.end.Text("fault_type") != "" {
		return faulted
	}
	return failed
}

func (b *bar) text() string {
	if b.end == nil {
		return moment(b.start)
	}
	return moment(b.end)
}

// change ends the band of a breaker's state and begins the next.
func (p *picture) change(e *trace.Event) {
	var row *breakerRow
	for _, b := range p.breakers {
		if b.target == e.Target {
			row = b
		}
	}
	if row == nil {
		row = &breakerRow{target: e.Target, bands: []band{{state: e.Text("from")}}}
		p.breakers = append(p.breakers, row)
	}
	row.bands[len(row.bands)-1].to = e.At
	row.bands = append(row.bands, band{span: span{from: e.At}, state: e.Text("to")})
}

// at is where a time stands on the axis, from 0 to 1.
func (p *picture) at(d time.Duration) float64 {
	if p.total <= 0 {
		return 0
	}
	return min(max(float64(d)/float64(p.total), 0), 1)
}

// tickSteps are the distances that people read well.
var tickSteps = []time.Duration{
	1e6, 2e6, 5e6, 10e6, 20e6, 50e6, 100e6, 200e6, 500e6,
	1 * time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second,
	1 * time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	1 * time.Hour, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour, 12 * time.Hour,
}

// ticks are the times at which the axis is marked, at most n after the first.
func (p *picture) ticks(n int) []time.Duration {
	step := time.Duration(0)
	for _, s := range tickSteps {
		if step = s; p.total/s <= time.Duration(n) {
			break
		}
	}
	for p.total/step > time.Duration(n) {
		step *= 2
	}
	var all []time.Duration
	for at := time.Duration(0); at <= p.total; at += step {
		all = append(all, at)
	}
	return all
}
