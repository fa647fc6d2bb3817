package compile

import (
	"errors"
	"io/fs"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

func (sc *scenarioCompiler) snapshot(b *dsl.Block, env *dsl.Env) {
	s := &plan.SnapshotCheck{Name: b.Name(), Value: exprOf(b, "value"), Rng: b.DefRange}
	if s.Value == nil {
		return
	}
	_, observed, diags := dsl.InferObserved(s.Value, env)
	sc.Diags = append(sc.Diags, diags...)
	if diags.HasErrors() {
		return
	}
	if !observed {
		sc.errorf(s.Value.Range(), "Snapshot of nothing observed", "The value refers to nothing that the run does, so it would be the same whatever happens. Refer to step, run, target, breaker, gateway or a query such as events().")
		return
	}
	dsl.Strict(s.Value)
	s.Path = plan.SnapshotPath(sc.p.File, sc.p.Name, s.Name)
	var err error
	if sc.opts.ReadSnapshot != nil {
		s.Golden, err = sc.opts.ReadSnapshot(s.Path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		sc.errorf(s.Rng, "Snapshot cannot be read", "%s", sentence(err.Error()))
		return
	}
	sc.p.Needs.Add(s.Value)
	sc.p.SnapshotChecks, sc.p.Snapshots = append(sc.p.SnapshotChecks, s), append(sc.p.Snapshots, s.Path)
}
