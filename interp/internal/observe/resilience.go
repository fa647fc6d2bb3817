package observe

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// ResilienceFile is the file of the standard library whose invariants are known in Go.
const ResilienceFile = "std/resilience"

// A ResilienceRule is an invariant of that file as a question in Go: whether something of a
// run that has ended may break it. What is said to be whole the condition itself finds true,
// so that nobody has to evaluate it. Where the answer is yes the condition decides, and says
// what is wrong: what a rule finds and the condition does not only costs time.
type ResilienceRule func(r *Resilience) bool

// resilienceRules are those of all invariants, in the order of the file.
var resilienceRules = []struct {
	name  string
	maybe ResilienceRule
}{
	{"a retry waits at least as long as the server asked", (*Resilience).early},
	{"a repeated pass waits at least as long as the server asked", func(r *Resilience) bool { return r.seen().earlyPass }},
	{"a terminal failure is not retried", (*Resilience).afterTerminal},
	{"a terminal failure is not repeated in a new pass", func(r *Resilience) bool { return r.seen().terminalPass }},
	{"an answer that was cut is no success", (*Resilience).cut},
	{"a deadline ends what it is for, at its instant", (*Resilience).lateEnd},
	{"an open breaker keeps calls from its target", func(r *Resilience) bool { return r.seen().throughBreaker }},
	{"every attempt that began has ended when the run has", func(r *Resilience) bool { return r.seen().unended }},
	{"no calls wait for each other in a circle", func(r *Resilience) bool { return r.seen().circle }},
	{"a call that has ended holds no lock and no connection", func(r *Resilience) bool { return r.seen().held }},
	{"a program asks again no sooner than the answer allows", (*Resilience).sooner},
	{"a program asks for one thing at most ten times a second", (*Resilience).tooOften},
	{"a program repeats what may have had an effect under a key", (*Resilience).keyless},
	{"a program does not repeat what may have had an effect under a new key", (*Resilience).renamed},
	{"a program builds nothing on an answer that was cut", (*Resilience).builtOnCut},
	{"a program does not end well with an answer that was cut", (*Resilience).endedOnCut},
	{"a program does not repeat what cannot succeed", (*Resilience).inVain},
	{"the retries of a program's lanes are spread", (*Resilience).allAtOnce},
	{"a program gives up within two minutes", (*Resilience).tooLong},
	{"a program has somebody else to ask", (*Resilience).nobodyElse},
}

// ResilienceRuleOf is the rule of an invariant, nil for one that is not of that
// file, or not as that has it.
func ResilienceRuleOf(i *plan.Invariant) ResilienceRule {
	if !i.Standard || i.Rng.Filename != ResilienceFile {
		return nil
	}
	for _, r := range resilienceRules {
		if r.name == i.Name {
			return r.maybe
		}
	}
	return nil
}

// ResilienceRules are the names of the rules, in the order of the file.
func ResilienceRules() []string {
	var names []string
	for _, r := range resilienceRules {
		names = append(names, r.name)
	}
	return names
}

// Resilience is a run as the rules look at it. It is made anew after each event.
type Resilience struct {
	*Observed
	events *resilienceEvents // nil before a rule asks for them
	asked  []askedList       // nil before one asks for those
}

// Resilience is the run so far.
func (o *Observed) Resilience() *Resilience { return &Resilience{Observed: o} }

// again reports whether one of two attempts of a step, one after the other, is of a round
// that follows the other's, with no call between them that a policy turned away.
func (r *Resilience) again(says func(before, a *attemptResult) bool) bool {
	for _, s := range r.Order {
		for i, a := range s.attempts {
			if i == 0 || a.round <= s.attempts[i-1].round || !says(s.attempts[i-1], a) {
				continue
			}
			if !slices.ContainsFunc(s.rejections, func(x rejection) bool { return x.round == s.attempts[i-1].round }) {
				return true
			}
		}
	}
	return false
}

func (r *Resilience) early() bool {
	return r.again(func(before, a *attemptResult) bool {
		return !before.open && before.retryAfter != nil && a.at.Milliseconds() < before.ended.Milliseconds()+before.retryAfter.Milliseconds()
	})
}

func (r *Resilience) afterTerminal() bool {
	return r.again(func(before, _ *attemptResult) bool {
		return before.err != nil && before.err.Mode != nil && before.err.Mode.Terminal
	})
}

func (r *Resilience) cut() bool {
	return slices.ContainsFunc(r.Order, func(s *StepResult) bool {
		return slices.ContainsFunc(s.attempts, func(a *attemptResult) bool { return a.outcome == read.StatusSuccess && !a.response.Complete })
	})
}

func (r *Resilience) lateEnd() bool {
	layers := map[string]trace.Type{"attempt": trace.AttemptEnd, "step": trace.StepEnd, "workflow": trace.RunEnd}
	events := r.Log.Events()
	for i := range events {
		t := &events[i]
		if t.Type != trace.Timeout {
			continue
		}
		want := layers[t.Text("layer")]
		if n := slices.IndexFunc(events[i+1:], func(e trace.Event) bool { return e.Type == want && e.Step == t.Step }); n >= 0 && events[i+1+n].At != t.At {
			return true
		}
	}
	return false
}

