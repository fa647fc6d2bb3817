package trace

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Append numbers events from 1 and sorts their attributes; the later of two
// with one key stays.
func TestAppend(t *testing.T) {
	var l Log
	if seq := l.Append(Event{Type: RunStart}); seq != 1 {
		t.Errorf("first number %d", seq)
	}
	seq := l.Append(Event{Type: Fault, Seq: 99, Payload: Attrs{{"b", 1}, {"a", 2}, {"b", 3}, {"a", 4}, {"c", 5}}})
	want := []Event{{Seq: 1, Type: RunStart}, {Seq: 2, Type: Fault, Payload: Attrs{{"a", 4}, {"b", 3}, {"c", 5}}}}
	if diff := cmp.Diff(want, l.Events()); diff != "" || seq != 2 {
		t.Error(seq, diff)
	}
}

// Of many attributes with one key the last stays, too.
func TestAppendManyAttrs(t *testing.T) {
	var l Log
	var attrs []Attr
	for i := range 60 {
		attrs = append(attrs, Attr{string(rune('z' - i%3)), i})
	}
	l.Append(Event{Type: Fault, Payload: Attrs(attrs)})
	if diff := cmp.Diff([]Attr{{"x", 59}, {"y", 58}, {"z", 57}}, l.Events()[0].Attrs()); diff != "" {
		t.Error(diff)
	}
}

// What Events returned does not change when more events are appended.
func TestEventsIsStable(t *testing.T) {
	var l Log
	l.Append(Event{Type: RunStart})
	before := l.Events()
	l.Append(Event{Type: RunEnd})
	_ = append(before, Event{Type: Gate}) // must not land in the log
	if len(before) != 1 || l.Events()[1].Type != RunEnd {
		t.Errorf("%v, %v", before, l.Events())
	}
}

// Observers see each event once, numbered, before Append returns, and may read
// the log and append to it.
func TestObserve(t *testing.T) {
	var l Log
	var seen []uint64
	l.Append(Event{Type: RunStart})
	l.Observe(func(e Event) {
		seen = append(seen, e.Seq)
		if len(l.Events()) < int(e.Seq) {
			t.Errorf("event %d is not in the log yet", e.Seq)
		}
		if e.Type == Fault {
			l.Append(Event{Type: Failure})
		}
	})
	l.Append(Event{Type: Fault})
	l.Append(Event{Type: RunEnd})
	if diff := cmp.Diff([]uint64{2, 3, 4}, seen); diff != "" {
		t.Error(diff)
	}
}

// At the limit nothing new is taken, but what has started can still end; the
// error says how many were refused and where it stood.
func TestLimit(t *testing.T) {
	l := NewLog(3)
	l.Append(Event{Type: RunStart})
	l.Append(Event{Type: StepStart, Step: "a"})
	l.Append(Event{Type: AttemptStart, Step: "a", Attempt: 1})
	if l.Err() != nil {
		t.Fatal(l.Err())
	}
	refused := []Type{AttemptStart, RetryWait, SessionEnd}
	for _, typ := range refused {
		if seq := l.Append(Event{Type: typ}); seq != 0 {
			t.Errorf("%s was taken as %d", typ, seq)
		}
	}
	if seq := l.Append(Event{Type: StepEnd, Step: "b"}); seq != 0 {
		t.Error("the end of another step was taken beyond the limit")
	}
	for i, end := range []Event{{Type: RunEnd}, {Type: AttemptEnd, Step: "a", Attempt: 1}, {Type: StepEnd, Step: "a"}} {
		if seq := l.Append(end); seq != uint64(4+i) {
			t.Errorf("%s got %d", end.Type, seq)
		}
	}
	if seq := l.Append(Event{Type: RunEnd}); seq != 0 {
		t.Error("a second end was taken beyond the limit")
	}
	var limit *LimitError
	if !errors.As(l.Err(), &limit) || limit.Kept != 6 || limit.Refused != 5 {
		t.Fatalf("%v", l.Err())
	}
	for _, part := range []string{"6 events", "refused 5", "step_end", `step "a"`, "raise the limit"} {
		if !strings.Contains(limit.Error(), part) {
			t.Errorf("%q does not say %q", limit, part)
		}
	}
}

// Appending from many goroutines loses nothing and numbers without gaps.
func TestConcurrentAppend(t *testing.T) {
	var l Log
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				l.Append(Event{Type: Fault, Payload: Attrs{{"b", 1}, {"a", 2}}})
				l.Events()
			}
		})
	}
	wg.Wait()
	for i, e := range l.Events() {
		if e.Seq != uint64(i)+1 {
			t.Fatalf("event %d has number %d", i, e.Seq)
		}
	}
	if len(l.Events()) != 1600 {
		t.Errorf("%d events", len(l.Events()))
	}
}

// A log of a thousand events costs the growth of its slice and nothing for
// each event.
func BenchmarkAppend1000(b *testing.B) {
	attrs := []Attr{{"outcome", "success"}, {"status_code", 200}}
	b.ReportAllocs()
	for b.Loop() {
		var l Log
		for range 1000 {
			l.Append(Event{Type: Fault, Step: "a", Payload: Attrs(attrs)})
		}
	}
}

// Shows that attributes in any order come out as those of a stable sort, of
// which the last of each key is kept.
func TestAttributesAreSorted(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		given := make([]Attr, draw.IntN(9))
		last := map[string]any{}
		for i := range given {
			given[i] = Attr{Key: string(rune('a' + draw.IntN(6))), Value: i}
			last[given[i].Key] = i
		}
		var want []Attr
		for _, key := range slices.Sorted(maps.Keys(last)) {
			want = append(want, Attr{key, last[key]})
		}
		text := fmt.Sprint(given)
		if got := sorted(given); !slices.Equal(got, want) {
			t.Fatalf("%s: got %v, want %v", text, got, want)
		}
	}
}
