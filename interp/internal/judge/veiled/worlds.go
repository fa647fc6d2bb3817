package veiled

import (
	"encoding/json"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// A World says what stands in the place of placeholders.
type World struct {
	// Known says that only secrets which are recognised by their sum take the place of
	// their placeholders. Partly says that it speaks of placeholders with other text
	// around them, and not of those that are all of a text.
	Known, Partly bool
	secrets       map[string]string // by placeholder
	before, after string            // around what stands for a secret that is not recognised
}

// How many texts of a condition are tried, and how long they may be.
const (
	maxTexts  = 12
	maxLength = 4 << 10
)

// Worlds are those in which what a condition says stands in the place of secrets, or
// in the midst of them. Written are secrets that are known, by their placeholders.
func Worlds(said []string, written map[string]string) []World {
	texts := textsOf(said)
	secrets := maps.Clone(written)
	for _, secret := range candidates(texts) {
		secrets[redact.Placeholder(secret)] = secret
	}
	worlds := []World{{Known: true, secrets: secrets}}
	for _, partly := range []bool{false, true} {
		if !partly { // a secret may be short, or long
			worlds = append(worlds, World{secrets: secrets}, World{secrets: secrets, after: strings.Repeat("z", 500)})
		}
		for _, t := range texts {
			for _, w := range []World{{before: t}, {after: t}, {before: "z", after: t + "z"}} {
				w.secrets, w.Partly = secrets, partly
				worlds = append(worlds, w)
			}
		}
	}
	return worlds
}

// Written are the texts that the source of a file has between quotes, and the words of
// it, by the placeholders that stand for them where they are secrets.
func Written(source []byte) map[string]string {
	list := map[string]string{}
	for i, text := range strings.Split(string(source), `"`) {
		if i%2 == 1 {
			list[redact.Placeholder(text)] = text
		}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("'=&?,;:@/{}[]()<> \t\r\n", r) }) {
			if len(word) >= redact.ShortestSecret {
				list[redact.Placeholder(word)] = word
			}
		}
	}
	return list
}

// textsOf are the different texts that a condition says, and examples of those that
// are patterns.
func textsOf(said []string) []string {
	var list []string
	for _, t := range said {
		if t == "" || len(t) > maxLength {
			continue
		}
		list = append(list, t)
		if strings.ContainsAny(t, `\^$.|?*+()[]{}`) {
			if re, err := syntax.Parse(t, syntax.Perl); err == nil {
				list = append(list, Example(re.Simplify()))
			}
		}
	}
	slices.Sort(list)
	list = slices.DeleteFunc(slices.Compact(list), func(t string) bool { return t == "" })
	return list[:min(len(list), maxTexts)]
}

// candidates are the secrets that texts may say: each of them in upper and lower case,
// the parts of a member, a parameter or a field, and two that are put together.
func candidates(texts []string) []string {
	var list []string
	for _, t := range texts {
		list = append(list, t, strings.ToLower(t), strings.ToUpper(t), "Bearer "+t)
		list = append(list, strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune("\"'=&?,;{}[]<> ", r) })...)
		if name, value, is := strings.Cut(t, ":"); is && name != "" {
			list = append(list, strings.Trim(value, ` "`))
		}
		for _, other := range texts {
			list = append(list, t+other)
		}
	}
	return list
}

// Example is a text that a pattern matches, as far as it is simple.
func Example(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			return string(re.Rune[:1])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "z"
	case syntax.OpCapture, syntax.OpPlus:
		return Example(re.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(Example(re.Sub[0]), min(re.Min, maxTexts))
	case syntax.OpAlternate:
		return Example(re.Sub[0])
	case syntax.OpConcat:
		var b strings.Builder
		for _, s := range re.Sub {
			b.WriteString(Example(s))
		}
		return b.String()
	}
	return ""
}

// Value is a value with other texts in the place of placeholders.
func (w World) Value(v cty.Value) cty.Value {
	out, _ := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.IsKnown() && !v.IsNull() && v.Type() == cty.String {
			if text := v.AsString(); redact.HasPlaceholder(text) {
				return cty.StringVal(w.text(text)), nil
			}
		}
		return v, nil
	})
	return out
}

func (w World) text(text string) string {
	quoted := strings.Contains(text, `"<`)
	return redact.Unveiled(text, func(placeholder string, whole bool) string {
		secret, known := w.secrets[placeholder]
		switch {
		case known:
		case w.Known || whole == w.Partly:
			return placeholder
		default: // different for each secret
			secret = w.before + "z" + placeholder[len(placeholder)-5:len(placeholder)-1] + w.after
		}
		if quoted {
			escaped, _ := json.Marshal(secret)
			secret = string(escaped[1 : len(escaped)-1])
		}
		return secret
	})
}

// In reports whether there is a placeholder in a value.
func In(v cty.Value) bool {
	if v == cty.NilVal || !v.IsKnown() || v.IsNull() {
		return false
	}
	v, _ = v.Unmark()
	switch t := v.Type(); {
	case t == cty.String:
		return redact.HasPlaceholder(v.AsString())
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			if _, e := it.Element(); In(e) {
				return true
			}
		}
	}
	return false
}