// resilienceEvents is what the events of a run say of the rules that look at them.
type resilienceEvents struct {
	earlyPass, terminalPass, throughBreaker, unended, circle, held bool
}

// A resilienceCaller says whose call an event is of.
type resilienceCaller struct {
	call, step string
	iteration  int
}

// seen goes over all events once for the rules that look at them.
func (r *Resilience) seen() *resilienceEvents {
	if r.events != nil {
		return r.events
	}
	x := &resilienceEvents{}
	r.events = x
	events := r.Log.Events()
	runs, attempts := 0, 0 // that go on
	starts, ends := map[resilienceCaller][]*trace.Event{}, map[resilienceCaller][]*trace.Event{}
	states, holds := map[string]string{}, map[resilienceCaller]int{}
	for i := range events {
		e := &events[i]
		of := resilienceCaller{e.Call, e.Step, e.Iteration}
		switch e.Type {
		case trace.RunStart:
			runs++
		case trace.RunEnd:
			runs--
		case trace.AttemptStart:
			attempts++
			x.throughBreaker = x.throughBreaker || states[e.Target] == "open"
			of.iteration = 0
			starts[of] = append(starts[of], e)
		case trace.AttemptEnd:
			attempts--
			of.iteration = 0
			ends[of] = append(ends[of], e)
		case trace.Breaker:
			states[e.Target] = e.Text("to")
		case trace.LockWait:
			x.circle = x.circle || e.Attr("circle") != nil
		case trace.Lock:
			holds[of]++
		case trace.Unlock:
			holds[of]--
		case trace.Pool:
			x.circle = x.circle || e.Attr("circle") != nil
			switch e.Text("action") {
			case "acquire":
				holds[of]++
			case "release":
				holds[of]--
			}
		case trace.Route:
			forwarded, _ := e.Attr("forwarded").(bool)
			x.held = x.held || !forwarded && holds[of] != 0
		}
	}
	x.unended = runs <= 0 && attempts != 0
	for of, list := range starts {
		x.passes(list, ends[of])
	}
	return x
}

// passes looks at the attempts of one step of one caller, by their starts and by their
// ends: which of them begin a new pass that asks the same again.
func (x *resilienceEvents) passes(starts, ends []*trace.Event) {
	for i, e := range starts {
		if i == 0 || i > len(ends) || strings.HasPrefix(e.Step, "actor.") {
			continue
		}
		before, end := starts[i-1], ends[i-1]
		if e.Iteration == before.Iteration && e.Attempt > before.Attempt || end.Seq >= e.Seq || !mayAskTheSame(before, e) {
			continue
		}
		wait, asked := end.Attr("retry_after_ns").(time.Duration)
		x.earlyPass = x.earlyPass || asked && e.At < end.At+wait
		terminal, _ := end.Attr("terminal").(bool)
		x.terminalPass = x.terminalPass || terminal
	}
}

// mayAskTheSame reports whether two attempts ask the same, but for their headers.
func mayAskTheSame(a, b *trace.Event) bool {
	p, known := a.Payload.(*event.AttemptStart)
	q, both := b.Payload.(*event.AttemptStart)
	if !known || !both || p.Request == nil || q.Request == nil {
		return true
	}
	return p.Method == q.Method && p.URL == q.URL && p.Tool == q.Tool && p.Statement == q.Statement && p.Body == q.Body
}

// An askedList is what a program asked an endpoint for, one after the other: a call, or
// what of a lane says the same.
type askedList struct {
	endpoint *StepResult
	attempts []*attemptResult
	call     bool
}

// lists are all such lists.
func (r *Resilience) lists() []askedList {
	if r.asked != nil {
		return r.asked
	}
	type request struct{ method, url, body string }
	list := []askedList{}
	for _, s := range r.endpoints() {
		for _, c := range s.askedFor().calls {
			list = append(list, askedList{s, c.attempts, true})
		}
		for _, l := range s.askedFor().lanes {
			said := make(map[request][]*attemptResult, len(l.attempts))
			for _, a := range l.attempts {
				q := request{a.request.Method, a.request.URL, a.request.Body}
				if q.body == "" {
					q.body = "-"
				}
				said[q] = append(said[q], a)
			}
			for attempts := range maps.Values(said) {
				list = append(list, askedList{s, attempts, false})
			}
		}
	}
	r.asked = list
	return list
}

// endpoints are those of the file.
func (r *Resilience) endpoints() (list []*StepResult) {
	for _, n := range r.Plan.Endpoints {
		if s := r.Steps[n.Name]; s != nil {
			list = append(list, s)
		}
	}
	return list
}

// pairs reports whether something is said of two attempts of a list, one after the other.
func (r *Resilience) pairs(says func(l *askedList, before, a *attemptResult) bool) bool {
	for _, l := range r.lists() {
		for i, a := range l.attempts {
			if i > 0 && says(&l, l.attempts[i-1], a) {
				return true
			}
		}
	}
	return false
}

