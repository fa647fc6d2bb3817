package found

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

const (
	ofSeveral = "it finds %q in %s and in %s, and would hold as well if one of them lacked it.\nhint: %s"
	ofEarlier = "it finds %q in %s alone, and not in the result of the tool, which came last, so it does not depend on that.\nhint: %s"
	inJSON    = "read the one that is meant, such as strcontains(%s, %q)"
	inSQL     = "look for more of it, such as strcontains(lower(…), \"where %s\")"
)

// place says of a text that was found in a request that it stands in several places of it, or only
// where the request before had it as well.
func (l *look) place(text, what string) string {
	if clauses := clausesOf(text, what); len(clauses) > 1 && !l.isRead(what) {
		return fmt.Sprintf(ofSeveral, what, clauses[0], clauses[1], fmt.Sprintf(inSQL, what))
	}
	if !strings.HasPrefix(text, "{") || strings.Contains(what, `"`) || !l.later && strings.Count(text, what) < 2 {
		return ""
	}
	var body map[string]any
	if json.Unmarshal([]byte(text), &body) != nil {
		return ""
	}
	places := placesOf(nil, "", body, what)
	if len(places) == 0 || l.isRead(what) {
		return ""
	}
	if meant := places[len(places)-1]; !isOneKind(places) {
		return fmt.Sprintf(ofSeveral, what, places[0], meant, fmt.Sprintf(inJSON, l.member(meant, text), what))
	}
	if result := toolResult(body); l.later && result != "" && !slices.ContainsFunc(places, func(p string) bool { return !isSaidBefore(p, result) }) {
		return fmt.Sprintf(ofEarlier, what, places[0], fmt.Sprintf(inJSON, l.member(result, text), what))
	}
	return ""
}

// member is how a check reads a place of a body, in lower case where that is.
func (l *look) member(place, text string) string {
	read := l.body + "." + place
	if strings.ToLower(text) == text {
		return "lower(" + read + ")"
	}
	return read
}

// isRead reports whether a check of the scenario looks for the text in a part of a request, or for a
// longer one in all of it.
func (l *look) isRead(what string) (found bool) {
	what = strings.ToLower(what)
	for _, check := range l.Checks() {
		parts, _ := readsRequest(check)
		dsl.EachExpr(check, func(e hclsyntax.Expression) {
			switch x := e.(type) {
			case *hclsyntax.FunctionCallExpr:
			case *hclsyntax.BinaryOpExpr:
				if !dsl.IsComparison(x.Op) {
					return
				}
			default:
				return
			}
			_, whole := readsRequest(e)
			dsl.EachPart(e, func(e hclsyntax.Expression) {
				if v, is := dsl.Literal(dsl.Bare(e)); is && !v.IsNull() && v.Type() == cty.String {
					said := v.AsString()
					found = found || strings.Contains(strings.ToLower(said), what) && (parts && !whole || whole && len(said) > len(what))
				}
			})
		})
	}
	return found
}

// readsRequest reports whether an expression reads parts of the JSON of a request, and whether it reads
// all of its body or its statement.
func readsRequest(e hclsyntax.Expression) (parts, whole bool) {
	for t := range dsl.Variables(e) {
		for i, step := range t {
			switch name, _ := step.(hcl.TraverseAttr); name.Name {
			case "json":
				parts, whole = parts || i+1 < len(t), whole || i+1 == len(t)
			case "body", "statement":
				whole = true
			}
		}
	}
	return parts, whole
}

// readsLater reports whether an expression reads requests behind the first, each by its place.
func readsLater(e hclsyntax.Expression) bool {
	later := false
	for t := range dsl.Variables(e) {
		for i, step := range t[:len(t)-1] {
			name, named := step.(hcl.TraverseAttr)
			if !named || name.Name != "attempts" {
				continue
			}
			at, is := t[i+1].(hcl.TraverseIndex)
			if !is || at.Key.Type() != cty.Number || at.Key.RawEquals(cty.Zero) {
				return false
			}
			later = true
		}
	}
	return later
}

// placesOf adds the places of a JSON value where a text stands, in their order, by their paths.
func placesOf(list []string, path string, v any, what string) []string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, what) {
			list = append(list, path)
		}
	case []any:
		for i, e := range v {
			list = placesOf(list, fmt.Sprintf("%s[%d]", path, i), e, what)
		}
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			list = placesOf(list, strings.TrimPrefix(path+"."+name, "."), v[name], what)
		}
	}
	return list
}

// isOneKind reports whether places are one, those of one tool, or those of alike elements of a list
// that holds no messages.
func isOneKind(places []string) bool {
	shape := func(path string) string {
		if tool, _, in := strings.Cut(path, "]"); in && strings.HasPrefix(path, "tools[") {
			return tool
		}
		if slices.ContainsFunc(conversations, func(name string) bool { return strings.HasPrefix(path, name+"[") }) {
			return path
		}
		return strings.Map(func(c rune) rune {
			if '0' <= c && c <= '9' {
				return -1
			}
			return c
		}, path)
	}
	return !slices.ContainsFunc(places, func(p string) bool { return shape(p) != shape(places[0]) })
}

// conversations are the members of requests to models that have what was said so far.
var conversations = []string{"messages", "input", "contents"}

// toolResult is the place of the result of a tool with which a conversation ends, of the first of
// several; "" where it ends with something else.
func toolResult(body map[string]any) (at string) {
	for _, name := range conversations {
		list, _ := body[name].([]any)
		for i := len(list) - 1; i > 0 && isToolResult(list[i]); i-- {
			at = fmt.Sprintf("%s[%d].content", name, i)
		}
	}
	return at
}

// isSaidBefore reports whether a place is in an instruction, or in a message before that of a result.
func isSaidBefore(place, result string) bool {
	name, from, _ := strings.Cut(result, "[")
	of, at, listed := strings.Cut(place, "[")
	if of == "system" || of == "instructions" {
		return true
	}
	n, err := strconv.Atoi(index(at))
	first, _ := strconv.Atoi(index(from))
	return listed && err == nil && of == name && n < first
}

// index is the number with which what follows a bracket begins.
func index(at string) string {
	at, _, _ = strings.Cut(at, "]")
	return at
}

// isToolResult reports whether a message is one, of Chat Completions, Messages, Responses or Gemini.
func isToolResult(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, isToolResult)
	case map[string]any:
		kind, _ := v["type"].(string)
		return v["role"] == "tool" || kind == "tool_result" || kind == "function_call_output" || v["functionResponse"] != nil || isToolResult(v["content"]) || isToolResult(v["parts"])
	}
	return false
}
