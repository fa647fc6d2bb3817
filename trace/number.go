package trace

import (
	"math"
	"math/big"
	"reflect"
)

// number returns a numeric value exactly, so that a large integer is not equal
// to its neighbour.
func number(v reflect.Value) (*big.Float, bool) {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return new(big.Float).SetInt64(v.Int()), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return new(big.Float).SetUint64(v.Uint()), true
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(v.Float()) {
			return nil, false
		}
		return new(big.Float).SetFloat64(v.Float()), true
	}
	f, ok := v.Interface().(*big.Float)
	return f, ok && f != nil
}
