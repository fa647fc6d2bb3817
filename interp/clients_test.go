package interp

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// measured are the clients of which the tests of conformance/clients know what they did,
// by their policy of std/clients.
var measured = map[string]string{
	"openai_node": "openai-node", "anthropic_node": "anthropic-node", "openai_go": "openai-go", "anthropic_go": "anthropic-sdk-go", "google_genai_go": "genai",
}

// meetings are faults as those tests call them.
var meetings = map[string]string{
	"s400": `status_code = 400`, "s401": `status_code = 401`, "s403": `status_code = 403`, "s404": `status_code = 404`, "s408": `status_code = 408`,
	"s409": `status_code = 409`, "s413": `status_code = 413`, "s422": `status_code = 422`, "s429": `status_code = 429`,
	"s500": `status_code = 500`, "s502": `status_code = 502`, "s503": `status_code = 503`, "s504": `status_code = 504`, "s529": `status_code = 529`,
	"retry_2":  "status_code = 429\nheaders = { Retry-After = \"2\" }",
	"retry_90": "status_code = 429\nheaders = { Retry-After = \"90\" }",
	"reset":    "", "garbage": "",
}

// Shows that the policies of std/clients do what their clients were measured to do: the
// same number of attempts after each fault, and waits within the band of the client's
// jitter.
func TestClientPoliciesAreThoseOfTheClients(t *testing.T) {
	data, err := os.ReadFile("../conformance/clients/testdata/expected.txt")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`^  (\S+)\s+(\d+)(?: \(([^)]*)\))?: (.*)$`)
	compared, meeting := 0, ""
	for text := range strings.Lines(string(data)) {
		text = strings.TrimRight(text, "\n")
		if text != "" && !strings.HasPrefix(text, " ") {
			meeting = text
			continue
		}
		m := line.FindStringSubmatch(text)
		arguments, known := meetings[meeting]
		if m == nil || !known || arguments == "" || m[4] == "deadline" { // its own limit of 1.5 s
			continue
		}
		for policy, client := range measured {
			if m[1] != client {
				continue
			}
			attempts, waits := triedBy(t, policy, arguments)
			if want, _ := strconv.Atoi(m[2]); attempts != want {
				t.Errorf("%s, %s: %d attempts, the client made %d", policy, meeting, attempts, want)
			}
			if m[3] != "" {
				for i, part := range strings.Split(m[3], ", ") {
					want, err := time.ParseDuration(strings.ReplaceAll(part, " ", ""))
					if err != nil || i >= len(waits) {
						t.Errorf("%s, %s: waits %v, the client %s", policy, meeting, waits, m[3])
						break
					}
					if waits[i] < want*74/100 || waits[i] > want {
						t.Errorf("%s, %s: wait %d is %s, the client waits %s, or a quarter less", policy, meeting, i+1, waits[i], want)
					}
				}
			}
			compared++
		}
	}
	if compared < 60 {
		t.Errorf("only %d were compared", compared)
	}
}

// triedBy is how often a policy of std/clients tries, and how long it waits between.
func triedBy(t *testing.T, policy, fault string) (attempts int, waits []time.Duration) {
	t.Helper()
	plans, diags := tryCompile("test.scenario.hcl", fmt.Sprintf(`
import = ["std/clients"]
provider "openai" "llm" { model = "m" }
workflow "w" {
  provider = provider.llm
  step "llm" "a" {
    prompt = "x"
    retry  = retry.%s
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["no_assertion", "unexpected_failure"]
  on "a" {
    fault "http_error" {
      %s
      times = "*"
    }
  }
}`, policy, fault))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, e := range Run(plans[0], RunOptions{}).Events {
		switch e.Type {
		case trace.AttemptEnd:
			attempts++
		case trace.RetryWait:
			d, _ := e.Attr("delay_ns").(time.Duration)
			waits = append(waits, d)
		}
	}
	return attempts, waits
}

// What the clients whose source was read do about a service that answers 503 for ever, as
// their defaults say: retries, and the waits between the least and the most.
func TestClientPoliciesOfSources(t *testing.T) {
	const ms = time.Millisecond
	for policy, want := range map[string][][2]time.Duration{
		"openai_python":       {{375 * ms, 500 * ms}, {750 * ms, 1000 * ms}},
		"anthropic_python":    {{375 * ms, 500 * ms}, {750 * ms, 1000 * ms}},
		"google_genai_node":   {{1000 * ms, 2000 * ms}, {2000 * ms, 4000 * ms}, {4000 * ms, 8000 * ms}, {8000 * ms, 16000 * ms}},
		"go_retryablehttp":    {{1000 * ms, 1000 * ms}, {2000 * ms, 2000 * ms}, {4000 * ms, 4000 * ms}, {8000 * ms, 8000 * ms}},
		"axios_retry":         {{0, 0}, {0, 0}, {0, 0}},
		"got":                 {{1000 * ms, 1100 * ms}, {2000 * ms, 2100 * ms}},
		"undici_retry_agent":  {{500 * ms, 500 * ms}, {1000 * ms, 1000 * ms}, {2000 * ms, 2000 * ms}, {4000 * ms, 4000 * ms}, {8000 * ms, 8000 * ms}},
		"urllib3":             {},
		"requests":            {},
		"httpx":               {},
		"langchain_js":        {{1000 * ms, 2000 * ms}, {2000 * ms, 4000 * ms}, {4000 * ms, 8000 * ms}, {8000 * ms, 16000 * ms}, {16000 * ms, 32000 * ms}, {32000 * ms, 64000 * ms}},
		"google_genai_python": {{1000 * ms, 2000 * ms}, {2000 * ms, 3000 * ms}, {4000 * ms, 5000 * ms}, {8000 * ms, 9000 * ms}},
		"langchain_python":    {{1000 * ms, 2000 * ms}, {2000 * ms, 3000 * ms}},
		"litellm":             {{375 * ms, 500 * ms}, {750 * ms, 1000 * ms}},
		"vercel_ai":           {{2000 * ms, 2000 * ms}, {4000 * ms, 4000 * ms}},
	} {
		attempts, waits := triedBy(t, policy, "status_code = 503")
		if attempts != len(want)+1 || len(waits) != len(want) {
			t.Errorf("%s: %d attempts, waits %v, want %d retries", policy, attempts, waits, len(want))
			continue
		}
		for i, w := range waits {
			if w < want[i][0]-ms || w > want[i][1]+ms {
				t.Errorf("%s: wait %d is %s, want %s to %s", policy, i+1, w, want[i][0], want[i][1])
			}
		}
	}
	if attempts, _ := triedBy(t, "tenacity", "status_code = 503"); attempts < 1000 {
		t.Errorf("tenacity gives up after %d attempts", attempts)
	}
}
