package compile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/compile/services"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// compileHandlers finds the workflows that handlers run. It comes after the
// workflows, whose steps may call the handlers.
func (c *compiler) compileHandlers() {
	c.handlers = map[actor.Target]*plan.HandlerWork{}
	for _, b := range c.Top("actor") {
		a := c.services.Actors[b.Name()]
		for _, n := range b.All("handler") {
			if work := c.handlerWork(a, n); work != nil {
				c.handlers[work.Target] = work
			}
		}
	}
	c.checkWork()
}

// meantCycles drops warnings of cycles in a file that checks what becomes of the
// calls in them.
func meantCycles(file *dsl.File, diags hcl.Diagnostics) hcl.Diagnostics {
	if !bytes.Contains(file.Source, []byte(`"routing_cycle"`)) {
		return diags
	}
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool { return d.Summary == "Cycle among actors" })
}

// checkWork warns of calls that the workflows of handlers make and that come
// back to where they were: each of them will be refused.
func (c *compiler) checkWork() {
	for _, name := range c.services.Order {
		for _, w := range c.working(c.services.Actors[name].ActorSpec) {
			seen := map[actor.Target]bool{}
			var visit func(t actor.Target, path []string)
			visit = func(t actor.Target, path []string) {
				for _, next := range c.callsOf(t) {
					if next.Actor == name && slices.Min(path) == name && !c.services.Actors[name].Deep && !c.services.OwnTool(t, next) {
						c.Warnf(w.Node.Step.Rng, "Cycle among actors", "What is called from here comes back: the cycle is %s. Such a call is refused with routing_cycle.", strings.Join(append(path, name), " -> "))
						continue
					}
					if !seen[next] && !slices.Contains(path, next.Actor) {
						seen[next] = true
						visit(next, append(slices.Clone(path), next.Actor))
					}
				}
			}
			visit(w.Target, []string{name})
		}
	}
}

// callsOf lists what a handler forwards to and what the steps of its workflow
// call.
func (c *compiler) callsOf(t actor.Target) []actor.Target {
	var list []actor.Target
	if f := c.services.ForwardOf(t); f != nil {
		list = append(list, *f)
	}
	if w := c.handlers[t]; w != nil {
		plan.EachNode(w.Node.Inner, func(n *plan.Node) {
			if n.Step.Target.Actor != "" {
				list = append(list, n.Step.Target)
			}
		})
	}
	return list
}

func (c *compiler) handlerWork(a *services.Actor, b *dsl.Block) *plan.HandlerWork {
	r := c.Read(b)
	if r.Has("inputs") && !r.Has("workflow") {
		r.Errorf("inputs", "Inputs of nothing", "Handler %q runs no workflow that could have inputs: give it workflow = workflow.name, or drop them.", b.Name())
	}
	if !r.Has("workflow") {
		return nil
	}
	if r.Has("forward_to") {
		r.Errorf("forward_to", "Handler that does two things", "Handler %q runs a workflow and forwards, and its answer is that of one of them. A call step of the workflow calls the other actor.", b.Name())
	}
	w := c.inner(b, r.Ref("workflow"))
	if w == nil {
		return nil
	}
	target := actor.Target{Actor: a.Name, Name: b.Name()}
	s := &plan.Step{
		Kind: plan.KindHandler, Name: target.Address(), Block: b, Rng: b.DefRange, Inner: w, Taxonomy: w.Taxonomy, Fallback: -1, Required: true,
		Needs: &read.Needs{}, Args: map[string]*dsl.Attr{}, Shape: observe.Around(observe.HandlerShape, w),
	}
	for _, n := range w.Steps {
		if observe.HandlerShape.Attrs[n.Name] != nil {
			c.Errorf(b.DefRange, "Step name that is taken", "%s.%s is what a session's run came to, so a step of the workflow of handler %q cannot be called %q. Rename that step.", target.Address(), n.Name, b.Name(), n.Name)
		}
	}
	work := &plan.HandlerWork{Target: target, Inputs: b.Expr("inputs")}
	if work.Inputs != nil {
		c.given(s, "inputs")
		c.argumentsOnly(work.Inputs, "the inputs of handler "+b.Name())
	}
	work.Node = s.Tree(c.outsideOrder)
	c.outsideOrder = lastOrder(work.Node) + 1
	return work
}

// argumentsOnly checks an expression that reads what a call passes.
func (c *compiler) argumentsOnly(e hclsyntax.Expression, where string) {
	env := *c.Static
	env.Where = where
	env.Roots = map[string]*schema.Shape{"arguments": {}, "var": c.Static.Roots["var"], "local": c.Static.Roots["local"]}
	_, diags := dsl.Infer(e, &env)
	c.Diags = append(c.Diags, diags...)
}

// lastOrder is the last place below a node, from plan.OrderOutside.
func lastOrder(n *plan.Node) int {
	last := n.Order
	plan.EachNode(n.Inner, func(n *plan.Node) { last = n.Order })
	return last - plan.OrderOutside
}

// owner is the actor of the handler that a node stands for.
func (c *compiler) owner(n *plan.Node) string {
	for t, w := range c.handlers {
		if w.Node == n {
			return t.Actor
		}
	}
	return ""
}

// working lists the handlers of an actor that run a workflow, in order of
// declaration.
func (c *compiler) working(a *actor.ActorSpec) []*plan.HandlerWork {
	var list []*plan.HandlerWork
	for _, h := range a.Handlers {
		if w := c.handlers[actor.Target{Actor: a.Name, Name: h.Name}]; w != nil {
			list = append(list, w)
		}
	}
	return list
}
