package otlp

import (
	"sync"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// Most is how many spans, logs and series are kept of each, unless the options
// say less.
const Most = 100_000

// bytesMost bounds the texts of the spans that are kept, and of the logs.
const bytesMost = 256 << 20

// Options are what a store is made with.
type Options struct {
	// Most is how many spans, logs and series are kept of each; 0 stands for
	// [Most].
	Most int
	// Redact hides what must not be kept; secrets by their names and forms are
	// hidden without it, too.
	Redact *redact.Redactor
	// Changed, where it is not nil, is called whenever something new was kept.
	// It may ask the store.
	Changed func()
}

// A Store is what one program said of itself. It is safe for concurrent use,
// and is the http.Handler that receives.
type Store struct {
	most    int
	changed func()

	mu      sync.Mutex
	hide    hider
	spans   newest[keptSpan]
	logs    newest[keptLog]
	metrics metrics
}

// NewStore returns an empty store.
func NewStore(o Options) *Store {
	if o.Most <= 0 {
		o.Most = Most
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	return &Store{most: o.Most, changed: o.Changed, hide: hider{redactor: o.Redact.Recording()}}
}

// Ready marks the moment from which counters and histograms count. Before it
// they count from the start of the program. What the program had counted by then
// and says for the first time later is not known, and counts.
func (s *Store) Ready() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.metrics.mark()
}

// Dropped is how much was given up for what is newer.
type Dropped struct{ Spans, Logs, Series int }

// Dropped tells what is missing in the answers.
func (s *Store) Dropped() Dropped {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Dropped{Spans: s.spans.dropped, Logs: s.logs.dropped, Series: s.metrics.dropped}
}

// Received is how much has come of each, what was dropped included: nothing at
// all means that the program does not export, or has not flushed.
type Received struct{ Spans, Logs, Points int }

// Received counts what has come.
func (s *Store) Received() Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Received{Spans: s.spans.received, Logs: s.logs.received, Points: s.metrics.received}
}

// A newest keeps so many values, in the order in which they came.
type newest[T any] struct {
	// list is a ring: first is the place of the oldest.
	list  []T
	sizes []int
	first int
	bytes int

	received, dropped int
}

// add appends a value with so many bytes of text.
func (n *newest[T]) add(v T, size, most int) {
	n.received++
	for n.len() > 0 && (n.len() >= most || n.bytes+size > bytesMost) {
		var none T
		n.bytes -= n.sizes[n.first]
		n.list[n.first] = none
		n.first++
		n.dropped++
	}
	// What is gone is moved out at times: a value is moved once on average.
	if n.first > 0 && n.first >= len(n.list)/2 {
		n.list = append(n.list[:0], n.list[n.first:]...)
		n.sizes = append(n.sizes[:0], n.sizes[n.first:]...)
		n.first = 0
	}
	n.list, n.sizes, n.bytes = append(n.list, v), append(n.sizes, size), n.bytes+size
}

func (n *newest[T]) len() int { return len(n.list) - n.first }

// all are the values, the oldest first.
func (n *newest[T]) all() []T { return n.list[n.first:] }
