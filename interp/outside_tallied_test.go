package interp

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// tallies is a program with a histogram of three values that add up to 10.
type tallies struct{ spoken }

func (tallies) Metric(name string, _ map[string]any) (float64, error) {
	return map[string]float64{"orders.wait": 3, "breaker.state": 1}[name], nil
}

// Shows that an upper limit on how many values a histogram of a program has is told of, however it is
// written, and so is a comparison with what no count is; and that one on the sum is not, nor where a count
// is meant: where it is called so, has to be a number, or is limited from below. Of other metrics
// nothing is told.
func TestLimitsOnCountsOfAHistogram(t *testing.T) {
	for condition, told := range map[string]bool{
		`sut.metric("orders.wait") < 5`:                                             true,
		`sut.metric("orders.wait", { queue = "fast" }) <= 5`:                        true,
		`5000 > sut.metric("orders.wait") * 1000`:                                   true,
		`sut.metric("orders.wait") / 1000 < 5`:                                      true,
		`!(sut.metric("orders.wait") > 5)`:                                          true,
		`sut.metric("orders.wait") > 0.5`:                                           true,
		`sut.exit_code == 0 && floor(sut.metric("orders.wait")) < 5`:                true,
		`alltrue([for m in sut.metrics("orders.wait") : m.value < 5])`:              true,
		`sut.metrics("orders.wait")[0].value < 5`:                                   true,
		`[for m in sut.metrics("orders.wait") : m if m.value > 5] == []`:            true,
		`sut.metric("orders.wait") == 3`:                                            false,
		`sut.metric("orders.wait") >= 1`:                                            false,
		`sut.metrics("orders.wait")[0].value >= 1`:                                  false,
		`sum([for m in sut.metrics("orders.wait") : m.sum]) < 50`:                   false,
		`sum([for m in sut.metrics("orders.wait") : m.count]) < 5`:                  false,
		`sut.metrics("orders.wait")[0].sum / sut.metric("orders.wait") < 5`:         false,
		`sut.metric("breaker.state") < 5`:                                           false,
		`alltrue([for m in sut.metrics("breaker.state") : m.value < 5])`:            false,
		`sut.metric("breaker.state") == 1 && sut.metric("orders.wait") - 1.5 > 0.1`: false,
	} {
		p := compileAt(t, "said.scenario.hcl", "provider \"openai\" \"llm\" {}\nscenario \"s\" {\n  sut {}\n  assert \"a\" { condition = "+condition+" }\n}\n")[0]
		var list []Problem
		var r *Result
		synctest.Test(t, func(*testing.T) {
			o := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec, Said: tallies{}})
			o.Started(0)
			o.Ready()
			time.Sleep(time.Second)
			code := 0
			o.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second})
			r, _ = o.Finish("")
			list = o.Elsewhere(r)
		})
		const says = "it limits how many values the histogram \"orders.wait\" has, here 3, and not how large they are, together 10"
		if r.Verdict != Pass || (len(list) == 1 && strings.Contains(list[0].Message, says)) != told || len(list) > 1 {
			t.Errorf("%s: %s, told %v and not %t:\n%s", condition, r.Verdict, list, told, problems(r))
		}
	}
}
