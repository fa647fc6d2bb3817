package unit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/language"
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

// usualKinds are the kinds that are named where a block of several kinds has to be
// declared.
var usualKinds = map[string]string{"provider": "openai", "retry": "exponential"}

// declaration is how a block is written that a reference would find.
func declaration(ref dsl.Reference) string {
	head := ref.Type
	if b := language.File().Block(ref.Type); b != nil && len(b.Labels) == 2 {
		head += fmt.Sprintf(" %q", cmp.Or(usualKinds[ref.Type], b.Kinds[0].Kind))
	}
	return fmt.Sprintf("%s %q { … }", head, ref.Name)
}

// ofKind is the reference to the only declaration of the kind that a reference names, "" where
// there is none or more than one.
func (u *Unit) ofKind(ref dsl.Reference) string {
	found := ""
	for _, b := range u.File.Body.All(ref.Type) {
		if len(b.Labels) != 2 || b.Labels[0] != ref.Name || !hclsyntax.ValidIdentifier(b.Name()) {
			continue
		}
		if found != "" {
			return ""
		}
		found = ref.Type + "." + b.Name()
	}
	return found
}

func (u *Unit) declaredAs(ref dsl.Reference) string {
	other := map[string]string{"provider": "gateway", "gateway": "provider"}[ref.Type]
	if other == "" {
		return ""
	}
	for _, b := range u.File.Body.All(other) {
		if b.Name() == ref.Name && hclsyntax.ValidIdentifier(ref.Name) {
			return other + "." + ref.Name
		}
	}
	return ""
}

// mostNamed is how many declarations a message names.
const mostNamed = 8

// thereIs names the declarations that a reference might have meant.
func thereIs(typ string, known []string) string {
	if len(known) == 0 || len(known) > mostNamed {
		return ""
	}
	refs := make([]string, len(known))
	for i, name := range known {
		if refs[i] = typ + "." + name; !hclsyntax.ValidIdentifier(name) {
			refs[i] = fmt.Sprintf("%s[%q]", typ, name)
		}
	}
	return " There is " + strings.Join(refs, ", ") + "."
}

// UnknownRef reports a reference to what nobody declares; known are the names
// that are declared, in the order in which they may be proposed.
func (u *Unit) UnknownRef(ref dsl.Reference, known []string) {
	if u.Expander().Lost(ref.Type, ref.Name) {
		return // why it is not there was said
	}
	hint := dsl.DidYouMean(ref.Name, known)
	if hint == "" {
		hint = thereIs(ref.Type, known) + " Declare it: `" + declaration(ref) + "`."
		if kind := u.ofKind(ref); kind != "" {
			hint = fmt.Sprintf(" %q is its kind, and not its name. Did you mean %s?", ref.Name, kind)
		}
		if other := u.declaredAs(ref); other != "" {
			hint = fmt.Sprintf(" There is %s: write `%s = %s` in place of %s = %s.%s.", other, strings.Split(other, ".")[0], other, ref.Type, ref.Type, ref.Name)
		} else if ref.Type == "workflow" {
			hint += " One of another file is there with `import = [\"./FILE.scenario.hcl\"]` at the top of this one."
		}
		if ref.Type == "workflow" && len(known) == 0 {
			hint += " A scenario about a program has no workflow: leave run out, and start the program with scenario exec."
		}
	}
	u.Errorf(ref.Range, "Reference to nothing", "No %s %q is declared in this file.%s", ref.Type, ref.Name, hint)
}
