package trace

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// DefaultLimit is how many events a log keeps when it is given no limit.
const DefaultLimit = 1_000_000

// A Log is the events of one run in order. Its zero value is an empty log with
// [DefaultLimit]. It is safe for concurrent use.
type Log struct {
	mu        sync.Mutex
	events    []Event
	forgotten int
	limit     int
	refused   int
	open      map[identity]int // what has no end yet; nil below the limit
	observers []func(Event)
}

// NewLog returns an empty log that keeps at most limit events; 0 stands for
// [DefaultLimit].
func NewLog(limit int) *Log { return &Log{limit: limit} }

// Append adds an event and returns its number, which counts from 1. The log
// owns the event's payload from then on; a list of attributes it sorts, and of
// two with one key the later stays. An event without a type is of the one that
// its payload is made for.
//
// At the limit events are refused with the number 0, so that an endless loop
// cannot fill the memory; the end of what has started is still taken. See
// [Log.Err].
func (l *Log) Append(e Event) uint64 {
	if list, ok := e.Payload.(Attrs); ok {
		e.Payload = Attrs(sorted(list))
	} else if e.Type == "" && e.Payload != nil {
		e.Type = e.Payload.EventType()
	}
	observers, ok := l.add(&e)
	if !ok {
		return 0
	}
	for _, observe := range observers {
		observe(e)
	}
	return e.Seq
}

func (l *Log) add(e *Event) ([]func(Event), bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.admit(e) {
		l.refused++
		return nil, false
	}
	if l.events == nil {
		l.events = make([]Event, 0, 64)
	}
	e.Seq = uint64(l.forgotten+len(l.events)) + 1
	l.events = append(l.events, *e)
	return l.observers, true
}

// admit takes everything up to the limit, and beyond it the ends of what has
// started before.
func (l *Log) admit(e *Event) bool {
	limit := l.limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	if len(l.events) < limit {
		return true
	}
	if l.open == nil {
		l.open = started(l.events)
	}
	kind, step := pairOf(e.Type)
	id := identify(kind, e)
	if step >= 0 || l.open[id] == 0 {
		return false
	}
	l.open[id]--
	return true
}

// Events returns the events so far. The slice does not change when more are
// appended, and must not be changed.
func (l *Log) Events() []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events[:len(l.events):len(l.events)]
}

// Forget drops the events before the one of a number, for a run that has no end
// of its own. What Events returned before keeps them.
func (l *Log) Forget(before uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(int(before)-1-l.forgotten, len(l.events))
	if n <= 0 {
		return
	}
	l.events = append(make([]Event, 0, 2*(len(l.events)-n)+64), l.events[n:]...)
	l.forgotten += n
}

// Observe has f called with every later event, in the caller of Append and
// before it returns. f may read the log and append to it. Where Append is
// called from several goroutines, f must be safe for that, and may see events
// out of order.
func (l *Log) Observe(f func(Event)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.observers = append(slices.Clip(l.observers), f)
}

// Err is a [LimitError] once an event has been refused, nil before.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused == 0 {
		return nil
	}
	return &LimitError{Kept: len(l.events), Refused: l.refused, Last: l.events[len(l.events)-1]}
}

// A LimitError says that a run wanted to record more events than its log keeps.
type LimitError struct {
	Kept, Refused int
	Last          Event
}

func (e *LimitError) Error() string {
	where := ""
	if e.Last.Step != "" {
		where = fmt.Sprintf(" of step %q", e.Last.Step)
	}
	return fmt.Sprintf("the run recorded %d events and was refused %d more; the last one was %s%s at %s. "+
		"Look for a loop or a retry without an end, or raise the limit", e.Kept, e.Refused, e.Last.Type, where, e.Last.At)
}

// sorted orders attributes by key in place and drops all but the last of those
// with one key. Lists are short and mostly in order.
func sorted(attrs []Attr) []Attr {
	for i := 1; i < len(attrs); i++ {
		if attrs[i-1].Key < attrs[i].Key {
			continue
		}
		a := attrs[i]
		at, known := slices.BinarySearchFunc(attrs[:i], a.Key, func(a Attr, key string) int { return strings.Compare(a.Key, key) })
		if known {
			attrs[at] = a
			attrs = slices.Delete(attrs, i, i+1)
			i--
			continue
		}
		copy(attrs[at+1:], attrs[at:i])
		attrs[at] = a
	}
	return attrs
}
