package interp

import "crypto/sha256"

// Stub is what a report, a selection and the header of a trace ask of the
// plan, without what runs it: the plan's file can be let go. It cannot be run.
//
// Ids are the hash of the plan and the id of its run. They cost about as much
// as writing the plan down, so the caller says whether anyone will read them;
// without them the stub's Hash, and both in the headers of its results, are
// empty.
func (p *Plan) Stub(ids bool) *Plan {
	s := &Plan{
		File: p.File, Line: p.Line, Name: p.Name, Description: p.Description, Tags: p.Tags,
		Skip: p.Skip, Seed: p.Seed, Snapshots: p.Snapshots, place: p.place,
	}
	if ids && p.core != nil {
		core, hash := p.core(), p.hash()
		s.core = func() [sha256.Size]byte { return core }
		s.hash = func() string { return hash }
	}
	return s
}
