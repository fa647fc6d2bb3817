package incident

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/convert"
)

// A span is a span of the trace that is drafted.
type span struct {
	id, parent, name  string
	from              *resource
	kind              role
	start, end        int64
	attrs             map[string]any
	events            []event
	failed, succeeded bool
	message           string
	n                 int // its place in the file

	up   *span
	kids []*span
	// modelBelow is what was found of the spans below: see the function.
	modelBelow int
}

// An event is one of a span, or a log record that belongs to it.
type event struct {
	name  string
	attrs map[string]any
	body  any
	at    int64
}

// A role is the kind of a span, as far as it matters here.
type role uint8

const (
	inside role = iota // INTERNAL, or unspecified
	client
	server // and CONSUMER: the work of another program, or of this one for another
	producer
)

func roleOf(e rawEnum) role {
	switch {
	case e.is("3", "CLIENT"):
		return client
	case e.is("2", "SERVER"), e.is("5", "CONSUMER"):
		return server
	case e.is("4", "PRODUCER"):
		return producer
	}
	return inside
}

func spanOf(raw *rawSpan, from *resource, n int) *span {
	s := &span{
		id: normal(raw.SpanID), parent: normal(raw.ParentSpanID), name: raw.Name, from: from, n: n,
		kind: roleOf(raw.Kind), start: int64(raw.Start), end: int64(raw.End), attrs: attrMap(raw.Attributes),
		failed: raw.Status.Code.is("2", "ERROR"), succeeded: raw.Status.Code.is("1", "OK"), message: raw.Status.Message,
	}
	if strings.Trim(s.parent, "0") == "" {
		s.parent = ""
	}
	s.end = max(s.end, s.start)
	for _, e := range raw.Events {
		s.events = append(s.events, event{name: e.Name, attrs: attrMap(e.Attributes), at: int64(e.Time)})
	}
	return s
}

func attrMap(list []rawAttr) map[string]any {
	m := make(map[string]any, len(list))
	for i := range list {
		m[list[i].Key] = list[i].Value.value()
	}
	return m
}

// eventOf is a log record as an event.
func eventOf(r *rawRecord) event {
	e := event{name: r.EventName, attrs: attrMap(r.Attributes), body: r.Body.value(), at: int64(r.Time)}
	if e.name == "" {
		e.name, _ = e.attrs["event.name"].(string)
	}
	return e
}

// text is the first of these attributes that is there, "" where none is.
func (s *span) text(keys ...string) string { return textIn(s.attrs, keys...) }

func textIn(attrs map[string]any, keys ...string) string {
	for _, key := range keys {
		switch v := attrs[key].(type) {
		case string:
			if v != "" {
				return v
			}
		case convert.Number:
			return string(v)
		case bool:
			return strconv.FormatBool(v)
		case []any: // a header field, with its values
			var parts []string
			for _, item := range v {
				if text, ok := item.(string); ok {
					parts = append(parts, text)
				}
			}
			if len(parts) > 0 {
				return strings.Join(parts, ", ")
			}
		}
	}
	return ""
}

// number is the first of these attributes that is a number of at least 0, -1
// where none is.
func (s *span) number(keys ...string) int {
	for _, key := range keys {
		if n, err := strconv.ParseFloat(textIn(s.attrs, key), 64); err == nil && n >= 0 && n < 1<<31 {
			return int(n)
		}
	}
	return -1
}

func (s *span) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return s.attrs[key] != nil })
}

// lasted is how long the span took, rounded as a person would.
func (s *span) lasted() time.Duration { return round(time.Duration(s.end - s.start)) }

func round(d time.Duration) time.Duration {
	if d >= 10*time.Millisecond {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}

// words are what a span says of its failure: types and messages.
func (s *span) words() []string {
	words := []string{s.text("error.type", "exception.type"), s.text("exception.message", "error.message"), s.message}
	for _, e := range s.events {
		if e.name == "exception" || e.name == "failure" || strings.HasSuffix(e.name, ".exception") {
			words = append(words, textIn(e.attrs, "exception.type"), textIn(e.attrs, "exception.message", "message"))
		}
	}
	var out []string
	for _, w := range words {
		if w != "" && w != "_OTHER" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// broken reports whether the span says that it failed.
func (s *span) broken() bool { return s.failed || s.has("error.type") && !s.succeeded }

// A trace is what is drafted.
type trace struct {
	id    string
	spans []*span
	roots []*span
	// orphans is how many spans name a parent that is not in the file, cycles how
	// many name themselves, over others, as their ancestor.
	orphans, cycles, twice int
}

// tree links the spans. A span whose parent is not there begins a tree of its
// own; so does one of each cycle.
func (t *trace) tree() {
	by := make(map[string]*span, len(t.spans))
	t.spans = slices.DeleteFunc(t.spans, func(s *span) bool {
		if by[s.id] != nil {
			t.twice++ // exporters send again what was not acknowledged
			return true
		}
		by[s.id] = s
		return false
	})
	for _, s := range t.spans {
		s.up = by[s.parent]
	}
	t.cut()
	for _, s := range t.spans {
		switch {
		case s.up != nil:
			s.up.kids = append(s.up.kids, s)
			continue
		case s.parent != "" && by[s.parent] == nil:
			t.orphans++
		}
		t.roots = append(t.roots, s)
	}
	inTime(t.roots)
	for _, s := range t.spans {
		inTime(s.kids)
	}
}

// cut takes from one span of each cycle its parent.
func (t *trace) cut() {
	const onPath, done = 1, 2
	state := make(map[*span]int, len(t.spans))
	for _, s := range t.spans {
		var path []*span
		for at := s; at != nil && state[at] != done; at = at.up {
			if state[at] == onPath {
				at.up = nil
				t.cycles++
				break
			}
			state[at] = onPath
			path = append(path, at)
		}
		for _, p := range path {
			state[p] = done
		}
	}
}

// inTime sorts spans by their start; those of one instant stay as in the file.
func inTime(list []*span) {
	slices.SortStableFunc(list, func(a, b *span) int {
		if a.start != b.start {
			return compare(a.start, b.start)
		}
		return a.n - b.n
	})
}

func compare(a, b int64) int {
	if a < b {
		return -1
	}
	return 1
}

// when is an instant for people.
func when(nanos int64) string {
	if nanos <= 0 {
		return "an unknown time"
	}
	return time.Unix(0, nanos).UTC().Format("2006-01-02T15:04:05Z")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
