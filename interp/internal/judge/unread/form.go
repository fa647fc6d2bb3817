package unread

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// without leaves members out of a text of JSON, by their paths. Elements of lists stay.
func without(text string, paths func(path string) bool) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || !leave(v, "", 0, paths) {
		return text
	}
	return encoded(v, strings.Contains(text, `\u003`) || strings.Contains(text, `\u0026`))
}

// leave leaves members out of a value, and reports whether there are such. The paths are those of [value.leaf].
func leave(v any, path string, depth int, paths func(path string) bool) (left bool) {
	if depth >= deepest {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			at := strings.TrimPrefix(path+"."+name, ".")
			if paths(at) {
				delete(v, name)
				left = true
				continue
			}
			left = leave(e, at, depth+1, paths) || left
		}
	case []any:
		for _, e := range v {
			left = leave(e, path+"[]", depth+1, paths) || left
		}
	}
	return left
}

// encoded is a value as JSON, with signs of HTML as they are or escaped.
func encoded(v any, escape bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(escape)
	_ = e.Encode(v) // never fails for what was decoded
	return strings.TrimSuffix(b.String(), "\n")
}

// known are pairs of values of forms that have few: currencies, countries, languages.
var known = [][2]string{{"EUR", "USD"}, {"DE", "FR"}, {"eur", "usd"}, {"de", "fr"}}

// alikeInForm is another text of the form of one: another day, another currency, other letters and digits in the
// place of letters and digits. It is the same where it has a form that is not known.
func alikeInForm(was string) string {
	for _, layout := range []string{time.RFC3339, time.DateOnly, time.DateTime} {
		if at, err := time.Parse(layout, was); err == nil {
			return at.AddDate(0, 0, 1).Format(layout)
		}
	}
	for _, pair := range known {
		if len(was) == len(pair[0]) && strings.Map(kind, was) == strings.Map(kind, pair[0]) {
			if was == pair[0] {
				return pair[1]
			}
			return pair[0]
		}
	}
	if _, err := strconv.ParseFloat(was, 64); err == nil || len(was) > formMost || strings.ContainsAny(was, " \n") {
		return was
	}
	hex := strings.Trim(was, "0123456789abcdef-") == ""
	return strings.Map(func(r rune) rune {
		switch {
		case hex && r == 'f':
			return 'a'
		case r == 'z' || r == 'Z':
			return r - 25
		case 'a' <= r && r < 'z', 'A' <= r && r < 'Z', '1' <= r && r <= '8':
			return r + 1
		}
		return r
	}, was)
}

// formMost bounds how long a text is that has a form: a longer one is prose.
const formMost = 64

// kind is a letter for all of one kind.
func kind(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return 'a'
	case 'A' <= r && r <= 'Z':
		return 'A'
	}
	return '?'
}
