package redact

import "sync"

// Received are secrets that become known while something runs, such as the keys that a
// program sends. Redactors that [Redactor.Receiving] made hide them from then on. Unlike
// what [Redactor.Learn] is told, they play no part in what expressions make of secrets.
//
// A Received is safe for concurrent use, and a nil one receives nothing.
type Received struct {
	mu sync.RWMutex
	// kept are known for good. Of what was received the newest are known: those of now and
	// those before.
	kept, now, before *Redactor
	// pieces are those of all of these, nil until somebody asks.
	pieces *pieces
	// withoutPieces is a text without them. Programs in which nobody receives anything do not
	// link what it calls.
	withoutPieces func(h *Received, text string) string
}

// receivedMax is how many secrets are received until those before are forgotten: a service
// that answers for days is sent any number.
const receivedMax = 1000

// NewReceived has received nothing yet.
func NewReceived() *Received {
	return &Received{kept: empty(), now: empty(), before: empty(), withoutPieces: withoutPieces}
}

func empty() *Redactor { return &Redactor{starts: map[uint32][]int{}, exact: map[string]string{}} }

// Keep adds secrets that are never forgotten.
func (h *Received) Keep(values []string) {
	if h == nil || len(values) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pieces = nil
	for _, v := range values {
		h.kept.add(v)
	}
}

// Receive adds secrets, and returns those that were not known.
func (h *Received) Receive(values []string) (fresh []string) {
	if h == nil || len(values) == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range values {
		if _, known := h.now.exact[v]; known {
			continue
		}
		if _, known := h.kept.exact[v]; known {
			continue
		}
		if len(h.now.exact) >= receivedMax {
			h.before, h.now = h.now, empty()
		}
		h.pieces = nil
		h.now.add(v)
		fresh = append(fresh, v)
	}
	return fresh
}

// Receiving returns a redactor that also hides what h receives, now and later; r, which may
// be nil, stays as it is.
func (r *Redactor) Receiving(h *Received) *Redactor {
	if h == nil {
		return r
	}
	out := &Redactor{}
	if r != nil {
		*out = *r
	}
	out.received = h
	return out
}

func (h *Received) exact(text string) (string, bool) {
	if h == nil {
		return "", false
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, r := range []*Redactor{h.kept, h.now, h.before} {
		if p, known := r.exact[text]; known {
			return p, true
		}
	}
	return "", false
}

// search adds the regions of a part of the text that begins at a place.
func (h *Received) search(found []region, part string, at int) []region {
	if h == nil {
		return found
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	n := len(found)
	for _, r := range []*Redactor{h.kept, h.now, h.before} {
		if len(r.forms) > 0 {
			found = r.escaped(append(found, r.search(nil, part, at)...), part, at)
		}
	}
	if len(found) == n {
		return found
	}
	return sorted(found)
}

// begun lists the beginnings, up to the end of a line, of secrets with several.
func (h *Received) begun(list []string) []string {
	if h == nil {
		return list
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, r := range []*Redactor{h.kept, h.now, h.before} {
		list = append(list[:len(list):len(list)], r.lines...)
	}
	return list
}
