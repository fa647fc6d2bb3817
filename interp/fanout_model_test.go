package interp

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

var fanoutRuns = flag.Int("fanouts", 400, "how many random fanouts are compared with the model")

// modelSub is a sub as the model knows it.
type modelSub struct {
	after             []int
	runIf             string
	required          bool
	takes, timeout    int // ms; no timeout is 0
	fails             bool
	target, group     string
	priority          int
	status            string
	started, ended    int
	waiting, underWay bool
}

// modelFanout is a fanout and what becomes of it by the words of its
// specification, without a scheduler: instants are visited one after the other, and no two
// ends ever fall on the same.
type modelFanout struct {
	mode, join, abort string
	subs              []modelSub
	now               int
	struck            bool
}

func (m *modelFanout) play() {
	for i := range m.subs {
		m.subs[i].waiting = true
	}
	for {
		for m.skipOne() {
		}
		for i := range m.subs {
			if s := &m.subs[i]; s.waiting && m.free(s) {
				s.waiting, s.underWay, s.started = false, true, m.now
			}
		}
		next := -1
		for i := range m.subs {
			if m.subs[i].underWay && (next < 0 || m.subs[i].due() < m.subs[next].due()) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		s := &m.subs[next]
		m.now = s.due()
		switch {
		case s.timeout > 0 && s.timeout < s.takes:
			s.end("timeout", m.now)
		case s.fails:
			s.end("failed", m.now)
		default:
			s.end("success", m.now)
		}
		m.police(s)
	}
}

func (s *modelSub) due() int {
	if s.timeout > 0 {
		return s.started + min(s.takes, s.timeout)
	}
	return s.started + s.takes
}

func (s *modelSub) end(status string, at int) {
	s.status, s.ended, s.waiting, s.underWay = status, at, false, false
}

// free reports whether all that a sub waits for has ended.
func (m *modelFanout) free(s *modelSub) bool {
	return !slices.ContainsFunc(s.after, func(i int) bool { return m.subs[i].status == "" })
}

// skipOne skips the first sub whose run_if is not met.
func (m *modelFanout) skipOne() bool {
	for i := range m.subs {
		s := &m.subs[i]
		if !s.waiting || !m.free(s) {
			continue
		}
		accepts := map[string]string{"completed": "success failed timeout skipped", "success": "success"}[s.runIf]
		for _, d := range s.after {
			if s.runIf != "always" && !strings.Contains(accepts, m.subs[d].status) {
				s.end("skipped", m.now)
				m.police(s)
				return true
			}
		}
	}
	return false
}

// police ends the fanout where a sub's end is what a policy is for.
func (m *modelFanout) police(s *modelSub) {
	failed := s.status == "failed" || s.status == "timeout" || s.status == "skipped" && s.required
	strikes := s.status == "success" && m.join == "first_success" ||
		failed && m.abort == "on_any_failure" || failed && s.required && m.abort == "on_required_failure"
	if !strikes || m.struck {
		return
	}
	m.struck = true
	for i := range m.subs {
		switch s := &m.subs[i]; {
		case s.waiting:
			s.end("aborted", m.now)
		case s.underWay:
			s.end("cancelled", m.now)
		}
	}
}

// source is the fanout as a file.
func (m *modelFanout) source() string {
	var b strings.Builder
	b.WriteString(`
workflow "one" {
  inputs = { takes = null, word = null }
  output = step.end.output
  step "wait" "work" { for = input.takes }
  step "value" "end" {
    depends_on = [step.work]
    value      = tonumber(input.word)
  }
}
workflow "other" {
  inputs = { takes = null, word = null }
  output = step.end.output
  step "wait" "work" { for = input.takes }
  step "value" "end" {
    depends_on = [step.work]
    value      = tonumber(input.word)
  }
}
workflow "w" {
  step "fanout" "f" {
`)
	fmt.Fprintf(&b, "    mode = %q\n    join = %q\n    abort = %q\n", m.mode, m.join, m.abort)
	for i := range m.subs {
		s := &m.subs[i]
		word := fmt.Sprint(i)
		if s.fails {
			word = "no"
		}
		fmt.Fprintf(&b, "    sub \"s%d\" {\n      target = workflow.%s\n      arguments = { takes = \"%dms\", word = %q }\n      required = %t\n      run_if = %q\n      depends_on = [", i, s.target, s.takes, word, s.required, s.runIf)
		for n, d := range s.after {
			if n > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "\"s%d\"", d)
		}
		b.WriteString("]\n")
		if s.timeout > 0 {
			fmt.Fprintf(&b, "      timeout = \"%dms\"\n", s.timeout)
		}
		if s.group != "" {
			fmt.Fprintf(&b, "      group = %q\n      priority = %d\n", s.group, s.priority)
		}
		b.WriteString("    }\n")
	}
	b.WriteString("  }\n}\nscenario \"s\" {\n  run = workflow.w\n  expect \"run\" { status = \"success\" }\n  assert \"read\" {\n    condition = fanout.f.subs != [] && fanout.f.aggregate != \"\"\n  }\n}\n")
	return b.String()
}

