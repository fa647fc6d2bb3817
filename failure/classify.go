package failure

// The names of the rules that stand outside every table.
const (
	RuleExplicit  = "explicit"
	RuleCancelled = "cancelled"
	RuleDefault   = "default"
	// RuleRunTimeout decides for a workflow that ran out of time with
	// completed steps.
	RuleRunTimeout = "workflow timeout with completed steps"
)

// Classify returns f with Mode, Rule and Retryable set. A mode that is already
// there was chosen by the scenario and wins; a cancellation never gets one,
// because it propagates. What this taxonomy has classified before comes back
// unchanged, so that a policy's own decision about Retryable survives.
func (t *Taxonomy) Classify(f Failure) Failure {
	if f.Kind == Cancelled {
		f.Mode, f.Rule, f.Retryable = nil, RuleCancelled, false
		return f
	}
	if f.Mode != nil && (f.Rule == "" || f.Rule == RuleExplicit) {
		return f.as(f.Mode, RuleExplicit)
	}
	if f.Mode != nil && f.Mode == t.Lookup(f.Mode.Code) {
		return f
	}
	return f.as(t.decide(&f))
}

// ClassifyRunTimeout classifies the failure of a workflow that ran into its
// own timeout after completed of its steps had succeeded.
func (t *Taxonomy) ClassifyRunTimeout(f Failure, completed int) Failure {
	if partial := t.Lookup("PARTIAL_TIMEOUT"); completed > 0 && f.Mode == nil && partial != nil {
		return f.as(partial, RuleRunTimeout)
	}
	return t.Classify(f)
}

func (f Failure) as(m *Mode, rule string) Failure {
	f.Mode, f.Rule, f.Retryable = m, rule, m.Retryable
	return f
}

func (t *Taxonomy) decide(f *Failure) (*Mode, string) {
	for i := range t.first {
		if r := &t.first[i]; r.Match(f) {
			return t.Lookup(r.Mode), r.Name
		}
	}
	for i := range t.typed {
		if r := &t.typed[i]; r.kind == f.Kind && (r.match == nil || r.match(f)) {
			return t.Lookup(r.mode), r.name
		}
	}
	for i := range t.detect {
		if r := &t.detect[i]; r.Match(f) {
			return t.Lookup(r.Mode), r.Name
		}
	}
	return t.rest, RuleDefault
}
