package compare

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

const plan = `{
  "sut": {"time_scale": 2},
  "workflow": {"steps": [
    {"name": "ask", "at": [3, 5], "after": [], "gateway": {"targets": [{"timeout_ns": 10000000000}]},
     "retry": {"base_ns": 1000000000, "multiplier": 2, "max_delay_ns": 60000000000, "jitter": 0.5, "respect_retry_after": true}},
    {"name": "pay", "at": [9, 5, "other.scenario.hcl"], "after": ["ask"], "fallback": "release", "gateway": {}, "retry": {"base_ns": 1000000000}},
    {"name": "release", "after": [], "gateway": {}},
    {"name": "note", "after": [], "gateway": {}},
    {"name": "tries", "after": ["pay"], "steps": [{"name": "look", "after": [], "gateway": {}}, {"name": "take", "after": ["look"], "gateway": {}}]}
  ]}
}`

// events are lines of a trace: an instant, what happens, to which attempt of which step,
// and attributes.
func events(t *testing.T, lines string) []trace.Event {
	t.Helper()
	var list []trace.Event
	for n, line := range strings.Split(strings.TrimSpace(lines), ";") {
		words := strings.Fields(line)
		at, err := time.ParseDuration(words[0])
		if err != nil {
			t.Fatal(err)
		}
		e := map[string]string{}
		for _, w := range words[1:] {
			if key, value, ok := strings.Cut(w, "="); ok {
				e[key] = value
			}
		}
		said := func(name, key string) string {
			if e[key] == "" {
				return ""
			}
			return fmt.Sprintf(",%q:%s", name, e[key])
		}
		text := ""
		switch words[1] {
		case "run":
			text = fmt.Sprintf(`{"seq":%d,"at_ns":%d,"type":"run_end","status":%q}`, n, at, words[2])
		case "wait":
			text = fmt.Sprintf(`{"seq":%d,"at_ns":%d,"type":"retry_wait","step":%q,"delay_ns":%s,"retry":%s}`, n, at, words[2], e["ns"], e["retry"])
		case "begin":
			lane := ""
			if e["lane"] != "" {
				lane = fmt.Sprintf(`,"lane":%q`, e["lane"])
			}
			text = fmt.Sprintf(`{"seq":%d,"at_ns":%d,"type":"attempt_start","step":%q,"attempt":%s%s}`, n, at, words[2], words[3], lane)
		case "end":
			text = fmt.Sprintf(`{"seq":%d,"at_ns":%d,"type":"attempt_end","step":%q,"attempt":%s,"outcome":%q%s%s`, n, at, words[2], words[3], words[4], said("status_code", "status"), said("retry_after_ns", "after"))
			for _, key := range []string{"fault_type", "kind", "ended_by"} {
				if e[key] != "" {
					text += fmt.Sprintf(",%q:%q", key, e[key])
				}
			}
			text += "}"
		}
		read, err := interp.ReadEvent([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		list = append(list, read)
	}
	return list
}

// Every thing that can differ is told of, with what each side does; what is within the
// tolerance of its clock is not.
func TestDifferences(t *testing.T) {
	const (
		good   = "0s begin ask 1; 0s end ask 1 success; 0s begin pay 1; 0s end pay 1 success; 0s run success"
		failed = "0s begin ask 1; 0s end ask 1 failure fault_type=http_error; %s wait ask ns=1200000000 retry=1; %s begin ask 2; %[2]s end ask 2 success; %[2]s run success"
		silent = "0s begin ask 1; %s end ask 1 failure fault_type=timeout kind=timeout ended_by=client; %[1]s run failed"
		paid   = "0s begin pay 1; 0s end pay 1 failure fault_type=http_error; %s begin pay 2; %[1]s end pay 2 success; 9s run success"
	)
	for _, test := range []struct {
		name, model, program, want string
		rough                      bool
	}{
		{"nothing", good, good, "", false},
		{"one more", good, "0s begin ask 1; 0s end ask 1 success; 0s begin pay 1; 0s end pay 1 success; 0s begin pay 2; 0s end pay 2 success; 0s run success", "pay attempts: asks once / asks twice", false},
		{"one less", good, "0s begin ask 1; 0s end ask 1 success; 0s run success", "pay attempts: asks once / never asks it", false},
		{"what nobody knows", good, good + "; 0s begin other 1; 0s end other 1 success", "other attempts: never asks it / asks once", false},
		{"a fault", good, "0s begin ask 1; 0s end ask 1 success fault_type=delay; 0s begin pay 1; 0s end pay 1 success; 0s run success", "ask fault: meets no fault / meets delay", false},
		{"an outcome", good, "0s begin ask 1; 0s end ask 1 success; 0s begin pay 1; 0s end pay 1 cancelled; 0s run success", "pay outcome: sees a success / sees no end of the answer: it leaves after 0s", false},
		{"a status that one expects", "0s begin ask 1; 0s end ask 1 success status=404; 0s run success", "0s begin ask 1; 0s end ask 1 failure status=404; 0s run success", "", false},
		{"the end", good, strings.Replace(good, "run success", "run failed", 1), " status: ends in success / ends in failed", false},
		{"no success either way", strings.Replace(good, "run success", "run timeout", 1), strings.Replace(good, "run success", "run failed", 1), "", false},

		{"a wait in the range of its jitter", fmt.Sprintf(failed, "0s", "1.2s"), fmt.Sprintf(failed, "0s", "1.5s"), "", false},
		{"a wait below it", fmt.Sprintf(failed, "0s", "1.2s"), fmt.Sprintf(failed, "0s", "498ms"), "ask wait: waits 500ms to 1.5s / waits 498ms", false},
		{"a wait above it", fmt.Sprintf(failed, "0s", "1.2s"), fmt.Sprintf(failed, "0s", "1.502s"), "ask wait: waits 500ms to 1.5s / waits 1.502s", false},
		{"an exact wait", fmt.Sprintf(paid, "1s"), fmt.Sprintf(paid, "1001ms"), "", false},
		{"a wait that is not", fmt.Sprintf(paid, "1s"), fmt.Sprintf(paid, "998ms"), "pay wait: waits 1s / waits 998ms", false},
		{"a real wait", fmt.Sprintf(paid, "1s"), fmt.Sprintf(paid, "1099ms"), "", true},
		{"a real wait that is long", fmt.Sprintf(paid, "2s"), fmt.Sprintf(paid, "2210ms"), "pay wait: waits 2s / waits 2.21s", true},
		{"a real wait that is too short", fmt.Sprintf(paid, "1s"), fmt.Sprintf(paid, "898ms"), "pay wait: waits 1s / waits 898ms", true},
		{"what a program computes", "0s begin ask 1; 0s end ask 1 success; 0s begin ask 2; 0s end ask 2 success; 0s run success", "0s begin ask 1; 0s end ask 1 success; 3s begin ask 2; 3s end ask 2 success; 3s run success", "", true},

		{"a deadline", fmt.Sprintf(silent, "9s"), fmt.Sprintf(silent, "5s"), "ask deadline: waits 9s for an answer / waits 5s", false},
		{"the same deadline", fmt.Sprintf(silent, "9s"), fmt.Sprintf(silent, "9s"), "", false},

		{"order", good, "0s begin pay 1; 0s end pay 1 success; 0s begin ask 1; 0s end ask 1 success; 0s run success", "pay order: asks it after ask / asks it before ask is over", false},
		{"too early", "0s begin ask 1; 2s end ask 1 success; 2s begin pay 1; 2s end pay 1 success; 2s run success", "0s begin ask 1; 1s begin pay 1; 1s end pay 1 success; 2s end ask 1 success; 2s run success", "pay order: asks it after ask / asks it before ask is over", false},
		{"seen leaving late", "0s begin ask 1; 2s end ask 1 success; 2s begin pay 1; 2s end pay 1 success; 2s run success", "0s begin ask 1; 1.95s begin pay 1; 1.95s end pay 1 success; 2s end ask 1 success; 2s run success", "", true},
		{"order of what does not depend", "0s begin ask 1; 0s end ask 1 success; 0s begin note 1; 0s end note 1 success; 0s run success", "0s begin note 1; 0s end note 1 success; 0s begin ask 1; 0s end ask 1 success; 0s run success", "", false},
		{"what stands in", "0s begin pay 1; 0s end pay 1 failure; 0s begin release 1; 0s end release 1 success; 0s run success", "0s begin release 1; 0s end release 1 success; 0s begin pay 1; 0s end pay 1 failure; 0s run success", "release order: asks it after pay / asks it before pay is over", false},
		{"inside a loop", "0s begin pay 1; 0s end pay 1 success; 0s begin tries.take 1; 0s end tries.take 1 success; 0s run success", "0s begin tries.take 1; 0s end tries.take 1 success; 0s begin pay 1; 0s end pay 1 success; 0s run success", "tries.take order: asks it after pay / asks it before pay is over", false},

		{"lanes", "0s begin ask 1; 0s end ask 1 success; 0s begin ask 2; 0s end ask 2 failure; 0s run success", "0s begin ask 1 lane=b; 0s begin ask 2 lane=a; 0s end ask 1 failure; 5s end ask 2 success; 5s run success", "", false},
		{"lanes that fail", "0s begin ask 1; 0s end ask 1 success; 0s run success", "0s begin ask 1 lane=b; 0s end ask 1 failure; 0s run success", "ask outcome: sees 0 times failure / sees it 1 times", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, known := New([]byte(plan), !test.rough, []time.Duration{10 * time.Second}).First(Run{Events: events(t, test.model)}, Run{Events: events(t, test.program)})
			got := ""
			if d != nil {
				got = fmt.Sprintf("%s %s: %s / %s", d.Step, d.Thing, d.Model, d.Program)
			}
			if got != test.want || !known {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// The wait of a server bounds the range of a jitter from below.
func TestWaitOfTheServer(t *testing.T) {
	const trace = "0s begin ask 1; 0s end ask 1 failure after=%s; 0s wait ask ns=%s retry=1; %s begin ask 2; %[3]s end ask 2 success; %[3]s run success"
	model := fmt.Sprintf(trace, "1000000000", "1200000000", "1.2s")
	for after, want := range map[string]string{
		"1.5s": "", "1s": "", "600ms": "waits 1s to 1.5s / waits 600ms",
	} {
		program := fmt.Sprintf(trace, "1000000000", "0", after)
		d, _ := New([]byte(plan), true, []time.Duration{10 * time.Second}).First(Run{Events: events(t, model)}, Run{Events: events(t, program)})
		got := ""
		if d != nil {
			got = d.Model + " / " + d.Program
		}
		if got != want {
			t.Errorf("%s: %q, want %q", after, got, want)
		}
	}
}

// What nobody can compare is told of as such.
func TestIncomparable(t *testing.T) {
	m := New([]byte(plan), true, []time.Duration{10 * time.Second})
	good := Run{Events: events(t, "0s begin ask 1; 0s end ask 1 success; 0s run success")}
	for _, lines := range []string{
		"0s begin ask 1; 0s end ask 1 failure status=307; 0s begin ask 2; 0s end ask 2 success; 0s run success",
		"0s begin ask 1; 10s end ask 1 success; 10s run success",
	} {
		if d, known := m.First(good, Run{Events: events(t, lines)}); known {
			t.Errorf("%s: %v", lines, d)
		}
	}
}

// One that waits for ever differs from one that does not, and not from another.
func TestStuck(t *testing.T) {
	m := New([]byte(plan), true, []time.Duration{10 * time.Second})
	ever := Run{Events: events(t, "0s begin ask 1; 0s run failed"), Stuck: true}
	left := Run{Events: events(t, "0s begin ask 1; 7s end ask 1 failure ended_by=client; 7s run failed")}
	if d, _ := m.First(ever, left); d == nil || d.Thing != Deadline || d.Model != "waits for ever" || d.Program != "waits 7s" {
		t.Errorf("%+v", d)
	}
	if d, _ := m.First(left, ever); d == nil || d.Thing != Deadline || d.Program != "waits for ever" {
		t.Errorf("%+v", d)
	}
	if d, _ := m.First(ever, ever); d != nil {
		t.Errorf("%+v", d)
	}
}

// A step is known by its address, with its place.
func TestPlaces(t *testing.T) {
	m := New([]byte(plan), true, []time.Duration{10 * time.Second})
	if p := m.Place("ask"); p != (Place{"", 3, 5}) {
		t.Errorf("%v", p)
	}
	if p := m.Place("pay"); p != (Place{"other.scenario.hcl", 9, 5}) {
		t.Errorf("%v", p)
	}
}
