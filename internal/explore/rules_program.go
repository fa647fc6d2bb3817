package explore

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// programRules are those of [StandardRules] that are about programs, in the order of the
// module, which says what they are good for. The last one of it, that a program has
// somebody else to ask, is asked of a file that imports the module: no trace has the
// endpoints that nobody asked.
var programRules = []rule[*asking]{
	{"a program asks again no sooner than the answer allows", (*asking).sooner},
	{"a program asks for one thing at most ten times a second", (*asking).tooOften},
	{"a program repeats what may have had an effect under a key", (*asking).repeated},
	{"a program does not repeat what may have had an effect under a new key", (*asking).renamed},
	{"a program builds nothing on an answer that was cut", (*asking).builtOn},
	{"a program does not end well with an answer that was cut", (*asking).endedOn},
	{"a program does not repeat what cannot succeed", (*asking).inVain},
	{"the retries of a program's lanes are spread", (*asking).allAtOnce},
	{tooLong, (*asking).tooLong},
}

// brokenProgramRules are the rules that a program breaks.
func brokenProgramRules(events []trace.Event) []interp.Problem {
	return brokenOf(programRules, askingOf(events))
}

// A served attempt is one of a program.
type served struct {
	*trace.Event // that ended it
	start        *trace.Event
}

// A line is what is asked one after the other: a call, a lane, or the requests of a lane
// that say the same, whatever their Idempotency-Key.
type line struct {
	endpoint, lane string
	call           int
	said           string
}

// An asking is what a program did, by its attempts.
type asking struct {
	kinds map[string]string // of the endpoints
	all   []served          // in the order of their starts
	// These are in the order in which they began.
	calls, lanes, said []line
	of                 map[line][]served
	exited             bool // with 0
}

func askingOf(events []trace.Event) *asking {
	h := &asking{kinds: map[string]string{}, of: map[line][]served{}}
	type id struct {
		step string
		n    int
	}
	open := map[id]*trace.Event{}
	for i := range events {
		e := &events[i]
		switch e.Type {
		case trace.StepStart:
			h.kinds[e.Step] = e.Text("kind")
		case trace.AttemptStart:
			open[id{e.Step, e.Attempt}] = e
		case trace.AttemptEnd:
			start := open[id{e.Step, e.Attempt}]
			if _, ok := e.Attr("call_number").(int); ok && start != nil {
				h.all = append(h.all, served{e, start})
			}
		case trace.SutEnd:
			code, ok := e.Attr("exit_code").(int)
			h.exited = ok && code == 0
		}
	}
	slices.SortStableFunc(h.all, func(a, b served) int { return cmp.Compare(a.start.Seq, b.start.Seq) })
	for _, a := range h.all {
		l := line{endpoint: a.Step, lane: a.start.Text("lane")}
		h.add(&h.lanes, l, a)
		l.call, _ = a.Attr("call_number").(int)
		h.add(&h.calls, l, a)
		l.call = 0
		if method := a.start.Text("method"); method != "" {
			l.said = method + " " + a.start.Text("url") + " " + a.start.Text("body")
			h.add(&h.said, l, a)
		}
	}
	return h
}

func (h *asking) add(lines *[]line, l line, a served) {
	if h.of[l] == nil {
		*lines = append(*lines, l)
	}
	h.of[l] = append(h.of[l], a)
}

// String names an attempt.
func (a served) String() string { return fmt.Sprintf("endpoint %s: attempt %d", a.Step, a.Attempt) }

// gap is the time between the end of an attempt and the start of the next.
func gap(a, b served) time.Duration { return max(0, b.start.At-a.At) }

// status is that of the answer, 0 for none.
func (a served) status() int {
	code, _ := a.Attr("status_code").(int)
	return code
}

func (a served) retryAfter() (time.Duration, bool) {
	d, ok := a.Attr("retry_after_ns").(time.Duration)
	return d, ok
}

func (a served) whole() bool {
	whole, _ := a.Attr("complete").(bool)
	return whole
}

// again finds two attempts of one of some lines, one after the other, of which something
// is said.
func (h *asking) again(lines []line, says func(before, a served) string) string {
	for _, l := range lines {
		for i, a := range h.of[l] {
			if i == 0 {
				continue
			}
			if why := says(h.of[l][i-1], a); why != "" {
				return fmt.Sprintf("%s %s", a, why)
			}
		}
	}
	return ""
}

// same are the lines in which something is asked again: a new Idempotency-Key begins a new
// call, and is the same request.
func (h *asking) same() []line { return slices.Concat(h.calls, h.said) }

// failed reports whether an attempt had failed when the next began. Two clocks may see
// that in the other order.
func (a served) failed(next served) bool {
	return a.Text("outcome") != "success" && next.start.At >= a.At-50*time.Millisecond
}

func (h *asking) sooner() string {
	return h.again(h.same(), func(before, a served) string {
		wait, ok := before.retryAfter()
		if ok && before.failed(a) && gap(before, a) < wait*9/10-50*time.Millisecond {
			return fmt.Sprintf("came %s after an answer with a Retry-After of %s", shown(gap(before, a)), wait)
		}
		return ""
	})
}

