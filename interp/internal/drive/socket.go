package drive

import (
	"bytes"
	"errors"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Reached says that the wait before an operation of the script is over and that
// all bytes before it were sent, or leave with its own. It is for [wire.ServeOptions].
func (x *Exchange) Reached(op int) {
	x.run.mu.Lock()
	defer x.run.mu.Unlock()
	for _, other := range x.along {
		other.reach(op)
	}
	x.reach(op)
}

func (x *Exchange) reach(op int) {
	x.reached = op + 1
	x.sent = 0
	for _, o := range x.script.Ops[:op] {
		x.sent += len(o.Data)
	}
	x.gotOn()
}

// Sending says that bytes of the script are about to be written, or a reset to
// strike. The last that is said is when the answer ended: later the client may have
// acted on it already. It is for [wire.ServeOptions].
func (x *Exchange) Sending() {
	x.run.mu.Lock()
	defer x.run.mu.Unlock()
	x.say()
	for _, other := range x.along {
		other.say()
	}
}

func (x *Exchange) say() {
	x.said, x.says = x.run.Now(), true
	x.saidAll = x.struck()
}

// Served says what became of the script on a connection, once.
func (x *Exchange) Served(s wire.Served) {
	x.run.mu.Lock()
	defer x.run.mu.Unlock()
	x.run.farewell(x)
	if !x.ended {
		x.sent = s.Sent
	}
	x.end(x.unhad(s))
}

// unhad reports whether a client was gone before it had its answer. Who reads nothing for so
// long that the server gives up has left, in all but name. So has everybody where the
// server closed before all was played: it does that when the run is over, and may then
// know of it before it knows that the program has gone. What a real service did not say to
// its end is an answer of its own.
func (x *Exchange) unhad(s wire.Served) bool {
	return s.By == wire.ByClient || errors.Is(s.Err, os.ErrDeadlineExceeded) || x.relay == nil && s.Err != nil
}

// Closes reports whether the answer is the last on its connection by its own
// words.
func (x *Exchange) Closes() bool { return x.script.Closes(x.asked.Request.Method) }

// struck reports whether nothing is left of the script but to write and to end
// the connection.
func (x *Exchange) struck() bool {
	ops := x.script.Ops
	return x.reached > 0 && x.reached == len(ops) && ops[len(ops)-1].End != wire.EndHang && ops[len(ops)-1].End != wire.EndTimeout
}

// virtualStart is when runs on the virtual clock begin. Dates in scripts count
// from there.
var virtualStart = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// timed is an answer with what it says of time in terms of the program's clock:
// dates that were written for the virtual clock, and waits that are asked for
// where time is scaled.
func (r *Run) timed(a exchange.Answer) wire.WireScript {
	dates := a.Entry != nil && a.Entry.Replay == nil
	scale := r.scale()
	if scale == 1 && (!dates || !mayDate(a.Script)) {
		return a.Script
	}
	return a.Script.EditHead(func(name, value string) string {
		if t, err := dated(value); err == nil {
			at := t.Sub(r.start) // a recorded one was moved to the clock of the run
			if dates {
				at = t.Sub(virtualStart)
			}
			if at < 0 {
				return value
			}
			return wholeSecond(r.programs(at)).UTC().Format(http.TimeFormat)
		}
		if scale == 1 {
			return value
		}
		switch strings.ToLower(name) {
		case "retry-after":
			return shortened(value, scale)
		case "retry-after-ms":
			return shortened(value, scale)
		}
		return value
	})
}

// mayDate reports whether a script may have a date in its head: each of their formats
// tells the time of day as 15:04:05. Most scripts have none, and no head is read for it.
func mayDate(s wire.WireScript) bool {
	for _, op := range s.Ops {
		for i, b := range op.Data {
			if b == ':' && i+3 < len(op.Data) && op.Data[i+3] == ':' {
				return true
			}
		}
	}
	return len(s.Ops) > 1 && !bytes.Contains(s.Ops[0].Data, []byte("\r\n\r\n")) // its head comes in pieces
}

// programs is an instant of the run on the clock of the program, which is as fast as
// time is.
func (r *Run) programs(at time.Duration) time.Time {
	return r.start.Add(time.Duration(float64(at) / r.scale()))
}

// wholeSecond is the first whole second that is no earlier: who waits for it comes no
// sooner than was asked.
func wholeSecond(t time.Time) time.Time {
	if s := t.Truncate(time.Second); s.Equal(t) {
		return s
	}
	return t.Truncate(time.Second).Add(time.Second)
}

// dated reads a field as a date. Most are none, and few are as long.
func dated(value string) (time.Time, error) {
	if len(value) < len(time.ANSIC) {
		return time.Time{}, errNoDate
	}
	return http.ParseTime(value)
}

var errNoDate = errors.New("the value is too short for a date")

// shortened is a number of seconds or milliseconds for a program whose time is
// scaled: a whole one, as many clients read no other, and at least 1.
func shortened(value string, scale float64) string {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || n <= 0 {
		return value
	}
	return strconv.FormatFloat(math.Max(1, math.Ceil(n/scale)), 'f', -1, 64)
}

func (r *Run) scale() float64 {
	if r.options.TimeScale > 0 {
		return r.options.TimeScale
	}
	return 1
}

var closing = wire.Field{Name: "Connection", Value: "close"}

// lastOnItsConnection is an answer after which the connection is closed where
// what comes next may end a connection before its first byte: on a connection
// that was used before, clients try that again by themselves, and nobody sees it.
// An answer that is cut says nothing.
func (r *Run) lastOnItsConnection(s wire.WireScript, asked *provider) (closed wire.WireScript, closes bool) {
	if r.options.Way == plan.Embedded || !s.KeepsOpen() || !r.endsNext(asked) || s.Status() == 0 {
		return s, false
	}
	return s.EditHead(func(_, value string) string { return value }, closing), true
}

// endsNext reports whether the next answer of any lane, at an endpoint that has
// the address of a provider, ends the connection before its first byte.
func (r *Run) endsNext(asked *provider) bool {
	if r.sources.Injects() {
		return true // what strikes next is known when it does
	}
	host := plan.HostPort(asked.base)
	for _, e := range r.endpoints {
		for _, t := range e.Step.Gateway.Targets {
			if t.Provider.At(host) && r.lanesEndNext(e, t) {
				return true
			}
		}
	}
	return false
}

func (r *Run) lanesEndNext(e *endpoint, t *plan.Target) bool {
	script := r.plan.ScriptFor(e.Name, t.Name)
	if script == nil {
		return r.sources.Refuses()
	}
	ending := func(entry *plan.Entry) bool { return r.endsBefore(entry, t.Provider) }
	if !slices.ContainsFunc(script.Entries, ending) {
		return false
	}
	names := []string{""} // one that has not been opened yet begins there
	for name := range e.lanes {
		names = append(names, name)
	}
	for _, name := range names {
		due := r.sources.Due(exchange.Line{Step: e.Name, Lane: name}, script)
		if slices.ContainsFunc(due, ending) {
			return true
		}
	}
	return false
}

// An ending is an entry as a provider plays it.
type ending struct {
	entry    *plan.Entry
	provider *plan.Provider
}

// endsBefore is [ends], computed once: it is asked with every request.
func (r *Run) endsBefore(e *plan.Entry, p *plan.Provider) bool {
	key := ending{e, p}
	known, ok := r.endings[key]
	if !ok {
		if r.endings == nil {
			r.endings = map[ending]bool{}
		}
		known = ends(e, p)
		r.endings[key] = known
	}
	return known
}

// ends reports whether an entry ends the connection before any byte.
func ends(e *plan.Entry, p *plan.Provider) bool {
	if e.Fault == nil || e.Replay != nil {
		return e.Replay != nil // what it would be is not known before the request
	}
	s, err := rendered(e, p, &providers.Vendor{Adapter: p.Adapter})
	if err != nil {
		return true
	}
	for _, op := range s.Ops {
		if len(op.Data) > 0 {
			return false
		}
		if op.End != wire.EndNone {
			return op.End != wire.EndHang && op.End != wire.EndTimeout
		}
	}
	return true
}
