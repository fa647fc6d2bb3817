package given

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// A Put is a condition as it is put to runs that may come.
type Put struct {
	Ctx *hcl.EvalContext
	// Reads reports whether it reads an attribute of one of some names.
	Reads func(names []string) bool
	// Holds and Fails report whether it does where operands are as the function says, and nothing
	// else is known.
	Holds, Fails func(at func(hcl.Traversal) cty.Value) bool
}

// Limited are the attributes of which a part of a condition is looked at by itself.
var Limited = slices.Concat(Times, AtOnce, Dialled, Waited, Rounds)

// Limits says why an upper limit shows nothing that nothing of the run comes near, "" where it shows
// something, by what the condition reads: [Few], [File.Enough], [File.Unhurried], [File.Killed], [File.Unblocked],
// [File.Iterated], [File.Uncrowded] or [File.Unmetered]. rows says that other rows of the scenario may
// come near it.
func (f *File) Limits(p Put, rows bool) (why string) {
	switch {
	case p.Reads(AtOnce):
		why = Few(f.o, p.Ctx, p.Holds)
	case rows:
	case p.Reads(Tries):
		why = f.Enough(p.Ctx, p.Holds, p.Fails)
	case p.Reads(Times):
		why = cmp.Or(f.Unhurried(p.Ctx, p.Holds, p.Fails), f.Killed(p.Ctx, p.Holds, p.Fails))
	case p.Reads(Waited):
		why = f.Unblocked(p)
	case p.Reads(Rounds):
		why = f.Iterated(p)
	}
	return cmp.Or(why, f.Unreached(p.Ctx, p.Reads, p.Holds, p.Fails))
}
