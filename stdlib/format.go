package stdlib

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// maxWidth bounds one width or precision of a pattern.
const maxWidth = 9999

// boundedFormat refuses a width or precision above [maxWidth] or one that is taken from an
// argument, a number that cannot be written out, and a result longer than maxText: a
// pattern writes a value as often as it names it. That of formatlist writes the elements
// of its lists one by one, which each says.
func boundedFormat(f function.Function, each bool) function.Function {
	return guarded(f, func(args []cty.Value) error { return formatFits(knownText(args[0]), args[1:], each) })
}

// formatFits says why a pattern and its values make no result that fits.
func formatFits(pattern string, values []cty.Value, each bool) error {
	times := 1
	for _, v := range values {
		if each && isListed(v) {
			times = max(times, v.LengthInt())
		}
	}
	size := min(len(pattern), maxText+1) * times
	for rest, next := pattern, 0; size <= maxText; {
		var verb formatVerb
		var found bool
		if verb, rest, found = nextVerb(rest, next); !found {
			return nil
		}
		next = verb.value + 1
		if verb.wide {
			return function.NewArgErrorf(0, "has a width or precision above %d", maxWidth)
		}
		size += verb.width * times
		if verb.value >= len(values) {
			continue // the function says so itself
		}
		written := []cty.Value{values[verb.value]}
		if each && isListed(written[0]) {
			written = written[0].AsValueSlice()
		} else if size += (times - 1) * verb.most(written[0]); verb.beyond(written[0]) {
			return function.NewArgError(verb.value+1, errOutOfRange)
		}
		for _, v := range written {
			if size += verb.most(v); verb.beyond(v) {
				return function.NewArgError(verb.value+1, errOutOfRange)
			}
		}
	}
	return function.NewArgErrorf(0, "makes the result longer than 16 MiB")
}

// isListed reports whether formatlist goes over the elements of a value.
func isListed(v cty.Value) bool {
	t := v.Type()
	return v.IsKnown() && !v.IsNull() && (t.IsTupleType() || t.IsListType() || t.IsSetType())
}

// A formatVerb is how a pattern writes one of its values.
type formatVerb struct {
	letter byte
	sharp  bool // it writes JSON
	width  int  // its width and its precision together
	wide   bool // one of them is above maxWidth, or taken from an argument
	value  int  // the place of the value, from 0
}

// nextVerb is the first verb of a pattern and what follows it. One that names no value
// writes the one at a place.
func nextVerb(pattern string, value int) (v formatVerb, rest string, found bool) {
	for {
		_, verb, more := strings.Cut(pattern, "%")
		if !more {
			return v, "", false
		}
		if strings.HasPrefix(verb, "%") {
			pattern = verb[1:]
			continue
		}
		end := strings.IndexFunc(verb, func(c rune) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '%' })
		if end < 0 {
			return v, "", false
		}
		v = formatVerb{letter: verb[end], value: value}
		v.read(verb[:end])
		return v, verb[end+1:], true
	}
}

// read reads what stands between the percent sign and the letter.
func (v *formatVerb) read(written string) {
	for at := 0; at < len(written); at++ {
		switch c := written[at]; {
		case '1' <= c && c <= '9':
			n := digitsIn(written[at:])
			width, err := strconv.Atoi(written[at : at+n])
			if err != nil || width > maxWidth {
				v.wide = true
				return
			}
			v.width += width
			at += n - 1
		case c == '*':
			v.wide = true
		case c == '#':
			v.sharp = true
		case c == '[':
			n := digitsIn(written[at+1:])
			if place, err := strconv.Atoi(written[at+1 : at+1+n]); err == nil {
				v.value = max(place-1, 0)
			}
			at += n
		}
	}
}

func digitsIn(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// number is the number that the verb writes, nil where it writes none.
func (v formatVerb) number(of cty.Value) *big.Float {
	if !of.IsKnown() || of.IsNull() {
		return nil
	}
	if of.Type() == cty.String && strings.IndexByte("bdoxXeEfgG", v.letter) >= 0 {
		if n, err := convert.Convert(of, cty.Number); err == nil {
			return n.AsBigFloat()
		}
	}
	if of.Type() == cty.Number {
		return of.AsBigFloat()
	}
	return nil
}

// beyond reports whether the verb writes a number that cannot be written out.
func (v formatVerb) beyond(of cty.Value) bool {
	n := v.number(of)
	return n != nil && !InRange(cty.NumberVal(n))
}

// most is how long a value is at most as the verb writes it, beside its width and its
// precision.
func (v formatVerb) most(of cty.Value) int {
	if n := v.number(of); n != nil {
		length := lengthOfNumber(n, v.letter == 'b')
		if strings.IndexByte("vgGeE", v.letter) >= 0 && !v.sharp && length <= maxText {
			length = min(length, int(n.Prec())/3+len("-0.000000e+0000")) // without zeros for its exponent
		}
		return length
	}
	if text := knownText(of); text != "" && (v.letter == 's' || v.letter == 'v' && !v.sharp) {
		return len(text)
	}
	return lengthOfJSON(of)
}

// lengthOfNumber is how long a number is at most in binary or in decimal digits: too long
// for any result where it is out of range.
func lengthOfNumber(n *big.Float, binary bool) int {
	switch exponent := n.MantExp(nil); {
	case !InRange(cty.NumberVal(n)):
		return maxText + 1
	case binary:
		return max(exponent, 0) + len("-0")
	case n.IsInt():
		return max(exponent, 0)/3 + len("-0.")
	default:
		return (max(exponent, -exponent)+int(n.Prec()))/3 + len("-0.e+0000")
	}
}

// lengthOfJSON is how long a value is at most in JSON.
func lengthOfJSON(v cty.Value) int {
	switch {
	case !v.IsKnown() || v.IsNull():
		return len("null")
	case v.Type() == cty.String:
		return lengthQuoted(v.AsString())
	case v.Type() == cty.Number:
		return lengthOfNumber(v.AsBigFloat(), false)
	case !v.CanIterateElements():
		return len("false")
	}
	length := len("{}")
	for it := v.ElementIterator(); it.Next(); {
		name, e := it.Element()
		length += lengthOfJSON(e) + len(",")
		if name.Type() == cty.String {
			length += lengthQuoted(name.AsString()) + len(":")
		}
	}
	return length
}

// lengthQuoted is how long a string is in JSON as encoding/json writes it for HTML.
func lengthQuoted(text string) int {
	length := len(text) + len(`""`)
	for i, c := range text {
		switch {
		case c < ' ' || strings.ContainsRune(`"\\<>&`, c), c == '\u2028', c == '\u2029':
			length += len(`\u0000`) - utf8.RuneLen(c)
		case c == utf8.RuneError && text[i] != 0xef: // a byte that is no UTF-8
			length += len(`\ufffd`) - 1
		}
	}
	return length
}
