package plan

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/actor"
)

// ErrReturn is why an answer cannot be computed, and where it says what it is.
type ErrReturn struct {
	Why string
	Rng hcl.Range
}

func (e ErrReturn) Error() string { return e.Why }

// Names lists what a function gives of each element.
func Names[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = name(e)
	}
	return out
}

// HandlerWork is the workflow of a handler.
type HandlerWork struct {
	Target actor.Target
	// Node stands for the handler; below it are the steps of its workflow.
	Node *Node
	// Inputs is what the workflow gets, nil for the arguments of the call.
	Inputs hclsyntax.Expression
}
