package interp

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/schema"
)

// kindHandler is the kind of the node that stands for a handler which runs a
// workflow. It is no step of a file.
const kindHandler = "handler"

// handlerWork is the workflow of a handler.
type handlerWork struct {
	target actor.Target
	// node stands for the handler; below it are the steps of its workflow.
	node *node
	// inputs is what the workflow gets, nil for the arguments of the call.
	inputs hclsyntax.Expression
}

// compileHandlers finds the workflows that handlers run. It comes after the
// workflows, whose steps may call the handlers.
func (c *compiler) compileHandlers() {
	c.handlers = map[actor.Target]*handlerWork{}
	for _, b := range c.file.Body.All("actor") {
		a := c.services.actors[b.Name()]
		for _, n := range b.All("handler") {
			if work := c.handlerWork(a, n); work != nil {
				c.handlers[work.target] = work
			}
		}
	}
	c.checkWork()
}

// checkWork warns of calls that the workflows of handlers make and that come
// back to where they were: each of them will be refused.
func (c *compiler) checkWork() {
	for _, name := range c.services.order {
		for _, w := range c.working(c.services.actors[name].ActorSpec) {
			seen := map[actor.Target]bool{}
			var visit func(t actor.Target, path []string)
			visit = func(t actor.Target, path []string) {
				for _, next := range c.callsOf(t) {
					if next.Actor == name && slices.Min(path) == name && !c.services.actors[name].Deep && !c.ownTool(t, next) {
						c.warnf(w.node.step.rng, "Cycle among actors", "What is called from here comes back: the cycle is %s. Such a call is refused with routing_cycle.", strings.Join(append(path, name), " -> "))
						continue
					}
					if !seen[next] && !slices.Contains(path, next.Actor) {
						seen[next] = true
						visit(next, append(slices.Clone(path), next.Actor))
					}
				}
			}
			visit(w.target, []string{name})
		}
	}
}

// callsOf lists what a handler forwards to and what the steps of its workflow
// call.
func (c *compiler) callsOf(t actor.Target) []actor.Target {
	var list []actor.Target
	if f := c.forwardOf(t); f != nil {
		list = append(list, *f)
	}
	if w := c.handlers[t]; w != nil {
		eachNode(w.node.inner, func(n *node) {
			if n.step.target.Actor != "" {
				list = append(list, n.step.target)
			}
		})
	}
	return list
}

// ownTool reports whether a session calls a tool of its own actor.
func (c *compiler) ownTool(from, to actor.Target) bool {
	a := c.services.actors[to.Actor]
	return from.Actor == to.Actor && a != nil && slices.ContainsFunc(a.Tools, func(t *actor.ToolSpec) bool { return t.Name == to.Name })
}

func (c *compiler) handlerWork(a *declaredActor, b *dsl.Block) *handlerWork {
	r := c.read(b)
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
	s := &step{
		kind: kindHandler, name: target.Address(), block: b, rng: b.DefRange, inner: w, taxonomy: w.taxonomy, fallback: -1, required: true,
		needs: &needs{}, args: map[string]*dsl.Attr{}, shape: around(handlerShape, w),
	}
	for _, n := range w.steps {
		if handlerShape.Attrs[n.name] != nil {
			c.errorf(b.DefRange, "Step name that is taken", "%s.%s is what a session's run came to, so a step of the workflow of handler %q cannot be called %q. Rename that step.", target.Address(), n.name, b.Name(), n.name)
		}
	}
	work := &handlerWork{target: target, inputs: exprOf(b, "inputs")}
	if work.inputs != nil {
		c.given(s, "inputs")
		c.argumentsOnly(work.inputs, "the inputs of handler "+b.Name())
	}
	work.node = s.tree(c.beside)
	c.beside = lastOrder(work.node) + 1
	return work
}

// argumentsOnly checks an expression that reads what a call passes.
func (c *compiler) argumentsOnly(e hclsyntax.Expression, where string) {
	env := *c.staticEnv
	env.Where = where
	env.Roots = map[string]*schema.Shape{"arguments": {}, "var": c.staticEnv.Roots["var"], "local": c.staticEnv.Roots["local"]}
	dsl.Strict(e)
	_, diags := dsl.Infer(e, &env)
	c.diags = append(c.diags, diags...)
}

// orderBeside is where the places of steps begin that belong to no workflow of
// a scenario: all of those come first.
const orderBeside = 1 << 24

// tree is the node of a step that stands beside the scenario's workflow, with
// those below it.
func (s *step) tree(order int) *node {
	n := &node{step: s, name: s.name, order: orderBeside + order}
	below := n.order + 1
	if s.inner != nil {
		n.inner = s.inner.below(n, n.name+".", &below)
	}
	return n
}

// lastOrder is the last place below a node, from orderBeside.
func lastOrder(n *node) int {
	last := n.order
	eachNode(n.inner, func(n *node) { last = n.order })
	return last - orderBeside
}

// owner is the actor of the handler that a node stands for.
func (c *compiler) owner(n *node) string {
	for t, w := range c.handlers {
		if w.node == n {
			return t.Actor
		}
	}
	return ""
}

// working lists the handlers of an actor that run a workflow, in order of
// declaration.
func (c *compiler) working(a *actor.ActorSpec) []*handlerWork {
	var list []*handlerWork
	for _, h := range a.Handlers {
		if w := c.handlers[actor.Target{Actor: a.Name, Name: h.Name}]; w != nil {
			list = append(list, w)
		}
	}
	return list
}
