package telemetry

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// ScopeName is the instrumentation scope of all that is exported.
const ScopeName = "github.com/scenario-lang/scenario"

// ServiceName is the service.name of what is exported, unless the person who
// exports gives another.
const ServiceName = "scenario"

// AppendOTLP appends the spans of one scenario as one object of OTLP/JSON, an
// ExportTraceServiceRequest: ids in hexadecimal, 64-bit integers as strings,
// enumerations as numbers. A file of such objects, one a line, is what the
// OpenTelemetry file exporter writes. Equal spans give equal bytes.
func AppendOTLP(dst []byte, spans []Span) []byte {
	dst = append(dst, `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":`...)
	dst = trace.AppendString(dst, ServiceName)
	dst = append(dst, `}}]},"scopeSpans":[{"scope":{"name":`...)
	dst = trace.AppendString(dst, ScopeName)
	dst = append(dst, `},"spans":[`...)
	for i := range spans {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendOTLPSpan(dst, &spans[i])
	}
	return append(dst, `]}]}]}`...)
}

// The numbers of SpanKind and Status.StatusCode in the protocol.
const (
	otlpInternal    = 1
	otlpClient      = 3
	otlpStatusOK    = 1
	otlpStatusError = 2
)

func appendOTLPSpan(dst []byte, s *Span) []byte {
	dst = appendHex(append(dst, `{"traceId":"`...), s.TraceID[:])
	dst = appendHex(append(dst, `","spanId":"`...), s.ID[:])
	if s.Parent.IsValid() {
		dst = appendHex(append(dst, `","parentSpanId":"`...), s.Parent[:])
	}
	dst = trace.AppendString(append(dst, `","name":`...), s.Name)
	kind := int64(otlpInternal)
	if s.Client {
		kind = otlpClient
	}
	dst = strconv.AppendInt(append(dst, `,"kind":`...), kind, 10)
	dst = appendNano(append(dst, `,"startTimeUnixNano":`...), s.Start)
	dst = appendNano(append(dst, `,"endTimeUnixNano":`...), s.End)
	dst = appendOTLPAttributes(dst, s.Attributes)
	for i, e := range s.Events {
		dst = append(dst, next(i, `,"events":[`)...)
		dst = appendNano(append(dst, `{"timeUnixNano":`...), e.At)
		dst = trace.AppendString(append(dst, `,"name":`...), e.Name)
		dst = append(appendOTLPAttributes(dst, e.Attributes), '}')
	}
	dst = closeList(dst, len(s.Events))
	return append(appendOTLPStatus(dst, s), '}')
}

func appendOTLPStatus(dst []byte, s *Span) []byte {
	switch s.Status {
	case OK:
		return append(strconv.AppendInt(append(dst, `,"status":{"code":`...), otlpStatusOK, 10), '}')
	case Error:
		dst = strconv.AppendInt(append(dst, `,"status":{"code":`...), otlpStatusError, 10)
		if s.Message != "" {
			dst = trace.AppendString(append(dst, `,"message":`...), s.Message)
		}
		return append(dst, '}')
	}
	return dst
}

func appendOTLPAttributes(dst []byte, attrs []trace.Attr) []byte {
	n := 0
	for _, a := range attrs {
		if a.Value == nil {
			continue
		}
		dst = append(dst, next(n, `,"attributes":[`)...)
		dst = trace.AppendString(append(dst, `{"key":`...), a.Key)
		dst = append(appendOTLPValue(append(dst, `,"value":`...), Plain(a.Value)), '}')
		n++
	}
	return closeList(dst, n)
}

// appendOTLPValue appends what [Plain] gives; other types do not occur.
func appendOTLPValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		dst = strconv.AppendBool(append(dst, `{"boolValue":`...), v)
	case int64:
		dst = strconv.AppendInt(append(dst, `{"intValue":"`...), v, 10)
		dst = append(dst, '"')
	case float64:
		dst = trace.AppendFloat(append(dst, `{"doubleValue":`...), v)
	case []string:
		dst = append(dst, `{"arrayValue":{"values":[`...)
		for i, s := range v {
			dst = append(dst, next(i, "")...)
			dst = append(trace.AppendString(append(dst, `{"stringValue":`...), s), '}')
		}
		dst = append(dst, `]}`...)
	case string:
		dst = trace.AppendString(append(dst, `{"stringValue":`...), v)
	}
	return append(dst, '}')
}

// next is what stands before element i of a list that is left out when it is
// empty.
func next(i int, open string) string {
	if i == 0 {
		return open
	}
	return ","
}

func closeList(dst []byte, n int) []byte {
	if n == 0 {
		return dst
	}
	return append(dst, ']')
}

func appendHex(dst, id []byte) []byte { return hex.AppendEncode(dst, id) }

// appendNano appends a virtual time as the protocol writes 64-bit integers: as
// a string.
func appendNano(dst []byte, at time.Duration) []byte {
	dst = strconv.AppendInt(append(dst, '"'), Epoch.Add(at).UnixNano(), 10)
	return append(dst, '"')
}
