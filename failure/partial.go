package failure

// A Partial counts what became of the steps of a run that may have stopped
// half way. Steps that were never meant to run, unused fallbacks and
// those skipped by `when`, belong to none of the counts.
type Partial struct {
	Completed, Failed, Skipped, Remaining int
}

// Ratio is the share of the run's steps that completed, 0 where there is none.
func (p Partial) Ratio() float64 {
	all := p.Completed + p.Failed + p.Skipped + p.Remaining
	if all <= 0 {
		return 0
	}
	return float64(p.Completed) / float64(all)
}

// Recoverable reports whether going on from here makes sense: something is
// done, and what stopped the run may be tried again. err is the run's failure,
// nil where there is none.
func (p Partial) Recoverable(err *Failure) bool {
	return err != nil && err.Retryable && p.Ratio() > 0
}

// Hint names the recovery that fits the share of completed steps.
func (p Partial) Hint() string {
	switch ratio := p.Ratio(); {
	case ratio >= 0.9:
		return "retry_failed"
	case ratio >= 0.5:
		return "resume_from_checkpoint"
	case ratio > 0:
		return "retry_with_backoff"
	}
	return "retry_all"
}
