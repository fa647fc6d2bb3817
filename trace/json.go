package trace

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// maxDepth bounds the nesting of encoded values, so that one which contains
// itself ends.
const maxDepth = 64

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string with the escapes of RFC 8785 §3.2.2.2
// and no others. Bytes that are no UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = appendEscape(append(dst, s[done:i]...), c)
			i++
			done = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(append(dst, s[done:i]...), "\uFFFD"...)
			done = i + 1
		}
		i += size
	}
	return append(append(dst, s[done:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// AppendFloat appends f in the shortest form that reads back as f, laid out as
// RFC 8785 §3.2.2.3 lays it out: 1, 0.1, 1e+21, 1e-7, and 0 for negative zero.
// What is no number (NaN, infinities) is null.
func AppendFloat(dst []byte, f float64) []byte {
	abs := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return append(dst, "null"...)
	case f == 0:
		return append(dst, '0')
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// AppendValue appends v as canonical JSON: no spaces, object keys sorted by
// their bytes, integers in full, durations as whole nanoseconds, members that
// are null left out. It takes what [Attr] lists, lists and string-keyed maps
// of such values, named types of them, and bytes as text; any other value becomes a string
// that says so, which [Check] reports.
func AppendValue(dst []byte, v any) []byte { return appendValue(dst, v, 0) }

func appendValue(dst []byte, v any, depth int) []byte {
	if depth > maxDepth {
		return AppendString(dst, "nested too deeply")
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		return AppendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case uint64:
		return strconv.AppendUint(dst, v, 10)
	case time.Duration:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return AppendFloat(dst, v)
	case Value:
		return v.AppendJSON(dst)
	case []byte:
		return AppendString(dst, string(v))
	case []string:
		return appendList(dst, len(v), func(dst []byte, i int) []byte { return AppendString(dst, v[i]) })
	case []any:
		return appendList(dst, len(v), func(dst []byte, i int) []byte { return appendValue(dst, v[i], depth+1) })
	case map[string]any:
		return appendObject(dst, v, depth)
	}
	return appendReflected(dst, reflect.ValueOf(v), depth)
}

func appendList(dst []byte, n int, item func(dst []byte, i int) []byte) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = item(dst, i)
	}
	return append(dst, ']')
}

func appendObject(dst []byte, m map[string]any, depth int) []byte {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	first := true
	for _, k := range keys {
		if isNull(m[k]) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(AppendString(dst, k), ':')
		dst = appendValue(dst, m[k], depth+1)
	}
	return append(dst, '}')
}

// appendReflected encodes named types and typed lists and maps.
func appendReflected(dst []byte, v reflect.Value, depth int) []byte {
	switch v.Kind() {
	case reflect.String:
		return AppendString(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return AppendFloat(dst, v.Float())
	case reflect.Slice, reflect.Array:
		return appendList(dst, v.Len(), func(dst []byte, i int) []byte {
			return appendValue(dst, v.Index(i).Interface(), depth+1)
		})
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return appendObject(dst, stringMap(v), depth)
		}
	}
	return AppendString(dst, fmt.Sprintf("a %s cannot be encoded", v.Type()))
}

func stringMap(v reflect.Value) map[string]any {
	m := make(map[string]any, v.Len())
	for it := v.MapRange(); it.Next(); {
		m[it.Key().String()] = it.Value().Interface()
	}
	return m
}

// isNull reports whether a member with this value is left out: nil and what is
// no number.
func isNull(v any) bool {
	f, ok := v.(float64)
	return v == nil || ok && (math.IsNaN(f) || math.IsInf(f, 0))
}
