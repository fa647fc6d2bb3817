package mutate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/patterns"
)

// limits are the keywords of a JSON schema that are limits, with the direction in which one lets more pass.
var limits = map[string]float64{
	"minimum": -1, "exclusiveMinimum": -1, "maximum": 1, "exclusiveMaximum": 1, "minLength": -1, "maxLength": 1,
	"minItems": -1, "maxItems": 1, "minProperties": -1, "maxProperties": 1,
}

// otherEnd is the keyword whose limit itself is allowed, or the other way round.
func otherEnd(keyword string) string {
	switch keyword {
	case "minimum":
		return "exclusiveMinimum"
	case "maximum":
		return "exclusiveMaximum"
	case "exclusiveMinimum":
		return "minimum"
	case "exclusiveMaximum":
		return "maximum"
	}
	return ""
}

// schemaChanges are those of a JSON schema: each keyword that refuses something left out, and each limit moved by one.
// One that is only told to a model keeps its types, which a check of the request reads or does not read as a whole.
func schemaChanges(n *node, path string, told bool) []variant {
	if n == nil {
		return nil
	}
	var list []variant
	if path != "" {
		path += "."
	}
	for i, m := range n.parts {
		if n.kind != '{' || m.name == "" {
			continue
		}
		v, at := m.of, path+m.name
		put := func(what string, p *document, from, to int, with string) {
			list = append(list, variant{p, change{what: what, from: from, to: to, with: with}})
		}
		out := func() {
			from, to := n.leftOut(i)
			put(strings.TrimSuffix(at+" "+brief(v.part(v.from, v.to)), " ")+" left out", n.document, from, to, "")
		}
		below := func() {
			for j, e := range v.parts {
				name := e.name
				if name == "" {
					name = strconv.Itoa(j)
				}
				list = append(list, schemaChanges(e.of, at+"."+name, told)...)
			}
		}
		switch m.name {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "prefixItems":
			below()
		case "allOf", "anyOf", "oneOf":
			out()
			if m.name == "allOf" && len(v.parts) > 1 {
				for j := range v.parts {
					from, to := v.leftOut(j)
					put(fmt.Sprintf("%s.%d left out", at, j), v.document, from, to, "")
				}
			}
			below()
		case "items", "if", "then", "else":
			list = append(list, schemaChanges(v, at, told)...)
		case "not", "contains", "propertyNames", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems":
			if v.value != true {
				out()
			}
			if m.name != "not" {
				list = append(list, schemaChanges(v, at, told)...)
			}
		case "required":
			out()
			if len(v.parts) > 1 && v.kind == '[' {
				for j, e := range v.parts {
					from, to := v.leftOut(j)
					put(at+" "+e.of.part(e.of.from, e.of.to)+" left out", v.document, from, to, "")
				}
			}
		case "type":
			switch {
			case told:
			case v.value == "integer": // what tells a number that is no whole one apart tells a text apart, too
				put(at+` "integer" → "number"`, v.document, v.from, v.to, `"number"`)
			default:
				out()
			}
		case "pattern":
			out()
			list = append(list, v.pattern(at)...)
		case "uniqueItems":
			if v.value == true {
				out()
			}
		case "enum", "const", "format", "multipleOf", "minContains", "maxContains", "dependentRequired", "contentEncoding", "contentMediaType":
			out()
		default:
			more, is := limits[m.name]
			if !is {
				break
			}
			x, whole := v.value.(float64)
			whole = whole && x == float64(int64(x))
			least := strings.HasPrefix(m.name, "min") && m.name != "minimum" // a length or a count
			if whole && least && x == 0 {
				break
			}
			out()
			for _, d := range []float64{more, -more} {
				if !whole || d < 0 && least && x == 1 || x+d < 0 && m.name != "minimum" && m.name != "maximum" && otherEnd(m.name) == "" {
					continue
				}
				put(fmt.Sprintf("%s %s → %s", at, shown(x), shown(x+d)), v.document, v.from, v.to, shown(x+d))
			}
			if end := otherEnd(m.name); end != "" && !whole && v.value != nil {
				if n.json {
					end = strconv.Quote(end)
				}
				put(at+" → "+strings.Trim(end, `"`), n.document, m.from, m.nameTo, end)
			}
		}
	}
	return list
}

// pattern are the changes of a pattern of a schema.
func (n *node) pattern(at string) []variant {
	var list []variant
	text, is := n.value.(string)
	raw := n.part(n.from, n.to)
	if !is || len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	for _, c := range patterns.Changes(text, true, brief) {
		// The pattern is written anew as a whole, as it has escapes of its own.
		list = append(list, variant{n.document, change{what: at + ": " + c.What, from: n.from, to: n.to, with: n.quoted(c.Apply(text))}})
	}
	return list
}

// quoted is a text between quotation marks, as the JSON or the expression of a node has it.
func (n *node) quoted(text string) string {
	text = strconv.Quote(text)
	if !n.json {
		text = strings.NewReplacer("${", "$${", "%{", "%%{").Replace(text)
	}
	return text
}

// typeChanges let each key of the entries of a classifier have any type.
func typeChanges(n *node) []variant {
	var list []variant
	for _, m := range n.parts {
		if m.of.value != nil && m.of.value != "any" && m.name != "target" {
			v := m.of
			list = append(list, variant{v.document, change{what: fmt.Sprintf("%s %s → \"any\"", m.name, v.part(v.from, v.to)), from: v.from, to: v.to, with: `"any"`}})
		}
	}
	return list
}
