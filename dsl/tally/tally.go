package tally

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
)

// A Tally counts work against a limit. It is safe for concurrent use; nil has no
// limit and counts nothing.
type Tally struct {
	slice        int64
	limit, spent atomic.Int64

	mu    sync.Mutex
	parts map[Part]int // how many slices each part was seen with
}

// A Part is what work is done for: an expression by its place, or a thing that
// has none by its name. The zero Part is never what took the most.
type Part struct {
	Range hcl.Range
	Name  string
}

// String is the part in a sentence, with the line of an expression.
func (p Part) String() string {
	if p.Range.Start.Line == 0 {
		return p.Name
	}
	return fmt.Sprintf("%s (line %d)", p.Name, p.Range.Start.Line)
}

// slices is in how many equal parts a limit is looked at. Whose work completes one
// is noted: that costs nothing until there is much of it, and finds whatever
// takes a good part of the whole.
const slices = 1 << 10

// New is a tally of nothing so far.
func New(limit int64) *Tally {
	t := &Tally{slice: max(1, limit/slices)}
	t.limit.Store(limit)
	return t
}

// Allow raises the limit by so much. It must not be called of nil.
func (t *Tally) Allow(more int64) { t.limit.Add(more) }

// Spend adds work and reports whether all of it is within the limit. Negative work
// counts nothing.
func (t *Tally) Spend(cost int64, of func() Part) bool {
	if t == nil || cost <= 0 || t.Over() {
		return !t.Over()
	}
	limit := t.Limit()
	cost = min(cost, limit+1) // the sum stays far from where it would overflow
	after := t.spent.Add(cost)
	if whole := after/t.slice - (after-cost)/t.slice; whole > 0 {
		t.note(of(), int(whole))
	}
	return after <= limit
}

func (t *Tally) note(p Part, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.parts == nil {
		t.parts = map[Part]int{}
	}
	t.parts[p] += n
}

// Spent is the work so far.
func (t *Tally) Spent() int64 {
	if t == nil {
		return 0
	}
	return t.spent.Load()
}

// Limit is how much work there may be.
func (t *Tally) Limit() int64 { return t.limit.Load() }

// Over reports whether there was more work than there may be.
func (t *Tally) Over() bool { return t != nil && t.spent.Load() > t.Limit() }

// Most is the part that took the most, and its share of all work in percent; of
// equal parts it is the one that comes first by place and name.
func (t *Tally) Most() (most Part, percent int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	best, all := 0, 0
	for p, n := range t.parts {
		all += n
		if n > best || n == best && before(p, most) {
			most, best = p, n
		}
	}
	if all == 0 {
		return Part{}, 0
	}
	return most, best * 100 / all
}

// Together says of the expressions of a file, up to the one that it is said of,
// that they take too much.
func (t *Tally) Together() string {
	most, percent := t.Most()
	return fmt.Sprintf("The expressions of this file, up to this one, take more than %d MiB together, of which %s takes %d %%. Compute once in a local what several expressions need, or keep it in a file.",
		t.Limit()>>20, most, percent)
}

func before(a, b Part) bool {
	if a.Range.Filename != b.Range.Filename {
		return a.Range.Filename < b.Range.Filename
	}
	if a.Range.Start.Byte != b.Range.Start.Byte {
		return a.Range.Start.Byte < b.Range.Start.Byte
	}
	return a.Name < b.Name
}
