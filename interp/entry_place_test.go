package interp

import (
	"strings"
	"testing"
)

// A message about an entry of a list points at the entry; where the list is not written
// out, at what is written in its place.
func TestEntriesArePointedAt(t *testing.T) {
	for _, c := range []struct{ old, typed, at string }{
		{`max_retries = 1`, `retry_on = ["5xx", "timeouts"]`, `"timeouts"`},
		{`{ threshold = 3 }`, "{\n  threshold = 3\n  ignore = [\"cancelled\", \"ratelimit\"]\n}", `"ratelimit"`},
		{`{ threshold = 3 }`, "{\n  threshold = 3\n  ignore = concat([\"cancelled\"], [\"ratelimit\"])\n}", `concat(["cancelled"], ["ratelimit"])`},
		{`run = workflow.w`, "run = workflow.w\n  allow = [\"unused_reply\", \"unfired_fualt\"]", `"unfired_fualt"`},
		{`run = workflow.w`, "run = workflow.w\n  cassette {\n    path = \"none.yaml\"\n    ignore = [\"body.a\", \"model\"]\n  }", `"model"`},
		{`run = workflow.w`, "run = workflow.w\n  cassette {\n    path = \"none.yaml\"\n    redact { patterns = [\"a+\", \"b(\"] }\n  }", `"b("`},
		{`run = workflow.w`, "run = workflow.w\n  sut {\n    command = [\"x\"]\n    allow_hosts = [\"a:1\", \"b\"]\n  }", `"b"`},
	} {
		src := strings.Replace(habitWorld, c.old, c.typed, 1)
		_, diags := compileText(src)
		found := ""
		for _, d := range diags {
			if d.Subject != nil {
				found += string(d.Subject.SliceBytes([]byte(src))) + "\n"
			}
		}
		if !strings.Contains("\n"+found, "\n"+c.at+"\n") {
			t.Errorf("%s: pointed at %s, want %s: %v", c.typed, found, c.at, diags)
		}
	}
}
