package failure

import "testing"

// The hint follows the share of completed steps at 0, 0.5 and 0.9 (CU4, §7).
func TestCU4Partial(t *testing.T) {
	retryable, final := &Failure{Retryable: true}, &Failure{}
	for _, tc := range []struct {
		p           Partial
		ratio       float64
		hint        string
		recoverable bool
	}{
		{Partial{}, 0, "retry_all", false},
		{Partial{Failed: 2}, 0, "retry_all", false},
		{Partial{Completed: 2, Failed: 1}, 2.0 / 3, "resume_from_checkpoint", true},
		{Partial{Completed: 1, Failed: 1, Skipped: 1, Remaining: 1}, 0.25, "retry_with_backoff", true},
		{Partial{Completed: 1, Failed: 1}, 0.5, "resume_from_checkpoint", true},
		{Partial{Completed: 9, Failed: 1}, 0.9, "retry_failed", true},
		{Partial{Completed: 27, Remaining: 3}, 0.9, "retry_failed", true},
		{Partial{Completed: 3}, 1, "retry_failed", true},
	} {
		if got := tc.p.Ratio(); got != tc.ratio {
			t.Errorf("%+v: ratio %v, want %v", tc.p, got, tc.ratio)
		}
		if got := tc.p.Hint(); got != tc.hint {
			t.Errorf("%+v: hint %s, want %s", tc.p, got, tc.hint)
		}
		if got := tc.p.Recoverable(retryable); got != tc.recoverable {
			t.Errorf("%+v: recoverable %v, want %v", tc.p, got, tc.recoverable)
		}
		if tc.p.Recoverable(final) || tc.p.Recoverable(nil) {
			t.Errorf("%+v: recoverable without a retryable failure", tc.p)
		}
	}
}
