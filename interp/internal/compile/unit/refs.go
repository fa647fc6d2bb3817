package unit

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Find finds a declaration by reference and reports a reference to nothing. It
// is nil for no reference, and for a declaration that is wrong itself.
func Find[T any](u *Unit, known map[string]*T, ref dsl.Reference) *T {
	if ref.Name == "" {
		return nil
	}
	if v, ok := known[ref.Name]; ok {
		return v
	}
	u.UnknownRef(ref, read.SortedNames(known))
	return nil
}

// UnknownRef reports a reference to what nobody declares; known are the names
// that are declared, in the order in which they may be proposed.
func (u *Unit) UnknownRef(ref dsl.Reference, known []string) {
	if u.Expander().Lost(ref.Type, ref.Name) {
		return // why it is not there was said
	}
	hint := dsl.DidYouMean(ref.Name, known)
	if hint == "" {
		hint = " Declare it: `" + ref.Type + " \"" + ref.Name + "\" { … }`."
		if ref.Type == "workflow" && len(known) == 0 {
			hint += " A scenario about a program has no workflow: leave run out, and start the program with scenario exec."
		}
	}
	u.Errorf(ref.Range, "Reference to nothing", "No %s %q is declared in this file.%s", ref.Type, ref.Name, hint)
}
