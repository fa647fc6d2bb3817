package sched

import "math"

// An entry is one event in the heap.
type entry struct {
	at   int64  // nanoseconds since the start
	rank uint64 // class, then owner order
	seq  uint64 // order of scheduling
	ev   *event
}

// before reports whether e happens before f.
func (e *entry) before(f *entry) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	if e.rank != f.rank {
		return e.rank < f.rank
	}
	return e.seq < f.seq
}

// orderMax bounds owner orders; larger ones count as equal to it. Twice that is an int, also where ints have 32 bits.
const orderMax = min(1<<61-1, math.MaxInt>>1)

// rankOf packs class and owner order into one number that sorts like the pair.
func rankOf(class Class, order int) uint64 {
	order = max(-orderMax, min(order, orderMax))
	return uint64(class)<<62 | uint64(order+orderMax)
}

// order is the owner order in the rank.
func (e *entry) order() int { return int(e.rank&(1<<62-1)) - orderMax }

// A heap is a four-ary min-heap of values: half as deep as a binary one, and
// the four children lie in two cache lines.
type heap []entry

func (h *heap) push(e entry) {
	*h = append(*h, e)
	h.up(len(*h)-1, e)
}

// pop removes the first entry.
func (h *heap) pop() {
	q := *h
	last := len(q) - 1
	e := q[last]
	q[last] = entry{}
	*h = q[:last]
	if last > 0 {
		h.down(0, e)
	}
}

// up places e at i or above.
func (h *heap) up(i int, e entry) {
	q := *h
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&q[parent]) {
			break
		}
		q[i] = q[parent]
		i = parent
	}
	q[i] = e
}

// down places e at i or below.
func (h *heap) down(i int, e entry) {
	q := *h
	for {
		first := 4*i + 1
		if first >= len(q) {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(q)); c++ {
			if q[c].before(&q[least]) {
				least = c
			}
		}
		if !q[least].before(&e) {
			break
		}
		q[i] = q[least]
		i = least
	}
	q[i] = e
}

// compact drops the dead entries.
func (h *heap) compact() {
	live := (*h)[:0]
	for _, e := range *h {
		if e.ev.seq == e.seq {
			live = append(live, e)
		}
	}
	clear((*h)[len(live):])
	*h = live
	for i := (len(live) - 2) / 4; i >= 0 && len(live) > 1; i-- {
		h.down(i, live[i])
	}
}
