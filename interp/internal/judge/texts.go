package judge

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// searches are the functions that look for something in a string, with the place of
// that among their arguments.
var searches = map[string]int{"strcontains": 0, "startswith": 0, "endswith": 0, "word": 0, "regexmatch": 1, "regexall": 1, "split": 1}

// ofEmpty says why what is not in a string shows nothing.
const ofEmpty = "it holds because the string in which it looks for something was empty, so it shows nothing here.\nhint: say what has to be in it as well, or with == \"\" that it is empty"

// looksInTexts replaces the functions that look for something in strings, which find
// nothing in an empty one. What a program writes on standard error is another
// matter: it is empty where all is well.
func (l *look) looksInTexts(a *dsl.Absence) {
	if slices.ContainsFunc(a.Slots, func(s *dsl.Slot) bool {
		name, _ := read.AttrName(s.Path, 1)
		return s.Path.RootName() == "sut" && name == "stderr"
	}) {
		return
	}
	for name, at := range searches {
		l.functions[name] = l.search(stdlib.Functions()[name], at)
	}
}

// search is a function that looks for something in the string at a place of its
// arguments. Nothing that was found in an empty one has no known result; a list of
// it is marked.
func (l *look) search(f function.Function, at int) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			switch {
			case err != nil || !args[at].RawEquals(cty.StringVal("")):
				return v, err
			case v.RawEquals(cty.False):
				return l.note(ofEmpty, cty.Bool), nil
			case v.Type() != cty.Bool:
				return v.Mark(none(ofEmpty)), nil
			}
			return v, nil
		},
	})
}