func (a *attemptResult) startedMillis() int64 { return (a.step.Started + a.at).Milliseconds() }
func (a *attemptResult) endedMillis() int64   { return (a.step.Started + a.ended).Milliseconds() }

func (r *Resilience) sooner() bool {
	return r.pairs(func(_ *askedList, before, a *attemptResult) bool {
		if before.open || before.retryAfter == nil || before.outcome == read.StatusSuccess {
			return false
		}
		return float64(a.startedMillis()-before.endedMillis()) < float64(before.retryAfter.Milliseconds())*0.9-49
	})
}

func (r *Resilience) tooOften() bool {
	const n = 10
	for _, l := range r.lists() {
		for i := n; i < len(l.attempts); i++ {
			good := func(a *attemptResult) bool { return a.outcome == read.StatusSuccess }
			if l.attempts[i].startedMillis()-l.attempts[i-n].startedMillis() < 1000 && !slices.ContainsFunc(l.attempts[i-n:i], good) {
				return true
			}
		}
	}
	return false
}

// mayHaveHadEffect reports whether nobody knows what became of a request that an http
// endpoint was asked for, and that is not repeatable by its method.
func mayHaveHadEffect(l *askedList, before, a *attemptResult) bool {
	status := before.response.StatusCode
	return l.endpoint.Step.Kind == plan.KindHTTP && (a.request.Method == "POST" || a.request.Method == "PATCH") &&
		(status < 300 || status == 500 || status == 502 || status == 504)
}

func (r *Resilience) keyless() bool {
	return r.pairs(func(l *askedList, before, a *attemptResult) bool {
		return l.call && a.request.Headers["idempotency-key"] == "" && mayHaveHadEffect(l, before, a)
	})
}

func (r *Resilience) renamed() bool {
	return r.pairs(func(l *askedList, before, a *attemptResult) bool {
		key := before.request.Headers["idempotency-key"]
		return !l.call && key != "" && key != a.request.Headers["idempotency-key"] && before.outcome != read.StatusSuccess && mayHaveHadEffect(l, before, a)
	})
}

func (r *Resilience) builtOnCut() bool {
	for _, s := range r.endpoints() {
		for _, l := range s.askedFor().lanes {
			for i := range max(0, len(l.attempts)-1) {
				if a := l.attempts[i].response; !a.Complete && a.Content != "" {
					return true
				}
			}
		}
	}
	return false
}

func (r *Resilience) endedOnCut() bool {
	for _, s := range r.endpoints() {
		for _, l := range s.askedFor().lanes {
			if n := len(l.attempts); n > 0 {
				if a := l.attempts[n-1].response; a.StatusCode != 0 && a.StatusCode < 300 && !a.Complete {
					return true
				}
			}
		}
	}
	return false
}

func (r *Resilience) inVain() bool {
	hopeless := []int{400, 402, 403, 405, 406, 410, 411, 413, 414, 415, 422, 501, 505}
	return r.pairs(func(_ *askedList, before, _ *attemptResult) bool {
		return before.outcome != read.StatusSuccess && slices.Contains(hopeless, before.response.StatusCode)
	})
}

func (r *Resilience) allAtOnce() bool {
	for _, s := range r.endpoints() {
		n, low, high := 0, int64(math.MaxInt64), int64(0)
		for _, l := range s.askedFor().lanes {
			if len(l.calls) == 0 || len(l.calls[0].attempts) == 0 || l.calls[0].attempts[0].retryAfter != nil {
				continue
			}
			if gap := l.calls[0].firstGap(); gap >= 100 {
				n, low, high = n+1, min(low, gap), max(high, gap)
			}
		}
		if n >= 3 && float64(high-low) < float64(high)*0.03+1 {
			return true
		}
	}
	return false
}

// firstGap is the time between the first two attempts of a call in milliseconds, 0 where it
// has one.
func (c *callResult) firstGap() int64 {
	for _, a := range c.attempts {
		if gap, ok := a.gap(); ok {
			return gap.Milliseconds()
		}
	}
	return 0
}

func (r *Resilience) tooLong() bool {
	const most = 120_000
	for _, s := range r.endpoints() {
		for _, a := range s.attempts {
			if a.open || a.outcome == "failure" && (a.ended-a.at).Milliseconds() > most {
				return true // the condition has no answer for one that is open
			}
		}
		for _, c := range s.askedFor().calls {
			if n := len(c.attempts); n > 0 && c.status() == read.StatusFailed && (c.attempts[n-1].ended-c.attempts[0].at).Milliseconds() > most {
				return true
			}
		}
	}
	return false
}

func (r *Resilience) nobodyElse() bool {
	failed, unused := false, false
	for _, s := range r.endpoints() {
		if s.Step.Kind == plan.KindLLM {
			failed, unused = failed || s.Status == read.StatusFailed, unused || s.Status == ""
		}
	}
	return failed && unused
}
