package stdlib

import (
	"maps"
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/schema"
)

// A Func describes one function of the language.
type Func struct {
	Name string
	// Family groups functions on the reference page: "numbers", "strings".
	Family string
	// Signature is how a call is written, with its parameters named.
	Signature string
	Summary   string
	Examples  []Example
	Sig       Sig

	impl function.Function
}

// An Example is an expression and the one that it equals. Both are run as a
// test.
type Example struct{ Expr, Result string }

// A Sig is what the static check knows of a function.
type Sig struct {
	// Min and Max bound the number of arguments; Max is -1 where any number
	// may be given.
	Min, Max int
	// Result gives the shape of the result for those of the arguments; nil
	// where nothing is known of it.
	Result func(args []*schema.Shape) *schema.Shape
	// Meets, where not nil, says what the function compares of its arguments.
	Meets func(args []*schema.Shape) []Meeting
	// Reads says of arguments, by their place, whether the function refuses a text
	// there whatever else it is given: the error says why.
	Reads map[int]func(text string) error
	// Bounds says of arguments that have a range, or bound each other, whether the function
	// refuses them, whatever else it is given.
	Bounds []Bounds
	// Query marks a function that asks about a run. A condition that calls one
	// refers to something observed.
	Query bool
}

// Bounds are arguments, by their places, that have a range or bound each other, such as a
// lower and an upper one: the error of Read says why a function refuses such values.
type Bounds struct {
	Args []int
	// Given is with how many arguments a call has these bounds, 0 for any number.
	Given int
	// Whole says that a value of any type is read, and not only a number or a string.
	Whole bool
	Read  func(values []cty.Value) error
}

// Unlimited is the Max of a function that takes any number of arguments.
const Unlimited = -1

// List describes every function of values, in the order of the reference. The
// result is shared and must not be changed.
func List() []Func { return list() }

var list = sync.OnceValue(func() []Func {
	var all []Func
	for _, family := range []struct {
		name  string
		funcs []Func
	}{
		{"numbers", numberFuncs()},
		{"statistics", statisticsFuncs()},
		{"answers", answerFuncs()},
		{"strings", stringFuncs()},
		{"collections", collectionFuncs()},
		{"sets", setFuncs()},
		{"types", typeFuncs()},
		{"encoding", encodingFuncs()},
		{"time", timeFuncs()},
		{"errors", lazyFuncs()},
		{"files", fileFuncs(Files{})},
	} {
		for _, f := range family.funcs {
			f.Family = family.name
			all = append(all, f)
		}
	}
	return all
})

// Functions is the function table for expressions that may not read files:
// there `file` and `fileset` fail with a message. The result is shared and
// must not be changed.
func Functions() map[string]function.Function { return functions() }

var functions = sync.OnceValue(func() map[string]function.Function { return NewFunctions(Files{}) })

// NewFunctions is the function table for the expressions of one file, which
// read the files that files gives them. The caller may add to the result.
func NewFunctions(files Files) map[string]function.Function {
	table := make(map[string]function.Function, len(List()))
	for _, f := range List() {
		table[f.Name] = f.impl
	}
	maps.Copy(table, FileFunctions(files))
	return table
}

// FileFunctions is the part of [NewFunctions] that depends on files, for who
// shares the rest.
func FileFunctions(files Files) map[string]function.Function {
	table := map[string]function.Function{}
	for _, f := range fileFuncs(files) {
		table[f.Name] = f.impl
	}
	return table
}

// Sigs is what the static check knows of the functions, by name. The caller
// may add to the result, such as Sigs(Queries()) where a condition stands.
func Sigs(funcs []Func) map[string]Sig {
	table := make(map[string]Sig, len(funcs))
	for _, f := range funcs {
		table[f.Name] = f.Sig
	}
	return table
}

// NewFunc makes a function for [List]'s like: it is called as signature says,
// such as "shout(text)". The caller gives it a version where it adds it to a
// language; nothing is known of the shape of its results before a run.
func NewFunc(signature, summary string, impl function.Function) Func {
	return describe(signature, summary, impl, nil)
}

// Implementation is what a call does.
func (f Func) Implementation() function.Function { return f.impl }

// describe makes an entry of the list. The number of arguments is that of the
// implementation.
func describe(signature, summary string, impl function.Function, result func([]*schema.Shape) *schema.Shape, examples ...Example) Func {
	f := Func{Name: nameOf(signature), Signature: signature, Summary: summary, Examples: examples, impl: impl}
	f.Sig = Sig{Min: len(impl.Params()), Max: len(impl.Params()), Result: result}
	if impl.VarParam() != nil {
		f.Sig.Max = Unlimited
	}
	return f
}

// applied is the result of a function of texts, the first of them itself where
// there is none.
func (f Func) applied(word string, rest []string) string {
	args := make([]cty.Value, len(rest))
	args[0] = cty.StringVal(word)
	for i := 1; i < len(rest); i++ {
		args[i] = cty.StringVal(rest[i])
	}
	v, err := f.impl.Call(args)
	if err != nil || v.IsNull() || v.Type() != cty.String {
		return word
	}
	return v.AsString()
}

// between says that a function takes fewer or more arguments than its
// implementation alone tells.
func (f Func) between(minimum, maximum int) Func {
	f.Sig.Min, f.Sig.Max = minimum, maximum
	return f
}

func nameOf(signature string) string {
	for i, c := range signature {
		if c == '(' {
			return signature[:i]
		}
	}
	return signature
}
