package plan

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Tree is the node of a step that stands beside the scenario's workflow, with
// those below it.
func (s *Step) Tree(order int) *Node {
	n := &Node{Step: s, Name: s.Name, Order: OrderOutside + order}
	below := n.Order + 1
	if s.Inner != nil {
		n.Inner = s.Inner.below(n, n.Name+".", &below)
	}
	return n
}

// A Node is a step in its place among all steps of a scenario. A workflow that
// several steps run has a node of each of its steps below each of those.
type Node struct {
	Step *Step
	// Name is its address, as scripts, results and the trace call it: its own
	// name, after that of the step which runs the graph that it belongs to.
	Name string
	// Order is its place in the order of declaration, inner steps included.
	Order int
	// Inner are the steps of the graph that the step runs, and Outer is the step
	// that runs the graph of this one, nil where it is the scenario's.
	Inner []*Node
	Outer *Node
}

// Tree lists the nodes of a workflow that is run by nothing else.
func (w *Workflow) Tree() []*Node {
	order := 0
	return w.below(nil, "", &order)
}

// Nodes are all steps of a scenario, each above those inside it.
func (p *Plan) Nodes() []*Node {
	if len(p.Outside) == 0 {
		return p.Workflow.Nodes()
	}
	return slices.Concat(p.Workflow.Nodes(), p.Outside)
}

// Addressed are all nodes that have results: those of Nodes, and the endpoints
// that are none of them.
func (p *Plan) Addressed() []*Node {
	list := p.Nodes()
	for _, n := range p.Endpoints {
		if n.Step.Endpoint.Declared {
			list = append(list[:len(list):len(list)], n)
		}
	}
	return list
}

func (w *Workflow) below(outer *Node, prefix string, order *int) []*Node {
	list := make([]*Node, len(w.Steps))
	nodes := make([]Node, len(w.Steps))
	for i, s := range w.Steps {
		n := &nodes[i]
		*n = Node{Step: s, Name: prefix + s.Name, Order: *order, Outer: outer}
		*order++
		if s.Inner != nil {
			n.Inner = s.Inner.below(n, n.Name+".", order)
		}
		list[i] = n
	}
	return list
}

// EachNode calls f for each node and those below it, in order of declaration.
func EachNode(list []*Node, f func(*Node)) {
	for _, n := range list {
		f(n)
		EachNode(n.Inner, f)
	}
}

// Read is what is read of a step's result, of all that is read of the root step.
func (n *Node) Read(all *read.Needs) *read.Needs {
	if n.Outer != nil {
		all = n.Outer.Read(all)
	}
	return all.Of(n.Step.Name)
}

// Within is the part of the needs of the root step that a step's result is,
// made where there is none yet.
func (n *Node) Within(all *read.Needs) *read.Needs {
	if n.Outer != nil {
		all = n.Outer.Within(all)
	}
	return all.Child(n.Step.Name)
}

// Root is the outermost of the steps around n, n itself where there is none.
func (n *Node) Root() *Node {
	for n.Outer != nil {
		n = n.Outer
	}
	return n
}

// Around lists the steps that a step is inside of, the outermost first.
func (n *Node) Around() []*Node {
	if n.Outer == nil {
		return nil
	}
	return append(n.Outer.Around(), n.Outer)
}
