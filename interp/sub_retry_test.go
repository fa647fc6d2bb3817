package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a sub whose target is a workflow is retried after the failures after which a
// step that runs the same workflow is, whatever class the fanout gives them, and that a
// fanout with a taxonomy of its own is asked itself.
func TestSubsAreRetriedAsSteps(t *testing.T) {
	run := func(status int, step string) (retries, said string) {
		asked := map[bool]string{true: "work.it", false: "work"}[strings.Contains(step, "sub")]
		source := fmt.Sprintf(`
provider "http" "api" {
  base_url = "https://api.example"
}
retry "linear" "twice" {
  max_retries = 2
  delay       = "1s"
}
taxonomy "own" {
  mode "again" {
    retryable = true
  }
  mode "never" {}
  detect "again" {
    when  = failure.status_code == 400
    first = true
  }
  detect "never" {
    when  = failure.status_code != 400
    first = true
  }
}
workflow "one" {
  provider = provider.api
  step "http" "get" {
    path = "/"
  }
}
workflow "all" {
%s
}
scenario "s" {
  run = workflow.all
  on "%s" {
    fault "http_error" {
      status_code = %d
    }
    reply {
      status_code = 200
    }
  }
  expect "%s" {
    status = "success"
  }
}
`, step, asked+".get", status, asked)
		r := Run(compileAt(t, "sub.scenario.hcl", source)[0], RunOptions{})
		for _, e := range r.Events {
			if line := string(e.AppendJSON(nil)); strings.Contains(line, `"retry_wait"`) {
				retries += "r"
			}
		}
		for _, p := range r.Problems {
			said += p.Message
		}
		return retries, said
	}
	const workflow = "step \"workflow\" \"work\" {\n run = workflow.one\n retry = retry.twice\n}"
	fanout := func(taxonomy string) string {
		return "step \"fanout\" \"work\" {\n" + taxonomy + " sub \"it\" {\n target = workflow.one\n retry = retry.twice\n }\n}"
	}
	for status, again := range map[int]bool{400: false, 401: false, 404: false, 408: true, 429: true, 500: true, 501: false, 502: true, 503: true, 504: true, 529: true} {
		for _, c := range []struct {
			step, why string
			again     bool
		}{
			{workflow, "", again},
			{fanout(""), "", again},
			{fanout(" taxonomy = taxonomy.own\n"), `, which is "never" in taxonomy "own" of the fanout`, status == 400},
		} {
			want := map[bool]string{true: "r"}[c.again]
			got, said := run(status, c.step)
			if got != want {
				t.Errorf("after %d it is retried %q, want %q: %s", status, got, want, c.step)
			}
			if why := "It was not retried: retry.twice does not repeat such a failure" + c.why + "."; strings.Contains(said, why) == c.again {
				t.Errorf("after %d %s, %q of\n%s", status, said, why, c.step)
			}
		}
	}
}
