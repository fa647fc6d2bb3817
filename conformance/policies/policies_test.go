package policies

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	withRetryAfter = "tries again after a 429 with a `Retry-After` of up to a minute, after its own wait"
	tooLong        = "does not heed a `Retry-After` of a minute or more, and comes back after its own wait"
	waitsAsTold    = "tries again after 413, 429 and 503 with a `Retry-After`, and waits as told"
)

// clients are those of std/clients that can be installed here.
func clients() []client {
	return []client{
		{policy: "go_retryablehttp", version: "v0.7.8", speaks: "http", ask: retryable, repeats: true, differs: map[string]string{
			"s500_after_2": "heeds a `Retry-After` after 429 and 503 alone",
		}},
		{policy: "axios_retry", version: "4.5.0", speaks: "http", module: "axios-retry", differs: map[string]string{
			"reset_post": "repeats a POST whose connection broke", "s503_post": "does not repeat a POST after a status",
		}},
		{policy: "got", version: "14.6.6", speaks: "http", module: "got", differs: map[string]string{
			"s413_after_2": "tries again after a 413 with a `Retry-After`", "s503_post": "does not repeat a POST after a status",
		}},
		{policy: "undici_retry_agent", version: "7.30.2", speaks: "http", module: "undici", slow: true, differs: map[string]string{
			"s503_post": "does not repeat a POST after a status",
		}},
		{policy: "google_genai_node", version: "2.32.0", speaks: "gemini", module: "@google/genai", slow: true},
		{policy: "langchain_js", version: "1.4.0", speaks: "http", module: "@langchain/core", slow: true, repeats: true, differs: map[string]string{
			"s429_after_2": withRetryAfter, "s429_after_50": withRetryAfter,
		}},
		{policy: "vercel_ai", version: "6.0.326", speaks: "openai", path: "/v1", module: "ai", patient: true, differs: map[string]string{
			"s429_after_90": tooLong, "s429_after_150": tooLong,
		}},
		{policy: "tenacity", version: "8.2.1", speaks: "http", python: "tenacity", endless: true, repeats: true},
		{policy: "urllib3", version: "1.26.12", speaks: "http", python: "urllib3", differs: map[string]string{
			"s413_after_2": waitsAsTold, "s429_after_2": waitsAsTold, "s503_after_2": waitsAsTold,
			"s429_after_50": waitsAsTold, "s429_after_90": waitsAsTold, "s429_after_150": waitsAsTold,
		}},
		{policy: "requests", version: "2.28.1", speaks: "http", python: "requests"},
		{policy: "httpx", version: "0.23.3", speaks: "http", python: "httpx"},
	}
}

// Shows that the policies of std/clients ask as often as the clients do that they
// describe, wait as long and end the same way. Where a fault that goes on takes a
// client more than seconds, it gives way after two; SCENARIO_ENDURANCE waits.
func TestPolicies(t *testing.T) {
	full := os.Getenv("SCENARIO_ENDURANCE") != ""
	for _, c := range clients() {
		t.Run(c.policy, func(t *testing.T) {
			t.Parallel()
			times, late := "*", 600*time.Millisecond
			if c.endless {
				times = "20"
			} else if c.slow && !full {
				times = "2"
			}
			meet, list := onTheWire, c.meets(full)
			if c.ask != nil {
				meet, list, late = inBubble, c.meets(true), 0
			}
			policy := bands(t, c.modelled(list, times, ""))
			for try := 0; len(list) > 0; try++ {
				list = compared(t, c, list, policy, meet(t, c, list, times), late, try == 3)
			}
		})
	}
}

// compared reports the meetings at which a client does otherwise than its policy, if
// it is the last try, and returns them: a busy machine makes waits longer.
func compared(t *testing.T, c client, list []meeting, policy map[string][]cell, got map[string]cell, late time.Duration, last bool) (again []meeting) {
	t.Helper()
	for _, m := range list {
		found, met := got[m.name]
		if !met {
			t.Errorf("%s did not take place", m.name)
			continue
		}
		wrong := differences(policy[m.name], found, late)
		reason, known := c.differs[m.name]
		switch {
		case known == (len(wrong) > 0):
			t.Logf("%-14s %s%s", m.name, found, reason)
		case last && known:
			t.Errorf("%s: %s, as the policy has it: that it cannot is known no more (%s)", m.name, found, reason)
		case last:
			t.Errorf("%s: %s, and the policy %s: %q", m.name, found, policy[m.name][0], wrong)
		default:
			again = append(again, m)
		}
	}
	return again
}

