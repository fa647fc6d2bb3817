package unwatched

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/texts"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// What a word has at least of which the case is known, in letters, and what a text has at least that has a case, in
// words.
const (
	capitalsLeast = 4
	casedLeast    = 3
)

// Cased are the words and patterns that a check rules out in capital letters alone, where all that it looks at is in
// small ones, and nothing that the program was given or sends has them so: it would not find them as the program
// writes.
func Cased(o *observe.Observed) (list []observe.RequestPart) {
	if o.Driven() || o.Plan.BenchRun != nil {
		return nil
	}
	var there []string // what the program was given, and what it sends
	for _, a := range o.Plan.Asserts {
		sought := ruledOut(a.Condition)
		if len(sought) == 0 || len(list) == told {
			continue
		}
		n := &read.Needs{}
		n.Add(a.Condition)
		ctx := o.ObservedContext(n, a.Lacking).NewChild()
		ctx.Functions = map[string]function.Function{}
		looked := map[string][]string{}
		for name := range sought {
			ctx.Functions[name] = noting(name, looked)
		}
		if v, diags := dsl.Evaluate(a.Condition, ctx); diags.HasErrors() || v.RawEquals(cty.False) {
			continue
		}
		for _, name := range read.SortedNames(sought) {
			for _, text := range sought[name] {
				at := looked[name+" "+text]
				if len(at) == 0 || slices.ContainsFunc(at, func(s string) bool { return !isSmall(s) }) {
					continue
				}
				if there == nil {
					there = append((&look{o: o, events: o.Log.Events()}).answers(), "")
				}
				if slices.ContainsFunc(there, func(s string) bool { return finds(name, text, s) }) {
					continue
				}
				hint := "lower(…) of the text, and the word in small letters"
				if strings.HasPrefix(name, "regex") {
					hint = "(?i) before the pattern"
				}
				list = append(list, observe.RequestPart{Of: "assert " + strconv.Quote(a.Name), Name: fmt.Sprintf("%q in small letters, as all is that it looks at: write %s", text, hint)})
			}
		}
	}
	return list
}

// ruledOut are the words and patterns in capitals that are written out in searches that a condition negates, by the
// function that looks for them.
func ruledOut(e hclsyntax.Expression) map[string][]string {
	list := map[string][]string{}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		not, is := e.(*hclsyntax.UnaryOpExpr)
		if !is || not.Op != hclsyntax.OpLogicalNot {
			return
		}
		f, is := dsl.Bare(not.Val).(*hclsyntax.FunctionCallExpr)
		if !is {
			return
		}
		places, searches := texts.Searches[f.Name]
		if !searches || places.Sought == texts.Nowhere || len(f.Args) != 2 || f.ExpandFinal {
			return
		}
		v, written := dsl.Literal(dsl.Bare(f.Args[places.Sought]))
		if !written || v.IsNull() || v.Type() != cty.String || !isCapital(v.AsString()) || slices.Contains(list[f.Name], v.AsString()) {
			return
		}
		list[f.Name] = append(list[f.Name], v.AsString())
	})
	return list
}

// noting is a search that notes in which texts something is looked for.
func noting(name string, looked map[string][]string) function.Function {
	f, places := stdlib.Functions()[name], texts.Searches[name]
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if in, sought := args[places.In], args[places.Sought]; in.Type() == cty.String && !in.IsNull() && sought.Type() == cty.String && !sought.IsNull() {
				id := name + " " + sought.AsString()
				looked[id] = append(looked[id], in.AsString())
			}
			return f.Call(args)
		},
	})
}

// escapes are the letters of a pattern that stand for no letter.
var escapes = strings.NewReplacer(`\b`, "", `\B`, "", `\d`, "", `\s`, "", `\w`, "", `\S`, "", `\W`, "", `\D`, "")

// isCapital reports whether a text or a pattern has a word in capitals, and no small letter and no class of signs.
func isCapital(text string) bool {
	text = escapes.Replace(text)
	if strings.ContainsFunc(text, unicode.IsLower) || strings.ContainsAny(text, `[\`) || strings.Contains(text, "(?") {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsUpper(c) }), func(w string) bool { return len(w) >= capitalsLeast })
}

// isSmall reports whether a text has several words, and no capital letter.
func isSmall(text string) bool {
	return len(strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) })) >= casedLeast && !strings.ContainsFunc(text, unicode.IsUpper)
}

// finds reports whether a search would find something in a text, wherever it stands there.
func finds(name, sought, text string) bool {
	if !strings.HasPrefix(name, "regex") {
		return strings.Contains(text, sought)
	}
	re, err := regexp.Compile(sought)
	return err == nil && re.MatchString(text)
}
