package otlp

import (
	"encoding/base64"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
)

// depthMost bounds how deep a value may be within values.
const depthMost = 50

// object are attributes as Go has them: strings, bool, int64, float64, []any and
// map[string]any; bytes are a string in base64. Of two with one key the later
// counts.
func object(list []*commonpb.KeyValue) map[string]any { return objectAt(list, 0) }

func objectAt(list []*commonpb.KeyValue, depth int) map[string]any {
	o := make(map[string]any, len(list))
	for _, kv := range list {
		o[kv.GetKey()] = valueAt(kv.GetValue(), depth)
	}
	return o
}

func valueOf(v *commonpb.AnyValue) any { return valueAt(v, 0) }

func valueAt(v *commonpb.AnyValue, depth int) any {
	if depth > depthMost {
		return nil
	}
	switch v := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return v.StringValue
	case *commonpb.AnyValue_BoolValue:
		return v.BoolValue
	case *commonpb.AnyValue_IntValue:
		return v.IntValue
	case *commonpb.AnyValue_DoubleValue:
		return v.DoubleValue
	case *commonpb.AnyValue_BytesValue:
		return base64.StdEncoding.EncodeToString(v.BytesValue)
	case *commonpb.AnyValue_ArrayValue:
		list := make([]any, len(v.ArrayValue.GetValues()))
		for i, e := range v.ArrayValue.GetValues() {
			list[i] = valueAt(e, depth+1)
		}
		return list
	case *commonpb.AnyValue_KvlistValue:
		return objectAt(v.KvlistValue.GetValues(), depth+1)
	}
	return nil
}

// sizeOf is about how many bytes of text a value has.
func sizeOf(v any) int {
	n := 16
	switch v := v.(type) {
	case string:
		n += len(v)
	case []any:
		for _, e := range v {
			n += sizeOf(e)
		}
	case map[string]any:
		for key, e := range v {
			n += len(key) + sizeOf(e)
		}
	}
	return n
}

// same reports whether two scalars are equal; numbers are by their value.
func same(a, b any) bool {
	x, isNumber := number(a)
	y, also := number(b)
	if isNumber || also {
		return isNumber && also && x == y
	}
	switch a.(type) {
	case string, bool, nil:
		return a == b
	}
	return false
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
