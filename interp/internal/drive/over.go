package drive

import (
	"bytes"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// What a lane asks of an exchange is one question, whether it was over when another
// request came. Overlaps and calls have the answer from here, in the exact time of the
// run: what comes at the very instant at which an answer is over comes after it, since
// goroutines of one instant have no order.

// notYet is when an answer is over that has a wait left.
const notYet = time.Duration(math.MaxInt64)

// hasWait reports whether a wait of the answer is not over.
func (x *Exchange) hasWait() bool {
	return x.waits && x.sent <= x.last && x.reached < x.waited
}

// gotOn notes that the answer may have come to the end of its last wait, and lets look
// who waits for that in the lane.
func (x *Exchange) gotOn() {
	if x.over != notYet || x.hasWait() {
		return
	}
	x.over = x.run.Now()
	if x.lane != nil {
		x.lane.wake()
	}
}

// RefusalFor is how long the body of a refusal may take and the refusal yet be over with
// its head: as long as a recording reads of it before it passes the head on.
const RefusalFor = time.Second

// refusedBy is the number of the operations of a script that say how it ends: where it
// is a refusal those of its head, because a client that has the status may ask again
// and never read the body, which follows at once but for the pieces in which it was
// recorded. Of all other scripts these are all operations.
func refusedBy(s wire.WireScript) int {
	all := len(s.Ops)
	if all < 2 || !slices.ContainsFunc(s.Ops[1:], func(op wire.Op) bool { return op.Wait > 0 }) || s.Status() < http.StatusBadRequest {
		return all // to read the status takes time
	}
	head, rest := 0, time.Duration(0)
	var said []byte
	for i, op := range s.Ops {
		switch whole := bytes.Contains(said, []byte("\r\n\r\n")); {
		case op.End != wire.EndNone && op.End != wire.EndFIN:
			return all
		case whole && head == 0:
			head = i
		}
		if head > 0 {
			rest += op.Wait
		} else {
			said = append(said, op.Data...)
		}
	}
	if head == 0 || rest > RefusalFor {
		return all
	}
	return head
}

// isOver reports whether the answer has no wait left, or its client has left. One that
// its client has put aside is in nobody's way.
func (x *Exchange) isOver() bool { return x.over != notYet || x.aside || x.refused() }

// refused reports whether a real service has said all of a refusal: it was read before
// any of it was passed on, so that who asks again has seen its status.
func (x *Exchange) refused() bool { return x.relay != nil && x.relay.Refused() }

// spent reports whether the answer has come to its end as far as a server can
// tell: it has begun to arrive, and what is left of it takes no time, also where
// the client reads no more.
func (x *Exchange) spent() bool {
	return x.quiet && (x.sent > 0 || x.reached > 0) && !x.hasWait() || x.struck()
}

// overlaps reports whether a request overlaps an exchange: the answer was not over when
// the request had been read, and its client has not left without it. Nothing else
// excuses it.
func (t *ticket) overlaps(x *Exchange) bool {
	return !x.left && !x.refused() && x.over > t.read && slices.Contains(t.met, x)
}

// free is the earliest instant at which the client of an exchange that has ended may
// have asked again. An answer is over when its last wait is. Only a client that left is
// seen to have done so later than it may ask again, which is after it asked: as much later
// as its next request would wait for that.
func (x *Exchange) free() time.Duration {
	switch {
	case x.left:
		return max(x.at-x.run.options.Patience, x.started)
	case x.relay == nil && x.spent():
		return x.over
	case x.says:
		return x.said
	}
	return x.at
}
