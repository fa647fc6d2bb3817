package bench

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// wordy is a trial of which more is kept than any limit allows.
func wordy(size int) *Kept {
	k := &Kept{
		Output: Excerpt{Text: strings.Repeat("ö", size)}, Log: Excerpt{Text: strings.Repeat("l", size)}, Judged: Excerpt{Text: strings.Repeat("j", size)},
		Broken: []string{"output.a == 1"},
	}
	for i := range 300 {
		k.Operands = append(k.Operands, Operand{fmt.Sprint("output.", i), strings.Repeat("v", 300)})
		k.Calls = append(k.Calls, Call{Step: "s", Attempt: i + 1, Asked: Excerpt{Text: strings.Repeat("q", size)}, Answered: Excerpt{Text: strings.Repeat("a", size)}})
	}
	return k
}

// Shows that what is kept of a trial stays near its limit whatever it was, says how
// much was cut, ends between two characters, and does not change when it is cut
// again, as it is for every run that takes a trial over.
func TestKeptStaysWithinItsLimit(t *testing.T) {
	for _, limit := range []int{keptMin, 838, keptMost} {
		k := wordy(100_001).Within(limit)
		text, err := json.Marshal(Trial{Kept: k})
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 3*limit+600 { // names, marks and the members of the score
			t.Errorf("limit %d: %d bytes of JSON", limit, len(text))
		}
		if k.Output.Bytes != 200_002 || !utf8.ValidString(k.Output.Text) || len(k.Output.Text) == 0 || !k.Log.Cut() {
			t.Errorf("limit %d: output %d of %d, log %d", limit, len(k.Output.Text), k.Output.Bytes, k.Log.Bytes)
		}
		if len(k.Broken) != 1 || len(k.Operands) == 0 || len(k.Calls) == 0 || len(k.Calls)+k.CallsLeft != 300 {
			t.Errorf("limit %d: %d conditions, %d operands, %d calls and %d left", limit, len(k.Broken), len(k.Operands), len(k.Calls), k.CallsLeft)
		}
		again := k.Within(limit)
		if d := cmp.Diff(k.Output, again.Output); d != "" {
			t.Errorf("limit %d, cut again: %s", limit, d)
		}
	}
	if k := (*Kept)(nil).Within(10); k != nil {
		t.Error(k)
	}
}

// Shows that all trials of a bench share 8 MiB, within the limits of each.
func TestKeptPerTrial(t *testing.T) {
	for _, c := range []struct{ cases, trials, want int }{{1, 1, 16 << 10}, {512, 1, 16 << 10}, {10_000, 1, 838}, {1000, 10, 838}, {100_000, 5, 512}, {0, 0, 16 << 10}} {
		if got := (Spec{Trials: c.trials}).KeptPerTrial(c.cases); got != c.want {
			t.Errorf("%d cases, %d trials: %d, want %d", c.cases, c.trials, got, c.want)
		}
	}
}

// Shows that a report is read back with all that is kept in it: JSON as the value
// that it is, any other text as a text.
func TestKeptIsReadBack(t *testing.T) {
	trials := []Trial{
		{Score: Score{Breakdown: map[string]float64{}}, Kept: &Kept{Output: Excerpt{Text: `{"a":[1,2.50,"x"]}`}, Log: Excerpt{Text: "line\n", Bytes: 7000, Ends: true}, Broken: []string{"a == b"}, Operands: []Operand{{"a", "1"}}}},
		{Score: Score{Breakdown: map[string]float64{}}, Kept: &Kept{Output: Excerpt{Text: `{"a":`, Bytes: 9}, Judged: Excerpt{Text: "no"}, Calls: []Call{{Step: "s", Attempt: 1, Outcome: "success", Asked: Excerpt{Text: "{}"}}}, CallsLeft: 2}},
		{Score: Score{Breakdown: map[string]float64{}}},
	}
	in := &Report{Bench: "b", Cases: []CaseResult{{ID: "c", Input: Excerpt{Text: `{"q":1}`}, Trial: Trial{Score: Score{Breakdown: map[string]float64{}}}, Trials: trials, Ran: true}}}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"output":{"a":[1,2.50,"x"]}`) {
		t.Errorf("the answer is no value: %s", text)
	}
	var out Report
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	for i, want := range trials {
		if d := cmp.Diff(want.Kept, out.Cases[0].Trials[i].Kept); d != "" {
			t.Errorf("trial %d: %s", i+1, d)
		}
	}
	if d := cmp.Diff(in.Cases[0].Input, out.Cases[0].Input); d != "" {
		t.Error(d)
	}
}

// Shows that what is hidden is hidden everywhere, and before it is cut: the first
// half of a secret is one, too.
func TestKeptIsHiddenBeforeItIsCut(t *testing.T) {
	const secret = "hunter2hunter2"
	say := func() Excerpt { return Excerpt{Text: strings.Repeat("x", keptMin/2-7) + secret} }
	k := &Kept{Output: say(), Log: say(), Judged: say(), Calls: []Call{{What: secret, Asked: say(), Answered: say()}}, Operands: []Operand{{"output.a", secret}}}
	hide := func(s string) string { return strings.ReplaceAll(s, secret, "…") }
	for _, limit := range []int{keptMin, keptMost, KeptInLog} {
		text, _ := json.Marshal(Trial{Kept: k.Hidden(hide).Within(limit)})
		if strings.Contains(string(text), "hunter") {
			t.Errorf("within %d bytes: %s", limit, text)
		}
	}
}
