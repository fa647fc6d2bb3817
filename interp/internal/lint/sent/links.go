package sent

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// links warns of a scripted reply, and reports that it did, with a link to what is to be asked next, such as the cursor of the
// next page, that nothing in the file reads, although a later step asks the same again: its script
// answers that, too, whatever it sends.
func (c *checker) links(s, w *dsl.Block) bool {
	for _, on := range s.All("on") {
		for _, reply := range on.All("reply") {
			body, is := reply.Expr("json").(*hclsyntax.ObjectConsExpr)
			if !is {
				continue
			}
			for _, item := range body.Items {
				name, _ := dsl.WrittenKey(item.KeyExpr)
				value, said := written(item.ValueExpr)
				if !said || !read.IsLink(name) || c.isNamed(name, on.Name()) {
					continue
				}
				if later := without(w, on.Name(), name, value); later != nil {
					c.warnf(later.DefRange, "Link that nothing reads", "The reply for step %q has %s, which nothing in the file reads, and step %q asks without it, which its script answers all the same. Send it, such as by ${step.%[1]s.json.%[2]s}, and check that it is sent; or take it out of the reply.", on.Name(), name, later.Name())
					return true
				}
			}
		}
	}
	return false
}

// without is the first step of a workflow that asks again behind another one and has no link that its
// reply gives; nil for none.
func without(w *dsl.Block, step, name, value string) *dsl.Block {
	steps := w.All("step")
	i := slices.IndexFunc(steps, func(b *dsl.Block) bool { return b.Name() == step && b.Labels[0] == "http" })
	for _, later := range steps[i+1:] {
		path, _ := written(later.Expr("path"))
		if i >= 0 && asksAgain(steps[i], later, name) && !strings.Contains(path, value) {
			return later
		}
	}
	return nil
}

// asksAgain reports whether a step asks the service of another one, and by a link that is no token, the
// same but for what stands behind its path.
func asksAgain(first, later *dsl.Block, link string) bool {
	if later.Labels[0] != "http" {
		return false
	}
	for _, name := range []string{"provider", "gateway", "method", "path"} {
		if name == "method" && read.IsToken(link) {
			break
		}
		a, b := first.Expr(name), later.Expr(name)
		if a == nil || b == nil {
			if a != b {
				return false
			}
			continue
		}
		text, _, _ := strings.Cut(string(dsl.AppendSource(nil, a)), "?")
		other, _, _ := strings.Cut(string(dsl.AppendSource(nil, b)), "?")
		if strings.Trim(text, `"`) != strings.Trim(other, `"`) {
			return false
		}
	}
	return true
}

// isNamed reports whether anything in the file may read a member of an answer of a step: by its name, or
// all of the answer. The file is gone over once for that.
func (c *checker) isNamed(name, step string) bool {
	if c.named == nil {
		c.named = map[string]bool{}
		path := func(t hcl.Traversal) {
			last := ""
			for i := range t {
				last, _ = read.AttrName(t, i)
				c.named[last] = c.named[last] || i > 1 || t.IsRelative() || t.RootName() != "step" // which has the name of a step there
			}
			if of, _ := read.AttrName(t, 1); len(t) == 2 || slices.Contains(told, last) {
				c.named["step."+of] = true
			}
		}
		for _, b := range c.file.Body.Blocks {
			b.EachWritten(func(in *dsl.Block, _ string, e hclsyntax.Expression) {
				if in.Type == "reply" {
					return
				}
				dsl.EachExpr(e, func(e hclsyntax.Expression) {
					switch x := e.(type) {
					case *hclsyntax.ScopeTraversalExpr:
						path(x.Traversal)
					case *hclsyntax.RelativeTraversalExpr:
						path(x.Traversal)
					case *hclsyntax.ObjectConsKeyExpr:
						if key, _ := dsl.WrittenKey(x); in.Type == "expect" {
							c.named[key] = true
						}
					}
					if v, is := dsl.Literal(e); is && v.Type() == cty.String && !v.IsNull() {
						c.named[v.AsString()] = true
					}
				})
			})
		}
	}
	return c.named[name] || c.named["step."+step]
}
