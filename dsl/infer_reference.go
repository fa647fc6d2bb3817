package dsl

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/mistakes"
	words "github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// reference infers a name with everything that follows it.
func (in *inference) reference(e *hclsyntax.ScopeTraversalExpr, sc *scope) *schema.Shape {
	name := e.Traversal.RootName()
	s := sc.find(name)
	if s == nil {
		s = in.env.Roots[name]
	}
	in.watch(name, e.Traversal[0].SourceRange(), nil, s, sc)
	if s == nil {
		return in.unknownRoot(e, sc)
	}
	if one := in.oneOf(name, s, e.Traversal); one != "" {
		return in.errorf(e.Traversal[1].SourceRange(), "Wrong operand", "%s is the list of all. Did you mean %s?", name, one)
	}
	in.ref = e.Traversal
	s = in.follow(s, e.Traversal[1:])
	in.ref = nil
	return s
}

// oneOf is the reference to one declaration that is meant by an attribute of the list of
// all, step.a for steps.a, "" where none is.
func (in *inference) oneOf(root string, s *schema.Shape, t hcl.Traversal) string {
	one := strings.TrimSuffix(root, "s")
	if s.Kind != schema.ShapeTuple || one == root || len(t) < 2 || in.env.Roots[one] == nil {
		return ""
	}
	if name, ok := t[1].(hcl.TraverseAttr); ok && in.env.Roots[one].Attrs[name.Name] != nil {
		return one + "." + name.Name
	}
	return ""
}

// before writes the part of the reference that is followed which stands before a place,
// "…" where there is none.
func (in *inference) before(at hcl.Range) string {
	text := ""
	for i, step := range in.ref {
		if step.SourceRange().Start.Byte >= at.Start.Byte {
			break
		}
		switch step := step.(type) {
		case hcl.TraverseRoot:
			text = step.Name
		case hcl.TraverseAttr:
			text += "." + step.Name
		case hcl.TraverseIndex:
			text += fmt.Sprintf("[%s]", nameAt(in.ref, i))
		}
	}
	return cmp.Or(text, "…")
}

// follow goes from a value along attributes and indexes.
func (in *inference) follow(s *schema.Shape, path hcl.Traversal) *schema.Shape {
	in.see(s)
	var owner *schema.Shape
	last := ""
	for _, step := range path {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			if said := decoded(owner, last, s); said != "" && step.Name != "length" {
				return in.errorf(step.SrcRange, "Wrong operand", "This is a string and has no attribute %q. What it says as JSON is %s: write %s.%s.", step.Name, said, said, step.Name)
			}
			owner, last = s, step.Name
			s = in.attr(s, step.Name, step.SrcRange)
		case hcl.TraverseIndex:
			owner, last = nil, ""
			s = in.at(s, step.Key, step.SrcRange)
		default:
			s = schema.UnknownShape
		}
		in.see(s)
	}
	return s
}

// decoded is the name beside that of a string for what it says when it is read as
// JSON, "" where there is none: the json of a request beside its body.
func decoded(owner *schema.Shape, name string, s *schema.Shape) string {
	if owner != nil && s.Kind == schema.ShapeString && name == "body" && owner.Attrs["json"] != nil {
		return "json"
	}
	return ""
}

// seeAny is see for an attribute whose name is computed.
func (in *inference) seeAny(s *schema.Shape) {
	for _, a := range s.Attrs {
		in.see(a)
	}
}

func (in *inference) see(s *schema.Shape) { in.observed = in.observed || s.Observed }

func (in *inference) attr(s *schema.Shape, name string, rng hcl.Range) *schema.Shape {
	switch s.Kind {
	case schema.ShapeUnknown:
		return s
	case schema.ShapeObject:
		a, ok := s.Attrs[name]
		in.watch(name, rng, s, a, nil)
		if ok {
			return orUnknown(a)
		}
		if !s.Open {
			return in.unknownAttr(s, name, rng)
		}
		if s.Keys != nil {
			if why := in.env.Meet(stdlib.Meeting{A: s.Keys, B: schema.Written(name)}); why != "" {
				return in.errorf(rng, "Unknown name", "%s", why)
			}
		}
		return orUnknown(s.Elem)
	case schema.ShapeTuple, schema.ShapeString:
		if Suggest(name, []string{"length"}) != "" || name == "length" {
			return in.errorf(rng, "Wrong operand", "This is %s and has no attribute %q. The function length(…) says how long it is.", s.KindName(), name)
		}
		if s.Kind == schema.ShapeString {
			break
		}
		return in.errorf(rng, "Wrong operand", "This is a list and has no attribute %q. Take one element with an index such as [0], that of all elements with [*].%s, or write a for expression.", name, name)
	}
	return in.errorf(rng, "Wrong operand", "This is %s and has no attribute %q.", s.KindName(), name)
}

