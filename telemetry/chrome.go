package telemetry

import (
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// What a file of trace events in Chrome's JSON Object Format begins and ends
// with. Between the scenarios stands a comma.
const (
	ChromeOpen  = `{"displayTimeUnit":"ms","traceEvents":[`
	ChromeClose = "\n]}\n"
)

// AppendChrome appends the spans of one scenario as trace events for Perfetto
// and chrome://tracing, a line each: the scenario is the process pid, and what
// can overlap has a thread of its own. Thread 1 shows the scenario with its
// workflow, each step has one with its attempts inside, and so has what an
// actor does. Times are virtual, in microseconds from the scenario's start.
// Equal arguments give equal bytes.
func AppendChrome(dst []byte, pid int, h trace.Header, spans []Span) []byte {
	b := chromeBuilder{dst: dst, pid: pid}
	b.name("process_name", 0, h.Scenario+" ("+h.File+")")
	b.sortIndex("process_sort_index", 0, pid)
	places := b.arrange(spans)
	for i := range spans {
		b.span(&spans[i], places[i])
	}
	return b.dst
}

// A lane is one thread: spans that lie in or after one another.
type lane struct {
	name string
	// open are the ends of the spans around the latest one, outermost first.
	open []time.Duration
}

type chromeBuilder struct {
	dst   []byte
	pid   int
	wrote bool
	lanes []lane
	named map[string][]int
}

// arrange gives every span a thread, from 1, and names the threads.
func (b *chromeBuilder) arrange(spans []Span) []int {
	places := make([]int, len(spans))
	index := make(map[SpanID]int, len(spans))
	b.named = make(map[string][]int)
	for i := range spans {
		s := &spans[i]
		index[s.ID] = i
		if parent, ok := index[s.Parent]; ok && !s.ownLane() {
			places[i] = b.within(places[parent], s)
		} else {
			places[i] = b.place(s.Name, s)
		}
	}
	for i, l := range b.lanes {
		b.name("thread_name", i+1, l.name)
		b.sortIndex("thread_sort_index", i+1, i+1)
	}
	return places
}

// ownLane reports whether siblings of the span can run at one time with it.
func (s *Span) ownLane() bool {
	return s.Attr("scenario.step_kind") != nil || s.Attr("scenario.handler") != nil
}

// within puts a span on its parent's thread, unless a sibling is in the way.
func (b *chromeBuilder) within(parent int, s *Span) int {
	if l := &b.lanes[parent-1]; l.take(s.Start, s.End) {
		return parent
	}
	return b.place(b.lanes[parent-1].name, s)
}

// place finds the first thread of that name in which the span is in or after
// what is there, as viewers draw nothing else, and otherwise begins one.
func (b *chromeBuilder) place(name string, s *Span) int {
	for _, n := range b.named[name] {
		if b.lanes[n-1].take(s.Start, s.End) {
			return n
		}
	}
	b.lanes = append(b.lanes, lane{name: name, open: []time.Duration{s.End}})
	b.named[name] = append(b.named[name], len(b.lanes))
	return len(b.lanes)
}

func (l *lane) take(start, end time.Duration) bool {
	n := len(l.open)
	for n > 0 && l.open[n-1] <= start && l.open[n-1] < end {
		n--
	}
	if n > 0 && l.open[n-1] < end {
		return false
	}
	l.open = append(l.open[:n], end)
	return true
}

func (b *chromeBuilder) begin(ph string, tid int) {
	if b.wrote {
		b.dst = append(b.dst, ',')
	}
	b.wrote = true
	b.dst = append(b.dst, "\n{\"ph\":\""...)
	b.dst = append(b.dst, ph...)
	b.dst = strconv.AppendInt(append(b.dst, `","pid":`...), int64(b.pid), 10)
	b.dst = strconv.AppendInt(append(b.dst, `,"tid":`...), int64(tid), 10)
}

func (b *chromeBuilder) name(kind string, tid int, name string) {
	b.begin("M", tid)
	b.dst = append(append(append(b.dst, `,"name":"`...), kind...), `","args":{"name":`...)
	b.dst = append(trace.AppendString(b.dst, name), `}}`...)
}

func (b *chromeBuilder) sortIndex(kind string, tid, index int) {
	b.begin("M", tid)
	b.dst = append(append(append(b.dst, `,"name":"`...), kind...), `","args":{"sort_index":`...)
	b.dst = append(strconv.AppendInt(b.dst, int64(index), 10), `}}`...)
}

// span appends a complete event, and an instant for each thing that happened
// during it.
func (b *chromeBuilder) span(s *Span, tid int) {
	category := "scenario"
	if s.Client {
		category = "attempt"
	}
	b.begin("X", tid)
	b.dst = appendMicros(append(b.dst, `,"ts":`...), s.Start)
	b.dst = appendMicros(append(b.dst, `,"dur":`...), s.End-s.Start)
	b.label(s.Name, category)
	if s.Status == Error {
		b.dst = append(b.dst, `,"cname":"terrible"`...)
	}
	b.args(s.Attributes, s.Message)
	for _, e := range s.Events {
		b.begin("i", tid)
		b.dst = appendMicros(append(b.dst, `,"ts":`...), e.At)
		b.dst = append(b.dst, `,"s":"t"`...)
		b.label(e.Name, "event")
		b.args(e.Attributes, "")
	}
}

func (b *chromeBuilder) label(name, category string) {
	b.dst = trace.AppendString(append(b.dst, `,"name":`...), name)
	b.dst = trace.AppendString(append(b.dst, `,"cat":`...), category)
}

// args ends an event with its attributes.
func (b *chromeBuilder) args(attrs []trace.Attr, message string) {
	o := attrObject(attrs)
	if message != "" {
		o["message"] = message
	}
	if len(o) > 0 {
		b.dst = trace.AppendValue(append(b.dst, `,"args":`...), o)
	}
	b.dst = append(b.dst, '}')
}

// appendMicros appends a time in microseconds, exactly.
func appendMicros(dst []byte, d time.Duration) []byte {
	dst = strconv.AppendInt(dst, int64(d/time.Microsecond), 10)
	rest := int64(d % time.Microsecond)
	if rest == 0 {
		return dst
	}
	digits := strconv.FormatInt(1000+rest, 10)[1:]
	return append(append(dst, '.'), digits...)
}
