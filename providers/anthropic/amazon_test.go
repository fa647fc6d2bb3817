package anthropic_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/anthropic"
	"github.com/scenario-lang/scenario/wire"
)

var onBedrock = providers.Input{BaseURL: "https://bedrock-runtime.us-east-1.amazonaws.com", Model: "m", Stream: true}

// What a reply says comes back from a stream in Amazon's encoding: each delta in a
// message of its own, the calls, and the end; and so it does when the parts were
// labelled anew, as those of a recording are.
func TestBedrockStream(t *testing.T) {
	out := providers.Output{
		Content: "Rayleigh scattering.", Chunks: []string{"Rayleigh ", "scattering."}, ToolCalls: []providers.ToolCall{{ID: "c1", Name: "look", Arguments: `{"n":7}`}},
		FinishReason: "tool_use", Usage: providers.Usage{Set: true, Prompt: 3, Completion: 5, Total: 8},
	}
	answer := anthropic.Adapter{}.Render(onBedrock, out)
	if got := answer.Header[0].Value; got != "application/vnd.amazon.eventstream" {
		t.Errorf("the content type is %s", got)
	}
	var kinds []wire.PartKind
	for i := range answer.Parts {
		kinds = append(kinds, answer.Parts[i].Kind)
		answer.Parts[i].Kind = wire.PartEvent
	}
	anthropic.Adapter{}.Label(&answer)
	for i, p := range answer.Parts {
		if p.Kind != kinds[i] {
			t.Errorf("part %d is labelled %v, want %v", i, p.Kind, kinds[i])
		}
	}
	played, err := adaptertest.Play(anthropic.Adapter{}, onBedrock, answer.Script(wire.Meta{}))
	if err != nil || played.Failed != nil {
		t.Fatal(err, played.Failed)
	}
	got := played.Out
	if diff := cmp.Diff(out.Chunks, got.Chunks); diff != "" || got.Content != out.Content || !got.Complete || got.FinishReason != "tool_use" || got.Usage != out.Usage {
		t.Errorf("%+v\n%s", got, diff)
	}
	if diff := cmp.Diff(out.ToolCalls, got.ToolCalls); diff != "" {
		t.Error(diff)
	}
}

// What Bedrock reports inside a stream is observed as what it is, in its own words
// and in those of the vendor's interface.
func TestBedrockExceptions(t *testing.T) {
	for word, want := range map[string]failure.Kind{
		"": failure.StreamInterrupted, "rate_limit_error": failure.RateLimit, "throttlingException": failure.RateLimit,
		"overloaded_error": failure.Overloaded, "modelTimeoutException": failure.StreamInterrupted, "api_error": failure.StreamInterrupted,
	} {
		answer := anthropic.Adapter{}.Render(onBedrock, providers.Output{Content: "Rayleigh scattering."})
		event := wire.Part{Kind: wire.PartEvent, Data: anthropic.Adapter{}.RenderStreamError(onBedrock, word, "no more")}
		answer.Parts = append(answer.Parts[:3:3], event)
		played, err := adaptertest.Play(anthropic.Adapter{}, onBedrock, answer.Script(wire.Meta{}))
		if err != nil || played.Failed == nil || played.Failed.Kind != want {
			t.Errorf("%q: %v, %v, want %s", word, err, played.Failed, want)
		}
	}
}
