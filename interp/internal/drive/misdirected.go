package drive

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/drive/circumstance"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// mistaken are the statuses with which a server answers a request that is none of those it knows.
var mistaken = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed}

// Misdirected says of a step that asked the server of a scenario that it failed with one of the
// statuses of a request that the server does not know, where no check reads which failure it was: a
// wrong path, method or body fails in the same way. "" where no step did.
func (r *Run) Misdirected() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	serving := r.plan.Sut.Serving()
	if serving == nil || len(r.plan.Needs.Calls) > 0 || r.plan.Needs.Of("steps") != nil || saysWhich(r.plan.Needs.Of("run")) {
		return ""
	}
	for _, s := range r.Obs.Order {
		if s.Status != read.StatusFailed || !slices.Contains(mistaken, s.StatusCode) || !circumstance.Asks(s, serving) || !r.expectsFailure(s) {
			continue
		}
		return fmt.Sprintf("step %q failed with %d (%s), which no check reads: a request with a wrong path, method or body fails in the same way.\nhint: say which failure it has to be, such as expect %[1]q { status_code = 403 }; or 404, if that is what the server has to answer", s.Name, s.StatusCode, http.StatusText(s.StatusCode))
	}
	return ""
}

// Untrusted says of a fault with which no handshake comes about that the program met a connection which breaks
// in its place: it asks over one that it trusts, or over plain HTTP. "" where it met none.
func (r *Run) Untrusted() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.Log.Events() {
		end, is := e.Payload.(*event.AttemptEnd)
		if !is || end.Served == nil || end.FaultType == "" {
			continue
		}
		if k := faults.Lookup(end.FaultType); k != nil && k.Untested != "" {
			return fmt.Sprintf("%s has the fault %s, which towards a program is a connection that breaks after its request was read: %s is not tested, and one that does not passes as well.\nhint: test that with a server that is so; where a broken connection is meant, fault \"connection_reset\" {} says so", e.Step, k.Name, k.Untested)
		}
	}
	return ""
}

// expectsFailure reports whether the scenario checks that a step, or the run, failed, and nothing of
// it says which failure that was.
func (r *Run) expectsFailure(s *observe.StepResult) bool {
	of := r.plan.Needs.Of("step")
	for name := range strings.SplitSeq(s.Name, ".") {
		of = of.Of(name)
	}
	if saysWhich(of) {
		return false
	}
	checked := of != nil || r.Obs.Run.Status == read.StatusFailed
	for _, x := range r.plan.Expects {
		if x.Address != s.Name && x.Address != "run" {
			continue
		}
		for _, a := range x.Attrs {
			if slices.Contains(which, a.Name) || a.Name == "error" {
				return false
			}
		}
		checked = checked || x.Address == s.Name
	}
	return checked
}

// which are the attributes of a result that say which failure it was, beside the parts of its error.
var which = []string{"status_code", "attempts", "body", "json", "content", "output", "headers"}

// saysWhich reports whether conditions read which failure a result has; that it has one does not say
// that.
func saysWhich(n *read.Needs) bool {
	if n == nil {
		return false
	}
	failed := n.Of("error")
	return n.All || failed != nil && !failed.All || slices.ContainsFunc(which, func(name string) bool { return n.Of(name) != nil })
}

// A ServerAnswer is what the server of a scenario answered a step or a call of it.
type ServerAnswer struct {
	// Name is that of the step or the call, and Read how a condition reads it, such as step.old.
	Name, Read string
	// Method and Path are what was asked, without the query, and Status is the answer.
	Method, Path string
	Status       int
	// Refused says that the server did not take the request and asked no endpoint for it, and that no check
	// reads what it said: what it was refused for is in the status alone.
	Refused bool
	// Explained says that it would be Refused, were it not for a check that reads what the server said, and Said is
	// that: it may hold secrets.
	Explained bool
	Said      string
	// Known are the parts of its path that a request before it that was taken has, or the answer to one, as the one
	// has that made what it names.
	Known []string
	// Headers says that the request has header fields of its own, beside the type of its body.
	Headers bool
	// Parts are what the request says, in plain: they may hold secrets. Only the first requests of a run have them.
	Parts []circumstance.Part
}

// partedMax is how many requests of a run are taken apart.
const partedMax = 100

