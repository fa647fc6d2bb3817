package incident

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/convert"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// workflow is the draft of what the program did, and of a scenario in which its
// services do what they did: its steps in the order of the calls, and what is to
// hold of it, that it ends well.
func (d *drafter) workflow() []*convert.Block {
	name := convert.Identifier(d.title())
	flow := &convert.Block{Type: "workflow", Labels: []string{name}}
	test := &convert.Block{Type: "scenario", Labels: []string{d.title()}}
	set(test, "run", convert.Ref("workflow."+name))
	places := inOrder(d.found, d.cause())
	places.coped = d.coped()
	var inner []*convert.Block
	for i, c := range d.found {
		step := &convert.Block{Type: "step", Labels: []string{string(c.kind), c.name}}
		d.request(c, step)
		address := c.name
		if c.layered() {
			var around *convert.Block
			around, step = d.layers(c, step)
			inner = append(inner, around)
			address += "." + innerStep
		} else {
			d.again(c, step)
		}
		places.place(i, step)
		flow.Blocks = append(flow.Blocks, step)
		test.Blocks = append(test.Blocks, &convert.Block{Type: "on", Labels: []string{address}, Blocks: d.entries(c, false)})
	}
	expect := &convert.Block{Type: "expect", Labels: []string{"run"}}
	set(expect, "status", "success")
	test.Blocks = append(test.Blocks, expect)
	return append(append(d.retries, inner...), flow, test)
}

// An order says which calls began after which had ended.
type order struct {
	calls []*call
	cause *call
	coped bool // the program ended well
	// after are the calls that a call waited for, and that nothing it waited for
	// waited for in turn.
	after [][]int
	// instead is the call that a failed one was followed by, -1 for none.
	instead []int
}

// inOrder finds the order of calls, which are sorted by their beginning.
func inOrder(calls []*call, cause *call) *order {
	o := &order{calls: calls, cause: cause, after: make([][]int, len(calls)), instead: make([]int, len(calls))}
	before := func(i, k int) bool { return i < k && calls[i].end() <= calls[k].start() }
	for k := range calls {
		o.instead[k] = -1
		for i := range k {
			direct := before(i, k)
			for m := i + 1; direct && m < k; m++ {
				direct = !before(i, m) || !before(m, k)
			}
			if direct {
				o.after[k] = append(o.after[k], i)
			}
		}
	}
	taken := map[int]bool{}
	for i, c := range calls {
		if !c.failed() || c == cause {
			continue
		}
		for k := i + 1; k < len(calls) && o.instead[i] < 0; k++ {
			if slices.Contains(o.after[k], i) && !taken[k] {
				o.instead[i], taken[k] = k, true
			}
		}
	}
	return o
}

// place gives a step its place: behind those that had ended before it began. One
// that failed has the next one as its fallback, as the program went on.
func (o *order) place(i int, step *convert.Block) {
	var needs []any
	fallback := false
	for _, p := range o.after[i] {
		switch {
		case o.instead[p] == i:
			fallback = true
		case !o.calls[p].failed():
			needs = append(needs, convert.Ref("step."+o.calls[p].name))
		}
	}
	if len(needs) > 0 && !fallback {
		set(step, "depends_on", needs)
	}
	switch next := o.instead[i]; {
	case next >= 0:
		set(step, "fallback", convert.Ref("step."+o.calls[next].name))
		set(step, "fallback_on", "any")
	case o.calls[i].failed() && o.wentOn(i) && o.calls[i] == o.cause:
		set(step, "on_failure", "continue")
	case o.calls[i].failed() && (o.coped || o.wentOn(i)):
		set(step, "required", false)
	}
}

// wentOn reports whether other calls ended after one had.
func (o *order) wentOn(i int) bool {
	return slices.ContainsFunc(o.calls, func(c *call) bool {
		return c != o.calls[i] && (c.start() >= o.calls[i].end() || c.end() > o.calls[i].end()) && !c.attempts[len(c.attempts)-1].ending(c.kind).gaveUp
	})
}

// coped reports whether the trace says that the program ended well.
func (d *drafter) coped() bool {
	root := d.trace.roots[0]
	if status := statusOf(root); status >= 200 && status < 400 {
		return d.ended() == ""
	}
	for _, k := range root.kids {
		if k.text("scenario.status") == "success" && k.has("scenario.workflow") {
			return d.ended() == ""
		}
	}
	return root.succeeded && d.ended() == ""
}

