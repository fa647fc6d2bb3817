package schedule

import (
	"fmt"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
)

func (s *Step) find(hint, format string, args ...any) {
	s.Findings = append(s.Findings, Finding{fmt.Sprintf(format, args...), hint})
}

// silences says what a service that never answers does to a step.
func (c *computer) silences(n *plan.Node, out *Step) {
	if never := out.never(); never != nil {
		before := out.Rounds[len(out.Rounds)-2]
		out.find(fmt.Sprintf("give %s more than %s, or the policy shorter waits or fewer retries", out.By, short(never.From)),
			"%s is never reached: it would start at %s at the earliest, and %s ends at %s, in the wait of %s that begins at %s",
			never.name(out), short(never.From), out.By, short(out.Limit), short(never.Low), short(before.From))
	}
	var endless []string
	for _, t := range out.Targets {
		if t.Silent == 0 {
			endless = append(endless, t.Name)
		}
	}
	switch {
	case len(endless) > 0 && out.Limit == 0:
		out.find("attempt_timeout, or a timeout of the step", "nothing ends an attempt that is silent: if target %s stops answering, the step waits for ever", quoted(endless))
	case len(endless) > 0 && (out.Retry.MaxRetries > 0 || len(out.Targets) > 1):
		out.find("an attempt_timeout that leaves time for the next attempt", "one silent attempt uses up all the time: no attempt timeout ends it before %s does at %s, so %s", out.By, short(out.Limit), out.lost())
	case len(out.Rounds) > 1 && out.Rounds[1].SilentNever && !out.Rounds[1].Never:
		out.find("a shorter attempt_timeout", "one silent round uses up all the time: it lasts %s, and %s ends at %s, so no retry follows it", short(out.silentRound()), out.By, short(out.Limit))
	}
}

// lost is what does not follow a silent attempt.
func (s *Step) lost() string {
	var list []string
	if s.Retry.MaxRetries > 0 {
		list = append(list, "no retry")
	}
	if len(s.Targets) > 1 {
		list = append(list, "no other target")
	}
	return strings.Join(list, " and ") + " follows it"
}

func (s *Step) silentRound() time.Duration {
	var d time.Duration
	for _, t := range s.Targets {
		d = added(d, t.Silent)
	}
	return d
}

// never is the first round that begins in no run, nil for none.
func (s *Step) never() *Round {
	for i := range s.Rounds {
		if s.Rounds[i].Never {
			return &s.Rounds[i]
		}
	}
	return nil
}

// servers says where a server may ask for more time than there is.
func (c *computer) servers(out *Step) {
	r := out.Retry
	if r.MaxRetries == 0 || !r.RespectRetryAfter || out.Limit == 0 {
		return
	}
	if told := told(r); told > out.Limit {
		name := "max_retry_after"
		if r.RetryAfterCap > 0 {
			name = "retry_after_cap"
		}
		out.find(fmt.Sprintf("%s below %s: a longer Retry-After then ends the call at once", name, short(out.Limit)),
			"a server may ask for a wait of up to %s (%s), and %s ends at %s: such a wait is never over", short(told), name, out.By, short(out.Limit))
	}
}

// breakers says which breakers a run cannot open.
func (c *computer) breakers() {
	for _, t := range c.targets {
		for _, p := range t.Policies {
			b, ok := p.(*policy.BreakerConfig)
			if !ok {
				continue
			}
			needs := b.Threshold
			if b.WindowCalls > 0 || b.WindowTime > 0 {
				needs = b.MinCalls
			}
			if most := c.dialled[t.Name]; most.Open == "" && most.N < needs && len(c.plan.Actions) == 0 {
				c.of.NeverOpen = append(c.of.NeverOpen, t.Name)
				c.of.Findings = append(c.of.Findings, Finding{
					fmt.Sprintf("the breaker of target %q never opens within one run: that makes at most %d calls there, and it opens after %d", t.Name, most.N, needs),
					"a lower threshold, if one run is what it is there for",
				})
			}
		}
	}
}

func quoted(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(list, ", ")
}

func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// name is what a round is called.
func (r *Round) name(s *Step) string {
	switch {
	case r.N > 1:
		return fmt.Sprintf("retry %d", r.N-1)
	case len(s.Targets) > 1:
		return "round 1"
	}
	return "attempt 1"
}
