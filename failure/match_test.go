package failure

import (
	"strings"
	"testing"
)

// A retry_on entry names a status, a class, a kind, a connection's cause or a
// mode, and nothing by accident.
func TestMatches(t *testing.T) {
	limit := Cuga().Classify(Failure{Kind: RateLimit, StatusCode: 429})
	refused := Cuga().Classify(Failure{Kind: Connection, Cause: Refused})
	for _, tc := range []struct {
		f    Failure
		spec string
		want bool
	}{
		{limit, "429", true},
		{limit, "4xx", true},
		{limit, "5xx", false},
		{limit, "42", false},
		{limit, "rate_limit", true},
		{limit, "POLICY_RATE_LIMIT", true},
		{limit, "timeout", false},
		{limit, "", false},
		{refused, "connection", true},
		{refused, "connection.refused", true},
		{refused, "connection.reset", false},
		{refused, "connection.", false},
		{refused, "SYSTEM_NETWORK", true},
		{refused, "000", false},
		{refused, "0xx", false},
		{Failure{}, "", false},
		{Failure{StatusCode: 503}, "5xx", true},
		{Failure{StatusCode: 503}, "503", true},
		{Failure{Kind: Timeout, Cause: Reset}, "connection.reset", false},
	} {
		if got := Matches(tc.f, tc.spec); got != tc.want {
			t.Errorf("Matches(%s %d, %q) = %v", tc.f.Kind, tc.f.StatusCode, tc.spec, got)
		}
	}
}

// An empty list leaves the decision to the taxonomy, any other says all that is
// retried. V16: 400 is not retried by 429, 5xx.
func TestV16MayRetry(t *testing.T) {
	classify := Cuga().Classify
	for _, tc := range []struct {
		f    Failure
		on   []string
		want bool
	}{
		{classify(Failure{Kind: HTTPStatus, StatusCode: 400}), []string{"429", "5xx"}, false},
		{classify(Failure{Kind: HTTPStatus, StatusCode: 503}), []string{"429", "5xx"}, true},
		{classify(Failure{Kind: HTTPStatus, StatusCode: 503}), []string{"429"}, false},
		{classify(Failure{Kind: HTTPStatus, StatusCode: 400}), []string{"400"}, true},
		{classify(Failure{Kind: Timeout}), []string{"429", "5xx"}, false},
		{classify(Failure{Kind: Connection, Cause: Reset}), []string{"429", "5xx"}, false},
		{classify(Failure{Kind: Timeout}), []string{"429", "timeout"}, true},
		{classify(Failure{Kind: Timeout}), []string{"429", "connection"}, false},
		{classify(Failure{Kind: Validation}), []string{"429"}, false},
		{classify(Failure{Kind: Timeout}), nil, true},
		{classify(Failure{Kind: Validation}), nil, false},
	} {
		if got := MayRetry(tc.f, tc.on); got != tc.want {
			t.Errorf("MayRetry(%s %d, %v) = %v", tc.f.Kind, tc.f.StatusCode, tc.on, got)
		}
	}
}

// What retry_on cannot mean is refused with the nearest name.
func TestValidSpec(t *testing.T) {
	for _, spec := range []string{"429", "5xx", "timeout", "connection", "connection.eof", "SYSTEM_NETWORK", "exception"} {
		if err := Cuga().ValidSpec(spec); err != nil {
			t.Errorf("%q: %v", spec, err)
		}
	}
	for spec, want := range map[string]string{
		"timeot":              `Did you mean "timeout"?`,
		"SYSTEM_NETWROK":      `Did you mean "SYSTEM_NETWORK"?`,
		"connection.refuse":   `Did you mean "connection.refused"?`,
		"SYSTEM_OOM":          "terminal",
		"cancelled":           "never retried",
		"999":                 "no status",
		"":                    "no status",
		"completely unlike":   "no status",
		"internal_error":      "no status",
		"connection.refused.": `Did you mean "connection.refused"?`,
	} {
		if err := Cuga().ValidSpec(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", spec, err, want)
		}
	}
	if err := Routing().ValidSpec("internal_error"); err != nil {
		t.Errorf("a mode of another taxonomy: %v", err)
	}
}