// cause is the call whose failure was that of the program: where it failed, the
// last that did; nil where it did not.
func (d *drafter) cause() *call {
	if d.ended() == "" {
		return nil
	}
	var last *call
	for _, c := range d.found {
		if c.failed() && (last == nil || c.end() >= last.end()) {
			last = c
		}
	}
	return last
}

// again gives a step its retries, with the waits that were seen, and the limit at
// which it was given up.
func (d *drafter) again(c *call, step *convert.Block) {
	retries := len(c.attempts) - 1
	limit := c.limit()
	if limit > 0 {
		set(step, "timeout", limit.String())
	}
	waits := c.waits()
	if limit > 0 && !c.cutShort() {
		retries++ // it was given up in the wait before it
	}
	if retries == 0 {
		return
	}
	policy := d.policy(c, waits, retries)
	set(step, "retry", convert.Ref("retry."+policy))
	if c.kind != llm {
		set(step, "idempotent", true)
	}
}

// limit is after what time the whole call was given up, 0 where it was not.
func (c *call) limit() time.Duration {
	s := c.within
	if s == nil || !s.broken() || s.text("error.type") != "timeout" && !slices.ContainsFunc(s.words(), isTimeout) {
		return 0
	}
	if s.end-c.end() < int64(time.Millisecond) && !c.cutShort() {
		return 0
	}
	if last := c.attempts[len(c.attempts)-1]; len(c.attempts) == 1 && c.cutShort() && !last.cutOff() {
		return 0 // the attempt itself says it
	}
	return round(time.Duration(s.end - s.start))
}

func isTimeout(word string) bool {
	for _, s := range signs {
		if s.fault == "timeout" {
			return s.words().MatchString(word)
		}
	}
	return false
}

// cutShort reports whether the limit ended the last attempt, and not a wait.
func (c *call) cutShort() bool { return c.attempts[len(c.attempts)-1].ending(c.kind).gaveUp }

// waits are those before the retries, as far as they were seen.
func (c *call) waits() []time.Duration {
	var list []time.Duration
	for i := 1; i < len(c.attempts); i++ {
		list = append(list, c.wait(i))
	}
	if c.within != nil {
		// A wait that was cut off has no attempt behind it.
		if planned := plannedWaits(c.within); len(planned) > len(list) {
			return planned
		}
	}
	return list
}

// wait is that before an attempt.
func (c *call) wait(i int) time.Duration {
	return round(max(0, time.Duration(c.attempts[i].start()-c.attempts[i-1].end())))
}

func plannedWaits(s *span) []time.Duration {
	var list []time.Duration
	for _, e := range s.events {
		if e.name == "retry_wait" {
			list = append(list, round(time.Duration(decimal(textIn(e.attrs, "delay_ns")))))
		}
	}
	return list
}

// policy finds or makes the policy that waits so.
func (d *drafter) policy(c *call, waits []time.Duration, retries int) string {
	b := d.fit(c, waits)
	set(b, "max_retries", retries)
	if list := c.retriedOn(); list != nil {
		set(b, "retry_on", list)
	}
	return d.declare(b, c)
}

// declare is the name of a policy, which is declared where there is none like it.
func (d *drafter) declare(b *convert.Block, c *call) string {
	for _, known := range d.retries {
		if sameBlock(known, b) {
			return known.Labels[1]
		}
	}
	name := "like_" + c.name
	if slices.ContainsFunc(d.retries, func(known *convert.Block) bool { return known.Labels[1] == name }) {
		name = "around_" + c.name
	}
	b.Labels = append(b.Labels, name)
	d.retries = append(d.retries, b)
	return b.Labels[1]
}

func sameBlock(a, b *convert.Block) bool {
	if a.Labels[0] != b.Labels[0] || len(a.Attrs) != len(b.Attrs) {
		return false
	}
	for i := range a.Attrs {
		one, isText := a.Attrs[i].Value.([]any)
		other, _ := b.Attrs[i].Value.([]any)
		if a.Attrs[i].Name != b.Attrs[i].Name || isText && !slices.Equal(one, other) || !isText && a.Attrs[i].Value != b.Attrs[i].Value {
			return false
		}
	}
	return true
}

