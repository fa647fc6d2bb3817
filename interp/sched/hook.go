package sched

// A hook is a place in the list of what ends with a scope. Lists keep the
// order of attachment, so that an end is passed on in the same order each time.
type hook struct {
	prev, next *hook
	scope      *scope // nil while it is in no list
	target     interface{ scopeEnded(c *scope) }
}

// attach adds h to the scope's list. It does nothing and returns false if the
// scope has ended.
func (c *scope) attach(h *hook) bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.ending.Load() != nil {
		return false
	}
	h.scope, h.prev, h.next = c, c.last, nil
	if c.last == nil {
		c.first = h
	} else {
		c.last.next = h
	}
	c.last = h
	return true
}

// detach removes h from its list and reports whether it was in one.
func (s *Scheduler) detach(h *hook) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.scope == nil {
		return false
	}
	h.scope.unlink(h)
	return true
}

// takeFirst removes and returns the oldest hook, or nil.
func (c *scope) takeFirst() *hook {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	h := c.first
	if h != nil {
		c.unlink(h)
	}
	return h
}

func (c *scope) unlink(h *hook) {
	if h.prev == nil {
		c.first = h.next
	} else {
		h.prev.next = h.next
	}
	if h.next == nil {
		c.last = h.prev
	} else {
		h.next.prev = h.prev
	}
	h.scope, h.prev, h.next = nil, nil, nil
}
