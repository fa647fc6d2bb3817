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

// A service is what steps ask for, by how that is written.
type service struct {
	// places are where the http steps of a workflow stand among its steps, by their names.
	places map[string]int
	steps  []*dsl.Block
	// same are the places of those that ask for the same, but for what stands behind the path, and at
	// those that ask the same service.
	same, at map[string][]int
}

func serviceOf(w *dsl.Block) *service {
	s := &service{places: map[string]int{}, steps: w.All("step"), same: map[string][]int{}, at: map[string][]int{}}
	for i, b := range s.steps {
		if b.Labels[0] == "http" {
			s.places[b.Name()] = i
			at, same := asks(b)
			s.at[at], s.same[same] = append(s.at[at], i), append(s.same[same], i)
		}
	}
	return s
}

// asks is which service a step asks, and for what.
func asks(step *dsl.Block) (at, same string) {
	for _, name := range []string{"provider", "gateway", "method", "path"} {
		if name == "method" {
			at = same
		}
		if e := step.Expr(name); e != nil {
			text, _, _ := strings.Cut(string(dsl.AppendSource(nil, e)), "?")
			same += strings.Trim(text, `"`)
		}
		same += "\n"
	}
	return at, same
}

// links warns of a scripted reply, and reports that it did, with a link to what is to be asked next, such
// as the cursor of the next page, that nothing in the file reads, although a later step asks the same
// again: its script answers that, too, whatever it sends.
func (c *checker) links(s *dsl.Block, asked *service) bool {
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
				if later := asked.without(on.Name(), name, value); later != nil {
					c.warnf(later.DefRange, "Link that nothing reads", "The reply for step %q has %s, which nothing in the file reads, and step %q asks without it, which its script answers all the same. Send it, such as by ${step.%[1]s.json.%[2]s}, and check that it is sent; or take it out of the reply.", on.Name(), name, later.Name())
					return true
				}
			}
		}
	}
	return false
}

// without is the first step that asks again behind another one, by a link that is a token the service and
// by any other one for the same, and does not have that link, which its reply gives; nil for none.
func (s *service) without(step, name, value string) *dsl.Block {
	i, known := s.places[step]
	if !known {
		return nil
	}
	at, same := asks(s.steps[i])
	again := s.same[same]
	if read.IsToken(name) {
		again = s.at[at]
	}
	from, _ := slices.BinarySearch(again, i+1)
	for _, n := range again[from:] {
		if path, _ := written(s.steps[n].Expr("path")); !strings.Contains(path, value) {
			return s.steps[n]
		}
	}
	return nil
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