// fit is the policy that the waits are those of: doubling, growing evenly, or all
// alike. Those that the service asked for say nothing of it.
func (d *drafter) fit(c *call, waits []time.Duration) *convert.Block {
	own, ignored := c.ownWaits(waits)
	b := &convert.Block{Type: "retry", Labels: []string{"linear"}}
	switch {
	case len(own) == 0:
		set(b, "delay", "0s")
	case alike(own):
		set(b, "delay", own[0].String())
	case grows(own) > 1:
		b.Labels[0] = "exponential"
		set(b, "base", own[0].String())
		if by := grows(own); by != 2 {
			set(b, "multiplier", by)
		}
	case evenly(own) > 0:
		set(b, "delay", own[0].String())
		set(b, "increment", evenly(own).String())
	default:
		var sum time.Duration
		for _, w := range own {
			sum += w
		}
		set(b, "delay", round(sum/time.Duration(len(own))).String())
		d.unsaid("how long the program waits before a retry: the mean of what was seen stands for it", c.name)
	}
	if ignored {
		set(b, "respect_retry_after", false)
	}
	return b
}

// ownWaits are the waits that the program chose; ignored says that it waited
// shorter than it was told.
func (c *call) ownWaits(waits []time.Duration) (own []time.Duration, ignored bool) {
	asked := make([]time.Duration, len(waits))
	for i := range waits {
		if i >= len(c.attempts) {
			continue
		}
		s := c.attempts[i].span
		asked[i] = time.Duration(decimal(s.text("http.response.header.retry-after", "http.response.header.retry_after")) * float64(time.Second))
		if millis := s.text("http.response.header.retry-after-ms", "http.response.header.retry_after_ms"); millis != "" {
			asked[i] = time.Duration(decimal(millis) * float64(time.Millisecond))
		}
		ignored = ignored || waits[i] < asked[i]
	}
	for i, w := range waits {
		if ignored || asked[i] == 0 || w > asked[i]+asked[i]/10 {
			own = append(own, w)
		}
	}
	return own, ignored
}

// near reports whether two waits are the same but for what a machine adds.
func near(a, b time.Duration) bool {
	diff := max(a, b) - min(a, b)
	return diff <= max(5*time.Millisecond, max(a, b)/20)
}

func alike(list []time.Duration) bool {
	return !slices.ContainsFunc(list, func(w time.Duration) bool { return !near(w, list[0]) })
}

// grows is the factor by which each wait is longer than the one before it, 0 where
// there is none.
func grows(list []time.Duration) int {
	for _, by := range []int{2, 3, 4, 5, 10} {
		fits := true
		for i := 1; i < len(list); i++ {
			fits = fits && list[i-1] > 0 && near(list[i], list[i-1]*time.Duration(by))
		}
		if fits {
			return by
		}
	}
	return 0
}

func evenly(list []time.Duration) time.Duration {
	step := list[1] - list[0]
	for i := 1; i < len(list); i++ {
		if step <= 0 || !near(list[i]-list[i-1], step) {
			return 0
		}
	}
	return step
}

// retriedOn are the failures after which a retry came, where the usual taxonomy
// would not retry one of them; nil where it would.
func (c *call) retriedOn() []any {
	var list []any
	unusual := false
	for i, a := range c.attempts {
		e := a.ending(c.kind)
		if i == len(c.attempts)-1 && !(c.limit() > 0 && !c.cutShort()) {
			break
		}
		word := ""
		switch {
		case e.fault == convert.StatusFault:
			word = itoa(e.status)
			unusual = unusual || !(e.status == 408 || e.status == 429 || e.status >= 500 && e.status != 501 && e.status != 505)
		case e.fault == "timeout":
			word = "timeout"
		case strings.HasPrefix(e.fault, "connection_"), e.fault == "dns_error", e.fault == "tls_error":
			word = "connection"
		case e.fault == convert.CutFault:
			word = "stream_interrupted"
		case e.fault == "malformed_response":
			word = "malformed_response"
		case e.fault == "error":
			word, unusual = "exception", true
		case e.fault == "db_error":
			word, unusual = "db_error", true
		case e.fault == "tool_error":
			word, unusual = "tool_error", true
		}
		if word != "" && !slices.Contains(list, any(word)) {
			list = append(list, word)
		}
	}
	if !unusual {
		return nil
	}
	return list
}
