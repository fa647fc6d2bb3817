package match

import (
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
)

// A checkedBody is the body of an answer, taken apart for a comparison.
type Body struct {
	// events are the kinds of a stream's events in their order, a run of one
	// kind told once: into how many pieces a text falls is no shape.
	events []string
	// texts are what was said, by the kind of event; under "" the body that is
	// no stream. What is no JSON is a string.
	texts map[string][]any
}

// BodyOf takes a body apart by its media type.
func BodyOf(contentType, text string) Body {
	b := Body{texts: map[string][]any{}}
	split := httptext.SplitterOf(contentType)
	if split == nil {
		if text != "" {
			b.texts[""] = []any{jsonOrText(text)}
		}
		return b
	}
	for rest := []byte(text); len(rest) > 0; {
		n, _ := split(rest)
		b.event(contentType, string(rest[:n]))
		rest = rest[n:]
	}
	return b
}

func jsonOrText(text string) any {
	if tree, ok := parseJSON([]byte(text)); ok {
		return tree
	}
	return text
}

// event adds one event of a stream.
func (b *Body) event(contentType, text string) {
	name, data := "", text
	switch httptext.MediaType(contentType) {
	case "text/event-stream":
		name, data = sseFields(text)
	case "application/vnd.amazon.eventstream":
		name = "message"
	}
	if name == "" && strings.TrimSpace(data) == "" {
		return // a comment
	}
	value := jsonOrText(data)
	kind := kindOf(name, value)
	if idle[kind] {
		return
	}
	if n := len(b.events); n == 0 || b.events[n-1] != kind {
		b.events = append(b.events, kind)
	}
	b.texts[kind] = append(b.texts[kind], value)
}

// idle are the kinds of events that keep a connection open. They come when the
// server takes long.
var idle = map[string]bool{"ping": true, "heartbeat": true, "keepalive": true, "keep-alive": true}

// sseFields are the name and the data of an event.
func sseFields(text string) (name, data string) {
	var lines []string
	for len(text) > 0 {
		n, all := httptext.NextLine([]byte(text))
		field, value, _ := strings.Cut(text[:n], ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			lines = append(lines, value)
		}
		text = text[all:]
	}
	return name, strings.Join(lines, "\n")
}

// kindOf is the kind of an event: its name, or what its data says of it.
func kindOf(name string, value any) string {
	if name != "" {
		return name
	}
	switch v := value.(type) {
	case string:
		if strings.TrimSpace(v) == "[DONE]" {
			return "[DONE]"
		}
	case map[string]any:
		for _, member := range []string{"type", "object"} {
			if kind, _ := v[member].(string); kind != "" {
				return kind
			}
		}
	}
	return "data"
}

// rootOf is the path of what a kind of event says.
func rootOf(kind string) string {
	if kind == "" {
		return "body"
	}
	return "events" + step(kind)
}

// CompareShape adds how another body has another shape: other kinds of events,
// members or types.
func (b Body) CompareShape(d *Differ, now Body) {
	d.Words("events", strings.Join(b.events, ", "), strings.Join(now.events, ", "))
	for _, kind := range slices.Sorted(maps.Keys(Union(b.texts, now.texts))) {
		x, y := outlineOf(b.texts[kind]), outlineOf(now.texts[kind])
		if kind == "" || x != nil && y != nil { // else the order of events tells it
			d.outlines(rootOf(kind), x, y)
		}
	}
}

// CompareContent adds how another body says something else.
func (b Body) CompareContent(d *Differ, now Body) {
	for _, kind := range slices.Sorted(maps.Keys(Union(b.texts, now.texts))) {
		x, y := b.texts[kind], now.texts[kind]
		switch {
		case len(x) == 0 || len(y) == 0:
		case len(x) == 1 && len(y) == 1:
			d.Compare(rootOf(kind), x[0], y[0])
		default:
			d.compareLeaves(rootOf(kind), leavesOf(x), leavesOf(y))
		}
	}
}
