package plan

import (
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
)

// The strategies of on_failure.
const (
	FailFast   = "fail_fast"
	GoOn       = "continue"
	DoRetry    = "retry"
	DoFallback = "fallback"
)

// Workflow is a graph of steps: a declared one, the body of a loop, or the subs
// of a fanout.
type Workflow struct {
	// Tolerates is what its runs survive, nil where that is not said.
	Tolerates     *Tolerance
	Name          string
	Inputs        map[string]cty.Value // defaults; a null must be given
	Timeout       time.Duration
	MaxConcurrent int
	OnFailure     string
	Budget        policy.Budget
	Taxonomy      *Taxonomy
	Output        hclsyntax.Expression
	OutputNeeds   *read.Needs
	InputsLost    bool // the declaration of the inputs is wrong
	Steps         []*Step
	Index         map[string]int // of steps by name
	Rng           hcl.Range
	Digest        func() []byte  // of its part of a plan, computed once
	Nodes         func() []*Node // of a run of it alone, computed once
	// Body says that it is what a loop repeats: part of the workflow around it,
	// whose inputs and steps it reads.
	Body bool
	// Size is how many steps a run of it has, inner ones included, and Depth how
	// many levels of them.
	Size, Depth int
}
