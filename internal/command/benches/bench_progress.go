package benches

import (
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/money"
)

// A benchProgress line shows on a terminal how far a bench is.
type benchProgress struct {
	cli.Progress
	total, done, running int
	cost                 money.USD
}

func (s *benchSession) benchProgress(p *interp.Plan, l *benchLog) *benchProgress {
	spec, _ := p.Bench()
	total := len(p.BenchCases()) * spec.Trials
	return &benchProgress{Progress: *s.ProgressOn(s.Stderr, total, "trials"), total: total}
}

func (p *benchProgress) started(string, int) {
	p.running++
	p.draw()
}

func (p *benchProgress) ended(t trial) {
	p.done++
	p.running--
	p.cost = p.cost.Plus(money.Of(t.CostUSD))
	p.draw()
}

// draw draws the line, unless it was drawn just before.
func (p *benchProgress) draw() {
	if p.W == nil {
		return
	}
	now := p.Watch.Elapsed()
	if now-p.Last < cli.RedrawEvery {
		return
	}
	fmt.Fprintf(p.W, "\r\x1b[K%d of %d done, %d running, $%.2f%s", p.done, p.total, p.running, p.cost.Float64(), left(now, p.done, p.total))
	p.Drawn, p.Last = true, now
}

// left is how long the rest will take at the pace so far.
func left(elapsed time.Duration, done, total int) string {
	if done == 0 || done >= total {
		return ""
	}
	rest := time.Duration(float64(elapsed) / float64(done) * float64(total-done))
	return ", " + rest.Round(time.Second).String() + " left"
}
