package suite

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

const snapped = plain + "scenario \"s\" {\n  run = workflow.w\n  snapshot \"x\" { value = step.v.output }\n}\n"

// Shows that the value of a snapshot is recorded where it is missing, read
// again, and not recorded where the scenario fails otherwise or where there is
// nothing but an fs.FS.
func TestSnapshots(t *testing.T) {
	inMemory := inDirectory(t, map[string]string{
		"a.scenario.hcl": snapped, "snapshots/gone/x.golden": "1",
		"b.scenario.hcl": snapped[:len(snapped)-2] + "  assert \"no\" { condition = step.v.output == 2 }\n}\n",
	})
	s := Disk()
	l := &Loader{Source: s}
	defer l.Close()
	run := func(l *Loader, path string) (*File, *interp.Result) {
		t.Helper()
		f := l.Load(path)
		if f.Failed() {
			t.Fatal(f.Diags)
		}
		return f, interp.Run(f.Plans[0], interp.RunOptions{})
	}
	_, r := run(&Loader{Source: FS(inMemory)}, "a.scenario.hcl")
	if settled, err := FS(inMemory).Record(r); !errors.Is(err, errors.ErrUnsupported) || len(settled.Written) > 0 {
		t.Errorf("an fs.FS: %+v, %v", settled, err)
	}
	_, r = run(l, "b.scenario.hcl")
	if settled, err := s.Record(r); err != nil || !settled.Refused || settled.Result.Verdict != interp.Fail {
		t.Errorf("a scenario that fails otherwise: %+v, %v", settled, err)
	}
	if _, err := os.Stat("snapshots/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it has a record: %v", err)
	}
	_, r = run(l, "a.scenario.hcl")
	settled, err := s.Record(r)
	if err != nil || settled.Result.Verdict != interp.Pass || len(settled.Written) != 1 || settled.Written[0].Changed {
		t.Fatalf("%+v, %v", settled, err)
	}
	f, r := run(l, "a.scenario.hcl")
	if r.Verdict != interp.Pass {
		t.Errorf("read again: %+v", r.Problems)
	}
	for name, s := range map[string]*Source{"disk": s, "os.DirFS": FS(os.DirFS("."))} {
		if unused := s.UnusedSnapshots([]*File{f}); len(unused) != 1 || unused[0] != "snapshots/gone/x.golden" {
			t.Errorf("%s: unused are %q", name, unused)
		}
	}
}
