package stdlib

import "github.com/zclconf/go-cty/cty"

// Sets are sorted tuples without repetitions: a set type would never be equal
// to a tuple in a file.
func setFuncs() []Func {
	rest := anything("list")
	return []Func{
		describe("toset(list)", "The distinct elements, sorted, as a list.", native(toSet, anything("list")), sameElements, Example{`toset(["b", "a", "b"])`, `["a", "b"]`}),
		describe("setunion(list, …)", "The distinct elements of all lists, sorted.", nativeRest(setUnion, &rest), allElements, Example{"setunion([1, 2], [2, 3])", "[1, 2, 3]"}).between(1, Unlimited),
		describe("setintersection(list, …)", "The distinct elements that all lists have, sorted.", nativeRest(setIntersection, &rest, anything("list")), sameElements, Example{"setintersection([1, 2], [2, 3])", "[2]"}).meets(theirElements),
	}
}

func toSet(args []cty.Value) (cty.Value, error) {
	values, err := elements(args[0], 0)
	return distinctSorted(values), err
}

func setUnion(args []cty.Value) (cty.Value, error) {
	var all []cty.Value
	for i, a := range args {
		values, err := elements(a, i)
		if err != nil {
			return cty.NilVal, err
		}
		all = append(all, values...)
	}
	return distinctSorted(all), nil
}

func setIntersection(args []cty.Value) (cty.Value, error) {
	common, err := elements(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	for i, a := range args[1:] {
		values, err := elements(a, i+1)
		if err != nil {
			return cty.NilVal, err
		}
		common = intersect(common, values)
	}
	return distinctSorted(common), nil
}

func intersect(a, b []cty.Value) []cty.Value {
	in := make(map[string]bool, len(b))
	for _, v := range b {
		in[string(CanonicalJSON(v))] = true
	}
	var both []cty.Value
	for _, v := range a {
		if in[string(CanonicalJSON(v))] {
			both = append(both, v)
		}
	}
	return both
}
