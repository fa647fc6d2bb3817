package lint

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// slot is a reference as other tools write one in a text: {name}, {{ name }},
// $name, and ${name} where the file escapes it.
var slot = pattern.New(`(\$\{|\{\{|\{|\$)\s*\.?([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\])*)\s*(\}\}|\})?`)

// closing is what ends a slot, by what begins it.
var closing = map[string]string{"${": "}", "{{": "}}", "{": "}", "$": ""}

// texts warns of slots in what steps send, where their names mean something.
func (c *checker) texts() {
	var known names
	for _, w := range c.file.Body.All("workflow") {
		if !c.own(w) {
			continue
		}
		if known.globals == nil {
			known = c.globals()
		}
		known.inputs, known.steps = inputsOf(w), stepsOf(nil, w)
		c.textsOf(w, known)
	}
	for _, b := range c.file.Body.All("locals") {
		if !c.own(b) {
			continue
		}
		if known.globals == nil {
			known = c.globals()
		}
		known.inputs, known.steps = nil, nil
		for _, a := range b.Attrs {
			reads := sync.OnceValue(func() references {
				r := references{}
				r.add(a.Expr)
				return r
			})
			c.textsIn(a.Expr, known, reads)
		}
	}
}

// textsIn warns of the slots in the texts of an expression.
func (c *checker) textsIn(e hclsyntax.Expression, known names, reads func() references) {
	eachTemplate(e, func(text string, at hcl.Range) {
		switch written, meant := known.slots(text, reads); {
		case len(written) > 1:
			c.warnf(at, summarySlot, "%s are sent as they are written. In a string, ${%s} inserts the value.", wording.Series(written, "and"), meant)
		case len(written) == 1 && strings.HasPrefix(written[0], "${"):
			c.warnf(at, summarySlot, "%s is sent as it is written, because $${ stands for the text ${. In a string, ${%s} inserts the value.", written[0], meant)
		case len(written) == 1:
			c.warnf(at, summarySlot, "%s is sent as it is written. In a string, ${%s} inserts the value.", written[0], meant)
		}
	})
}

const summarySlot = "Text that looks like a reference"

// slotted notes what the texts of an expression refer to in the form of other tools: who wrote
// {{ var.a }} uses var.a, and is told how to write it.
func (r references) slotted(e hclsyntax.Expression, known names) {
	eachTemplate(e, func(text string, _ hcl.Range) {
		if _, meant := known.slots(text, func() references { return r }); meant != "" {
			root, rest, _ := strings.Cut(meant, ".")
			name, _, _ := strings.Cut(rest, ".")
			r[reference{root, name}] = true
		}
	})
}

// names are those that a step of one workflow can read.
type names struct {
	globals       references // var.NAME, local.NAME
	inputs, steps []string
}

func (c *checker) globals() names {
	globals := references{}
	for _, b := range c.file.Body.All("variable") {
		globals[reference{"var", b.Name()}] = true
	}
	for _, b := range c.file.Body.All("locals") {
		for _, a := range b.Attrs {
			globals[reference{"local", a.Name}] = true
		}
	}
	return names{globals: globals}
}

func inputsOf(w *dsl.Block) (list []string) {
	if a := w.Attr("inputs"); a != nil {
		if given, ok := a.Expr.(*hclsyntax.ObjectConsExpr); ok {
			for _, item := range given.Items {
				list = append(list, keyOf(item))
			}
		}
	}
	return list
}

func stepsOf(list []string, b *dsl.Block) []string {
	for _, s := range b.All("step") {
		list = stepsOf(append(list, s.Name()), s)
	}
	return list
}

// textsOf warns of the steps of a workflow or loop.
func (c *checker) textsOf(b *dsl.Block, known names) {
	for _, s := range b.All("step") {
		reads := sync.OnceValue(func() references {
			r := references{}
			s.EachWritten(func(_ *dsl.Block, _ string, e hclsyntax.Expression) { r.add(e) })
			return r
		})
		written := func(_ *dsl.Block, _ string, e hclsyntax.Expression) { c.textsIn(e, known, reads) }
		for _, a := range s.Attrs {
			written(s, a.Name, a.Expr)
		}
		for _, n := range s.Blocks {
			if n.Type != "step" {
				n.EachWritten(written)
			}
		}
		c.textsOf(s, known)
	}
}

// eachTemplate calls f with every text of an expression; what it interpolates is
// left out.
func eachTemplate(e hclsyntax.Expression, f func(text string, at hcl.Range)) {
	switch x := e.(type) {
	case *hclsyntax.TemplateExpr:
		var text strings.Builder
		for _, part := range x.Parts {
			if l, ok := part.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String {
				text.WriteString(l.Val.AsString())
				continue
			}
			text.WriteByte(0)
			eachTemplate(part, f)
		}
		f(text.String(), x.Range())
	case *hclsyntax.LiteralValueExpr:
		if x.Val.Type() == cty.String && !x.Val.IsNull() {
			f(x.Val.AsString(), x.Range())
		}
	default:
		dsl.EachPart(e, func(p hclsyntax.Expression) { eachTemplate(p, f) })
	}
}

// slots are the slots of a text whose names mean something, and the reference that is
// meant by the first; "" for none.
func (n names) slots(text string, reads func() references) (written []string, meant string) {
	if !strings.ContainsAny(text, "{$") {
		return nil, ""
	}
	for _, m := range slot().FindAllStringSubmatch(text, -1) {
		if end, wants := m[3], closing[m[1]]; wants != "" && end != wants {
			continue
		}
		name := n.meant(m[2], reads)
		if name == "" {
			continue
		}
		shown := strings.TrimSpace(strings.TrimSuffix(m[0], map[bool]string{true: m[3]}[m[1] == "$"]))
		if meant = cmp.Or(meant, name); !slices.Contains(written, shown) {
			written = append(written, shown)
		}
	}
	return written, meant
}

// meant is the reference that a name stands for. One without its root is a word
// of the text where the step reads the same by its root.
func (n names) meant(name string, reads func() references) string {
	root, rest, _ := strings.Cut(name, ".")
	first, _, _ := strings.Cut(rest, ".")
	switch {
	case first == "":
		for _, from := range []string{"input", "var", "local"} {
			declared := n.globals[reference{from, root}] || from == "input" && slices.Contains(n.inputs, root)
			if declared && !reads().to(from, root) {
				return from + "." + root
			}
		}
	case root == "input" && slices.Contains(n.inputs, first), root == "step" && slices.Contains(n.steps, first), n.globals[reference{root, first}], name == "loop.index":
		return name
	case slices.Contains(n.steps, root) && !reads().to("step", root):
		return "step." + name
	}
	return ""
}
