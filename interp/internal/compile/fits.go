package compile

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// FitsStep reports whether a kind of fault means something on a step.
func FitsStep(k *faults.Kind, s *plan.Step) bool {
	if slices.Contains(k.For, s.Family) || s.Family == "mcp" && fitsServer(k, s) {
		return true
	}
	return (s.Stream || unwritten(s) && s.Family != "sql") && (slices.Contains(k.For, "stream") || slices.Contains(k.For, s.Family+" stream"))
}

// fitsServer reports whether a kind of fault means something on what an mcp
// step asks, and over the transport.
func fitsServer(k *faults.Kind, s *plan.Step) bool {
	return slices.Contains(k.For, "mcp http") && !s.Piped() || slices.Contains(k.For, "mcp tool") && (s.Args["tool"] != nil || unwritten(s))
}

// unwritten reports whether what is asked stands in no file: a request of a
// program may be for a stream or a tool, and one that is not passes the fault
// over. No statement is for a stream.
func unwritten(s *plan.Step) bool { return s.Endpoint != nil && s.Endpoint.Declared }

func describeStep(s *plan.Step) string {
	if unwritten(s) {
		return fmt.Sprintf("an endpoint of kind %q", s.Kind)
	}
	if s.Family == "mcp" && s.Piped() {
		return fmt.Sprintf("of kind %q over a pipe", s.Kind)
	}
	if s.Stream {
		return fmt.Sprintf("of kind %q with stream = true", s.Kind)
	}
	return fmt.Sprintf("of kind %q without a stream", s.Kind)
}
