package telemetry

import (
	"math"
	"reflect"

	"github.com/scenario-lang/scenario/trace"
)

// Plain is a value of a trace as one of the types that OpenTelemetry has: a string, a bool, an
// int64, a float64 or a []string. It has no objects and no mixed lists: they are their canonical
// JSON.
func Plain(v any) any {
	switch v := v.(type) {
	case string, []string, bool, int64, float64:
		return v
	case int:
		return int64(v)
	case trace.Value:
		return string(v.AppendJSON(nil))
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.String:
		return r.String()
	case reflect.Bool:
		return r.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := r.Uint(); n <= math.MaxInt64 {
			return int64(n)
		}
	case reflect.Float32, reflect.Float64:
		return r.Float()
	}
	return string(trace.AppendValue(nil, v))
}
