package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// A pyKind is what PyYAML, which reads YAML 1.1, takes a scalar for. Our YAML
// library reads 1.2 and takes some texts for something else: 1e-05 is a text
// to PyYAML, which needs a point, and 010 is eight.
type Kind int

// The kinds of scalars.
const (
	Text Kind = iota
	Null
	True
	False
	Int
	Float
	Bytes
	Odd // a date, or a number of base 60, which JSON has not
)

// The plain scalars of YAML 1.1 that are no text (yaml.org/type), as PyYAML
// reads them.
var (
	intForm   = pattern.New(`^[-+]?(0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)$`)
	floatForm = pattern.New(`^([-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
	oddForm   = pattern.New(`^([-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?)$`)
)

// KindOf returns what a scalar is: by its tag where it has one, as text where
// it is quoted, and else by its form.
func KindOf(n *yaml.Node) Kind {
	if n.Style&yaml.TaggedStyle != 0 {
		return tagged(n)
	}
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return Text
	}
	return plain(n.Value)
}

func tagged(n *yaml.Node) Kind {
	switch n.ShortTag() {
	case "!!null":
		return Null
	case "!!bool", "!!timestamp":
		return plain(n.Value)
	case "!!int":
		return Int
	case "!!float":
		return Float
	case "!!binary":
		return Bytes
	}
	return Text
}

func plain(text string) Kind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return True
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return False
	}
	switch {
	case intForm().MatchString(text):
		return Int
	case floatForm().MatchString(text):
		return Float
	case oddForm().MatchString(text):
		return Odd
	}
	return Text
}

// intText is an integer as Python prints it, of any size.
func intText(text string) (string, bool) {
	text = strings.ReplaceAll(text, "_", "")
	digits := strings.TrimLeft(text, "+-")
	base := 10
	switch {
	case strings.HasPrefix(digits, "0b"):
		digits, base = digits[2:], 2
	case strings.HasPrefix(digits, "0x"):
		digits, base = digits[2:], 16
	case len(digits) > 1 && digits[0] == '0':
		base = 8
	}
	// Beyond this many digits Python refuses to print a number, too.
	const digitsMax = 4300
	if len(digits) > digitsMax {
		return "", false
	}
	v, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return "", false
	}
	if strings.HasPrefix(text, "-") {
		v.Neg(v)
	}
	return v.String(), true
}

// FloatText is a number as Python's repr prints it: the shortest digits that
// read back equal, with an exponent below 1e-4 and from 1e16 on.
func FloatText(text string) (string, bool) {
	text = strings.ToLower(strings.ReplaceAll(text, "_", ""))
	text = strings.Replace(text, ".inf", "inf", 1)
	text = strings.Replace(text, ".nan", "nan", 1)
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case math.IsInf(f, 1):
		return "Infinity", true
	case math.IsInf(f, -1):
		return "-Infinity", true
	case err != nil:
		return "", false
	case math.IsNaN(f):
		return "NaN", true
	}
	short := strconv.FormatFloat(f, 'e', -1, 64)
	_, exponent, _ := strings.Cut(short, "e")
	if exp, _ := strconv.Atoi(exponent); exp < -4 || exp >= 16 {
		return short, true
	}
	fixed := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(fixed, ".") {
		fixed += ".0"
	}
	return fixed, true
}