// shown lists the targets of the subs that the aggregate must speak of, in
// order.
func (m *modelFanout) shown() []string {
	var list []string
	for i, s := range m.subs {
		beaten := slices.ContainsFunc(m.subs, func(o modelSub) bool {
			return s.group != "" && o.group == s.group && (o.priority > s.priority || o.priority == s.priority && o.target < s.target)
		})
		for j := range i { // of one target the first by id, which is the first declared
			o := m.subs[j]
			beaten = beaten || s.group != "" && o.group == s.group && o.priority == s.priority && o.target == s.target
		}
		switch {
		case beaten:
		case s.status == "success":
			list = append(list, fmt.Sprintf("[%s] %d", s.target, i))
		default:
			class := map[string]string{"failed": "validation_error", "skipped": "validation_error"}[s.status]
			if class == "" {
				class = s.status
			}
			list = append(list, fmt.Sprintf("[%s] (unavailable: %s: ", s.target, class))
		}
	}
	return list
}

func randomFanout(r *rand.Rand) *modelFanout {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	m := &modelFanout{mode: pick("parallel", "ordered", "conditional"), join: pick("wait_for_all", "wait_for_all", "first_success"), abort: pick("continue", "on_required_failure", "on_any_failure")}
	for i := range 1 + r.IntN(7) {
		s := modelSub{
			runIf: pick("always", "completed", "success"), required: r.IntN(3) > 0, takes: 1 + r.IntN(1<<20), fails: r.IntN(3) == 0,
			target: pick("one", "other"), group: pick("", "", "g", "h"), priority: r.IntN(2),
		}
		if r.IntN(4) == 0 {
			s.timeout = 1 + r.IntN(1<<20)
		}
		for d := range i {
			if r.IntN(3) == 0 {
				s.after = append(s.after, d)
			}
		}
		m.subs = append(m.subs, s)
	}
	return m
}

// Random fanouts end as a small model says that reads the rules one after the
// other: which subs ran, when, and how they ended, what the text of all speaks
// of, and that exactly those which began have a row.
func TestFanoutModel(t *testing.T) {
	seen := map[string]int{}
	for seed := range *fanoutRuns {
		m := randomFanout(rand.New(rand.NewPCG(7, uint64(seed))))
		m.play()
		r := engine.NewRun(plan.Inside(mustCompile(t, m.source())[0]), RunOptions{}, nil)
		if err := r.Play(); err != nil {
			t.Fatal(err)
		}
		rows := map[string]bool{}
		for _, e := range r.Log.Events() {
			if e.Type == "route" {
				rows[e.Text("sub")] = true
			}
		}
		for i := range m.subs {
			want, got := &m.subs[i], r.Obs.Steps[fmt.Sprintf("f.s%d", i)]
			seen[want.status]++
			began := want.status != "skipped" && want.status != "aborted"
			if got.Status != want.status || got.Began != began || began && (got.Started.Milliseconds() != int64(want.started) || got.Ended.Milliseconds() != int64(want.ended)) {
				t.Errorf("seed %d, sub %d: %s from %s to %s, the model says %s from %dms to %dms\n%s", seed, i, got.Status, got.Started, got.Ended, want.status, want.started, want.ended, m.source())
			}
			if rows[fmt.Sprintf("s%d", i)] != began {
				t.Errorf("seed %d, sub %d: it began is %t, and it has a row is %t", seed, i, began, !began)
			}
		}
		m.compareAggregate(t, seed, r.Obs.Steps["f"].Output)
		if t.Failed() {
			return
		}
	}
	for _, status := range []string{"success", "failed", "timeout", "skipped", "aborted", "cancelled"} {
		if seen[status] < *fanoutRuns/20 {
			t.Errorf("only %d subs ended as %s, which shows little", seen[status], status)
		}
	}
}

func (m *modelFanout) compareAggregate(t *testing.T, seed int, v cty.Value) {
	parts, shown := strings.Split(v.AsString(), "\n\n"), m.shown()
	if len(shown) == 1 {
		return // one answer stands alone, without its target
	}
	if len(parts) != len(shown) {
		t.Errorf("seed %d: the aggregate has %d parts, not %d:\n%s", seed, len(parts), len(shown), v.AsString())
		return
	}
	for i, p := range parts {
		if !strings.HasPrefix(p, shown[i]) {
			t.Errorf("seed %d: part %d is %q, not %q", seed, i, p, shown[i])
		}
	}
}
