package harness

import (
	"errors"
	"fmt"
	"io"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/telemetry"
)

// A Frame is what there is to report of a suite beside its results.
type Frame struct {
	// Partial says that not all of its scenarios were selected, and Idle that none
	// of those has a way to run.
	Partial bool          `json:"partial,omitempty"`
	Idle    bool          `json:"idle,omitempty"`
	Part    *report.Shard `json:"part,omitempty"`
}

// Frame is that of what was loaded, for a runner that recalls its results.
func (s *Invocation) Frame() Frame {
	return Frame{Partial: s.Runner.summary.Partial, Idle: s.Runner.idle, Part: s.PartOf()}
}

// Identify keeps of the scenarios of a file what names them, and gives the hashes of their
// plans.
func Identify(f *Loaded) (hashes []string) {
	for i, p := range f.Plans {
		hashes = append(hashes, p.Hash())
		if NotInterpreted(p) == "" {
			f.Plans[i] = p.Bare()
		} else {
			f.Plans[i] = p.Stub(false)
		}
	}
	if len(f.Diags) == 0 {
		f.Source, f.Imports = nil, nil
	}
	return hashes
}

// Recall reports results that were made elsewhere, as Report does those that it has
// made: next gives them in order, and io.EOF behind the last.
func (s *Invocation) Recall(f Frame, next func() (report.Entry, error)) error {
	r := s.Runner
	r.Jobs, r.flows, r.progress = nil, true, &cli.Progress{}
	r.summary.Partial, r.idle, r.Part = f.Partial, f.Idle, f.Part
	files, err := openTraces(s.Traces)
	if err != nil {
		return err
	}
	r.traces = files
	for r.err == nil {
		e, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		r.recall(e)
	}
	return r.report(nil)
}

// recall reports one result.
func (r *Runner) recall(e report.Entry) {
	o := &outcome{result: e.Result, reason: e.Reason, source: e.Source, merged: e.Merged}
	if r.traced && e.Result.Verdict != interp.Skip {
		o.trace = encode(e.Result)
	}
	if r.spanned {
		o.spans = telemetry.Spans(e.Result.Header(), e.Result.Events)
	}
	if !r.shows(o.result) {
		o.result.Events = nil
	}
	r.Jobs = append(r.Jobs, Job{Plan: e.Result.Plan})
	r.emit(len(r.Jobs)-1, o, pool.Finished)
}

// Broken has the call end as one does whose guarantee of determinism is broken, and
// says why.
func (r *Runner) Broken(why string) {
	r.code = cli.Worst(r.code, cli.ExitInternal)
	fmt.Fprintf(r.app.Stderr, "Error: %s\n", why)
}
