package incident

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/convert"
)

// A rawSpan is a span as OTLP/JSON has it.
type rawSpan struct {
	TraceID      string   `json:"traceId"`
	SpanID       string   `json:"spanId"`
	ParentSpanID string   `json:"parentSpanId"`
	Name         string   `json:"name"`
	Kind         rawEnum  `json:"kind"`
	Start        rawNanos `json:"startTimeUnixNano"`
	End          rawNanos `json:"endTimeUnixNano"`
	Attributes   []rawAttr
	Events       []rawEvent
	Status       struct {
		Code    rawEnum
		Message string
	}
	offset int64
}

type rawEvent struct {
	Time       rawNanos `json:"timeUnixNano"`
	Name       string
	Attributes []rawAttr
}

// A rawRecord is a log record, which is an event with a body.
type rawRecord struct {
	TraceID    string   `json:"traceId"`
	SpanID     string   `json:"spanId"`
	Time       rawNanos `json:"timeUnixNano"`
	EventName  string   `json:"eventName"`
	Attributes []rawAttr
	Body       rawValue
}

type rawAttr struct {
	Key   string
	Value rawValue
}

// A rawValue is an AnyValue. Numbers come as numbers and as strings.
type rawValue struct {
	String *string        `json:"stringValue"`
	Bool   *bool          `json:"boolValue"`
	Int    *rawNumber     `json:"intValue"`
	Double *rawNumber     `json:"doubleValue"`
	Bytes  *string        `json:"bytesValue"`
	Array  *rawArrayValue `json:"arrayValue"`
	List   *rawListValue  `json:"kvlistValue"`
}

type (
	rawArrayValue struct{ Values []rawValue }
	rawListValue  struct{ Values []rawAttr }
)

// value is the value as an attribute of a draft has it.
func (v *rawValue) value() any {
	switch {
	case v.String != nil:
		return *v.String
	case v.Bool != nil:
		return *v.Bool
	case v.Int != nil:
		return convert.Number(*v.Int)
	case v.Double != nil:
		return convert.Number(*v.Double)
	case v.Bytes != nil:
		return *v.Bytes
	case v.Array != nil:
		list := make([]any, len(v.Array.Values))
		for i := range v.Array.Values {
			list[i] = v.Array.Values[i].value()
		}
		return list
	case v.List != nil:
		return attrsOf(v.List.Values)
	}
	return nil
}

func attrsOf(list []rawAttr) []convert.Attr {
	out := make([]convert.Attr, len(list))
	for i := range list {
		out[i] = convert.Attr{Name: list[i].Key, Value: list[i].Value.value()}
	}
	return out
}

// scalar refuses an object or a list in the place of a number.
func scalar(data []byte, into any) error {
	kind := map[byte]string{'{': "object", '[': "array"}[data[0]]
	if kind == "" {
		return nil
	}
	return &json.UnmarshalTypeError{Value: kind, Type: reflect.TypeOf(into).Elem()}
}

// A rawNumber is a number, or a string that holds one.
type rawNumber string

func (n *rawNumber) UnmarshalJSON(data []byte) error {
	if err := scalar(data, n); err != nil {
		return err
	}
	text := strings.Trim(string(data), `"`)
	if f, err := strconv.ParseFloat(text, 64); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		text = "0" // NaN and the like, which no draft can hold
	}
	*n = rawNumber(text)
	return nil
}

// A rawEnum is a number of the protocol, or its name, of which the last word
// counts: SPAN_KIND_CLIENT.
type rawEnum string

func (e *rawEnum) UnmarshalJSON(data []byte) error {
	if err := scalar(data, e); err != nil {
		return err
	}
	text := strings.ToUpper(strings.Trim(string(data), `"`))
	*e = rawEnum(text[strings.LastIndexByte(text, '_')+1:])
	return nil
}

func (e rawEnum) is(number, name string) bool { return string(e) == number || string(e) == name }

