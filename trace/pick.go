package trace

import (
	"reflect"
	"sync"
)

// A Pick encodes some attributes of events, for hashes of what they say. What is
// hidden of an event it encodes all the same, so that nothing of it may be shown.
// It is safe for concurrent use.
type Pick struct {
	keep func(t Type, key string) bool

	mu    sync.RWMutex
	known map[picked][]bool
}

// picked is a type of payload in events of one type, as one payload may be that of
// several.
type picked struct {
	payload *codec
	event   Type
}

// NewPick picks the attributes that keep says. It is asked once for each key of
// each type, from any goroutine.
func NewPick(keep func(t Type, key string) bool) *Pick {
	return &Pick{keep: keep, known: map[picked][]bool{}}
}

// Append appends the picked attributes of an event that are set, sorted by key:
// each as its key, a zero byte and its value as the trace encodes it.
func (p *Pick) Append(dst []byte, e *Event) []byte {
	payload := e.Payload
	for {
		h, ok := payload.(*hidden)
		if !ok {
			break
		}
		payload = h.payload
	}
	switch attrs := payload.(type) {
	case nil:
		return dst
	case Attrs:
		for _, a := range attrs {
			if !isNull(a.Value) && p.keep(e.Type, a.Key) {
				dst = AppendValue(append(append(dst, a.Key...), 0), a.Value)
			}
		}
		return dst
	}
	c := codecOf(payload)
	keeps := p.of(picked{c, e.Type})
	v := reflect.ValueOf(payload).Elem()
	for i := range c.fields {
		if !keeps[i] {
			continue
		}
		f := &c.fields[i]
		if part := f.value(v); part.IsValid() {
			dst = appendField(append(append(dst, f.Name...), 0), part)
		}
	}
	if keeps[len(c.fields)] {
		for _, place := range c.nulls(v) {
			dst = append(append(dst, place...), 0)
		}
	}
	return dst
}

// of says which fields of a payload are picked, and at the end whether the list of
// its null members is.
func (p *Pick) of(of picked) []bool {
	p.mu.RLock()
	keeps, ok := p.known[of]
	p.mu.RUnlock()
	if ok {
		return keeps
	}
	keeps = make([]bool, len(of.payload.fields)+1)
	for i, f := range of.payload.fields {
		keeps[i] = p.keep(of.event, f.Name)
	}
	keeps[len(keeps)-1] = of.payload.nullable != nil && p.keep(of.event, nullsKey)
	p.mu.Lock()
	p.known[of] = keeps
	p.mu.Unlock()
	return keeps
}
