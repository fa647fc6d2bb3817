package stdlib

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"
)

// Shows that range gives the numbers that go-cty's gives, and refuses what that refuses in
// the same words: of integers, of others, of very large ones and of zeros, with and without
// a step.
func TestRange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func() cty.Value {
		switch random.IntN(8) {
		case 0:
			return cty.MustParseNumberVal([]string{"0.5", "-1.25", "1e15", "9007199254740993", "18446744073709551616", "-0.1", "0.1", "0.3", "7.77"}[random.IntN(9)])
		case 1:
			return cty.MustParseNumberVal([]string{"0", "1", "-1", "1024", "1025"}[random.IntN(5)])
		}
		return cty.NumberIntVal(int64(random.IntN(60) - 30))
	}
	own, integers, refused := rangeFunc(), 0, 0
	for range 1500 {
		args := make([]cty.Value, random.IntN(5))
		for i := range args {
			args[i] = pick()
		}
		want, refusal := ctystdlib.RangeFunc.Call(args)
		got, err := own.Call(args)
		if refusal != nil || err != nil {
			refused++
			if refusal == nil || err == nil || refusal.Error() != err.Error() {
				t.Errorf("range(%#v): %v, want %v", args, err, refusal)
			}
			continue
		}
		numbers := want.AsValueSlice()
		if got.LengthInt() != len(numbers) {
			t.Errorf("range(%#v): %#v, want %#v", args, got, want)
			continue
		}
		for i, n := range got.AsValueSlice() {
			if n.AsBigFloat().Cmp(numbers[i].AsBigFloat()) != 0 {
				t.Errorf("range(%#v)[%d]: %#v, want %#v", args, i, n, numbers[i])
			}
		}
		if _, _, n := sequence(args); n > 0 {
			integers++
		}
	}
	if integers < 500 || refused < 100 {
		t.Errorf("%d of integers and %d refused: too few", integers, refused)
	}
}

// Shows that numbers that are far apart are told from each other without writing them, and
// that this never says of two which go-cty holds for equal that they are apart.
func TestApart(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	told := 0
	for range 20_000 {
		a := random.NormFloat64() * math.Pow(10, float64(random.IntN(40)-20))
		near := a + a*math.Pow(2, -float64(random.IntN(60)))*float64(random.IntN(3)-1)
		text := strconv.FormatFloat(near, 'g', 2+random.IntN(16), 64)
		x := cty.NumberFloatVal(a)
		for _, y := range []cty.Value{cty.NumberFloatVal(near), cty.MustParseNumberVal(text), cty.MustParseNumberVal(strconv.FormatFloat(a, 'g', -1, 64)), cty.NumberIntVal(int64(a)), x.Add(cty.MustParseNumberVal("1e-60"))} {
			apart := Apart(x.AsBigFloat(), y.AsBigFloat())
			if apart && x.Equals(y).True() {
				t.Fatalf("%#v and %#v are said to be apart", x, y)
			}
			if apart {
				told++
			}
		}
	}
	if told < 20_000 {
		t.Errorf("%d pairs are told apart: too few", told)
	}
	if zero, minus := new(big.Float), new(big.Float).Neg(new(big.Float)); Apart(zero, minus) {
		t.Error("0 and -0 are said to be apart")
	}
}

// Shows that what range gives of integers is written at once, whatever their precision.
func TestRangeIsShort(t *testing.T) {
	list, err := rangeFunc().Call([]cty.Value{cty.MustParseNumberVal("0"), cty.MustParseNumberVal("1000"), cty.MustParseNumberVal("10")})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list.AsValueSlice() {
		if WorkOfWriting(v) != workOfWriting {
			t.Fatalf("%#v has %d bits", v, v.AsBigFloat().Prec())
		}
	}
}

// Shows that range need not be called to know that it gives something: whatever is said to be
// fine is, but for the last element of fractions.
func TestRangesGive(t *testing.T) {
	f, fine := rangeFunc(), 0
	for _, texts := range [][]string{
		{"0"},
		{"5"},
		{"-5"},
		{"1024"},
		{"1025"},
		{"0.5"},
		{"1", "1024"},
		{"5", "1"},
		{"3", "3"},
		{"0", "9", "0"},
		{"0", "9", "2"},
		{"0", "9", "-2"},
		{"9", "0", "-2"},
		{"0", "1", "0.1"},
		{"0", "1", "0.001"},
		{"0", "1", "0.0001"},
		{"1", "0", "-0.25"},
		{"1", "0", "0.25"},
	} {
		var args []cty.Value
		for _, text := range texts {
			args = append(args, cty.MustParseNumberVal(text))
		}
		_, err := f.Call(args)
		if ranges(args) {
			if fine++; err != nil {
				t.Errorf("range(%s) is said to be fine: %v", strings.Join(texts, ", "), err)
			}
		}
	}
	if fine < 8 {
		t.Errorf("%d are known to be fine", fine)
	}
}
