package bench

import (
	"reflect"
	"strings"
	"testing"
)

// CG9: a score is one object with exactly its fields, in their ranges.
func TestParseScoreTakesNothingElse(t *testing.T) {
	good := `{"passed": true, "score": 0.5, "breakdown": {"k": 1e-3}, "failure_modes": [{"code": "a", "severity": "warn", "detail": null}], "cost_usd": 0.25}`
	s, err := ParseScore([]byte(" " + good + "\n"))
	want := Score{Passed: true, Score: 0.5, Breakdown: map[string]float64{"k": 1e-3}, FailureModes: []FailureMode{{Code: "a", Severity: "warn"}}, CostUSD: 0.25}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, %v", s, err)
	}
	for text, why := range map[string]string{
		"":                                             "empty",
		"null":                                         "no JSON object",
		"[]":                                           "no JSON object",
		`{"passed": true}`:                             "needs passed",
		`{"score": 1}`:                                 "needs passed",
		`{"passed": null, "score": 1}`:                 "needs passed",
		`{"passed": true, "score": NaN}`:               "no JSON object",
		`{"passed": true, "score": Infinity}`:          "no JSON object",
		`{"passed": true, "score": 1e999}`:             `"score" of the score is wrong`,
		`{"passed": true, "score": 1.01}`:              "from 0 to 1",
		`{"passed": true, "score": -0.01}`:             "from 0 to 1",
		`{"passed": "yes", "score": 1}`:                `"passed" of the score is wrong: "yes"`,
		`{"passed": true, "score": "1"}`:               `"score" of the score is wrong`,
		`{"Passed": true, "score": 1}`:                 `no field "Passed"`,
		`{"passed": true, "score": 1, "x": 1}`:         `no field "x"`,
		good + good:                                    "more than one",
		good + "trailing":                              "more than one",
		`{"passed": true, "score": 1, "cost_usd": -1}`: "cannot be negative",
		`{"passed": true, "score": 1, "breakdown": {"k": "1"}}`:                                                       `"breakdown" of the score`,
		`{"passed": true, "score": 1, "failure_modes": {}}`:                                                           "not a list",
		`{"passed": true, "score": 1, "failure_modes": [{}]}`:                                                         "needs a code",
		`{"passed": true, "score": 1, "failure_modes": [{"code": 1}]}`:                                                "not a list",
		`{"passed": true, "score": 1, "failure_modes": [{"code": "a", "x": "b"}]}`:                                    `no field "x"`,
		`{"passed": true, "score": 1, "failure_modes": [{"code": "a", "severity": "fatal"}]}`:                         `severity "fatal"`,
		`{"passed": true, "score": 1, "failure_modes": [` + strings.Repeat(`{"code": "a"},`, 500) + `{"code": "a"}]}`: "100 failure modes",
		strings.Repeat(`{"a":`, 100000) + "1" + strings.Repeat("}", 100000):                                           "nested",
		strings.Repeat("[", 1<<20): "nested",
	} {
		if _, err := ParseScore([]byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.60s: %v, want %q", text, err, why)
		}
	}
}

// Whatever a rubric writes is a score in its ranges or an error.
func FuzzParseScore(f *testing.F) {
	f.Add([]byte(`{"passed": true, "score": 0.5, "breakdown": {"k": 1}, "failure_modes": [{"code": "a"}], "cost_usd": 1}`))
	f.Add([]byte(`{"passed": true, "score": NaN}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseScore(text)
		if err == nil && (s.Score < 0 || s.Score > 1 || s.CostUSD < 0 || len(s.FailureModes) > maxModes) {
			t.Errorf("%q: %+v", text, s)
		}
	})
}
