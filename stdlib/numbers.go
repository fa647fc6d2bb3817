package stdlib

import (
	"fmt"
	"math"
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"
)

func numberFuncs() []Func {
	return []Func{
		describe("abs(number)", "The number without its sign.", ofNumbers(ctystdlib.AbsoluteFunc), aNumber, Example{"abs(-3)", "3"}),
		describe("ceil(number)", "The next integer that is not smaller.", ofNumbers(ctystdlib.CeilFunc), aNumber, Example{"ceil(1.2)", "2"}),
		describe("floor(number)", "The next integer that is not larger.", ofNumbers(ctystdlib.FloorFunc), aNumber, Example{"floor(1.8)", "1"}),
		describe("max(number, …)", "The largest of its arguments; `max(list...)` that of a list.", ofNumbers(ctystdlib.MaxFunc), aNumber, Example{"max([3, 7, 5]...)", "7"}).between(1, Unlimited),
		describe("min(number, …)", "The smallest of its arguments; `min(list...)` that of a list.", ofNumbers(ctystdlib.MinFunc), aNumber, Example{"min(3, 7)", "3"}).between(1, Unlimited),
		describe("sum(numbers)", "The sum of a list of numbers, 0 for an empty one.", native(sum, anything("numbers")), aNumber, Example{"sum([1, 2, 3.5])", "6.5"}),
		describe("signum(number)", "-1, 0 or 1 by the number's sign.", native(signum, number("number")), aNumber, Example{"signum(-9)", "-1"}, Example{"signum(0.5)", "1"}),
		describe("pow(base, exponent)", "The base raised to the exponent.", native(real2(math.Pow), number("base"), number("exponent")), aNumber, Example{"pow(2, 10)", "1024"}).bounds([]int{0}, cty.Zero, cty.Zero).bounds([]int{1}, cty.NumberIntVal(1), cty.Zero).bounds([]int{0, 1}, cty.Zero, cty.Zero),
		describe("log(number, base)", "The logarithm of the number to the base.", native(logarithm, number("number"), number("base")), aNumber, Example{"log(8, 2)", "3"}).bounds([]int{0}, cty.Zero, cty.NumberIntVal(2)).bounds([]int{1}, cty.NumberIntVal(2), cty.Zero),
	}
}

// ofNumbers refuses numbers that take longer to write out than anyone waits: a string is
// converted to one of any size, and the result of f is not looked at.
func ofNumbers(f function.Function) function.Function { return guarded(f, numbersInRange) }

func numbersInRange(args []cty.Value) error {
	for i, a := range args {
		if a.IsKnown() && !a.IsNull() && a.Type() == cty.Number && !InRange(a) {
			return function.NewArgError(i, errOutOfRange)
		}
	}
	return nil
}

func signum(args []cty.Value) (cty.Value, error) {
	return cty.NumberIntVal(int64(args[0].AsBigFloat().Sign())), nil
}

func logarithm(args []cty.Value) (cty.Value, error) {
	if args[0].AsBigFloat().Sign() <= 0 {
		return cty.NilVal, function.NewArgErrorf(0, "must be above 0, not %s", args[0].AsBigFloat().Text('g', 12))
	}
	if base := args[1].AsBigFloat(); base.Sign() <= 0 || args[1].RawEquals(cty.NumberIntVal(1)) {
		return cty.NilVal, function.NewArgErrorf(1, "must be above 0 and other than 1, not %s", base.Text('g', 12))
	}
	return real2(func(x, base float64) float64 { return math.Log(x) / math.Log(base) })(args)
}

// real2 is a function of two numbers that is an error where its result is no
// finite number, such as a power that is too large.
func real2(f func(a, b float64) float64) func([]cty.Value) (cty.Value, error) {
	return func(args []cty.Value) (cty.Value, error) {
		a, err := finite(args[0].AsBigFloat(), 0)
		if err != nil {
			return cty.NilVal, err
		}
		b, err := finite(args[1].AsBigFloat(), 1)
		if err != nil {
			return cty.NilVal, err
		}
		r := f(a, b)
		if math.IsNaN(r) || math.IsInf(r, 0) {
			return cty.NilVal, fmt.Errorf("the result for %v and %v is no finite number", a, b)
		}
		return cty.NumberFloatVal(r), nil
	}
}

func sum(args []cty.Value) (cty.Value, error) {
	values, err := numbersOf(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	total := cty.Zero
	for _, v := range values {
		if total, err = add(total, v); err != nil {
			return cty.NilVal, err
		}
	}
	return total, nil
}

// add is the addition of the language, which refuses infinity minus infinity.
func add(a, b cty.Value) (cty.Value, error) { return ctystdlib.AddFunc.Call([]cty.Value{a, b}) }

// numbersOf returns the elements of a tuple of numbers.
func numbersOf(v cty.Value, arg int) ([]cty.Value, error) {
	values, err := elements(v, arg)
	if err != nil {
		return nil, err
	}
	for i, e := range values {
		if e.IsNull() || e.Type() != cty.Number {
			return nil, function.NewArgErrorf(arg, "must be a list of numbers; its element %d is %s", i, typeName(e))
		}
	}
	return values, nil
}

// floatsOf returns a tuple of finite numbers.
func floatsOf(v cty.Value, arg int) ([]float64, error) {
	values, err := numbersOf(v, arg)
	if err != nil {
		return nil, err
	}
	floats := make([]float64, len(values))
	for i, e := range values {
		floats[i], err = finite(e.AsBigFloat(), arg)
		if err != nil {
			return nil, err
		}
	}
	return floats, nil
}

func finite(f *big.Float, arg int) (float64, error) {
	x, _ := f.Float64()
	if math.IsInf(x, 0) {
		return 0, function.NewArgErrorf(arg, "must not be infinite or beyond 1.8e308")
	}
	return x, nil
}
