package stdlib

import (
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"
)

// Functions on tuples and objects. Those of go-cty that first turn a tuple
// into a list are not used: a list has one type for all its elements, so that
// [1, "a"] would come back as ["1", "a"].
func collectionFuncs() []Func {
	rest := anything("value")
	fallback := anything("default")
	return []Func{
		describe("length(value)", "The number of elements of a list, attributes of an object, or characters of a string.", native(length, anything("value")), aNumber, Example{`length(["a", "b"])`, "2"}, Example{`length("abc")`, "3"}),
		describe("contains(list, value)", "Whether a list has an element that is equal to the value, or a string contains another.", native(contains, anything("list"), anything("value")), aBool, Example{"contains([0, 1000], 1000)", "true"}, Example{`contains("rate limit", "limit")`, "true"}).meets(anElementIs),
		describe("concat(list, …)", "The elements of all lists in one.", plainly(ctystdlib.ConcatFunc), allElements, Example{`concat([1], ["a"])`, `[1, "a"]`}).between(1, Unlimited),
		describe("distinct(list)", "The list without repetitions, in the order of first occurrence.", native(distinct, anything("list")), sameElements, Example{`distinct(["b", "a", "b"])`, `["b", "a"]`}),
		describe("flatten(list)", "The elements of the lists in a list, however deep, in one.", plainly(ctystdlib.FlattenFunc), flat, Example{"flatten([[1, 2], [3]])", "[1, 2, 3]"}),
		describe("keys(object)", "The names of an object's attributes, sorted.", plainly(ctystdlib.KeysFunc), theNames, Example{"keys({ b = 1, a = 2 })", `["a", "b"]`}),
		describe("values(object)", "The values of an object's attributes, in the order of their sorted names.", plainly(ctystdlib.ValuesFunc), theValues, Example{"values({ b = 1, a = 2 })", "[2, 1]"}),
		describe("lookup(object, name, default)", "The attribute of that name, or the default, which is null where it is left out.", nativeRest(lookup, &fallback, anything("object"), text("name")), attribute, Example{`lookup({ a = 1 }, "b", 0)`, "0"}).between(2, 3).meets(lookedUp),
		describe("merge(object, …)", "The attributes of all objects in one; the last of a name wins. A null stands for no attributes.", nativeRest(merge, &rest), merged, Example{"merge({ a = 1, b = 1 }, { b = 2 })", "{ a = 1, b = 2 }"}).between(1, Unlimited),
		describe("range(start, limit, step)", "The numbers from start up to, but without, the limit; `range(limit)` begins at 0. At most 1,024.", rangeFunc(), someNumbers, Example{"range(3)", "[0, 1, 2]"}, Example{"range(1, 6, 2)", "[1, 3, 5]"}).between(1, 3).boundsOf(1, ranges).boundsOf(2, ranges).boundsOf(3, ranges).boundsOfSteps(),
		describe("reverse(list)", "The list backwards.", native(reverse, anything("list")), sameElements, Example{"reverse([1, 2])", "[2, 1]"}),
		describe("slice(list, start, end)", "The elements from start up to, but without, end.", native(slice, anything("list"), number("start"), number("end")), sameElements, Example{"slice([1, 2, 3], 0, 2)", "[1, 2]"}).boundsOfParts(),
		describe("sort(list)", "The list in ascending order: numbers by size or strings by letters, not both.", native(sorted, anything("list")), sameElements, Example{"sort([10, 9])", "[9, 10]"}),
		describe("zipmap(names, values)", "An object with these names and values.", plainly(ofTexts(ctystdlib.ZipmapFunc)), zipped, Example{`zipmap(["a", "b"], [1, 2])`, "{ a = 1, b = 2 }"}),
		describe("element(list, index)", "The element at an index, which goes around: the last is at -1.", plainly(ctystdlib.ElementFunc), anElement, Example{`element(["a", "b"], -1)`, `"b"`}).bounds([]int{1}, oneNumber, cty.Zero),
		describe("index(list, value)", "The index of the first element that is equal to the value; an error where there is none.", native(index, anything("list"), anything("value")), aNumber, Example{`index(["a", "b"], "b")`, "1"}).meets(anElementIs),
		describe("coalesce(value, …)", "The first of its arguments that is neither null nor an empty text; the last one, if it is an empty text and there is no other.", nativeRest(coalesce, &rest), oneOfThem, Example{`coalesce(null, "", "a")`, `"a"`}).between(1, Unlimited),
		describe("compact(list)", "The list without nulls and empty strings.", native(compact, anything("list")), sameElements, Example{`compact(["a", "", null])`, `["a"]`}),
		describe("alltrue(list)", "Whether all elements are true; true for an empty list.", native(allTrue, anything("list")), aBool, Example{"alltrue([for n in [1, 2] : n > 0])", "true"}),
		describe("anytrue(list)", "Whether one of the elements is true; false for an empty list.", native(anyTrue, anything("list")), aBool, Example{"anytrue([for n in [1, 2] : n > 1])", "true"}),
		describe("one(list)", "The only element of a list, null for an empty one, an error for several.", native(one, anything("list")), anElement, Example{`one(["a"])`, `"a"`}, Example{"one([])", "null"}),
	}
}

