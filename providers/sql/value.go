package sql

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/providers"
)

// value is what a text of the server stands for: nil, a bool, a json.Number, a
// string, or what a JSON document holds. Special numbers (NaN, Infinity) stay
// text, bytes become base64, and a time with a zone is RFC 3339 in UTC.
func (t dataType) value(text []byte) (any, error) {
	if text == nil {
		return nil, nil
	}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("a %s that is not UTF-8", t.name)
	}
	s := string(text)
	switch t.form {
	case boolean:
		return readBool(s)
	case integer:
		if _, err := strconv.ParseInt(s, 10, 64); err != nil {
			return nil, fmt.Errorf("%q, which is no %s", s, t.name)
		}
		return json.Number(s), nil
	case floating, exact:
		return t.number(s)
	case document:
		return readJSON(text, t.name)
	case octets:
		return readBytes(s)
	case instant, moment:
		return readTime(s, t.form), nil
	default:
		return s, nil
	}
}

func readBool(s string) (any, error) {
	switch s {
	case "t":
		return true, nil
	case "f":
		return false, nil
	}
	return nil, fmt.Errorf("%q, which is no bool", s)
}

func (t dataType) number(s string) (any, error) {
	switch s {
	case "NaN", "Infinity", "-Infinity":
		return s, nil
	}
	if !json.Valid([]byte(s)) || strings.Trim(s, "0123456789+-.eE") != "" {
		return nil, fmt.Errorf("%q, which is no %s", s, t.name)
	}
	return json.Number(s), nil
}

func readJSON(text []byte, name string) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return nil, fmt.Errorf("%s, which is no %s", providers.Excerpt(text), name)
	}
	return v, nil
}

func readBytes(s string) (any, error) {
	digits, ok := strings.CutPrefix(s, `\x`)
	data, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return nil, fmt.Errorf("%q, which is no bytea in hexadecimal", s)
	}
	return base64.StdEncoding.EncodeToString(data), nil
}

// readTime leaves what Go has no time for, such as infinity, as it is.
func readTime(s string, f form) string {
	if f == moment {
		if t, err := time.Parse("2006-01-02 15:04:05.999999", s); err == nil {
			return t.Format("2006-01-02T15:04:05.999999")
		}
		return s
	}
	for _, layout := range []string{"2006-01-02 15:04:05.999999-07", "2006-01-02 15:04:05.999999-07:00", "2006-01-02 15:04:05.999999-07:00:00"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC().Format(time.RFC3339Nano)
		}
	}
	return s
}

// text is how the server writes a value of the type; nil is NULL.
func (t dataType) text(v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	if t.form == document {
		text, err := providers.EncodeJSON(v)
		if err == nil && t.oid == oidJSONB {
			text = spaced(text)
		}
		return text, err
	}
	s, err := t.scalar(v)
	if err != nil {
		return nil, err
	}
	// What the server could not have sent, it cannot have answered.
	if _, err := t.value([]byte(s)); err != nil {
		return nil, fmt.Errorf("it has %w", err)
	}
	return []byte(s), nil
}

// spaced is compact JSON as the server prints jsonb: with a blank behind every
// comma and colon.
func spaced(compact []byte) []byte {
	text := make([]byte, 0, len(compact)+len(compact)/8)
	quoted := false
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		text = append(text, c)
		switch {
		case quoted && c == '\\':
			i++
			text = append(text, compact[i])
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':'):
			text = append(text, ' ')
		}
	}
	return text
}

func (t dataType) scalar(v any) (string, error) {
	switch v := v.(type) {
	case bool:
		if t.form != boolean {
			return "", fmt.Errorf("a bool is no %s", t.name)
		}
		return strconv.FormatBool(v)[:1], nil
	case string:
		return t.written(v)
	}
	s, err := numberText(v)
	if err == nil && t.form == integer {
		err = t.fits(s)
	}
	return s, err
}

// written is a value that is given as a string.
func (t dataType) written(s string) (string, error) {
	switch t.form {
	case octets:
		data, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return "", fmt.Errorf("bytes are given in standard base64, and %q is none", s)
		}
		return `\x` + hex.EncodeToString(data), nil
	case instant, moment:
		return writeTime(s, t.form), nil
	}
	return s, nil
}

// fits refuses an integer that is too large for its type.
func (t dataType) fits(s string) error {
	if t.size > 0 {
		if _, err := strconv.ParseInt(s, 10, int(t.size)*8); err != nil && t.name != "oid" {
			return fmt.Errorf("%s is no %s", s, t.name)
		}
	}
	return nil
}

func writeTime(s string, f form) string {
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil && f == instant {
		return t.UTC().Format("2006-01-02 15:04:05.999999-07")
	}
	return strings.Replace(s, "T", " ", 1)
}

// numberText writes a number as the server does, without an exponent where a
// whole one has none.
func numberText(v any) (string, error) {
	switch n := v.(type) {
	case json.Number:
		return n.String(), nil
	case int:
		return strconv.Itoa(n), nil
	case int64:
		return strconv.FormatInt(n, 10), nil
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<63 {
			return strconv.FormatFloat(n, 'f', -1, 64), nil
		}
		return strconv.FormatFloat(n, 'g', -1, 64), nil
	}
	return "", fmt.Errorf("an object or a list has to be of type json or jsonb")
}

// guess is the type that a value without a declared one is sent as.
func guess(v any) uint32 {
	switch n := v.(type) {
	case bool:
		return oidBool
	case int, int64:
		return oidInt8
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<63 {
			return oidInt8
		}
		return oidFloat8
	case json.Number:
		if _, err := n.Int64(); err == nil {
			return oidInt8
		}
		return oidFloat8
	case map[string]any, []any:
		return oidJSONB
	default:
		return oidText
	}
}

// texts are the arguments of a statement as they are sent: as text, of types
// that the server infers.
func texts(args []any) ([][]byte, error) {
	list := make([][]byte, 0, len(args))
	for i, v := range args {
		var text []byte
		var err error
		switch v := v.(type) {
		case nil:
		case string:
			text = []byte(v)
		case bool:
			text = strconv.AppendBool(nil, v)
		case map[string]any, []any:
			text, err = providers.EncodeJSON(v)
		default:
			var s string
			s, err = numberText(v)
			text = []byte(s)
		}
		if err != nil {
			return nil, fmt.Errorf("argument $%d cannot be sent: %w", i+1, err)
		}
		list = append(list, text)
	}
	if len(list) > math.MaxUint16 {
		return nil, fmt.Errorf("the statement has %d arguments, and the protocol has room for %d", len(list), math.MaxUint16)
	}
	return list, nil
}
