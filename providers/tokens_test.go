package providers

import "testing"

// Shows that estimates are a quarter of the characters, not bytes, rounded up,
// and count what tool calls say.
func TestEstimateUsage(t *testing.T) {
	in := Input{Messages: []Message{{Content: "ééééé"}, {ToolCalls: []ToolCall{{Name: "fn", Arguments: "{}"}}}}}
	want := Usage{Set: true, Prompt: 3, Completion: 1, Total: 4}
	if got := EstimateUsage(in, Output{Content: "four"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
