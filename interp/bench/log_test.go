package bench

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
)

// CG13: what follows from how the machine did is no result of a case: timeouts
// and exceptions are never taken over from another run.
func TestTimeoutsAreNeverCached(t *testing.T) {
	for code, want := range map[string]bool{SUTException: false, SUTTimeout: false, RubricTimeout: false, RubricMalformed: true, "build_failed": true} {
		r := Record{Result: Trial{Score: failed(code, "", 0)}}
		if r.Cacheable() != want {
			t.Errorf("%s: %t, want %t", code, r.Cacheable(), want)
		}
	}
}

// A log gives back what was written to it, and nothing else: a line that was
// cut off or damaged is left out, and the others stand.
func TestReadLogKeepsWholeLines(t *testing.T) {
	var log []byte
	var ends []int
	for i := range 20 {
		r := Record{Case: fmt.Sprintf("c\n%d", i), Trial: 1, Digest: "d", Result: Trial{Score: Score{Passed: true, Score: 0.25, Breakdown: map[string]float64{"k": 1}}, Elapsed: 3 * time.Second}}
		log = append(log, r.Line()...)
		ends = append(ends, len(log))
	}
	read := func(text []byte) (records []Record, damaged int, whole int64) {
		damaged, whole, err := ReadLog(bytes.NewReader(text), func(r Record) { records = append(records, r) })
		if err != nil {
			t.Fatal(err)
		}
		return records, damaged, whole
	}
	for cut := range log {
		want := 0
		for _, end := range ends {
			if end <= cut {
				want++
			}
		}
		records, damaged, whole := read(log[:cut])
		torn := cut > 0 && (want == 0 || ends[want-1] < cut)
		if len(records) != want || (damaged == 1) != torn || want > 0 && whole != int64(ends[want-1]) {
			t.Fatalf("cut at %d: %d records, %d damaged, %d whole", cut, len(records), damaged, whole)
		}
	}
	for at := range log {
		broken := bytes.Clone(log)
		broken[at] ^= 0x04
		if records, damaged, _ := read(broken); len(records) < 18 || damaged == 0 {
			t.Fatalf("a flipped bit at %d: %d records, %d damaged", at, len(records), damaged)
		}
	}
	records, _, _ := read(log)
	if r := records[3]; r.Case != "c\n3" || r.Result.Elapsed != 3*time.Second || r.Result.Score.Score != 0.25 || r.Result.Breakdown["k"] != 1 {
		t.Errorf("%+v", r)
	}
	if _, _, err := ReadLog(strings.NewReader(strings.Repeat("x", maxLine+2<<20)), func(Record) {}); err == nil {
		t.Error("a line without end was read")
	}
}

// Wherever a run is killed, the one that resumes it loses no finished trial and
// runs none twice: what is in the log is never asked again, and the report is
// that of a run without a stop.
func TestResumeAfterEveryCut(t *testing.T) {
	spec, cases := stub()
	spec.Trials = 2
	for i := range 12 {
		cases = append(cases, Case{ID: fmt.Sprintf("c%02d", i)})
	}
	rubric := func(_ context.Context, c Case, trial int, _ Answer) (Score, error) {
		return Score{Passed: c.ID[2] != '7', Score: float64(c.ID[2]-'0') / 10 / float64(trial), CostUSD: 0.01}, nil
	}
	type key struct {
		id string
		n  int
	}
	run := func(log []byte) (*Report, []byte, int) {
		known := map[key]Trial{}
		if _, whole, err := ReadLog(bytes.NewReader(log), func(r Record) { known[key{r.Case, r.Trial}] = r.Result }); err != nil {
			t.Fatal(err)
		} else {
			log = bytes.Clone(log[:whole])
		}
		asked, old := 0, len(known)
		clock := sched.New()
		r := Runner{
			Spec: spec, Cases: cases, Clock: clock, Rubric: rubric,
			SUT:  func(ctx context.Context, c Case, n int) (Answer, error) { asked++; return passing(ctx, c, n) },
			Done: func(c Case, n int) (Trial, bool) { t, ok := known[key{c.ID, n}]; return t, ok },
			Ended: func(c Case, n int, t Trial) error {
				known[key{c.ID, n}] = t
				record := Record{Case: c.ID, Trial: n, Result: t}
				log = append(log, record.Line()...)
				return nil
			},
		}
		if err := clock.Run(func(ctx context.Context) { _ = r.Run(ctx) }); err != nil {
			t.Fatal(err)
		}
		if asked != 24-old {
			t.Fatalf("%d trials ran, and %d of 24 were in the log", asked, old)
		}
		return Summarise(spec, cases, func(c Case, n int) (Trial, bool) { t, ok := known[key{c.ID, n}]; return t, ok }, nil), log, asked
	}
	whole, log, _ := run(nil)
	want := string(whole.AppendJSON(nil))
	for cut := range log {
		resumed, again, _ := run(log[:cut])
		if got := string(resumed.AppendJSON(nil)); got != want {
			t.Fatalf("killed at %d:\n%s\nwant\n%s", cut, got, want)
		}
		if lines := bytes.Count(again, []byte("\n")); lines != 24 {
			t.Fatalf("killed at %d: %d lines in the log", cut, lines)
		}
	}
}