// ServerAnswers are those of the run, in the order in which they came.
func (r *Run) ServerAnswers() (list []ServerAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	serving := r.plan.Sut.Serving()
	if serving == nil {
		return nil
	}
	ours, explained := map[string]*observe.StepResult{}, map[string]bool{}
	for _, s := range r.Obs.Order {
		if ours[s.Name] == nil && circumstance.Asks(s, serving) {
			ours[s.Name], explained[s.Name] = s, r.explained(s)
		}
	}
	type open struct {
		step               string
		attempt, iteration int
	}
	known := values{}
	given, parted := slices.Sorted(maps.Values(r.given.Env)), 0
	under := map[open]*ServerAnswer{}
	asked := map[*ServerAnswer]bool{} // those that were under way as an endpoint was asked
	events := r.Obs.Log.Events()
	for i := range events {
		e := &events[i]
		key := open{e.Step, e.Attempt, e.Iteration}
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Asker != nil {
				for _, a := range under {
					asked[a] = true
				}
			} else if s := ours[e.Step]; s != nil && x.Request != nil && x.Method != "" {
				under[key] = &ServerAnswer{Name: s.Name, Read: r.reads(s) + "." + s.Name, Method: x.Method, Path: placeOf(x.URL), Headers: ownHeaders(x.Headers)}
				if parted++; parted <= partedMax {
					under[key].Parts = circumstance.Parts(x.Request, circumstance.FieldsOf(r.plan, s.Step), given)
				}
			}
		case *event.AttemptEnd:
			a := under[key]
			if a == nil {
				continue
			}
			delete(under, key)
			a.Status = x.StatusCode
			a.Refused = a.Status >= 400 && a.Status < 500 && !asked[a] && x.FaultType == ""
			if a.Refused && explained[e.Step] {
				a.Refused, a.Explained, a.Said = false, true, x.Content[:min(len(x.Content), saidMax)]
			}
			if a.Status == http.StatusNotFound {
				for part := range strings.SplitSeq(a.Path, "/") {
					if known[part] {
						a.Known = append(a.Known, part)
					}
				}
			}
			if a.Status > 0 && a.Status < 400 && len(list) < partedMax {
				known.add(a, x)
			}
			list = append(list, *a)
		}
	}
	return list
}

// saidMax is how much is kept of what a server said of a request that it refused.
const saidMax = 4 << 10

// values are those of requests that a server took and of what it answered to them.
type values map[string]bool

func (v values) add(a *ServerAnswer, x *event.AttemptEnd) {
	for _, p := range a.Parts {
		v[p.Value] = true
	}
	circumstance.EachValue(x.Content, func(value string) { v[value] = true })
	for name, value := range x.Headers {
		if strings.EqualFold(name, "location") {
			v[value[strings.LastIndexByte(value, '/')+1:]] = true
		}
	}
}

// reads is the root under which conditions read a step or a call.
func (r *Run) reads(s *observe.StepResult) string {
	if d := r.plan.ActionOf(s.Name); d != nil {
		return d.What()
	}
	return "step"
}

func placeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Path
}

// ownHeaders reports whether a request has header fields beside those of every one.
func ownHeaders(h event.Headers) bool {
	for name := range h {
		if !slices.Contains([]string{"content-type", "accept", "traceparent", "user-agent"}, strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// said are the attributes of a result in which a server says why it refuses a request.
var said = []string{"content", "output", "structured", "json", "body", "headers"}

// explained reports whether a check reads what the server said to a step, or what it wrote, or may.
func (r *Run) explained(s *observe.StepResult) bool {
	n, p := r.plan.Needs, r.plan
	if len(n.Calls) > 0 || n.Of("steps") != nil || len(p.SnapshotChecks) > 0 {
		return true
	}
	for _, name := range []string{"stdout", "stderr", "logs", "spans", "metrics"} {
		if n.Of("sut").Of(name) != nil {
			return true
		}
	}
	for _, root := range []string{"step", r.reads(s)} {
		of := n.Of(root)
		for name := range strings.SplitSeq(s.Name, ".") {
			of = of.Of(name)
		}
		if readsSaid(of) {
			return true
		}
	}
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			if x.Address == s.Name && (slices.Contains(said, a.Name) || a.Name == "error" && namesWords(a.Expr)) {
				return true
			}
		}
	}
	return false
}

// readsSaid reports whether conditions read what the server said, of a result or of its attempts.
func readsSaid(n *read.Needs) bool {
	if n == nil || n.All {
		return n != nil
	}
	if slices.ContainsFunc(said, func(name string) bool { return n.Of(name) != nil }) {
		return true
	}
	if failed := n.Of("error"); failed != nil && !failed.All && failed.Of("message") != nil {
		return true
	}
	attempts := n.Of("attempts")
	if attempts == nil || attempts.All {
		return false
	}
	each := attempts.Element()
	return !each.All && each.Of("response") != nil
}