func (h *asking) tooOften() string {
	for _, l := range h.same() {
		for i, a := range h.of[l] {
			if i < 10 || a.start.At-h.of[l][i-10].start.At >= time.Second {
				continue
			}
			if !slices.ContainsFunc(h.of[l][i-10:i], func(o served) bool { return o.Text("outcome") == "success" }) {
				return fmt.Sprintf("%s asks for the same as ten others within %s", a, shown(a.start.At-h.of[l][i-10].start.At))
			}
		}
	}
	return ""
}

func (h *asking) repeated() string {
	return h.again(h.calls, func(before, a served) string {
		if a.start.Text("idempotency_key") == "" && h.twice(before, a) {
			return fmt.Sprintf("repeats a %s without an Idempotency-Key, after %s", a.start.Text("method"), before.ended())
		}
		return ""
	})
}

func (h *asking) renamed() string {
	return h.again(h.said, func(before, a served) string {
		key := before.start.Text("idempotency_key")
		if key != "" && key != a.start.Text("idempotency_key") && before.failed(a) && h.twice(before, a) {
			return fmt.Sprintf("repeats the %s of attempt %d under another Idempotency-Key, after %s", a.start.Text("method"), before.Attempt, before.ended())
		}
		return ""
	})
}

// twice reports whether a request that is repeated may have its effect twice: nobody knows
// what became of the one before.
func (h *asking) twice(before, a served) bool {
	method, status := a.start.Text("method"), before.status()
	unsent := slices.Contains([]string{"refused", "dns", "tls"}, before.Text("cause"))
	effect := !unsent && status == 0 || slices.Contains([]int{500, 502, 504}, status) || status > 0 && status < 300
	return h.kinds[a.Step] == "http" && (method == "POST" || method == "PATCH") && effect
}

// ended is what an attempt met.
func (a served) ended() string {
	return cmp.Or(a.Text("fault_type"), fmt.Sprint(a.status()))
}

func (h *asking) builtOn() string {
	for _, l := range h.lanes {
		for i, a := range h.of[l] {
			if i == 0 || h.of[l][i-1].whole() {
				continue
			}
			text, body := h.of[l][i-1].Text("content"), a.start.Text("body")
			if strings.TrimSpace(text) != "" && (strings.Contains(body, quoted(text)) || strings.Contains(body, quoted(strings.TrimSpace(text)))) {
				return fmt.Sprintf("%s has the answer of attempt %d in its conversation, which had been cut", a, h.of[l][i-1].Attempt)
			}
		}
	}
	return ""
}

// quoted is a text as it stands in JSON.
func quoted(text string) string { return string(trace.AppendValue(nil, text)) }

func (h *asking) endedOn() string {
	if !h.exited {
		return ""
	}
	for _, l := range h.lanes {
		last := h.of[l][len(h.of[l])-1]
		madeUp := slices.ContainsFunc(h.all, func(a served) bool { return a.Text("outcome") == "success" && a.start.At > last.start.At })
		if status := last.status(); status != 0 && status < 300 && !last.whole() && !madeUp {
			return fmt.Sprintf("%s was cut, nothing came after it, and the program ended with status 0", last)
		}
	}
	return ""
}

// hopeless are statuses that the same request meets again.
var hopeless = []int{400, 402, 403, 405, 406, 410, 411, 413, 414, 415, 422, 501, 505}

func (h *asking) inVain() string {
	return h.again(h.same(), func(before, a served) string {
		if before.failed(a) && slices.Contains(hopeless, before.status()) {
			return fmt.Sprintf("asks the same again after %d", before.status())
		}
		return ""
	})
}

func (h *asking) allAtOnce() string {
	gaps, seen := map[string][]time.Duration{}, map[line]bool{}
	for _, l := range h.calls {
		lane := line{endpoint: l.endpoint, lane: l.lane}
		if seen[lane] {
			continue // its first call alone
		}
		seen[lane] = true
		calls := h.of[l]
		if len(calls) < 2 {
			continue
		}
		if _, told := calls[0].retryAfter(); !told && gap(calls[0], calls[1]) >= 100*time.Millisecond {
			gaps[l.endpoint] = append(gaps[l.endpoint], gap(calls[0], calls[1]))
		}
	}
	for _, endpoint := range slices.Sorted(maps.Keys(gaps)) {
		list := gaps[endpoint]
		if low, high := slices.Min(list), slices.Max(list); len(list) >= 3 && float64(high-low) < float64(high)*0.03 {
			return fmt.Sprintf("endpoint %s: the first retries of %d lanes come %s to %s after their failures", endpoint, len(list), shown(low), shown(high))
		}
	}
	return ""
}

func (h *asking) tooLong() string {
	const most = 2 * time.Minute
	for _, a := range h.all {
		if took := a.At - a.start.At; a.Text("outcome") == "failure" && took > most {
			return fmt.Sprintf("%s waited %s for an answer that did not come", a, shown(took))
		}
	}
	for _, l := range h.calls {
		list := h.of[l]
		first, last := list[0], list[len(list)-1]
		if took := last.At - first.start.At; last.Text("outcome") != "success" && took > most {
			return fmt.Sprintf("endpoint %s: call %d failed after %s and %d retries", l.endpoint, l.call, shown(took), len(list)-1)
		}
	}
	return ""
}
