package interp

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/faults"
)

// fitsStep reports whether a kind of fault means something on a step.
func fitsStep(k *faults.Kind, s *step) bool {
	if slices.Contains(k.For, s.family()) || s.family() == kindMCP && fitsServer(k, s) {
		return true
	}
	return s.stream && (slices.Contains(k.For, "stream") || slices.Contains(k.For, s.family()+" stream"))
}

// fitsServer reports whether a kind of fault means something on what an mcp
// step asks, and over the transport.
func fitsServer(k *faults.Kind, s *step) bool {
	return slices.Contains(k.For, kindMCP+" http") && !s.piped() || slices.Contains(k.For, kindMCP+" tool") && s.args["tool"] != nil
}

func describeStep(s *step) string {
	if s.family() == kindMCP && s.piped() {
		return fmt.Sprintf("of kind %q over a pipe", s.kind)
	}
	if s.stream {
		return fmt.Sprintf("of kind %q with stream = true", s.kind)
	}
	return fmt.Sprintf("of kind %q without a stream", s.kind)
}
