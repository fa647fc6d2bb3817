package stdlib

import (
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/scenario-lang/scenario/schema"
)

func timeFuncs() []Func {
	return []Func{
		describe("ms(duration)", `A duration such as "5s", "250ms", "1h30m" or "2d" in milliseconds, the unit of everything that ends in _ms.`, native(milliseconds, text("duration")), aNumber, Example{`ms("1m30s")`, "90000"}).parses(0, aText),
		describe("within(value, low, high)", "Whether a number is at least low and at most high. The bounds are numbers, or durations as strings, which count in milliseconds: how a time that is measured on a real clock is compared.", native(within, anything("value"), anything("low"), anything("high")), aBool, Example{`within(2130, "2s", "2500ms")`, "true"}).parses(0, noTime, noTime, beyondTime).parses(1, noTime, noTime, beyondTime).parses(2, noTime, noTime, beyondTime).bounds([]int{1, 2}, noTime, noTime, beyondTime),
		describe("timeadd(timestamp, duration)", "An RFC 3339 timestamp moved by a duration.", ctystdlib.TimeAddFunc, aString, Example{`timeadd("2000-01-01T00:00:00Z", "90s")`, `"2000-01-01T00:01:30Z"`}).parses(0, anInstant, aMoment).parses(1, anInstant, aMoment),
		describe("formatdate(pattern, timestamp)", "An RFC 3339 timestamp written by a pattern such as `YYYY-MM-DD hh:mm:ss`.", ctystdlib.FormatDateFunc, aString, Example{`formatdate("DD.MM.YYYY", "2000-01-31T00:00:00Z")`, `"31.01.2000"`}).parses(0, aText, anInstant).parses(1, aText, anInstant),
	}
}

func milliseconds(args []cty.Value) (cty.Value, error) {
	d, ok := schema.ParseDuration(args[0].AsString())
	if !ok {
		return cty.NilVal, function.NewArgErrorf(0, `must be a duration such as "5s", "250ms", "1h30m" or "2d", of at most 100 years, not %q`, args[0].AsString())
	}
	return cty.NumberFloatVal(float64(d) / float64(time.Millisecond)), nil
}

func within(args []cty.Value) (cty.Value, error) {
	value := args[0]
	if value.IsNull() || value.Type() != cty.Number {
		return cty.NilVal, function.NewArgErrorf(0, "must be a number, not %s", typeName(value))
	}
	low, err := bound(args[1], 1)
	if err != nil {
		return cty.NilVal, err
	}
	high, err := bound(args[2], 2)
	if err != nil {
		return cty.NilVal, err
	}
	if low.GreaterThan(high).True() {
		return cty.NilVal, function.NewArgErrorf(2, "must not be below the lower bound, or nothing is within")
	}
	return value.GreaterThanOrEqualTo(low).And(value.LessThanOrEqualTo(high)), nil
}

// bound is a number, or a duration in milliseconds.
func bound(v cty.Value, arg int) (cty.Value, error) {
	switch {
	case !v.IsNull() && v.Type() == cty.Number:
		return v, nil
	case v.IsNull() || v.Type() != cty.String:
		return cty.NilVal, function.NewArgErrorf(arg, `must be a number, or a duration such as "5s", not %s`, typeName(v))
	}
	d, ok := schema.ParseDuration(v.AsString())
	if !ok {
		return cty.NilVal, function.NewArgErrorf(arg, `must be a number, or a duration such as "5s", "250ms" or "1h30m", not %q`, v.AsString())
	}
	return cty.NumberFloatVal(float64(d) / float64(time.Millisecond)), nil
}
