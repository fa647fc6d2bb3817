package given

import (
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/policy"
)

// Waits are the attributes that say how long the policy of a step waited.
var Waits = []string{"delays_ms", "gap_ms"}

// OfUncapped begins to say that a limit on waits shows nothing.
const OfUncapped = "it holds whatever the first wait and the multiplier are: "

// A ceiling is the longest wait that a policy allows and that no wait of a run came near.
type ceiling struct {
	what string
	most time.Duration
}

// Uncapped says why an upper limit on the waits between attempts shows nothing: the policy allows
// none that is longer, and no wait of the run was cut short by that. So neither another policy
// with this max_delay would break it, nor this one without. "" where it shows something. holds and
// fails are those of [File.Enough].
func (f *File) Uncapped(ctx *hcl.EvalContext, holds, fails func(at func(hcl.Traversal) cty.Value) bool) string {
	if f.p.Instances > 1 {
		return ""
	}
	var widest ceiling
	unknown := false
	all := func(ms func(ceiling) float64) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			steps, names := []*observe.StepResult{f.o.StepAt(path)}, Waits
			switch root := path.RootName(); {
			case root == "steps":
				steps = f.o.Order
			case root != "step" || steps[0] == nil:
				return cty.DynamicVal
			}
			var of ceiling
			for _, s := range steps {
				now, is := f.capOf(s)
				if !is {
					unknown = unknown || len(s.Delays) > 0
					continue
				}
				if !NeverRefused(s.Step) {
					names = Waits[:1] // other targets, and policies, make gaps of their own
				}
				if now.most > of.most {
					of = now
				}
			}
			v, diags := path.TraverseAbs(ctx)
			if diags.HasErrors() || of.most == 0 {
				return cty.DynamicVal
			}
			if of.most > widest.most {
				widest = of
			}
			return with(v, lastOf(path), names, cty.NumberFloatVal(ms(of)))
		}
	}
	for _, share := range []float64{1, 0, 0.3} {
		if !holds(all(func(c ceiling) float64 { return share * float64(c.most) / 1e6 })) || unknown || widest.most == 0 {
			return ""
		}
	}
	if !fails(all(func(ceiling) float64 { return longGap })) {
		return ""
	}
	return OfUncapped + widest.what
}

// capOf is the cap of the waits of a step, also of those that the service asked for, none where one
// of them was cut short by it.
func (f *File) capOf(s *observe.StepResult) (ceiling, bool) {
	r := s.Step.Retry
	if !f.plays(s.Step) || len(s.Delays) == 0 || r.Backoff.Linear || r.Backoff.Base == 0 {
		return ceiling{}, false
	}
	longest := r.Backoff.Uncapped(len(s.Delays))
	if longest > r.Backoff.MaxDelay {
		return ceiling{}, false
	}
	most := longestOf(r.Backoff)
	asked := r.MaxRetryAfter // a longer one ends the call
	if r.RetryAfterCap > 0 {
		asked = r.RetryAfterCap
	}
	for _, a := range s.Asked() {
		if r.RespectRetryAfter && a.End != nil && a.End.Failed != nil && a.End.RetryAfter != nil {
			if *a.End.RetryAfter > asked {
				return ceiling{}, false
			}
			most = max(most, r.Spread(asked, 1))
		}
	}
	const never = "so the limit is never met and shows nothing here.\nhint: "
	if most > longestOf(r.Backoff) {
		return ceiling{fmt.Sprintf("the service asked for no longer wait than retry.%s allows, which is %s, %slet it ask for a longer one; or say with == how long each wait is", r.Name, asked, never), most}, true
	}
	n := len(s.Delays)
	for n < min(r.MaxRetries, beyond) && r.Backoff.Uncapped(n) <= r.Backoff.MaxDelay {
		n++
	}
	hint := "give it a max_delay that cuts one short"
	if r.Backoff.Uncapped(n) > r.Backoff.MaxDelay {
		hint = fmt.Sprintf("let so many attempts fail that it cuts a wait short, such as times = %d", n)
	}
	return ceiling{fmt.Sprintf("none of the waits was cut short by the max_delay of retry.%s, which is %s, as the longest is %s without it, %s%s; or say with == how long each wait is", r.Name, r.Backoff.MaxDelay, longest, never, hint), most}, true
}

// longestOf is the longest wait of a policy by itself.
func longestOf(b policy.Backoff) time.Duration {
	b.Base = b.MaxDelay
	_, most := b.Range(1)
	return most
}
