package match

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/cassette/internal/jsontext"
)

// A number is a JSON number in the one form that all spellings of its value
// share, so that 1, 1.0 and 10e-1 are equal and nothing is rounded.
type number string

// canonicalNumber returns the digits without zeros at either end and the
// exponent of ten that follows them. It works on the text, so a huge exponent
// costs nothing; with one beyond 18 digits the number stays as it is written.
func canonicalNumber(text string) number {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	exp, ok := parseExponent(exponent)
	if !ok {
		return number(text)
	}
	short := strings.TrimRight(digits, "0")
	exp += int64(len(digits) - len(short) - len(fraction))
	if negative {
		short = "-" + short
	}
	if exp != 0 {
		short += "e" + strconv.FormatInt(exp, 10)
	}
	return number(short)
}

// written is a number as people write it: 0.5 and 1500, and not 5e-1 and 15e2. One
// of very many zeros keeps its exponent.
func (n number) written() string {
	digits, exponent, found := strings.Cut(string(n), "e")
	exp, ok := parseExponent(exponent)
	if !found || !ok || exp > plainZeros || exp < -plainZeros {
		return string(n)
	}
	digits, negative := strings.CutPrefix(digits, "-")
	switch at := len(digits) + int(exp); {
	case exp >= 0:
		digits += strings.Repeat("0", int(exp))
	case at > 0:
		digits = digits[:at] + "." + digits[at:]
	default:
		digits = "0." + strings.Repeat("0", -at) + digits
	}
	if negative {
		digits = "-" + digits
	}
	return digits
}

// plainZeros is the exponent up to which a number is written without one.
const plainZeros = 15

// parseExponent reads what follows the e of a number, nothing included.
func parseExponent(text string) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	digits = strings.TrimLeft(digits, "+0")
	if len(digits) > 18 {
		return 0, false
	}
	exp, _ := strconv.ParseInt("0"+digits, 10, 64)
	if negative {
		exp = -exp
	}
	return exp, true
}

// parseJSON reads one JSON text into maps, slices, strings, bools, nils and
// numbers. It reports false for anything else, also for text after the value.
func parseJSON(data []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, false
	}
	return numbers(v), true
}

// numbers replaces the decoder's numbers by canonical ones, in place.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return canonicalNumber(v.String())
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// appendCanonical appends v as JSON with sorted keys, without white space and
// with the shortest escapes (RFC 8785 §3.2, but for numbers). A string that is
// not UTF-8, which JSON cannot hold, becomes {"base64":"…"}.
func appendCanonical(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case number:
		return append(b, v...)
	case string:
		return appendText(b, v)
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, item)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = jsontext.AppendString(b, strings.ToValidUTF8(key, "\ufffd"))
			b = append(b, ':')
			b = appendCanonical(b, v[key])
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

func appendText(b []byte, s string) []byte {
	if utf8.ValidString(s) {
		return jsontext.AppendString(b, s)
	}
	b = append(b, `{"base64":"`...)
	b = base64.StdEncoding.AppendEncode(b, []byte(s))
	return append(b, `"}`...)
}

// Sum is the hex SHA-256 of v's canonical JSON.
func Sum(v any) string {
	sum := sha256.Sum256(appendCanonical(nil, v))
	return hex.EncodeToString(sum[:])
}
