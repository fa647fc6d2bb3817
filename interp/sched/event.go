package sched

// An event is a place in the heap for something that will happen to its
// target. It is embedded in the target, so that waiting allocates nothing, and
// is in the heap at most once.
type event struct {
	// seq is that of the event's entry in the heap, or 0 while it has none. An
	// entry whose event has another seq is dead.
	seq    uint64
	target target
}

// A target is what an event happens to.
type target interface {
	// due runs the event. The clock stands at its instant.
	due()
	// label names the event's owner in a [LimitError].
	label() string
	// recurs reports whether the label is that of an event which comes by itself.
	recurs() bool
}

// schedule makes ev due at an instant, and at no other.
func (s *Scheduler) schedule(ev *event, at int64, class Class, order int) {
	s.kill(ev)
	s.seq++
	ev.seq = s.seq
	s.heap.push(entry{at: at, rank: rankOf(class, order), seq: ev.seq, ev: ev})
}

// kill withdraws an event. Its entry stays in the heap until it surfaces or
// the dead outnumber the living, so a heap is never more than twice as large
// as what is pending in it.
func (s *Scheduler) kill(ev *event) {
	if ev.seq == 0 {
		return
	}
	ev.seq = 0
	s.dead++
	if s.dead > deadKept && s.dead > len(s.heap)/2 {
		s.heap.compact()
		s.dead = 0
	}
}

// deadKept is how many dead entries are not worth a compaction.
const deadKept = 64

// peek returns the next live entry, or nil. The pointer is good until the heap
// changes.
func (s *Scheduler) peek() *entry {
	for len(s.heap) > 0 {
		if top := &s.heap[0]; top.ev.seq == top.seq {
			return top
		}
		s.heap.pop()
		s.dead--
	}
	return nil
}
