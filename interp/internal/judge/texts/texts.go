// Package texts knows the functions that look for something in a text, and how protocols write
// texts: an address has %40 for @, and JSON \u00fc for ü. A search that finds nothing in what
// was written may find it in what that says.
//
//	how := texts.Found(condition, ctx, cty.True, checks)
package texts

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// Places are those of the text and of what is sought among the arguments of a function.
type Places struct{ In, Sought int }

// Nowhere is the place of what split looks for, which decides nothing.
const Nowhere = -1

// Searches are the functions that look for something in a text.
var Searches = map[string]Places{
	"strcontains": {0, 1}, "startswith": {0, 1}, "endswith": {0, 1}, "word": {0, 1}, "regexmatch": {1, 0}, "regexall": {1, 0}, "split": {1, Nowhere},
}

// A Writing is a way in which texts are written.
type Writing string

// The writings.
const (
	Percent Writing = "an address" // RFC 3986, and forms, which have + for a space
	JSON    Writing = "JSON"       // RFC 8259
	// Spaces are those that RFC 8259 allows between the tokens of JSON: Python writes some,
	// Node and Go write none.
	Spaces Writing = "the spaces of JSON"
)

// whole is for a text that stands among others in one that is compared as a whole.
const whole Writing = "a text"

// elements is for a text that stands among others in an element of a list.
const elements Writing = "a list"

// Message says why a condition that rests on a search in such a text shows nothing, "" for no
// writing.
func (w Writing) Message() string {
	if w == "" {
		return ""
	}
	if w == elements {
		return "the condition holds only because contains compares whole elements: what it looks for is a part of one.\nhint: anytrue([for t in LIST : strcontains(t, \"TEXT\")]) looks into each"
	}
	switch w {
	case Numbers:
		return "the condition holds only because of how a number is written: what it looks for is there, with other signs between its digits or none.\nhint: look for it as the program was given it as well, or take the signs out of the text first, such as replace(t, \" \", \"\")"
	case whole:
		return "the condition holds only because == compares whole texts: what it looks for is a part of one.\nhint: strcontains(t, \"TEXT\") looks into a text"
	case Spaces:
		return "the condition holds only because of the spaces of JSON: what it looks for is there, with others or none between its parts.\nhint: read the JSON and compare its members, such as [for l in compact(split(\"\\n\", sut.stdout)) : l if jsondecode(l).status == \"failed\"] == []"
	}
	hint := "look into the value in place of the text, such as request.json, or step.NAME.attempts[0].request.json.messages for what a model is told"
	if w == Percent {
		hint = "look for urlencode(…) of the text as well"
	}
	return fmt.Sprintf("the condition holds only because of how %s writes texts: what it looks for is there, with other signs in its place.\nhint: %s", string(w), hint)
}

// Checks are the conditions of a scenario, made when something asks for them: it has many, and
// few searches depend on what others look for.
type Checks func() []hclsyntax.Expression

// Found is how the first text is written of those on which the value of a condition rests: it
// would be another if its searches read what texts say. "" where there is none. A search for
// signs alone asks how a text is written, and so do checks of the scenario that look for one number
// in two ways.
func Found(condition hclsyntax.Expression, ctx *hcl.EvalContext, value cty.Value, checks Checks) Writing {
	searches, encodes := false, false
	dsl.EachExpr(condition, func(e hclsyntax.Expression) {
		if f, is := e.(*hclsyntax.FunctionCallExpr); is {
			_, looks := Searches[f.Name]
			searches = searches || looks || f.Name == "contains"
			encodes = encodes || f.Name == "jsonencode" // whose spaces are known before
		}
	})
	made, compares := comparing(condition)
	if !searches && !compares {
		return ""
	}
	numbers := sync.OnceValue(func() bool {
		var said []string
		for _, check := range checks() {
			said = append(said, literals(check)...)
		}
		return !spellings(said)
	})
	var first Writing
	inner := ctx.NewChild()
	inner.Functions = map[string]function.Function{}
	for name, places := range Searches {
		if places.Sought != Nowhere {
			inner.Functions[name] = reading(stdlib.Functions()[name], places, encodes, numbers, &first)
		}
	}
	inner.Functions[isWhole] = part(&first)
	inner.Functions["contains"] = looking(stdlib.Functions()["contains"], &first)
	other, diags := dsl.Evaluate(made, inner)
	if diags.HasErrors() || !other.IsKnown() || other.RawEquals(value) {
		return ""
	}
	return first
}

