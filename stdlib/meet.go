package stdlib

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/schema"
)

// A Meeting is two values that a function or an operator compares. Where one is
// of a closed set of words, such as a status, what the file writes for the other
// has to be one of them.
type Meeting struct {
	A, B *schema.Shape
	// Holds, where not nil, is the relation that the text of B has to some word of
	// A in place of being it, and Verb says which: "begins with".
	Holds func(word, text string) bool
	Verb  string
	// Part says that the text is then a part of the word, as it is written.
	Part bool
}

// meets adds what a function compares of its arguments.
func (f Func) meets(which func(args []*schema.Shape) []Meeting) Func {
	f.Sig.Meets = which
	return f
}

// elementsOf are the meetings of each element of a list with a value.
func elementsOf(list, value *schema.Shape) []Meeting {
	if list.Elems == nil {
		return []Meeting{{A: list.Elem, B: value}}
	}
	all := make([]Meeting, len(list.Elems))
	for i, e := range list.Elems {
		all[i] = Meeting{A: e, B: value}
	}
	return all
}

// anElementIs is for functions that look for their second argument in the list
// that is the first, or in a text.
func anElementIs(args []*schema.Shape) []Meeting {
	if args[0].Kind == schema.ShapeString {
		return aWord(strings.Contains, "contains")(args)
	}
	return elementsOf(args[0], args[1])
}

// theirElements is for functions that compare the elements of lists.
func theirElements(args []*schema.Shape) []Meeting {
	var all []Meeting
	for i, a := range args {
		for _, b := range args[i+1:] {
			switch {
			case b.Elems != nil:
				all = append(all, elementsOf(b, a.Elem)...)
			default:
				all = append(all, elementsOf(a, b.Elem)...)
			}
		}
	}
	return all
}

// aWord is for functions that say of a text whether it is in a relation to
// another.
//
//go:noinline
func aWord(holds func(word, text string) bool, verb string) func(args []*schema.Shape) []Meeting {
	return func(args []*schema.Shape) []Meeting {
		return []Meeting{{A: args[0], B: args[1], Holds: holds, Verb: verb, Part: true}}
	}
}

// aPhrase is for word, whose arguments after the first are looked for in that.
func aPhrase(args []*schema.Shape) []Meeting {
	var all []Meeting
	for _, phrase := range args[1:] {
		all = append(all, Meeting{A: args[0], B: phrase, Holds: func(word, text string) bool { return failure.Word(word, text) }, Verb: "has the word"})
	}
	return all
}

// aPattern is for functions that match the text that is their second argument
// with a regular expression.
func aPattern(args []*schema.Shape) []Meeting {
	return []Meeting{{A: args[1], B: args[0], Verb: "matches", Holds: func(word, pattern string) bool {
		re, err := regexp.Compile(pattern)
		return err != nil || re.MatchString(word)
	}}}
}

// Named are the meetings of the names of an object's attributes with the one
// that is looked for: of those that the file writes with a word of the run, and
// the other way round.
func Named(object, name *schema.Shape) []Meeting {
	names := schema.Names(object)
	if object.Kind != schema.ShapeObject || object.Within != "" && names == schema.StringShape {
		return nil
	}
	if names == schema.StringShape && !object.Open {
		names = &schema.Shape{Kind: schema.ShapeString}
		for attr := range object.Attrs {
			names.Texts = append(names.Texts, attr)
		}
		slices.Sort(names.Texts)
	}
	return []Meeting{{A: names, B: name}}
}

// attribute is that which lookup gives: of the name, or any, or what is given for
// one that is not there.
func attribute(args []*schema.Shape) *schema.Shape {
	found := schema.AnyAttr(args[0])
	if name := args[1].Texts; len(name) == 1 && args[0].Attrs[name[0]] != nil {
		found = args[0].Attrs[name[0]]
	}
	if len(args) < 3 || found.Kind == schema.ShapeUnknown {
		return found
	}
	return oneOfThem([]*schema.Shape{found, args[2]})
}

// ofWords says that the result is computed of the first argument alone where the
// others are written out, so that what it may be is known where that of the
// argument is.
//
//go:noinline
func (f Func) ofWords() Func {
	f.Sig.Result = func(args []*schema.Shape) *schema.Shape {
		given := make([]string, len(args))
		for i, a := range args {
			if i == 0 {
				continue
			}
			if len(a.Texts) != 1 || len(a.Words)+len(a.Made) > 0 {
				return schema.StringShape
			}
			given[i] = a.Texts[0]
		}
		return schema.Computed(func(word string) string { return f.applied(word, given) }, args[0])
	}
	return f
}

// written is a pattern of format with only texts in it, put together.
func written(args []*schema.Shape) *schema.Shape {
	if len(args[0].Texts) != 1 {
		return schema.StringShape
	}
	var parts []*schema.Shape
	rest, next := args[0].Texts[0], 1
	for {
		text, verb, more := strings.Cut(rest, "%")
		parts = append(parts, schema.Written(text))
		switch {
		case !more:
			return schema.Computed(nil, parts...)
		case strings.HasPrefix(verb, "%"):
			parts = append(parts, schema.Written("%"))
		case len(verb) > 0 && strings.Contains("svd", verb[:1]) && next < len(args) && (args[next].Kind == schema.ShapeString || args[next].Kind == schema.ShapeNumber):
			parts = append(parts, args[next])
			next++
		default:
			return schema.StringShape
		}
		rest = verb[1:]
	}
}

func lookedUp(args []*schema.Shape) []Meeting { return Named(args[0], args[1]) }
