package benches

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/bench"
)

// A volatile file forgets what was written and not synced when its power is cut.
type volatile struct {
	written, kept bytes.Buffer
	full          error
}

func (d *volatile) Write(p []byte) (int, error) { return d.written.Write(p) }
func (d *volatile) Close() error                { return nil }

func (d *volatile) Sync() error {
	if d.full != nil {
		return d.full
	}
	_, err := d.written.WriteTo(&d.kept)
	return err
}

// Shows that a trial which was noted survives a cut of the power at any moment
// afterwards, and that one which the disk did not take is an error.
func TestNotedTrialsSurviveACutOfThePower(t *testing.T) {
	d := &volatile{}
	l := &benchLog{file: d}
	for n := 1; n <= 3; n++ {
		if err := l.add("case", n, "digest", trial{Score: bench.Score{Passed: true, Score: 1}}); err != nil {
			t.Fatal(err)
		}
		found := 0
		damaged, _, err := bench.ReadLog(bytes.NewReader(d.kept.Bytes()), func(r bench.Record) {
			if found++; r.Trial != found || r.Case != "case" || !r.Result.Score.Passed {
				t.Errorf("record %d is %+v", found, r)
			}
		})
		if found != n || damaged != 0 || err != nil {
			t.Errorf("after %d trials the disk has %d, %d lines are damaged: %v", n, found, damaged, err)
		}
	}
	d.full = errors.New("no space left on device")
	if err := l.add("case", 4, "digest", trial{}); err == nil || !strings.Contains(err.Error(), "cannot write the log of the bench: no space left") {
		t.Errorf("a full disk: %v", err)
	}
}
