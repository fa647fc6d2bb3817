package policies

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario"
)

// A cell is what came of a meeting.
type cell struct {
	attempts int
	// waits are the times between an attempt and the next one.
	waits []time.Duration
	// outcome is "ok", a status, "connection" or "timeout".
	outcome string
}

func (c cell) String() string {
	var waits []string
	for i, w := range c.waits {
		if i == 6 {
			waits = append(waits, "…")
			break
		}
		waits = append(waits, w.Round(10*time.Millisecond).String())
	}
	return fmt.Sprintf("%d (%s): %s", c.attempts, strings.Join(waits, ", "), c.outcome)
}

// seeds are those of the runs of a policy, whose jitter is drawn from them.
const seeds = 40

// bands are what a policy does: its cells for many seeds, by meeting.
func bands(t *testing.T, file string) map[string][]cell {
	t.Helper()
	got := map[string][]cell{}
	for seed := range uint64(seeds) {
		suite, err := scenario.Load(fstest.MapFS{"policy.scenario.hcl": {Data: []byte(file)}}, "policy.scenario.hcl", scenario.Seed(seed+1))
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		for _, s := range suite.Scenarios() {
			step := s.Run(t.Context()).Step("a")
			c := cell{attempts: len(step.Attempts), waits: step.Delays, outcome: "ok"}
			switch f := step.Failure; {
			case f == nil:
			case f.StatusCode != 0:
				c.outcome = fmt.Sprint(f.StatusCode)
			default:
				c.outcome = f.Kind
			}
			got[s.Name()] = append(got[s.Name()], c)
		}
		if seed == 1 && !drawn(got) {
			break
		}
	}
	return got
}

// drawn reports whether runs wait for different times.
func drawn(got map[string][]cell) bool {
	for _, c := range got {
		if !slices.Equal(c[0].waits, c[1].waits) {
			return true
		}
	}
	return false
}

// differences says where a client does otherwise than its policy: late is how much
// longer than the policy it may wait, which is nothing but for the machine's sake.
func differences(policy []cell, client cell, late time.Duration) (list []string) {
	one := policy[0]
	if one.attempts != client.attempts {
		return []string{fmt.Sprintf("%d attempts, and the policy makes %d", client.attempts, one.attempts)}
	}
	if one.outcome != client.outcome {
		list = append(list, fmt.Sprintf("it ends with %s, and the policy with %s", client.outcome, one.outcome))
	}
	for i, wait := range client.waits {
		least, most := one.waits[i], one.waits[i]
		for _, c := range policy {
			least, most = min(least, c.waits[i]), max(most, c.waits[i])
		}
		// What is drawn seldom is not among the runs of the policy, and timers of
		// programs fire a little early.
		edge := (most-least)/10 + least/50 + 5*time.Millisecond
		if wait < least-edge || wait > most+edge+late {
			list = append(list, fmt.Sprintf("wait %d is %s, and the policy's %s to %s", i+1, wait, least, most))
		}
	}
	return list
}

// read is a trace as cells, with what the client's caller got.
func read(t *testing.T, events []byte, said map[string]string) map[string]cell {
	t.Helper()
	type span struct{ began, ended time.Duration }
	attempts := map[string][]span{}
	lines := bufio.NewScanner(bytes.NewReader(events))
	for lines.Buffer(nil, 1<<24); lines.Scan(); {
		var e struct {
			Type, Step string
			Attempt    int
			At         time.Duration `json:"at_ns"`
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		switch e.Type {
		case "attempt_start":
			attempts[e.Step] = append(attempts[e.Step], span{began: e.At})
		case "attempt_end":
			attempts[e.Step][e.Attempt-1].ended = e.At
		}
	}
	got := map[string]cell{}
	for name, outcome := range said {
		all := attempts[name]
		c := cell{attempts: len(all), outcome: outcome}
		for i := range slices.All(all[min(1, len(all)):]) {
			c.waits = append(c.waits, all[i+1].began-all[i].ended)
		}
		got[name] = c
	}
	return got
}
