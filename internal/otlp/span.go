package otlp

import (
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// A Span is one that the program sent, when it had ended. Its maps are shared:
// they are to be read only.
type Span struct {
	Name string
	// TraceID, ID and Parent are in lower-case hexadecimal; Parent is "" for a
	// root.
	TraceID, ID, Parent string
	// Kind is internal, server, client, producer or consumer, "" where the
	// program does not say.
	Kind string
	// Start and End are by the program's clock.
	Start, End time.Time
	// Status is unset, ok or error; Message says more of an error.
	Status, Message string
	Attributes      map[string]any
	// Resource says who sent it, such as service.name, and Scope which library.
	Resource map[string]any
	Scope    string
	Events   []Event
}

// A keptSpan is a span with what was sent of it where something is hidden: plain is its name,
// else "".
type keptSpan struct {
	Span
	plain string
	sent  asSent
}

// An Event happened during a span.
type Event struct {
	Name       string
	At         time.Time
	Attributes map[string]any
}

// Object is the span as expressions see it, in the form of the spans of a
// trace; since makes an instant a time of the run, in milliseconds, and of the zero time
// what stands for none.
func (s *Span) Object(since func(time.Time) any) map[string]any {
	events := make([]any, len(s.Events))
	for i, e := range s.Events {
		events[i] = map[string]any{"name": e.Name, "at_ms": since(e.At), "attributes": e.Attributes}
	}
	return map[string]any{
		"name": s.Name, "trace_id": orNil(s.TraceID), "span_id": orNil(s.ID), "parent_id": orNil(s.Parent), "kind": orNil(s.Kind),
		"start_ms": since(s.Start), "end_ms": since(s.End), "status": s.Status, "message": orNil(s.Message),
		"attributes": s.Attributes, "resource": s.Resource, "scope": orNil(s.Scope), "events": events,
	}
}

// orNil is a text as expressions see it: nil where there is none, which is null there.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// A SpanQuery says what a span has to have; what is empty says nothing.
type SpanQuery struct {
	Name, Status, TraceID string
	// Attributes are some of a span's: strings, booleans and numbers, which
	// compare by value.
	Attributes map[string]any
}

// Spans are those that the query fits, in the order in which they came. The
// error, an *[UnknownError], says that none of that name has ever come, or none at
// all.
func (s *Store) Spans(q SpanQuery) ([]Span, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Span
	named := false
	for _, span := range s.spans.all() {
		if q.Name != "" && span.Name != q.Name && span.plain != q.Name {
			continue
		}
		named = true
		if q.fits(&span) {
			list = append(list, span.Span)
		}
	}
	if q.Name != "" && !named || s.spans.received == 0 {
		return nil, unknown("span", q.Name, s.spanNames(), s.spans.received)
	}
	return list, nil
}

func (q *SpanQuery) fits(s *keptSpan) bool {
	if q.Status != "" && s.Status != q.Status || q.TraceID != "" && s.TraceID != q.TraceID {
		return false
	}
	return s.sent.fits(s.Attributes, q.Attributes)
}

func (s *Store) spanNames() map[string]bool {
	names := map[string]bool{}
	for _, span := range s.spans.all() {
		names[span.Name] = true
	}
	return names
}

// addTraces keeps the spans of a request.
func (s *Store) addTraces(m *tracepb.TracesData) {
	for _, rs := range m.GetResourceSpans() {
		resource := s.hide.object(object(rs.GetResource().GetAttributes()))
		for _, ss := range rs.GetScopeSpans() {
			scope := s.hide.text(ss.GetScope().GetName())
			for _, p := range ss.GetSpans() {
				span := s.span(p)
				span.Resource, span.Scope = resource, scope
				size := 200 + len(span.Name) + len(span.Message) + sizeOf(span.Attributes) + len(span.plain) + sizeOf(map[string]any(span.sent))
				for _, e := range span.Events {
					size += len(e.Name) + sizeOf(e.Attributes)
				}
				s.spans.add(span, size, s.most)
			}
		}
	}
}

func (s *Store) span(p *tracepb.Span) keptSpan {
	span := keptSpan{Span: Span{
		Name:    s.hide.text(p.GetName()),
		TraceID: identifier(p.GetTraceId()), ID: identifier(p.GetSpanId()), Parent: identifier(p.GetParentSpanId()),
		Kind:  spanKinds[p.GetKind()],
		Start: instant(p.GetStartTimeUnixNano()), End: instant(p.GetEndTimeUnixNano()),
		Status: "unset", Message: s.hide.text(p.GetStatus().GetMessage()),
	}}
	if span.Name != p.GetName() {
		span.plain = p.GetName()
	}
	span.Attributes, span.sent = s.hide.attributes(object(p.GetAttributes()))
	switch p.GetStatus().GetCode() {
	case tracepb.Status_STATUS_CODE_OK:
		span.Status = "ok"
	case tracepb.Status_STATUS_CODE_ERROR:
		span.Status = "error"
	}
	for _, e := range p.GetEvents() {
		span.Events = append(span.Events, Event{
			Name: s.hide.text(e.GetName()), At: instant(e.GetTimeUnixNano()), Attributes: s.hide.object(object(e.GetAttributes())),
		})
	}
	return span
}

var spanKinds = map[tracepb.Span_SpanKind]string{
	tracepb.Span_SPAN_KIND_INTERNAL: "internal",
	tracepb.Span_SPAN_KIND_SERVER:   "server",
	tracepb.Span_SPAN_KIND_CLIENT:   "client",
	tracepb.Span_SPAN_KIND_PRODUCER: "producer",
	tracepb.Span_SPAN_KIND_CONSUMER: "consumer",
}

// instant is a time of the protocol, in nanoseconds of Unix; 0 is none.
func instant(nano uint64) time.Time {
	if nano == 0 || nano > 1<<63-1 {
		return time.Time{}
	}
	return time.Unix(0, int64(nano)).UTC()
}
