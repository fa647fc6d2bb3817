package harness

import (
	"sync/atomic"

	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/suite"
)

// KeepSource bounds the source, in bytes, of files that are kept compiled
// between checking all files and running the first: a compiled file takes some
// twenty times its source. Of a suite beyond it the rest is run as soon as it
// is compiled, by whoever compiled it, and the results wait until all files
// are known to be valid. A run touches nothing outside of itself, so that
// nobody can tell the difference but by the memory.
const KeepSource = 128 << 10

// A room is what is left of the source that may be kept compiled.
type room struct{ left atomic.Int64 }

// NewRoom is room for so many bytes of source.
func NewRoom(bytes int64) *room {
	r := &room{}
	r.left.Store(bytes)
	return r
}

// take reports whether there is room for a file of so many bytes.
func (r *room) take(bytes int) bool { return r.left.Add(-int64(bytes)) >= 0 }

// early lists the plans of a file in the order in which they run.
func (r *Runner) early(l *Loader, f *Loaded) []int {
	if r.Shuffle.On {
		return r.Shuffle.Turns(len(f.Plans), func(i int) string { return l.ScenarioName(f.Plans[i]) })
	}
	order := make([]int, len(f.Plans))
	for i := range order {
		order[i] = i
	}
	return order
}

// Forget keeps of a file what names its scenarios, and drops what runs them.
func Forget(f *Loaded) { f.forget(false) }

// forget drops what runs the scenarios of a file. Ids says that those that ran
// will be asked for their ids.
func (f *Loaded) forget(ids bool) {
	for i, p := range f.Plans {
		f.Plans[i] = p.Stub(ids && f.early[i] != nil)
	}
	if len(f.Diags) == 0 {
		f.Source, f.Imports = nil, nil
	}
}

// waitsFrom is how many scenarios a file has that is not run before its turn, where results
// are reported while later files are read: those of so many would be held until then, and
// run one after the other.
const waitsFrom = 100

// RunEarly runs the selected scenarios of a file and forgets the file. Once a
// file was found to be invalid nothing will be reported, so nothing is run.
func (r *Runner) RunEarly(l *Loader, sel *suite.Selection) func(*Loaded) {
	return func(f *Loaded) {
		if r.flows && len(f.Plans) >= waitsFrom {
			return
		}
		f.early = make([]*outcome, len(f.Plans))
		source := f.Source
		for _, i := range r.early(l, f) {
			p := f.Plans[i]
			if r.invalid.Load() && !r.flows || r.over.Load() || pool.Closed(r.halt.C) || !sel.Selects(f.File, p) {
				continue
			}
			f.early[i] = r.perform(p)
			if res := f.early[i].result; bad(res) || len(res.Relaxed) > 0 || res.Row != nil {
				f.early[i].source = source
			}
		}
		f.forget(r.identified())
		for i, o := range f.early {
			if o != nil {
				o.result.Plan = f.Plans[i]
			}
		}
	}
}