// rawNanos is an instant, in nanoseconds since 1970; 0 for none. 64-bit integers
// are strings in OTLP/JSON, and numbers in files of some programs.
type rawNanos int64

func (t *rawNanos) UnmarshalJSON(data []byte) error {
	if err := scalar(data, t); err != nil {
		return err
	}
	text := strings.Trim(string(data), `"`)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		*t = rawNanos(n)
		return nil
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f > 0 && f < math.MaxInt64 {
		*t = rawNanos(f)
		return nil
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		*t = rawNanos(at.UnixNano())
	}
	return nil
}

// fromBase64 reads an id of 8 or 16 bytes in Base64.
func fromBase64(id string) ([]byte, bool) {
	if len(id) != 12 && len(id) != 24 {
		return nil, false
	}
	raw, err := base64.StdEncoding.DecodeString(id)
	return raw, err == nil
}

// A jaegerTrace is a trace as Jaeger's interface gives it.
type jaegerTrace struct {
	Spans []struct {
		TraceID, SpanID, OperationName, ProcessID string
		References                                []struct{ RefType, SpanID string }
		StartTime, Duration                       rawNumber // microseconds
		Tags                                      []jaegerTag
		Logs                                      []struct {
			Timestamp rawNumber
			Fields    []jaegerTag
		}
	}
	Processes map[string]struct{ ServiceName string }
}

type jaegerTag struct {
	Key   string
	Value json.RawMessage
}

func (t jaegerTag) attr() rawAttr {
	a := rawAttr{Key: t.Key}
	var text string
	switch {
	case json.Unmarshal(t.Value, &text) == nil:
		a.Value.String = &text
	case string(t.Value) == "true", string(t.Value) == "false":
		truth := string(t.Value) == "true"
		a.Value.Bool = &truth
	default:
		n := rawNumber(t.Value)
		if _, err := strconv.ParseFloat(string(n), 64); err == nil {
			a.Value.Int = &n
		}
	}
	return a
}

// jaeger reads one trace of Jaeger's as spans of OTLP.
func (f *file) jaeger() error {
	at := f.dec.InputOffset()
	var t jaegerTrace
	if err := f.decode(&t); err != nil {
		return err
	}
	micros := func(n rawNumber) rawNanos {
		v, _ := strconv.ParseFloat(string(n), 64)
		return rawNanos(min(max(v, 0)*1e3, math.MaxInt64/2))
	}
	for _, in := range t.Spans {
		s := &rawSpan{TraceID: in.TraceID, SpanID: in.SpanID, Name: in.OperationName, Start: micros(in.StartTime), offset: at}
		s.End = s.Start + micros(in.Duration)
		if len(in.References) > 0 {
			s.ParentSpanID = in.References[0].SpanID
		}
		for _, tag := range in.Tags {
			s.tag(tag.attr())
		}
		for _, l := range in.Logs {
			e := rawEvent{Time: micros(l.Timestamp)}
			for _, tag := range l.Fields {
				a := tag.attr()
				if a.Key == "event" && a.Value.String != nil {
					e.Name = *a.Value.String
				}
				e.Attributes = append(e.Attributes, a)
			}
			s.Events = append(s.Events, e)
		}
		if err := f.span(s, &resource{t.Processes[in.ProcessID].ServiceName}); err != nil {
			return err
		}
	}
	return nil
}

// tag takes an attribute over; some of them are members of a span in OTLP.
func (s *rawSpan) tag(a rawAttr) {
	text := ""
	if a.Value.String != nil {
		text = *a.Value.String
	}
	switch {
	case a.Key == "span.kind":
		s.Kind = rawEnum(strings.ToUpper(text))
	case a.Key == "otel.status_code":
		s.Status.Code = rawEnum(strings.ToUpper(text))
	case a.Key == "otel.status_description":
		s.Status.Message = text
	case a.Key == "error" && a.Value.Bool != nil && *a.Value.Bool:
		s.Status.Code = "ERROR"
	default:
		s.Attributes = append(s.Attributes, a)
	}
}