// Shows that the comparison finds a policy that is wrong: in how often it tries, in a
// status, in a wait, in what it says of Retry-After, in what it does after a timeout.
func TestWrongPolicies(t *testing.T) {
	c := clients()[0]
	text, err := os.ReadFile("../../stdlib/clients.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	_, right, _ := strings.Cut(string(text), `retry "exponential" "`+c.policy+`" {`)
	right, _, _ = strings.Cut(right, "\n}\n")
	list := c.meets(true)
	got := inBubble(t, c, list, "*")
	for _, w := range []struct {
		was, is string
		found   []string
	}{
		{"", "", nil},
		{"max_retries     = 4", "max_retries     = 3", []string{"hang", "reset", "s503"}},
		{"max_retries     = 4", "max_retries     = 5", []string{"hang", "reset", "s503"}},
		{`base            = "1s"`, `base            = "1050ms"`, []string{"reset", "s503_once"}},
		{`max_delay       = "30s"`, `max_delay       = "7s"`, []string{"s503"}},
		{`"503", `, "", []string{"s503", "s503_once", "s503_post", "s503_after_2"}},
		{`"429", `, `"429", "409", `, []string{"s409"}},
		{`"connection.reset", `, "", []string{"reset", "reset_once", "reset_post"}},
		{`, "timeout"`, "", []string{"hang"}},
		{`max_retry_after = "24h"`, `max_retry_after = "1m"`, []string{"s429_after_90", "s429_after_150"}},
		{`max_retry_after = "24h"`, `respect_retry_after = false`, []string{"s429_after_2", "s429_after_50", "s503_after_2"}},
	} {
		body := strings.Replace(right, w.was, w.is, 1)
		if w.was != "" && body == right {
			t.Fatalf("the policy has no %s", w.was)
		}
		policy := bands(t, c.modelled(list, "*", fmt.Sprintf("retry \"exponential\" %q {%s\n}\n", c.policy, body)))
		var found []string
		for _, m := range list {
			if _, known := c.differs[m.name]; !known && len(differences(policy[m.name], got[m.name], 0)) > 0 {
				found = append(found, m.name)
			}
		}
		for _, name := range w.found {
			if !slices.Contains(found, name) {
				t.Errorf("%q instead of %q: %s shows nothing", w.is, w.was, name)
			}
		}
		if w.found == nil && found != nil {
			t.Errorf("the policy as it is: %q", found)
		}
	}
}

// others are the policies that conformance/clients measures and interp compares.
var others = []string{"openai_node", "anthropic_node", "openai_go", "anthropic_go", "google_genai_go"}

// Shows that std/clients says of each client whether it is compared here, and in which
// version.
func TestFileSaysWhatIsChecked(t *testing.T) {
	text, err := os.ReadFile("../../stdlib/clients.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for block := range strings.SplitSeq(string(text), "\n}\n") {
		comment, rest, ok := strings.Cut(block, "\nretry ")
		if !ok {
			continue
		}
		seen++
		name := strings.Split(rest, `"`)[3]
		said := strings.Contains(comment, "; checked")
		if said == strings.Contains(comment, "; read.") {
			t.Errorf("%s is neither checked nor read", name)
		}
		i := slices.IndexFunc(clients(), func(c client) bool { return c.policy == name })
		if said != (i >= 0 || slices.Contains(others, name)) {
			t.Errorf("%s says checked: %t", name, said)
		}
		if i >= 0 && !strings.Contains(strings.ReplaceAll(comment, ",", " "), " "+clients()[i].version+" ") {
			t.Errorf("%s is checked in version %s", name, clients()[i].version)
		}
	}
	if seen < 21 {
		t.Errorf("%d policies were found", seen)
	}
}
