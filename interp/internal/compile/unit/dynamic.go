package unit

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Expander writes out what the file generates, by what is known before a run.
func (u *Unit) Expander() *dsl.Expander {
	if u.expands == nil {
		u.expands = &dsl.Expander{Ctx: u.Statics, Env: u.Static, Normal: read.Normalise, Reported: u.Diags.HasErrors()}
	}
	return u.expands
}

// Said takes over what an expander complained about.
func (u *Unit) Said(x *dsl.Expander) {
	u.Diags = append(u.Diags, x.Diags...)
	x.Diags = nil
}

// writeOut writes out the dynamic blocks of the file. Those of a scenario
// that stands for several are written out for each of them.
func (u *Unit) writeOut() {
	if !u.File.Body.Generates() {
		return
	}
	x, file := u.Expander(), *u.File
	file.Body = x.Top(u.File.Body, (*dsl.Block).Multiplied)
	u.File = &file
	u.Said(x)
}
