package stdlib

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

func typeFuncs() []Func {
	return []Func{
		describe("tobool(value)", `The value as a bool: true, false, "true" or "false".`, conversion(cty.Bool), aBool, Example{`tobool("true")`, "true"}).parses(0, aText),
		describe("tonumber(value)", "The value as a number; a string must be one in decimal form.", conversion(cty.Number), aNumber, Example{`tonumber("30")`, "30"}).parses(0, aText),
		describe("tostring(value)", "The value as a string.", conversion(cty.String), aString, Example{"tostring(30)", `"30"`}),
	}
}

// conversion keeps a null as it is.
func conversion(to cty.Type) function.Function {
	return native(func(args []cty.Value) (cty.Value, error) {
		v, err := convert.Convert(args[0], to)
		if err != nil {
			return cty.NilVal, function.NewArgErrorf(0, "%s cannot become a %s: %s", typeName(args[0]), to.FriendlyName(), err)
		}
		return v, nil
	}, anything("value"))
}
