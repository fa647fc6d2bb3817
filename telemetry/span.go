package telemetry

import (
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// Epoch is the instant at which exported virtual time begins.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A Span is one interval of a run. Times are virtual and count from the start
// of the scenario.
type Span struct {
	Name    string
	TraceID TraceID
	ID      SpanID
	// Parent is the zero id for the scenario's own span.
	Parent     SpanID
	Start, End time.Duration
	// Client marks an attempt: a call that leaves the system.
	Client bool
	Status Status
	// Message says what went wrong where Status is Error.
	Message string
	// Attributes are sorted by key.
	Attributes []trace.Attr
	Events     []SpanEvent
}

// A SpanEvent is something that happened during a span.
type SpanEvent struct {
	Name       string
	At         time.Duration
	Attributes []trace.Attr // sorted by key
}

// Status says how a span ended. Unset stands for what is neither: skipped,
// cancelled, not finished.
type Status string

// The statuses of a span.
const (
	Unset Status = "unset"
	OK    Status = "ok"
	Error Status = "error"
)

// Attr returns the value of an attribute, or nil.
func (s *Span) Attr(key string) any {
	for i := range s.Attributes {
		if s.Attributes[i].Key == key {
			return s.Attributes[i].Value
		}
	}
	return nil
}

// Object returns the span as expressions see it.
func (s *Span) Object() map[string]any {
	events := make([]any, len(s.Events))
	for i, e := range s.Events {
		events[i] = map[string]any{"name": e.Name, "at_ms": trace.Millis(e.At), "attributes": attrObject(e.Attributes)}
	}
	return map[string]any{
		"name":       s.Name,
		"start_ms":   trace.Millis(s.Start),
		"end_ms":     trace.Millis(s.End),
		"status":     string(s.Status),
		"attributes": attrObject(s.Attributes),
		"events":     events,
	}
}

func attrObject(attrs []trace.Attr) map[string]any {
	o := make(map[string]any, len(attrs))
	for _, a := range attrs {
		o[a.Key] = a.Value
	}
	return o
}

// add appends an attribute unless it is empty. Order and duplicates are put
// right when the span is finished.
func (s *Span) add(key string, value any) {
	switch v := value.(type) {
	case nil:
		return
	case string:
		if v == "" {
			return
		}
	case int:
		value = int64(v)
	}
	s.Attributes = append(s.Attributes, trace.Attr{Key: key, Value: value})
}

// finish sorts the attributes; of two with one key the later stays.
func (s *Span) finish() {
	slices.SortStableFunc(s.Attributes, func(a, b trace.Attr) int { return strings.Compare(a.Key, b.Key) })
	out := s.Attributes[:0]
	for i, a := range s.Attributes {
		if i+1 == len(s.Attributes) || s.Attributes[i+1].Key != a.Key {
			out = append(out, a)
		}
	}
	s.Attributes = out
}
