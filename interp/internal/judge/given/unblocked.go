package given

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Waited are the attributes that say how long something waited for a lock or a connection.
var Waited = []string{"waited_ms"}

// OfUnblocked begins to say that a limit on such waits shows nothing.
const OfUnblocked = "it holds however long one waits for another: "

// Unblocked says why an upper limit on the waits for locks and connections shows nothing: it holds with
// every wait up to the time for which all of them were held in the whole run, one after the other, and no
// wait was given up. So neither another order nor another acquire_timeout would break it. "" where it
// shows something, and where anything but the takes of handlers decides how long they are held.
func (f *File) Unblocked(p Put) string {
	all := f.allHeld()
	if all == 0 {
		return ""
	}
	some := false
	waited := func(ms float64) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			v, diags := path.TraverseAbs(p.Ctx)
			if root := path.RootName(); diags.HasErrors() || root != "actor" && root != "lock" {
				return cty.DynamicVal
			}
			some = true
			return with(v, lastOf(path), Waited, cty.NumberFloatVal(ms))
		}
	}
	for _, took := range []time.Duration{0, all / 2, all} {
		if !p.Holds(waited(float64(took.Milliseconds()))) {
			return ""
		}
	}
	if !some || !p.Fails(waited(longGap)) {
		return ""
	}
	return fmt.Sprintf("%stogether all of them hold what they wait for no longer than %s, so no wait can be longer. It would hold with any other acquire_timeout, and without one, so it shows nothing of that here.\nhint: let one hold it for longer than the limit, such as with takes = \"1m\", and say what becomes of those that wait; or say with == how long each waits", OfUnblocked, all)
}

// allHeld is for how long locks and connections were held, one after the other, 0 where none was, or
// something else than the takes of handlers had a part in it, or a wait was given up.
func (f *File) allHeld() (all time.Duration) {
	p := f.p
	if f.o.Driven() || f.struck || p.Population == nil || len(p.Outages) > 0 ||
		slices.ContainsFunc(p.Actions, func(a *plan.Action) bool { return a.Call == nil }) ||
		slices.ContainsFunc(p.Scripts, func(s *plan.Script) bool { return s.Part != nil }) {
		return 0
	}
	type pool struct{ actor, name string }
	type use struct {
		n     int
		since time.Duration
	}
	pools, held := map[pool]use{}, 0
	for _, e := range f.o.Log.Events() {
		switch now := e.Payload.(type) {
		case *event.Lock:
			held++
		case *event.Unlock:
			held--
			all += now.Held
		case *event.Pool:
			at := pool{e.Actor, now.Pool}
			all += time.Duration(pools[at].n) * (e.At - pools[at].since)
			pools[at] = use{now.InUse, e.At}
		case *event.SessionStart:
			if p.Handlers[actor.Target{Actor: e.Actor, Name: now.Handler}] != nil {
				return 0
			}
		case *event.SessionEnd:
			if now.Status != read.StatusSuccess {
				return 0
			}
		case *event.Route:
			if now.Failed != nil {
				return 0
			}
		}
	}
	for _, u := range pools {
		held += u.n
	}
	if held != 0 {
		return 0
	}
	return all
}
