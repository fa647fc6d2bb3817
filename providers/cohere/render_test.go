package cohere_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/cohere"
	"github.com/scenario-lang/scenario/wire"
)

// Shows the bytes of an answer in one piece, and of an error.
func TestRenderPlain(t *testing.T) {
	resp := cohere.Adapter{}.Render(plainIn, providers.Output{Content: "a <b>"})
	want := `{"id":"` + zeros + `","finish_reason":"COMPLETE","message":{"role":"assistant","content":[{"type":"text","text":"a <b>"}]},` +
		`"usage":{"billed_units":{"input_tokens":2,"output_tokens":2},"tokens":{"input_tokens":2,"output_tokens":2}}}`
	if diff := cmp.Diff(want, string(resp.Body())); diff != "" {
		t.Error(diff)
	}
	resp = cohere.Adapter{}.RenderError(plainIn, 401, "", "")
	if diff := cmp.Diff(`{"id":"`+zeros+`","message":"invalid api token"}`, string(resp.Body())); diff != "" {
		t.Error(diff)
	}
}

// Shows the events of a stream in their order, each a part of the kind that faults
// count, and that a recorded stream is labelled with the same kinds.
func TestRenderStream(t *testing.T) {
	resp := cohere.Adapter{}.Render(streamIn, providers.Output{Content: "a b", Reasoning: "r"})
	var got []string
	for _, p := range resp.Parts {
		name, _, _ := strings.Cut(strings.TrimPrefix(string(p.Data), "event: "), "\n")
		got = append(got, fmt.Sprint(p.Kind, " ", name))
	}
	want := []string{"2 message-start", "2 content-start", "2 content-delta", "2 content-end", "2 content-start", "1 content-delta", "1 content-delta", "2 content-end", "3 message-end"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	recorded := resp.Clone()
	for i := range recorded.Parts {
		recorded.Parts[i].Kind = wire.PartBody
	}
	cohere.Adapter{}.Label(&recorded)
	if diff := cmp.Diff(resp.Parts, recorded.Parts); diff != "" {
		t.Error(diff)
	}
}
