package drive

import (
	"net/http"
	"testing"
)

// The trace of a request is that of a valid traceparent, by W3C Trace Context: of
// the version that is known all of it, of later ones the beginning, and none of
// what is malformed, zero or there twice.
func TestTraceID(t *testing.T) {
	const trace, span = "3f2c9a7e51b84d06a1e7c05d9b64f218", "a40d6e13b9572c8f"
	for value, want := range map[string]string{
		"00-" + trace + "-" + span + "-01":                    trace,
		"00-" + trace + "-" + span + "-00":                    trace,
		" 00-" + trace + "-" + span + "-01\t":                 trace,
		"cc-" + trace + "-" + span + "-01-abc":                trace,
		"cc-" + trace + "-" + span + "-01":                    trace,
		"00-" + trace + "-" + span + "-01-abc":                "",
		"00-" + trace + "-" + span + "-01-":                   "",
		"cc-" + trace + "-" + span + "-01abc":                 "",
		"ff-" + trace + "-" + span + "-01":                    "",
		"00-00000000000000000000000000000000-" + span + "-01": "",
		"00-" + trace + "-0000000000000000-01":                "",
		"00-3F2C9A7E51B84D06A1E7C05D9B64F218-" + span + "-01": "",
		"00-" + trace[1:] + "-" + span + "-01":                "",
		"0-" + trace + "-" + span + "-01":                     "",
		"00" + trace + span + "01":                            "",
		"":                                                    "",
	} {
		h := http.Header{}
		h.Set("traceparent", value)
		if got := traceID(h); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	twice := http.Header{"Traceparent": {"00-" + trace + "-" + span + "-01", "00-" + trace + "-" + span + "-01"}}
	if got := traceID(twice); got != "" {
		t.Errorf("of two: %q", got)
	}
	if got := traceID(http.Header{}); got != "" {
		t.Errorf("of none: %q", got)
	}
}
