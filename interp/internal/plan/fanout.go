package plan

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/actor"
)

// The modes, joins, abort policies and conditions of a fanout.
const (
	ModeParallel    = "parallel"
	ModeOrdered     = "ordered"
	ModeConditional = "conditional"

	JoinFirst = "first_success"

	AbortOnRequired = "on_required_failure"
	AbortOnAny      = "on_any_failure"

	RunAlways    = "always"
	RunCompleted = "completed"
	RunSuccess   = "success"
)

// Fanout is what is done with several calls that are made together.
type Fanout struct {
	Mode, Join, Abort string
	// Graph has the subs for its steps.
	Graph *Workflow
	// Declared says that it stands by itself: its subs read arguments, and
	// nothing of the steps around those that run it.
	Declared bool
}

// Sub is what is particular to a step that is one call of a fanout.
type Sub struct {
	Target    callee
	Arguments hclsyntax.Expression // nil for none
	RunIf     string
	Group     string
	Priority  int
}

// Calls names what a step calls that is a sub, "" for any other.
func (s *Step) Calls() string {
	if s.Sub == nil {
		return ""
	}
	return s.Sub.Target.Name()
}

// AsksWorkflow reports whether the workflow of a sub says which of its failures may be
// retried, as that of a step does: the classes by which a fanout names failures, unless
// its file has others, are too few to tell.
func (s *Step) AsksWorkflow() bool {
	if s.Sub == nil {
		return false
	}
	_, runs := s.Sub.Target.(WorkflowCallee)
	return runs && s.Taxonomy == StandardTaxonomies()["routing"]
}

// Circle is the path of a cycle among the steps of a graph by what they wait
// for, nil where there is none.
func (w *Workflow) Circle() []string {
	const visiting, done = 1, 2
	state := make([]int, len(w.Steps))
	var path []string
	var visit func(i int) bool
	visit = func(i int) bool {
		name := w.Steps[i].Name
		path = append(path, name)
		if state[i] == visiting {
			path = path[slices.Index(path, name):]
			return true
		}
		if state[i] == 0 {
			state[i] = visiting
			if slices.ContainsFunc(w.Steps[i].After, visit) {
				return true
			}
			state[i] = done
		}
		path = path[:len(path)-1]
		return false
	}
	for i := range w.Steps {
		if state[i] == 0 && visit(i) {
			return path
		}
	}
	return nil
}

// fanout encodes what a fanout is.
func (w PlanWriter) fanout(f *Fanout) Document {
	subs := make([]any, len(f.Graph.Steps))
	for i, s := range f.Graph.Steps {
		subs[i] = w.step(f.Graph, s)
	}
	doc := Document{{"abort", f.Abort}, {"declared", isSet(f.Declared)}, {"join", f.Join}, {"mode", f.Mode}, {"subs", subs}}
	if f.Graph.Taxonomy != StandardTaxonomies()["routing"] {
		doc.Add("taxonomy", w.taxonomy(f.Graph.Taxonomy))
	}
	return doc
}

// sub adds what is particular to a sub.
func (w PlanWriter) sub(doc *Document, s *Step) {
	doc.Add("group", s.Sub.Group)
	doc.Add("priority", s.Sub.Priority)
	doc.Add("retry", retryDoc(s.Retry))
	doc.Add("run_if", s.Sub.RunIf)
	doc.Add("target", s.Sub.Target.address())
}

// A callee is what a sub calls.
type callee interface {
	// Name is what the aggregate calls it, and address which it is among all.
	Name() string
	address() string
	// Rows reports whether each call leaves a row of its own.
	Rows() bool
}

// WorkflowCallee is a workflow that runs inside the sub.
type WorkflowCallee struct{ Workflow string }

// Name implements callee.
func (c WorkflowCallee) Name() string { return c.Workflow }

func (c WorkflowCallee) address() string { return "workflow." + c.Workflow }

// Rows implements callee: a workflow leaves the rows of its steps.
func (WorkflowCallee) Rows() bool { return false }

// ActorCallee is a handler or a tool of an actor.
type ActorCallee struct{ Target actor.Target }

// Name implements callee.
func (c ActorCallee) Name() string { return c.Target.Actor }

func (c ActorCallee) address() string { return c.Target.Address() }

// Rows implements callee.
func (ActorCallee) Rows() bool { return true }
