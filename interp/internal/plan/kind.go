package plan

// A Kind says what a step does. Each has a row in three tables, and a file for
// it: what the compiler checks of it (compile/kinds.go), what can be read of its
// result (observe/kinds.go), and what it does (engine/kinds.go).
type Kind string

// The kinds of step that a file can write.
const (
	KindLLM      Kind = "llm"
	KindHTTP     Kind = "http"
	KindMCP      Kind = "mcp"
	KindSQL      Kind = "sql"
	KindValue    Kind = "value"
	KindWait     Kind = "wait"
	KindLoop     Kind = "loop"
	KindWorkflow Kind = "workflow"
	KindFanout   Kind = "fanout"
	KindClassify Kind = "classify"
)

// The kinds of steps that stand for something else.
const (
	// KindSub is one call of a fanout.
	KindSub Kind = "sub"
	// KindCall is a call block of a scenario.
	KindCall Kind = "call"
	// KindHandler is a handler of an actor that runs a workflow. It is never run
	// as a step.
	KindHandler Kind = "handler"
)

// StepKinds lists the kinds of all steps that are run.
func StepKinds() []Kind {
	return []Kind{
		KindLLM, KindHTTP, KindMCP, KindSQL, KindValue, KindWait, KindLoop, KindWorkflow, KindFanout, KindClassify, KindSub, KindCall,
	}
}
