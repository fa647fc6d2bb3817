package plan

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/stdlib"
)

// Told is a range of the plan as its trace tells it: without the name of the
// scenario's own file, and with that of an imported one as it is seen from
// there.
func (p *Plan) Told(rng hcl.Range) event.Range {
	rng = dsl.Place(rng)
	switch file := rng.Filename; {
	case file == dsl.Place(hcl.Range{Filename: p.File}).Filename:
		rng.Filename = ""
	case !stdlib.IsModule(file):
		if seen, err := filepath.Rel(filepath.Dir(p.File), file); err == nil {
			rng.Filename = filepath.ToSlash(seen)
		}
	}
	return event.Range{Range: rng}
}

// Range is the range that a trace of the plan tells.
func (p *Plan) Range(told event.Range) hcl.Range {
	rng := told.Range
	switch file := filepath.FromSlash(rng.Filename); {
	case told.Absent():
	case file == "":
		rng.Filename = p.File
	case !stdlib.IsModule(rng.Filename) && !filepath.IsAbs(file):
		rng.Filename = filepath.Join(filepath.Dir(p.File), file)
	}
	return rng
}