// at is the element at a key that is written in the file.
func (in *inference) at(s *schema.Shape, key cty.Value, rng hcl.Range) *schema.Shape {
	if !key.IsKnown() || key.IsNull() || s.Kind == schema.ShapeUnknown {
		return schema.UnknownShape
	}
	text := keyText(key)
	switch s.Kind {
	case schema.ShapeObject:
		return in.attr(s, text, rng)
	case schema.ShapeTuple:
		n, ok := indexOf(text)
		if !ok {
			return in.errorf(rng, "Wrong index", "This is a list, whose elements have the indexes 0, 1, 2, …; %s is none.", text)
		}
		if s.Elems == nil {
			return orUnknown(s.Elem)
		}
		if n >= len(s.Elems) {
			return in.errorf(rng, "Wrong index", "This list has %s.", wording.Elements(len(s.Elems)))
		}
		return s.Elems[n]
	}
	return in.errorf(rng, "Wrong operand", "This is %s and has no elements.", s.KindName())
}

func keyText(key cty.Value) string {
	switch key.Type() {
	case cty.String:
		return key.AsString()
	case cty.Number:
		return key.AsBigFloat().Text('f', -1)
	}
	return ""
}

// indexOf reads an index; one that is written as a text counts, as it does in
// an evaluation.
func indexOf(text string) (int, bool) {
	f, _, err := big.ParseFloat(text, 10, 64, big.ToNearestEven)
	if err != nil {
		return 0, false
	}
	n, accuracy := f.Int64()
	return int(n), accuracy == big.Exact && n >= 0 && n < 1<<31
}

// index infers x[key]. Only a key that is written out tells which attribute
// is meant.
func (in *inference) index(e *hclsyntax.IndexExpr, sc *scope) *schema.Shape {
	s := in.shape(e.Collection, sc)
	key := in.value(e.Key, sc)
	if literal, ok := Literal(e.Key); ok {
		found := in.at(s, literal, e.Key.Range())
		in.see(found)
		return found
	}
	switch {
	case s.Kind == schema.ShapeTuple && key.Kind != schema.ShapeTuple && key.Kind != schema.ShapeObject:
		return orUnknown(s.Elem)
	case s.Kind == schema.ShapeObject && key.Kind != schema.ShapeTuple && key.Kind != schema.ShapeObject:
		in.seeAny(s)
		for _, m := range stdlib.Named(s, key) {
			if why := in.env.Meet(m); why != "" {
				return in.errorf(e.Key.Range(), "Comparison can never hold", "%s", why)
			}
		}
		return schema.AnyAttr(s)
	case s.Kind == schema.ShapeUnknown:
		return schema.UnknownShape
	case s.Kind == schema.ShapeTuple || s.Kind == schema.ShapeObject:
		return in.errorf(e.Key.Range(), "Wrong index", "An index is a number or a string, not %s.", key.KindName())
	}
	return in.errorf(e.Collection.Range(), "Wrong operand", "This is %s and has no elements.", s.KindName())
}

func (in *inference) unknownAttr(s *schema.Shape, name string, rng hcl.Range) *schema.Shape {
	var names []string
	hint, look := "", in.env.Hints.spend(len(s.Attrs))
	if look {
		names = slices.Sorted(maps.Keys(s.Attrs))
		hint = cmp.Or(in.elsewhere(s, name, rng), DidYouMean(name, names))
	}
	if s.Within != "" {
		if hint == "" && look {
			hint = in.otherRoot(s, name)
		}
		if hint == "" && look {
			hint = wording.Listed(names, " Nothing is declared there.", " There is: ")
		}
		return in.errorf(rng, "Unknown name", "No %s %q is declared %s.%s", nounOf(s), name, s.Within, hint)
	}
	if why := cmp.Or(s.Never[name], words.Told(nounOf(s), name, "")); why != "" {
		hint = " " + why
	}
	if _, index := indexOf(name); index && s.Attrs["attempts"] != nil {
		hint = fmt.Sprintf(" Its attempts are a list: %s.attempts[%s].", in.before(rng), name)
	}
	if Counts(name) && s.Attrs["attempts"] != nil {
		hint = fmt.Sprintf(" How often it was asked is length(%s.attempts).", in.before(rng))
	}
	if hint == "" && look {
		hint = wording.Listed(names, " It has no attributes.", " It has: ")
	}
	return in.errorf(rng, "Unknown attribute", "%s has no attribute %q.%s", wording.Capital(wording.WithArticle(s.Name)), name, hint)
}

