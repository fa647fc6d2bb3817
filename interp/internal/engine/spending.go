package engine

import (
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/providers"
)

// spent is what the answers of a run have cost so far.
func (r *run) spent() (usd money.USD, usage providers.Usage) {
	res := &r.Obs.Run
	if r.owner != nil {
		res = r.Obs.Steps[r.owner.Name].Ran
	}
	return res.CostUSD, res.Usage
}

// refusedByBudget says why nothing may be dialled any more, by the budget of
// the run or of one that it is part of, "" when something may.
func (r *run) refusedByBudget() string {
	for ; r != nil; r = r.parent {
		if !r.workflow.Budget.Limited() {
			continue
		}
		usd, usage := r.spent()
		if why := r.workflow.Budget.Refuses(usd, float64(usage.Total)); why != "" {
			return why
		}
	}
	return ""
}

// overBudget fails every run that an answer made cost more than it may spend,
// the inner ones first. What is in flight finishes, and is paid for.
func (r *run) overBudget() {
	for ; r != nil; r = r.parent {
		if r.budget != nil || !r.workflow.Budget.Limited() {
			continue
		}
		usd, usage := r.spent()
		if why := r.workflow.Budget.Exceeded(usd, float64(usage.Total)); why != "" {
			r.budget = r.classified(&failure.Failure{Kind: failure.BudgetExceeded, Stage: failure.Execute, Message: why})
			r.stopping = read.SkippedByBudget
		}
	}
}
