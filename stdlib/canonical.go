package stdlib

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

// CanonicalJSON encodes a plain, known value as JSON that is equal for equal
// values: keys sorted by their bytes, no white space, numbers in their
// shortest decimal form, no escapes but the ones that JSON requires.
func CanonicalJSON(v cty.Value) []byte { return appendCanonical(nil, v) }

func appendCanonical(dst []byte, v cty.Value) []byte {
	switch t := v.Type(); {
	case v.IsNull():
		return append(dst, "null"...)
	case t == cty.Bool:
		return strconv.AppendBool(dst, v.True())
	case t == cty.Number:
		return append(dst, shortest(v.AsBigFloat())...)
	case t == cty.String:
		return appendString(dst, v.AsString())
	case t.IsTupleType():
		dst = append(dst, '[')
		for i, e := range v.AsValueSlice() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCanonical(dst, e)
		}
		return append(dst, ']')
	case t.IsObjectType():
		return appendObject(dst, v.AsValueMap())
	}
	return appendString(dst, v.Type().FriendlyName())
}

func appendObject(dst []byte, attrs map[string]cty.Value) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(attrs)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, name), ':')
		dst = appendCanonical(dst, attrs[name])
	}
	return append(dst, '}')
}

func appendString(dst []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	// A string always encodes, and the encoder ends it with a newline.
	_ = enc.Encode(s)
	return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// shortest writes a number with as few digits as tell it apart at its own
// precision, with an exponent only for the very large and very small.
func shortest(f *big.Float) string {
	if f.Sign() == 0 {
		return "0"
	}
	if exp := f.MantExp(nil); exp < -20 || exp > 70 {
		return f.Text('e', -1)
	}
	return f.Text('f', -1)
}
