package redact

import (
	"net/url"
	"strings"
)

// HasPlaceholder reports whether a text shows that something was hidden in it.
func HasPlaceholder(text string) bool {
	start, end := nextPlaceholder(text, 0)
	return start < end
}

// Veiled is the actual text with the placeholders of a recorded one wherever
// the text there is the secret that they stand for. Between placeholders the
// two have to be equal; else the actual text stays as it is. A dummy that is not ""
// stands for any secret.
func Veiled(recorded, actual, dummy string) string {
	rest := actual
	var out strings.Builder
	for at := 0; ; {
		start, end := nextPlaceholder(recorded, at)
		literal := recorded[at:start]
		if start == end {
			if rest != literal {
				return actual
			}
			return out.String() + literal
		}
		if !strings.HasPrefix(rest, literal) {
			return actual
		}
		rest = rest[len(literal):]
		placeholder := recorded[start:end]
		next := after(recorded, end)
		n := secretLength(placeholder, rest, next)
		if n < 0 && dummy != "" && strings.HasPrefix(rest, dummy) && strings.HasPrefix(rest[len(dummy):], next) {
			n = len(dummy)
		}
		if n < 0 {
			return actual
		}
		out.WriteString(literal + placeholder)
		rest, at = rest[n:], end
	}
}

// after is what stands behind a placeholder, up to the next one.
func after(recorded string, end int) string {
	next, _ := nextPlaceholder(recorded, end)
	return recorded[end:next]
}

// secretMax bounds a secret that is looked for by its sum.
const secretMax = 16 << 10

// secretLength is how much of a text a placeholder stands for, -1 where it
// stands for nothing of it. The text that follows it says where to look.
func secretLength(placeholder, text, next string) int {
	if strings.HasPrefix(text, placeholder) {
		return len(placeholder)
	}
	text = text[:min(len(text), secretMax)]
	if next == "" {
		if standsFor(placeholder, text) {
			return len(text)
		}
		return -1
	}
	for n := 0; n <= len(text); n++ {
		if strings.HasPrefix(text[n:], next[:min(len(next), 1)]) && standsFor(placeholder, text[:n]) {
			return n
		}
	}
	return -1
}

// standsFor reports whether a text is a secret of which only the placeholder is
// known, as it is or escaped as in JSON or a URL.
func standsFor(placeholder, text string) bool {
	if text == "" {
		return false
	}
	if plain, err := url.QueryUnescape(placeholder); err == nil && strings.HasPrefix(plain, placeholderStart) {
		placeholder = plain
	}
	forms := []string{text, unescape(text), unescape(unescape(text))}
	if plain, err := url.QueryUnescape(text); err == nil {
		forms = append(forms, plain)
	}
	for _, f := range forms {
		if Placeholder(f) == placeholder {
			return true
		}
	}
	return false
}

// Unveiled is a text with other texts in the place of its placeholders: of is given
// each placeholder, unescaped, and whether it is all of the text.
func Unveiled(text string, of func(placeholder string, whole bool) string) string {
	start, end := nextPlaceholder(text, 0)
	if start == end {
		return text
	}
	whole := start == 0 && end == len(text)
	var out strings.Builder
	at := 0
	for ; start < end; start, end = nextPlaceholder(text, at) {
		out.WriteString(text[at:start])
		placeholder := text[start:end]
		plain, escaped := placeholder, placeholder[0] == '%'
		if escaped {
			plain, _ = url.QueryUnescape(placeholder)
		}
		switch secret := of(plain, whole); {
		case secret == plain:
			out.WriteString(placeholder)
		case escaped:
			out.WriteString(url.QueryEscape(secret))
		default:
			out.WriteString(secret)
		}
		at = end
	}
	out.WriteString(text[at:])
	return out.String()
}
