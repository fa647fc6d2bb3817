package interp

import (
	"strings"
	"testing"
)

// Shows that an entry which answered nothing is told which one answered the last call, but
// where entries are for some calls only: the last one above it need not be that.
func TestWhichEntryAnsweredTheLastCall(t *testing.T) {
	const world = `
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "loop" "poll" {
    max_iterations = 3
    while          = loop.index < 2
    step "http" "check" { path = "/" }
  }
}
scenario "s" {
  run = workflow.w
  on "poll.check" {
    ENTRIES
  }
  assert "thrice" { condition = step.poll.iterations == 3 }
}
`
	for _, c := range []struct {
		entries string
		says    bool
	}{
		{`
    reply {
      times       = 3
      status_code = 200
    }
    fault "http_error" { status_code = 503 }`, true},
		{`
    reply {
      iteration   = 3
      status_code = 200
    }
    reply {
      times       = 2
      status_code = 201
    }
    fault "http_error" { status_code = 503 }`, false},
	} {
		r := Run(mustCompile(t, strings.ReplaceAll(world, "ENTRIES", c.entries))[0], RunOptions{})
		if got := told(r); r.Verdict != Fail || !strings.Contains(got, "of the script") || strings.Contains(got, "answered the last call") != c.says {
			t.Errorf("%s: %s", c.entries, got)
		}
	}
}
