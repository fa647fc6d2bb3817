package plan

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/schema"
)

// McpSubjects are the attributes that say what a step asks a server for, beside
// a list.
var McpSubjects = []string{"tool", "resource", "prompt"}

// Connected reports whether whoever asks for the step in a Go test does so over a
// connection: databases and processes are dialled, and everything else is asked over
// a transport, which has none.
func (s *Step) Connected() bool { return s.Family == "sql" || s.Piped() }

// Piped reports whether all servers that the step calls are processes.
func (s *Step) Piped() bool {
	for _, t := range s.Gateway.Targets {
		if t.Provider.Command == nil {
			return false
		}
	}
	return true
}

// MayRepeat reports whether a request may be sent twice.
func (s *Step) MayRepeat(in providers.Input) bool {
	if s.Idempotent != nil {
		return *s.Idempotent
	}
	switch s.Family {
	case "llm":
		return true
	case "mcp":
		return mcp.Repeatable(in.RPC.Method)
	}
	switch in.Method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodOptions:
		return true
	}
	for name := range in.Headers {
		if strings.EqualFold(name, "Idempotency-Key") {
			return true
		}
	}
	return false
}

// Offer lists the tools of the step's own blocks, then the others. What is said
// of a tool in both places is the block's, and where the block says nothing the
// other's.
func (s *Step) Offer(others []providers.Tool) []providers.Tool {
	var list []providers.Tool
	for _, t := range s.Tools {
		own := providers.Tool{Name: t.Name, Description: t.Description, Schema: t.Parameters}
		if i := slices.IndexFunc(others, func(o providers.Tool) bool { return o.Name == t.Name }); i >= 0 {
			if own.Description == "" {
				own.Description = others[i].Description
			}
			if own.Schema == nil {
				own.Schema = others[i].Schema
			}
			others = slices.Delete(slices.Clone(others), i, i+1)
		}
		list = append(list, own)
	}
	return append(list, others...)
}

// ToolNamed is the tool of a name, nil where the step offers none.
func (s *Step) ToolNamed(name string) *Tool {
	for _, t := range s.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// IterationsMax bounds a loop that names no bound of its own.
const IterationsMax = 1000

// Step is one node of the graph. Steps refer to each other by index.
type Step struct {
	Index int
	Kind  Kind
	Name  string
	// Family is the family of the providers that it calls, "" where it calls none.
	Family string
	Block  *dsl.Block
	Rng    hcl.Range
	// After are the steps that must have ended well before this one starts.
	After []int

	Gateway        *Gateway
	Unresolved     bool      // what it says of its gateway or provider is wrong
	Taxonomy       *Taxonomy // of its workflow
	When           hclsyntax.Expression
	Timeout        time.Duration
	AttemptTimeout time.Duration
	Silence        Silence
	Retry          policy.Retry
	// RetriesFrom are, where its policy never tries again because of what locals or variables say,
	// those and all locals that are made of them, each as an expression reads it: local.tries.
	RetriesFrom map[string]bool
	Idempotent  *bool
	Required    bool
	Bulkhead    *policy.BulkheadConfig
	Validates   []*Validation
	Output      hclsyntax.Expression
	Stream      bool
	// Inner is the graph that the step runs: the body of a loop, a workflow, or
	// the subs of a fanout.
	Inner        *Workflow
	While        hclsyntax.Expression
	Iterations   int // at most, 0 for no bound of its own
	MaxTurns     int
	Tools        []*Tool
	Consumer     *Consumer
	ExpectStatus func(int) bool
	ReadsErrors  bool // a tool's result that says isError is an answer
	// Fanout is what a step that fans out does with its subs, and Sub what one
	// of those calls.
	Fanout *Fanout
	Sub    *Sub
	// Classifier is what the answer to a step that classifies is held to.
	Classifier *Classifier

	// Fallback is the step that runs in this one's place, -1 for none, and
	// FallbackAny says that it does so after any failure.
	Fallback    int
	FallbackAny bool
	// Substitute says that the step runs only when another one asks for it: as its
	// fallback, or as a tool.
	Substitute bool
	// SwitchedOff says that it is the fallback of a step whose on_failure is
	// another strategy.
	SwitchedOff bool
	// Valued says that its output can be asked for as its value, too.
	Valued bool
	// Tool says that it is a tool of another step.
	Tool bool
	// AfterFailure is what its failure means in the end: fail_fast or continue.
	AfterFailure string

	// Shape is what its result can be asked for.
	Shape *schema.Shape

	// Target is what a call step calls.
	Target actor.Target
	// Endpoint is what the step is to a program under test, nil where no program
	// can ask for it.
	Endpoint *Endpoint

	// Args are the expressions of its arguments, by name, and Needs what they
	// read of other steps.
	Args  map[string]*dsl.Attr
	Needs *read.Needs
}

// A Validation is a validate block: what an answer must fulfil to count.
type Validation struct {
	Name      string
	Condition hclsyntax.Expression
	Retry     bool
	Mode      *failure.Mode // that a broken one has; nil for that of its kind
}

// A Tool is one that a step offers to its model.
type Tool struct {
	Name, Description string
	Parameters        any
	Output            hclsyntax.Expression
	Step              int // -1 for none
}

// A Consumer stops reading a stream early.
type Consumer struct {
	Chunks int
	After  time.Duration
	// Optional says that streams may end before it stops.
	Optional bool
	Rng      hcl.Range
}

// Asks lists the steps that a step may ask to run: its fallback, and those that
// are its tools, as often as they are.
func (s *Step) Asks() []int {
	var list []int
	if s.Fallback >= 0 {
		list = append(list, s.Fallback)
	}
	for _, t := range s.Tools {
		if t.Step >= 0 {
			list = append(list, t.Step)
		}
	}
	return list
}
