package stdlib

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"
)

// reads adds how a function reads one of its arguments, of texts that it may refuse
// whatever else it is given. The check of a file asks that of what the file writes there,
// since a run would fail only when it comes to the call.
func (f Func) reads(arg int, read func(text string) error) Func {
	f.Sig.Reads = maps.Clone(f.Sig.Reads)
	if f.Sig.Reads == nil {
		f.Sig.Reads = map[int]func(string) error{}
	}
	f.Sig.Reads[arg] = read
	return f
}

// parses is reads, of a function that refuses a text where a call with it fails that is
// right otherwise: with is what such a call has. What stands there for the text does not
// matter.
func (f Func) parses(arg int, with ...cty.Value) Func {
	impl := f.impl
	return f.reads(arg, func(text string) error {
		args := append([]cty.Value(nil), with...)
		args[arg] = cty.StringVal(text)
		_, err := impl.Call(args)
		return err
	})
}

// bounds adds how a function reads arguments that have a range, or bound each other: it refuses what a
// call with them fails for that is right otherwise. with is what such a call has; what
// stands there for the bounds does not matter.
//
//go:noinline
func (f Func) bounds(args []int, with ...cty.Value) Func {
	impl := f.impl
	read := func(values []cty.Value) error {
		own := append([]cty.Value(nil), with...)
		for i, arg := range args {
			v, err := convert.Convert(values[i], impl.Params()[arg].Type)
			if err != nil {
				return nil // it is no number, which is told by its type
			}
			own[arg] = v
		}
		_, err := impl.Call(own)
		return err
	}
	f.Sig.Bounds = append(f.Sig.Bounds, Bounds{Args: args, Read: read})
	return f
}

// wholly adds how a function reads one of its arguments, of any type, which it may refuse
// whatever else it is given.
func (f Func) wholly(arg int, read func(v cty.Value) error) Func {
	f.Sig.Bounds = append(f.Sig.Bounds, Bounds{Args: []int{arg}, Whole: true, Read: func(values []cty.Value) error { return read(values[0]) }})
	return f
}

// boundsOf adds the same for all numbers of a call with so many arguments. Those that are
// known to be fine need no call.
func (f Func) boundsOf(given int, fine func(values []cty.Value) bool) Func {
	impl := f.impl
	var args []int
	for i := range given {
		args = append(args, i)
	}
	f.Sig.Bounds = append(f.Sig.Bounds, Bounds{Args: args, Given: given, Read: func(values []cty.Value) error {
		if !numbers(values) || fine(values) {
			return nil
		}
		_, err := impl.Call(values)
		return err
	}})
	return f
}

// boundsOfSteps adds the same for a step that leads nowhere, whatever the limit.
func (f Func) boundsOfSteps() Func {
	impl := f.impl
	f.Sig.Bounds = append(f.Sig.Bounds, Bounds{Args: []int{2}, Given: 3, Read: func(values []cty.Value) error {
		if !numbers(values) || values[0].AsBigFloat().Sign() != 0 {
			return nil
		}
		_, err := impl.Call([]cty.Value{cty.Zero, aNumeral, values[0]})
		return err
	}})
	return f
}

// boundsOfParts adds the same for the start and the end of a part of a list, of whatever
// length that is.
func (f Func) boundsOfParts() Func {
	for _, arg := range []int{1, 2} {
		f.Sig.Bounds = append(f.Sig.Bounds, Bounds{Args: []int{arg}, Read: func(values []cty.Value) error {
			if !numbers(values) {
				return nil
			}
			n, err := whole(values[0], arg)
			if err == nil && n < 0 {
				err = function.NewArgErrorf(arg, "must not be negative, but is %d", n)
			}
			return err
		}})
	}
	f.Sig.Bounds = append(f.Sig.Bounds, Bounds{Args: []int{1, 2}, Read: func(values []cty.Value) error {
		if !numbers(values) {
			return nil
		}
		start, err := whole(values[0], 1)
		if err != nil {
			return err
		}
		end, err := whole(values[1], 2)
		if err == nil && end < start {
			err = function.NewArgErrorf(2, "must not be below the start %d, but is %d", start, end)
		}
		return err
	}})
	return f
}

// numbers reports whether some values are numbers. What is to become one by conversion is
// not read here.
func numbers(values []cty.Value) bool {
	return !slices.ContainsFunc(values, func(v cty.Value) bool { return v.Type() != cty.Number })
}

var (
	aText      = cty.StringVal("")
	anInstant  = cty.StringVal("2000-01-01T00:00:00Z")
	aMoment    = cty.StringVal("1s")
	aNumeral   = cty.NumberIntVal(1)
	oneNumber  = cty.TupleVal([]cty.Value{aNumeral})
	bcaOf      = []cty.Value{oneNumber, cty.NumberFloatVal(0.5), aNumeral, aNumeral}
	noTime     = cty.Zero
	beyondTime = cty.PositiveInfinity
)

// readPattern compiles a regular expression.
func readPattern(text string) error {
	_, err := regexp.Compile(text)
	if err == nil {
		return nil
	}
	return function.NewArgErrorf(0, "is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

// readPart compiles what replace looks for, where it is a regular expression.
func readPart(text string) error {
	if len(text) > 1 && strings.HasPrefix(text, "/") && strings.HasSuffix(text, "/") {
		return readPattern(text[1 : len(text)-1])
	}
	return nil
}

// verbsMax is how many values a pattern of format is tried with.
const verbsMax = 32

// readFormat reads the verbs of a pattern. Which values they get is not known, so only
// what fits none is refused.
func readFormat(text string) error {
	var values []cty.Value
	for range verbsMax {
		if err := formatFits(text, values, false); err != nil {
			return err
		}
		_, err := ctystdlib.Format(cty.StringVal(text), values...)
		switch {
		case err == nil:
			return nil
		case strings.Contains(err.Error(), "not enough arguments"):
			values = append(values, cty.StringVal("1"))
			continue
		case strings.Contains(err.Error(), "unsupported format verb"), strings.Contains(err.Error(), "unrecognized format character"), strings.Contains(err.Error(), "unexpected end"):
			return err
		}
		return nil
	}
	return nil
}

// readJQ compiles a program of jq.
func readJQ(text string) error {
	_, err := jqPrograms.get(text)
	return err
}