func length(args []cty.Value) (cty.Value, error) {
	switch v := args[0]; {
	case v.IsNull():
	case v.Type() == cty.String:
		return ctystdlib.StrlenFunc.Call(args)
	case v.Type().IsTupleType() || v.Type().IsObjectType():
		return cty.NumberIntVal(int64(v.LengthInt())), nil
	}
	return cty.NilVal, function.NewArgErrorf(0, "must be a list, an object or a string, not %s", typeName(args[0]))
}

func contains(args []cty.Value) (cty.Value, error) {
	in, v := args[0], args[1]
	if !in.IsNull() && in.Type() == cty.String {
		if v.IsNull() || v.Type() != cty.String {
			return cty.NilVal, function.NewArgErrorf(1, "must be a string too where the first argument is one, not %s", typeName(v))
		}
		return cty.BoolVal(strings.Contains(in.AsString(), v.AsString())), nil
	}
	values, err := elements(in, 0)
	if err != nil {
		return cty.NilVal, err
	}
	if len(values) > 0 && !slices.ContainsFunc(values, func(e cty.Value) bool { return mayEqual(e, v) }) {
		return cty.NilVal, function.NewArgErrorf(1, "is %s, and the list holds only %s: they can never be equal", typeName(v), pluralType(values[0]))
	}
	return cty.BoolVal(holds(values, v)), nil
}

// mayEqual reports whether two plain values can be equal by their types. A
// null may be equal to anything.
func mayEqual(a, b cty.Value) bool {
	return a.IsNull() || b.IsNull() || typeName(a) == typeName(b)
}

func pluralType(v cty.Value) string {
	return strings.TrimPrefix(strings.TrimPrefix(typeName(v), "a "), "an ") + "s"
}

