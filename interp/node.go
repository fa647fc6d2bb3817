package interp

import "slices"

// A node is a step in its place among all steps of a scenario. A workflow that
// several steps run has a node of each of its steps below each of those.
type node struct {
	step *step
	// name is its address, as scripts, results and the trace call it: its own
	// name, after that of the step which runs the graph that it belongs to.
	name string
	// order is its place in the order of declaration, inner steps included.
	order int
	// inner are the steps of the graph that the step runs, and outer is the step
	// that runs the graph of this one, nil where it is the scenario's.
	inner []*node
	outer *node
}

// tree lists the nodes of a workflow that is run by nothing else.
func (w *workflow) tree() []*node {
	order := 0
	return w.below(nil, "", &order)
}

// nodes are all steps of a scenario, each above those inside it.
func (p *Plan) nodes() []*node {
	if len(p.beside) == 0 {
		return p.workflow.nodes()
	}
	return slices.Concat(p.workflow.nodes(), p.beside)
}

func (w *workflow) below(outer *node, prefix string, order *int) []*node {
	list := make([]*node, len(w.steps))
	nodes := make([]node, len(w.steps))
	for i, s := range w.steps {
		n := &nodes[i]
		*n = node{step: s, name: prefix + s.name, order: *order, outer: outer}
		*order++
		if s.inner != nil {
			n.inner = s.inner.below(n, n.name+".", order)
		}
		list[i] = n
	}
	return list
}

// eachNode calls f for each node and those below it, in order of declaration.
func eachNode(list []*node, f func(*node)) {
	for _, n := range list {
		f(n)
		eachNode(n.inner, f)
	}
}

// read is what is read of a step's result, of all that is read of the root step.
func (n *node) read(all *needs) *needs {
	if n.outer != nil {
		all = n.outer.read(all)
	}
	return all.of(n.step.name)
}

// within is the part of the needs of the root step that a step's result is,
// made where there is none yet.
func (n *node) within(all *needs) *needs {
	if n.outer != nil {
		all = n.outer.within(all)
	}
	return all.child(n.step.name)
}

// root is the outermost of the steps around n, n itself where there is none.
func (n *node) root() *node {
	for n.outer != nil {
		n = n.outer
	}
	return n
}

// around lists the steps that a step is inside of, the outermost first.
func (n *node) around() []*node {
	if n.outer == nil {
		return nil
	}
	return append(n.outer.around(), n.outer)
}
