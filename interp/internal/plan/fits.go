package plan

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/faults"
)

// Meets reports whether a kind of fault means something on the calls of a step.
func (s *Step) Meets(k *faults.Kind) bool {
	if slices.Contains(k.For, s.Family) || s.Family == "mcp" && s.serverMeets(k) {
		return true
	}
	return (s.Stream || s.Unwritten() && s.Family != "sql") && (slices.Contains(k.For, "stream") || slices.Contains(k.For, s.Family+" stream"))
}

// serverMeets reports whether a kind of fault means something on what an mcp
// step asks, and over the transport.
func (s *Step) serverMeets(k *faults.Kind) bool {
	return slices.Contains(k.For, "mcp http") && !s.Piped() || slices.Contains(k.For, "mcp tool") && (s.Args["tool"] != nil || s.Unwritten())
}

// Unwritten reports whether what is asked stands in no file: a request of a
// program may be for a stream or a tool, and one that is not passes the fault
// over. No statement is for a stream.
func (s *Step) Unwritten() bool { return s.Endpoint != nil && s.Endpoint.Declared }

// Describe says for messages what kind of step it is, as far as faults care.
func (s *Step) Describe() string {
	if s.Unwritten() {
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