func distinct(args []cty.Value) (cty.Value, error) {
	values, err := elements(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	seen := make(map[string]bool, len(values))
	var kept []cty.Value
	for _, v := range values {
		// The canonical text of a plain value tells it from every other.
		if key := string(CanonicalJSON(v)); !seen[key] {
			seen[key] = true
			kept = append(kept, v)
		}
	}
	return cty.TupleVal(kept), nil
}

func lookup(args []cty.Value) (cty.Value, error) {
	attrs, err := attributes(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	if v, ok := attrs[args[1].AsString()]; ok {
		return v, nil
	}
	switch len(args) {
	case 2:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case 3:
		return args[2], nil
	}
	return cty.NilVal, function.NewArgErrorf(3, "is one too many: lookup takes an object, a name and a default")
}

func merge(args []cty.Value) (cty.Value, error) {
	all := map[string]cty.Value{}
	for i, a := range args {
		if a.IsNull() {
			continue
		}
		attrs, err := attributes(a, i)
		if err != nil {
			return cty.NilVal, err
		}
		maps.Copy(all, attrs)
	}
	return cty.ObjectVal(all), nil
}

func reverse(args []cty.Value) (cty.Value, error) {
	values, err := elements(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	slices.Reverse(values)
	return cty.TupleVal(values), nil
}

func slice(args []cty.Value) (cty.Value, error) {
	values, err := elements(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	start, err := whole(args[1], 1)
	if err != nil {
		return cty.NilVal, err
	}
	end, err := whole(args[2], 2)
	if err != nil {
		return cty.NilVal, err
	}
	if start < 0 || start > len(values) {
		return cty.NilVal, function.NewArgErrorf(1, "must be between 0 and the length %d, not %d", len(values), start)
	}
	if end < start || end > len(values) {
		return cty.NilVal, function.NewArgErrorf(2, "must be between the start %d and the length %d, not %d", start, len(values), end)
	}
	return cty.TupleVal(values[start:end]), nil
}

func sorted(args []cty.Value) (cty.Value, error) {
	values, err := elements(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	for i, v := range values {
		if r := rank(v); r != rankNumber && r != rankString {
			return cty.NilVal, function.NewArgErrorf(0, "must hold numbers or strings; its element %d is %s", i, typeName(v))
		}
		if rank(v) != rank(values[0]) {
			return cty.NilVal, function.NewArgErrorf(0, "holds numbers and strings, which have no common order: convert them with tostring or tonumber first")
		}
	}
	slices.SortStableFunc(values, order)
	return cty.TupleVal(values), nil
}

func index(args []cty.Value) (cty.Value, error) {
	values, err := elements(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	i := slices.IndexFunc(values, func(e cty.Value) bool { return same(e, args[1]) })
	if i < 0 {
		return cty.NilVal, function.NewArgErrorf(1, "is not in the list")
	}
	return cty.NumberIntVal(int64(i)), nil
}

func coalesce(args []cty.Value) (cty.Value, error) {
	for _, v := range args {
		if !isEmpty(v) {
			return v, nil
		}
	}
	if last := args[len(args)-1]; len(args) > 1 && !last.IsNull() {
		return last, nil // "" as the value for nothing at all
	}
	return cty.NilVal, function.NewArgErrorf(0, "all arguments are null or empty")
}

func compact(args []cty.Value) (cty.Value, error) {
	values, err := elements(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	return cty.TupleVal(slices.DeleteFunc(values, isEmpty)), nil
}

func isEmpty(v cty.Value) bool {
	return v.IsNull() || v.Type() == cty.String && v.AsString() == ""
}

func allTrue(args []cty.Value) (cty.Value, error) {
	bools, err := boolsOf(args[0])
	return cty.BoolVal(!slices.Contains(bools, false)), err
}

func anyTrue(args []cty.Value) (cty.Value, error) {
	bools, err := boolsOf(args[0])
	return cty.BoolVal(slices.Contains(bools, true)), err
}

// boolsOf refuses nulls too: whether a null counts as false is nothing that a
// reader of an assertion would know.
func boolsOf(v cty.Value) ([]bool, error) {
	values, err := elements(v, 0)
	if err != nil {
		return nil, err
	}
	bools := make([]bool, len(values))
	for i, e := range values {
		if e.IsNull() || e.Type() != cty.Bool {
			return nil, function.NewArgErrorf(0, "must be a list of bools; its element %d is %s", i, typeName(e))
		}
		bools[i] = e.True()
	}
	return bools, nil
}

func one(args []cty.Value) (cty.Value, error) {
	values, err := elements(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	switch len(values) {
	case 0:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case 1:
		return values[0], nil
	}
	return cty.NilVal, function.NewArgErrorf(0, "must have at most one element, not %d", len(values))
}