// elsewhere is the reference that was meant where the attribute is there, but one level
// further up or down: step.a.status_code for step.a.response.status, and case.input.city for
// case.city. It is "" where it is not.
func (in *inference) elsewhere(s *schema.Shape, name string, rng hcl.Range) string {
	if s.Within != "" || len(in.ref) == 0 {
		return ""
	}
	before := in.before(rng)
	for i, step := range in.ref[:len(in.ref)-1] {
		next, attribute := in.ref[i+1].(hcl.TraverseAttr)
		if step.SourceRange().Start.Byte != rng.Start.Byte || !attribute || !wraps[name] {
			continue
		}
		known := slices.Sorted(maps.Keys(s.Attrs))
		if next.Name == "status" && s.Attrs["status_code"] != nil {
			return fmt.Sprintf(" Did you mean %s.status_code?", before) // that of the answer, and not of the step
		}
		if meant := next.Name; s.Attrs[meant] != nil {
			return fmt.Sprintf(" Did you mean %s.%s?", before, meant)
		}
		if meant := Suggest(next.Name, known); meant != "" {
			return fmt.Sprintf(" Did you mean %s.%s?", before, meant)
		}
		if s.Attrs["json"] != nil && s.Attrs["body"] != nil {
			return fmt.Sprintf(" Did you mean %s.json.%s?", before, next.Name)
		}
	}
	var holders []string
	for _, holder := range slices.Sorted(maps.Keys(s.Attrs)) {
		if a := s.Attrs[holder]; a != nil && a.Kind == schema.ShapeObject && a.Attrs[name] != nil {
			holders = append(holders, holder)
		}
	}
	if input := s.Attrs["input"]; s.Name == "case" && len(holders) == 0 && input != nil && input.Attrs == nil {
		holders = []string{"input"} // whose attributes are those of each case
	}
	if len(holders) == 1 && Suggest(name, slices.Sorted(maps.Keys(s.Attrs))) == "" {
		return fmt.Sprintf(" Did you mean %s.%s.%s?", before, holders[0], name)
	}
	return ""
}

// wraps are names that other tools put between a call and what its answer has.
var wraps = map[string]bool{"response": true, "result": true, "res": true, "resp": true, "answer": true, "reply": true, "output": true, "outputs": true, "data": true, "value": true}

// Counts reports whether an attribute is what other tools call the number of calls.
func Counts(name string) bool {
	return slices.Contains([]string{"count", "call_count", "callcount", "times_called", "request_count", "requests", "hits", "length", "size"}, strings.ToLower(name))
}

// otherRoot finds a name among the declarations of other roots.
func (in *inference) otherRoot(s *schema.Shape, name string) string {
	if in.env.Explain != nil {
		if why := in.env.Explain(s, name); why != "" {
			return why
		}
	}
	if self := in.env.Roots["self"]; self != nil && nounOf(s) == "step" && self.Attrs[name] != nil {
		return fmt.Sprintf(" Did you mean self.%s?", name)
	}
	for _, outer := range slices.Sorted(maps.Keys(s.Attrs)) {
		if a := s.Attrs[outer]; a != nil && a.Attrs[name] != nil && outer != in.env.Own {
			return fmt.Sprintf(" Did you mean %s.%s.%s?", nounOf(s), outer, name)
		}
	}
	for _, root := range slices.Sorted(maps.Keys(in.env.Roots)) {
		other := in.env.Roots[root]
		if _, declared := other.Attrs[name]; declared && other != s && other.Within != "" {
			return fmt.Sprintf(" %q is %s: did you mean %s.%s?", name, wording.WithArticle(nounOf(other)), root, name)
		}
	}
	return ""
}

