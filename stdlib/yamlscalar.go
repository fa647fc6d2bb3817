package stdlib

import (
	"encoding/base64"
	"math/big"
	"strings"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"
	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// What a plain scalar means is what it means to Terraform's yamldecode: the core schema of
// YAML 1.2 (yaml.org/spec/1.2.2, 10.3), the words for truth of YAML 1.1, and times.
var (
	yamlInteger = pattern.New(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	yamlFloat   = pattern.New(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

var yamlNull = cty.NullVal(cty.DynamicPseudoType)

var yamlWords = sync.OnceValue(func() map[string]cty.Value {
	words := map[string]cty.Value{"": yamlNull}
	for _, w := range []struct {
		v     cty.Value
		texts string
	}{
		{cty.True, "y Y yes Yes YES true True TRUE on On ON"},
		{cty.False, "n N no No NO false False FALSE off Off OFF"},
		{cty.PositiveInfinity, ".inf .Inf .INF +.inf +.Inf +.INF"},
		{cty.NegativeInfinity, "-.inf -.Inf -.INF"},
		{yamlNull, "~ null Null NULL"},
	} {
		for _, text := range strings.Fields(w.texts) {
			words[text] = w.v
		}
	}
	return words
})

// yamlTimes are forms of yaml.org/type/timestamp.html.
var yamlTimes = []string{"2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2"}

func yamlScalar(n *yaml.Node) (cty.Value, error) {
	if n.Style&yaml.TaggedStyle != 0 {
		return yamlTagged(n)
	}
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return cty.StringVal(n.Value), nil
	}
	if n.Value == ".nan" || n.Value == ".NaN" || n.Value == ".NAN" {
		return cty.NilVal, mistake(n, "there is no number for %s", n.Value)
	}
	if v, ok := yamlWords()[n.Value]; ok {
		return v, nil
	}
	if v, ok := yamlTime(n.Value); ok {
		return v, nil
	}
	if v, ok := yamlNumber(n.Value); ok {
		return v, nil
	}
	return cty.StringVal(n.Value), nil
}

// yamlTagged is a scalar whose tag says what it is. Bytes stay as they are written, in
// base64: no value has bytes.
func yamlTagged(n *yaml.Node) (cty.Value, error) {
	word, isWord := yamlWords()[n.Value]
	switch n.Tag {
	case "!!str":
		return cty.StringVal(n.Value), nil
	case "!!binary":
		if _, err := base64.StdEncoding.DecodeString(n.Value); err == nil {
			return cty.StringVal(n.Value), nil
		}
	case "!!bool":
		if isWord && word.Type() == cty.Bool {
			return word, nil
		}
	case "!!null":
		if isWord && word.IsNull() {
			return word, nil
		}
	case "!!int", "!!float":
		if isWord && word.Type() == cty.Number {
			return word, nil
		}
		if v, ok := yamlNumber(strings.ReplaceAll(n.Value, "_", "")); ok {
			return v, nil
		}
	case "!!timestamp":
		if v, ok := yamlTime(n.Value); ok {
			return v, nil
		}
	default:
		return cty.NilVal, mistake(n, "a tag stands here that no value stands for: those that do are !!str, !!int, !!float, !!bool, !!null, !!timestamp, !!binary, !!seq and !!map")
	}
	return cty.NilVal, mistake(n, "the value is not what its tag %s says", n.Tag)
}

func yamlNumber(text string) (cty.Value, bool) {
	switch {
	case strings.HasPrefix(text, "0o"), strings.HasPrefix(text, "0x"):
		if !yamlInteger().MatchString(text) {
			return cty.NilVal, false
		}
		i, ok := new(big.Int).SetString(text, 0)
		return cty.NumberVal(new(big.Float).SetInt(i)), ok
	case yamlInteger().MatchString(text), yamlFloat().MatchString(text):
		v, err := cty.ParseNumberVal(text)
		return v, err == nil
	}
	return cty.NilVal, false
}

// yamlTime is a time in the form of RFC 3339, which the functions of times take.
func yamlTime(text string) (cty.Value, bool) {
	if len(text) < len("2006-1-2") || text[4] != '-' {
		return cty.NilVal, false
	}
	for _, form := range yamlTimes {
		if at, err := time.Parse(form, text); err == nil {
			return cty.StringVal(at.Format(time.RFC3339)), true
		}
	}
	return cty.NilVal, false
}
