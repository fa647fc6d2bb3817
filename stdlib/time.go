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
		describe("ms(duration)", `A duration such as "5s", "250ms", "1h30m" or "2d" in milliseconds, the unit of everything that ends in _ms.`, native(milliseconds, text("duration")), aNumber, Example{`ms("1m30s")`, "90000"}),
		describe("timeadd(timestamp, duration)", "An RFC 3339 timestamp moved by a duration.", ctystdlib.TimeAddFunc, aString, Example{`timeadd("2000-01-01T00:00:00Z", "90s")`, `"2000-01-01T00:01:30Z"`}),
		describe("formatdate(pattern, timestamp)", "An RFC 3339 timestamp written by a pattern such as `YYYY-MM-DD hh:mm:ss`.", ctystdlib.FormatDateFunc, aString, Example{`formatdate("DD.MM.YYYY", "2000-01-31T00:00:00Z")`, `"31.01.2000"`}),
	}
}

func milliseconds(args []cty.Value) (cty.Value, error) {
	d, ok := schema.ParseDuration(args[0].AsString())
	if !ok {
		return cty.NilVal, function.NewArgErrorf(0, `must be a duration such as "5s", "250ms", "1h30m" or "2d", of at most 100 years, not %q`, args[0].AsString())
	}
	return cty.NumberFloatVal(float64(d) / float64(time.Millisecond)), nil
}
