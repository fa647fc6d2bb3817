package taken

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Time is the time of a result that is the same as another one where it began with the run.
func Time(name string) string {
	switch name {
	case "ended_ms":
		return "elapsed_ms"
	case "elapsed_ms":
		return "ended_ms"
	}
	return ""
}

// Calls are the calls that are easily taken for one.
func Calls(x *hclsyntax.FunctionCallExpr, args []string) (list []string) {
	if len(args) != 2 {
		return nil
	}
	switch x.Name {
	case "contains":
		if of := collection(x.Args[0], args[0]); of != "" {
			list = append(list, fmt.Sprintf("contains(flatten(try(values(%[1]s), %[1]s)), %[2]s)", of, args[1]))
		}
	case "startswith", "endswith":
		list = append(list, fmt.Sprintf("strcontains(%s, %s)", args[0], args[1]))
		if shorter := withoutSign(x.Args[1], args[1], x.Name == "startswith"); shorter != "" {
			list = append(list, fmt.Sprintf("%s(%s, %s)", x.Name, args[0], shorter))
		}
	case "strcontains":
		v, written := dsl.Literal(x.Args[1])
		if !written || v.Type() == cty.String && !v.IsNull() && strings.ContainsAny(v.AsString(), ".*+?") {
			list = append(list, fmt.Sprintf("try(regexmatch(%s, %s), false)", args[1], args[0]))
		}
	case "regexmatch":
		if v, written := dsl.Literal(x.Args[0]); written && !v.IsNull() && v.Type() == cty.String {
			if text := longestText(v.AsString()); text != "" {
				list = append(list, fmt.Sprintf("strcontains(%s, %s)", args[1], strconv.Quote(text)))
			}
		}
	case "percentile":
		list = append(list, fmt.Sprintf("sum(%s) / length(%[1]s)", args[0]), fmt.Sprintf("max(%s...)", args[0]))
	}
	return list
}

// collection is what a list is looked up in by a key that is computed, "" for any other list.
func collection(e hclsyntax.Expression, source string) string {
	x, is := dsl.Bare(e).(*hclsyntax.IndexExpr)
	if !is || dsl.Bare(e) != e {
		return ""
	}
	if _, written := dsl.Literal(x.Key); written {
		return ""
	}
	return source[:x.Collection.Range().End.Byte-e.Range().Start.Byte]
}

// withoutSign is a template without the signs at its end, or at its beginning: "${tenant}" for "${tenant}-". It is
// "" for any other expression.
func withoutSign(e hclsyntax.Expression, source string, end bool) string {
	t, is := e.(*hclsyntax.TemplateExpr)
	if !is || len(t.Parts) < 2 {
		return ""
	}
	part := t.Parts[0]
	if end {
		part = t.Parts[len(t.Parts)-1]
	}
	v, written := dsl.Literal(part)
	if !written || v.IsNull() || v.Type() != cty.String || strings.ContainsFunc(v.AsString(), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	at := part.Range()
	from := t.SrcRange.Start.Byte
	if from > at.Start.Byte || at.End.Byte-from > len(source) {
		return ""
	}
	return source[:at.Start.Byte-from] + source[at.End.Byte-from:]
}

// shortestText is how many letters a text of a pattern has at least that is looked for in place of it.
const shortestText = 4

// longestText is the longest text that a pattern has in it, "" where that is all of it, or short.
func longestText(p string) string {
	longest, now := "", ""
	plain := true
	end := func() {
		if len(now) > len(longest) {
			longest = now
		}
		now = ""
	}
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '\\' && i+1 < len(p) && strings.IndexByte(`.-/+?*()[]{}|^$\`, p[i+1]) >= 0:
			i++
			now += string(p[i])
			continue
		case c == '\\':
			i++
			plain = false
			end()
		case c == '[':
			for i < len(p) && p[i] != ']' {
				i++
			}
			plain = false
			end()
		case strings.IndexByte("*?{", c) >= 0:
			now = now[:max(0, len(now)-1)] // of one that need not be there
			for c == '{' && i < len(p) && p[i] != '}' {
				i++
			}
			plain = false
			end()
		case strings.IndexByte(".+()|^$", c) >= 0:
			plain = false
			end()
		default:
			now += string(c)
		}
	}
	end()
	if plain || len(longest) < shortestText {
		return ""
	}
	return longest
}
