package cover

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/trace"
)

// A waited is a retry policy with its limits on waits, nil for those that it does not have.
type waited struct {
	policy        *policy.Retry
	maxDelay, cap *plan.Setting
}

// retry notes the limits of the policy of a step.
func (s *settings) retry(step string, r *policy.Retry) {
	if r.Name == "" {
		return
	}
	w := s.waits[r.Name]
	if w == nil {
		of := fmt.Sprintf("retry %q", r.Name)
		w = &waited{policy: r}
		b := &r.Backoff
		w.maxDelay = s.add(!b.Linear && slices.Contains(r.Limits, "max_delay"), of, "max_delay", b.MaxDelay, "none of the waits was cut short by it", hintOfMaxDelay(r))
		w.cap = s.add(slices.Contains(r.Limits, "retry_after_cap"), of, "retry_after_cap", r.RetryAfterCap, "no server asked for a longer wait", "let a server ask for a longer one, and say how long the wait is")
		s.waits[r.Name] = w
	}
	s.retried[step] = w
}

func hintOfMaxDelay(r *policy.Retry) string {
	const most = 64 // waits that have not come to it by then hardly grow
	for n := 1; n <= min(r.MaxRetries, most); n++ {
		if r.Backoff.Uncapped(n) > r.Backoff.MaxDelay {
			return fmt.Sprintf("let %d attempts fail, and say how long the last wait is", n)
		}
	}
	return fmt.Sprintf("with max_retries = %d no wait comes to it: give it a shorter one, or allow more retries", r.MaxRetries)
}

// waitedFor notes a wait before a retry.
func (s *settings) waitedFor(x *event.RetryWait) {
	w := s.waits[x.Policy]
	if w == nil {
		return
	}
	near(w.maxDelay)
	if w.policy.Backoff.Uncapped(x.Retry) > w.policy.Backoff.MaxDelay {
		part(w.maxDelay)
	}
}

// asked notes the wait that a server asks for.
func (s *settings) asked(step string, x *event.AttemptEnd) {
	w := s.retried[step]
	if w == nil || x.Failed == nil || x.Failed.RetryAfter == nil {
		return
	}
	near(w.cap)
	if *x.Failed.RetryAfter > w.policy.RetryAfterCap {
		part(w.cap)
	}
}

// spends notes what a call may cost of the tokens of a minute. A trace does not say what it was
// taken to cost. It is not more than its whole body and the tokens that it lets the model answer
// with, so a call that comes as long as there are so many waited for none.
func (g *guarded) spends(e *trace.Event, x *event.AttemptStart) {
	if g.tokens == nil || x.Request == nil || x.Model == "" {
		return
	}
	most := policy.EstimateTokens(answerTokens(x.Body), len(x.Body))
	near(g.tokens)
	g.refill(e.At)
	if g.left < most+1e-6 {
		part(g.tokens)
	}
	g.left -= most
	g.spent[attemptOf(e)] = most
}

// spentOn notes what it did cost, where the answer says so.
func (g *guarded) spentOn(e *trace.Event, x *event.AttemptEnd) {
	at := attemptOf(e)
	most, ok := g.spent[at]
	if !ok {
		return
	}
	delete(g.spent, at)
	if x.Failed == nil && x.Usage.Total > 0 {
		g.refill(e.At)
		g.left = min(g.limit.TokensPerMinute, g.left+most-float64(x.Usage.Total))
	}
}

func (g *guarded) refill(at time.Duration) {
	g.left = min(g.limit.TokensPerMinute, g.left+(at-g.spentAt).Minutes()*g.limit.TokensPerMinute)
	g.spentAt = at
}

// answerTokens is the limit of an answer in a request, in the words of any vendor, 0 for none.
func answerTokens(body string) int {
	for _, name := range []string{`"max_tokens":`, `"max_completion_tokens":`, `"max_output_tokens":`, `"maxOutputTokens":`, `"num_predict":`} {
		if _, rest, found := strings.Cut(body, name); found {
			rest = strings.TrimLeft(rest, " ")
			end := 0
			for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
				end++
			}
			n, _ := strconv.Atoi(rest[:end])
			return n
		}
	}
	return 0
}