// reading is a search that also reads what a text says, but for the spaces of JSON where the
// condition itself encoded it, and other ways to write a number unless numbers says so.
func reading(f function.Function, places Places, encoded bool, numbers func() bool, first *Writing) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			in, sought := args[places.In], args[places.Sought]
			if err != nil || !isNothing(v) || in.Type() != cty.String || in.IsNull() || sought.Type() != cty.String || sought.IsNull() {
				return v, err
			}
			for _, w := range []Writing{Percent, JSON, Spaces, Numbers} {
				if w == Spaces && (encoded || !strings.Contains(sought.AsString(), `":`)) {
					continue
				}
				for _, said := range w.read(in.AsString(), sought.AsString(), places) {
					if places.Sought == 0 && !names(sought.AsString(), said) || places.Sought > 0 && !hasName(sought.AsString()) {
						continue
					}
					args[places.In] = cty.StringVal(said)
					if found, err := f.Call(args); err == nil && !isNothing(found) && (w != Numbers || numbers()) {
						*first = cmp.Or(*first, w)
						return found, nil
					}
				}
			}
			return v, nil
		},
	})
}

// looking is contains, which also looks into elements that are texts.
func looking(f function.Function, first *Writing) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			if err != nil || !v.RawEquals(cty.False) || args[1].IsNull() || args[1].Type() != cty.String || !hasName(args[1].AsString()) {
				return v, err
			}
			for it := args[0].ElementIterator(); it.Next(); {
				if _, e := it.Element(); e.IsKnown() && !e.IsNull() && e.Type() == cty.String && isPart(args[1].AsString(), e.AsString()) {
					*first = cmp.Or(*first, elements)
					return cty.True, nil
				}
			}
			return v, nil
		},
	})
}

// isPart reports whether a text of several words, such as a line, a prompt or an address, has
// another one among them.
func isPart(sought, text string) bool {
	if sought == text || !strings.ContainsAny(text, " \t\n\"") && !strings.Contains(text, "://") {
		return false
	}
	for at := 0; ; {
		i := strings.Index(text[at:], sought)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+i])
		after, _ := utf8.DecodeRuneInString(text[at+i+len(sought):])
		first, _ := utf8.DecodeRuneInString(sought)
		last, _ := utf8.DecodeLastRuneInString(sought)
		if !(isName(before) && isName(first)) && !(isName(after) && isName(last)) {
			return true
		}
		at += i + 1
	}
}

func isName(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// isNothing reports whether a search found nothing: false, or an empty list.
func isNothing(v cty.Value) bool {
	v, _ = v.Unmark()
	return v.RawEquals(cty.False) || v.IsKnown() && v.Type() != cty.Bool && !v.IsNull() && v.CanIterateElements() && v.LengthInt() == 0
}

// names reports whether a pattern finds something in a text that has a name.
func names(pattern, text string) bool {
	re, err := regexp.Compile(pattern)
	return err == nil && hasName(re.FindString(text))
}

// hasName reports whether a text is more than signs: two letters or digits.
func hasName(text string) bool {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n >= 2
}

// read is what a text says that is written so, in all ways to read it for what is sought: none
// where it says no other thing than it reads.
func (w Writing) read(text, sought string, places Places) (said []string) {
	switch w {
	case Numbers:
		if places.Sought == 0 {
			return joined(text)
		}
		return spelled(text, sought)
	case Spaces:
		return respaced(text)
	case Percent:
		if !strings.ContainsAny(text, "%+") {
			return nil
		}
		plain := percent().ReplaceAllStringFunc(text, func(s string) string {
			s, _ = url.PathUnescape(s)
			return s
		})
		return []string{plain, percent().ReplaceAllStringFunc(strings.ReplaceAll(text, "+", " "), func(s string) string {
			s, _ = url.PathUnescape(s)
			return s
		})}
	}
	for range 3 { // JSON in a text of JSON, and once more
		if !strings.Contains(text, `\`) {
			break
		}
		text = escape().ReplaceAllStringFunc(text, unescaped)
		said = append(said, text)
	}
	return said
}

// respaced is a text that has JSON in it as JSON is written without spaces, and with those of most
// writers that write some; none for any other text.
func respaced(text string) []string {
	if !strings.Contains(text, `"`) || !strings.Contains(text, ":") {
		return nil
	}
	text = colon().ReplaceAllString(text, `":`)
	text = between().ReplaceAllString(text, "$1")
	text = before().ReplaceAllString(text, "$1")
	return []string{text, strings.NewReplacer(`":`, `": `, `,"`, `, "`, `,{`, `, {`, `,[`, `, [`).Replace(text)}
}

var (
	colon   = pattern(`"\s*:\s*`)
	between = pattern(`([{\[,])\s+`)
	before  = pattern(`\s+([}\]])`)
	percent = pattern(`(%[0-9A-Fa-f]{2})+`)
	escape  = pattern(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\["\\/bfnrt]`)
)

// pattern is a pattern that is compiled where it is used first.
func pattern(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// unescaped is what an escape of JSON (RFC 8259, section 7) stands for.
func unescaped(s string) string {
	if s[1] != 'u' {
		if i := strings.IndexByte(`bfnrt`, s[1]); i >= 0 {
			return "\b\f\n\r\t"[i : i+1]
		}
		return s[1:]
	}
	var units []uint16
	for _, hex := range strings.Split(s, `\u`)[1:] {
		u, _ := strconv.ParseUint(hex, 16, 16)
		units = append(units, uint16(u))
	}
	return string(utf16.Decode(units))
}
