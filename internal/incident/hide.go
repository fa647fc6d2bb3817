package incident

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/cassette/redact"
)

// A hider hides the secrets of a span before anything is made of it.
type hider struct{ *redact.Redactor }

func (h hider) span(s *span) {
	s.name, s.message = h.Text(s.name), h.Text(s.message)
	h.attrs(s.attrs)
	for i := range s.events {
		h.event(&s.events[i])
	}
}

func (h hider) event(e *event) {
	h.attrs(e.attrs)
	e.body = h.value("", e.body)
}

func (h hider) attrs(m map[string]any) {
	for key, v := range m {
		m[key] = h.value(key, v)
	}
}

// value hides by what an attribute is called, and by what it holds.
func (h hider) value(key string, v any) any {
	switch v := v.(type) {
	case string:
		return h.text(key, v)
	case []any:
		for i := range v {
			v[i] = h.value(key, v[i])
		}
	case []convert.Attr:
		for i := range v {
			v[i].Value = h.value(v[i].Name, v[i].Value)
		}
	}
	return v
}

func (h hider) text(key, text string) string {
	name := key[strings.LastIndexByte(key, '.')+1:]
	switch {
	case strings.Contains(key, ".header."):
		return h.Header(strings.ReplaceAll(name, "_", "-"), text)
	case strings.HasPrefix(key, "url.") || strings.HasPrefix(key, "http.url") || key == "http.target":
		if query, ok := strings.CutPrefix(text, "?"); ok || key == "url.query" {
			_, hidden, _ := strings.Cut(h.URL("https://a.example/?"+query), "?")
			return hidden
		}
		return h.URL(text)
	}
	return h.Member(name, text)
}
