package exchange

import (
	"maps"
	"net/http"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// recalled is how many different things of a sort a [Recall] knows.
const recalled = 16

// A Recall holds what equal requests and answers of one run say once: a loop asks the
// same thousands of times and is answered the same, and the trace keeps all of it. It
// knows the last few of each sort. What it gives is shared and must not be changed.
type Recall struct {
	headers  last[map[string]string]
	requests last[*event.Request]
	failures last[*event.Failed]
	bodies   last[body]
	contents last[content]
	// kept counts the bytes of the requests and the answers that were told, once where they are shared.
	kept int
}

// content is what an answer says, and how the trace has it.
type content struct{ said, told string }

// contentMax bounds what of answers is remembered beside the trace.
const contentMax = 1 << 20

// Kept is how many bytes the requests and the answers that were told of have together.
func (m *Recall) Kept() int { return m.kept }

// body is the text of a body and what it is as JSON.
type body struct {
	text  string
	value cty.Value
}

// Header is an HTTP header as events tell it.
func (m *Recall) Header(h http.Header) map[string]string {
	return m.headers.of(headersOf(h), maps.Equal)
}

// Failed is a failure as events tell it, nil for none.
func (m *Recall) Failed(f *failure.Failure) *event.Failed {
	told := event.FailedOf(f)
	if told == nil {
		return nil
	}
	return m.failures.of(told, (*event.Failed).Equal)
}

// contentOf is what an answer says as the trace has it.
func contentOf[T string | []byte](m *Recall, said T) string {
	for i := range m.contents.list {
		if c := &m.contents.list[i]; c.said == string(said) {
			return c.told
		}
	}
	c := content{said: string(said)}
	c.told = plan.ByName.Text(c.said)
	m.kept += len(c.told)
	if len(said) <= contentMax {
		m.contents.add(c)
	}
	return c.told
}

// json is the text of a body, and its value.
func (m *Recall) json(text []byte) (string, cty.Value) {
	for i := range m.bodies.list {
		if b := &m.bodies.list[i]; b.text == string(text) {
			return b.text, b.value
		}
	}
	b := body{text: string(text)}
	b.value = read.JsonValue(b.text)
	m.bodies.add(b)
	return b.text, b.value
}

// last are the last things of a sort that were met.
type last[T any] struct {
	list []T
	next int
}

// of is what was met before and is equal to v, else v.
func (l *last[T]) of(v T, equal func(T, T) bool) T {
	if i := slices.IndexFunc(l.list, func(known T) bool { return equal(known, v) }); i >= 0 {
		return l.list[i]
	}
	l.add(v)
	return v
}

// add takes the place of the oldest.
func (l *last[T]) add(v T) {
	if len(l.list) < recalled {
		l.list = append(l.list, v)
		return
	}
	l.list[l.next] = v
	l.next = (l.next + 1) % recalled
}
