package stdlib

import "github.com/zclconf/go-cty/cty"

// At is element i of a tuple. The iterators of go-cty make a number of every
// place that they pass; those of most tuples are made once, here.
func At(tuple cty.Value, i int) cty.Value {
	if i < len(indexes) {
		return tuple.Index(indexes[i])
	}
	return tuple.Index(cty.NumberIntVal(int64(i)))
}

var indexes = func() (list [128]cty.Value) {
	for i := range list {
		list[i] = cty.NumberIntVal(int64(i))
	}
	return list
}()