func (in *inference) unknownRoot(e *hclsyntax.ScopeTraversalExpr, sc *scope) *schema.Shape {
	name, rng := e.Traversal.RootName(), e.Traversal[0].SourceRange()
	if in.unknown[name] {
		return schema.UnknownShape // one name is one mistake
	}
	if in.unknown == nil {
		in.unknown = map[string]bool{}
	}
	in.unknown[name] = true
	only := in.onlyRoots()
	if why, ok := in.env.Elsewhere[name]; ok {
		if step := nameAt(e.Traversal, 2); in.env.Roots["step"] != nil && in.env.Roots["step"].Attrs[step] != nil {
			why += fmt.Sprintf(" Did you mean step.%s?", step)
		}
		why += in.iterated(e.Traversal)
		return in.errorf(rng, "Not available here", "%s %s", why, only)
	}
	known := slices.Sorted(maps.Keys(in.env.Roots))
	known = append(known, in.env.Replaced...)
	for s := sc; s != nil; s = s.outer {
		known = append(known, s.name)
	}
	hint := cmp.Or(DidYouMean(name, known), in.iterated(e.Traversal))
	if whole := in.attributeOf(name); whole != "" && hint == "" && len(e.Traversal) == 1 {
		hint = fmt.Sprintf(" Did you mean %s?", whole)
	}
	if full := in.declaredAs(name); full != "" {
		hint = fmt.Sprintf(" Did you mean %s?", full)
	} else if said := words.LiteralFor(name); said != "" && len(e.Traversal) == 1 {
		hint = said
		if strings.HasSuffix(said, " null?") && !strings.HasSuffix(in.env.place(), "condition") {
			hint += " An attribute that should keep its default is left out."
		} else {
			only = "" // it is no name that was meant
		}
	} else if words.IsType(name) && len(e.Traversal) == 1 {
		hint = " No type is written here, but a value, such as \"\" or null."
	} else if said := mistakes.Foreign(name, nameAt(e.Traversal, 1), nameAt(e.Traversal, 2)); said != "" {
		hint = said
	} else if hint == "" && sc != nil && len(e.Traversal) > 1 {
		hint = fmt.Sprintf(" The for expression around it has %q.", sc.name)
	} else if hint == "" && len(e.Traversal) == 1 && in.templates > 0 {
		hint = fmt.Sprintf(" A variable of the file is declared with variable %q { default = … } and written ${var.%s}; for the text itself write $${%s}.", name, name, name)
	} else if hint == "" && len(e.Traversal) == 1 {
		hint = fmt.Sprintf(" A string is written in quotes: %q.", name)
	}
	return in.errorf(rng, summaryNothing, "%s", strings.TrimSpace(fmt.Sprintf("There is no %q here.%s %s", name, hint, only)))
}

// nameAt is the attribute or the key at a place of a reference, "" where it has none.
func nameAt(t hcl.Traversal, i int) string {
	if i >= len(t) {
		return ""
	}
	switch step := t[i].(type) {
	case hcl.TraverseAttr:
		return step.Name
	case hcl.TraverseIndex:
		return keyText(step.Key)
	}
	return ""
}

// declaredAs finds a declaration of that name, for a reference that lacks its
// root.
func (in *inference) declaredAs(name string) string {
	for _, root := range slices.Sorted(maps.Keys(in.env.Roots)) {
		s := in.env.Roots[root]
		if _, ok := s.Attrs[name]; ok && s.Within != "" {
			return root + "." + name
		}
	}
	return ""
}

// attributeOf is the attribute of that name of the one root that has it and is no
// directory: loop.index for index.
func (in *inference) attributeOf(name string) string {
	found := ""
	for _, root := range slices.Sorted(maps.Keys(in.env.Roots)) {
		s := in.env.Roots[root]
		if s.Kind != schema.ShapeObject || s.Within != "" || s.Attrs[name] == nil {
			continue
		}
		if found != "" {
			return ""
		}
		found = root + "." + name
	}
	return found
}

// iterated is the reference to the element of the one dynamic block around an expression
// that is meant by the key or the value of another name, "" where none is.
func (in *inference) iterated(t hcl.Traversal) string {
	part := nameAt(t, 1)
	iterators := slices.DeleteFunc(slices.Clone(in.env.Replaced), func(name string) bool { return name == "each" || name == matrixType })
	if part != "key" && part != "value" || len(iterators) != 1 {
		return ""
	}
	return fmt.Sprintf(" Did you mean %s.%s?", iterators[0], part)
}

func (in *inference) onlyRoots() string {
	place := in.env.place()
	roots := slices.AppendSeq(slices.Clone(in.env.Replaced), maps.Keys(in.env.Roots))
	slices.Sort(roots)
	switch roots = slices.Compact(roots); len(roots) {
	case 0:
		return fmt.Sprintf("Nothing can be referred to in %s.", place)
	case 1:
		return fmt.Sprintf("Only %s can be used in %s.", roots[0], place)
	}
	last := len(roots) - 1
	return fmt.Sprintf("Only %s and %s can be used in %s.", strings.Join(roots[:last], ", "), roots[last], place)
}

// nounOf is what a directory holds: "step" for the root step.
func nounOf(s *schema.Shape) string {
	noun := s.Name
	for _, article := range []string{"a ", "an ", "the "} {
		noun = strings.TrimPrefix(noun, article)
	}
	if noun == "" {
		return "declaration"
	}
	return noun
}
