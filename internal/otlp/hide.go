package otlp

import (
	"strconv"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// A hider hides secrets in what is about to be kept. Names and values come again
// and again, so it remembers the short ones.
type hider struct {
	redactor *redact.Redactor
	known    map[[2]string]string
}

// The bounds of what a hider remembers.
const (
	knownMost   = 10_000
	knownLength = 200
)

// text is any text as it may be kept.
func (h *hider) text(s string) string {
	return h.remembered("", s, func() string { return h.redactor.Text(s) })
}

// member is a text that stands under a name.
func (h *hider) member(name, s string) string {
	return h.remembered(name, s, func() string { return h.redactor.Member(name, s) })
}

func (h *hider) remembered(name, s string, hidden func() string) string {
	if s == "" {
		return ""
	}
	if len(name)+len(s) > knownLength {
		return hidden()
	}
	if shown, ok := h.known[[2]string{name, s}]; ok {
		return shown
	}
	if h.known == nil || len(h.known) >= knownMost {
		h.known = map[[2]string]string{}
	}
	shown := hidden()
	h.known[[2]string{name, s}] = shown
	return shown
}

// value is an attribute's value as it may be kept: strings, numbers, what they
// are in.
func (h *hider) value(name string, v any) any { return h.below(name, v, redact.Below{}.Under(name)) }

// below is a value that stands under a name, the last of those below which it stands.
func (h *hider) below(name string, v any, b redact.Below) any {
	switch v := v.(type) {
	case string:
		if b.Hides(v) {
			return redact.Placeholder(v)
		}
		return h.member(name, v)
	case int64:
		return numberBelow(strconv.FormatInt(v, 10), v, b)
	case float64:
		return numberBelow(strconv.FormatFloat(v, 'g', -1, 64), v, b)
	case []any:
		for i := range v {
			v[i] = h.below(name, v[i], b)
		}
	case map[string]any:
		return h.objectBelow(v, b)
	}
	return v
}

func numberBelow(text string, v any, b redact.Below) any {
	if b.HidesNumber(text) {
		return redact.Placeholder(text)
	}
	return v
}

func (h *hider) object(o map[string]any) map[string]any { return h.objectBelow(o, redact.Below{}) }

// objectBelow is an object that stands below names.
func (h *hider) objectBelow(o map[string]any, b redact.Below) map[string]any {
	out := make(map[string]any, len(o))
	for key, v := range o {
		out[h.text(key)] = h.below(key, v, b.Under(key))
	}
	return out
}
