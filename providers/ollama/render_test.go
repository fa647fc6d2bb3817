package ollama_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/ollama"
	"github.com/scenario-lang/scenario/wire"
)

// Shows the bytes of a plain answer, in the server's shape and order.
func TestRenderPlain(t *testing.T) {
	resp := ollama.Adapter{}.Render(plainIn, providers.Output{Content: "a <b>", ToolCalls: []providers.ToolCall{{Name: "f"}}})
	want := `{"model":"m","created_at":"2000-01-01T00:00:00Z","message":{"role":"assistant","content":"a <b>",` +
		`"tool_calls":[{"id":"call_1","function":{"name":"f","arguments":{}}}]},"done":true,"done_reason":"stop","total_duration":3000000,` +
		`"load_duration":1000000,"prompt_eval_count":2,"prompt_eval_duration":1000000,"eval_count":2,"eval_duration":1000000}`
	if diff := cmp.Diff(want, string(resp.Body())); diff != "" {
		t.Error(diff)
	}
}

// Shows the lines of a stream in order, each a part of the kind that faults
// count, and that a recorded stream is labelled with the same kinds.
func TestRenderStream(t *testing.T) {
	resp := ollama.Adapter{}.Render(streamIn, providers.Output{
		Content: "a b", Reasoning: "r", ToolCalls: []providers.ToolCall{{ID: "c", Name: "f", Arguments: `{"x":1}`}},
	})
	line := func(said string) string {
		return `{"model":"m","created_at":"2000-01-01T00:00:00Z","message":{"role":"assistant","content":` + said + "\n"
	}
	want := []string{
		"2 " + line(`"","thinking":"r"},"done":false}`),
		"1 " + line(`"a "},"done":false}`),
		"1 " + line(`"b"},"done":false}`),
		"2 " + line(`"","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"x":1}}}]},"done":false}`),
		"3 " + line(`""},"done":true,"done_reason":"stop","total_duration":3000000,"load_duration":1000000,"prompt_eval_count":2,`+
			`"prompt_eval_duration":1000000,"eval_count":3,"eval_duration":1000000}`),
	}
	if diff := cmp.Diff(want, text(resp.Parts)); diff != "" {
		t.Error(diff)
	}
	recorded := resp.Clone()
	for i := range recorded.Parts {
		recorded.Parts[i].Kind = wire.PartBody
	}
	ollama.Adapter{}.Label(&recorded)
	if diff := cmp.Diff(want, text(recorded.Parts)); diff != "" {
		t.Errorf("labelled: %s", diff)
	}
}

func text(parts []wire.Part) []string {
	var list []string
	for _, p := range parts {
		list = append(list, string(rune('0'+p.Kind))+" "+string(p.Data))
	}
	return list
}

// Shows that every status has the server's error object, a text, and that it is
// read back as the failure that the specification names.
func TestRenderError(t *testing.T) {
	for _, c := range []struct {
		in           providers.Input
		status       int
		typ, message string
		body         string
		want         failure.Kind
	}{
		{plainIn, 429, "", "", `{"error":"too many requests"}`, failure.RateLimit},
		{plainIn, 404, "", "", `{"error":"model \"m\" not found"}`, failure.HTTPStatus},
		{streamIn, 500, "", "x", `{"error":"x"}`, failure.HTTPStatus},
		{plainIn, 529, "", "", `{"error":"server busy, too many pending requests"}`, failure.Overloaded},
		{plainIn, 200, "rate_limit_error", "x", `{"error":"rate_limit_error: x"}`, failure.RateLimit},
		{streamIn, 200, "overloaded_error", "x", `{"error":"overloaded_error: x"}`, failure.Overloaded},
		{streamIn, 200, "", "", `{"error":"the model runner has stopped unexpectedly"}`, failure.HTTPStatus},
	} {
		resp := ollama.Adapter{}.RenderError(c.in, c.status, c.typ, c.message)
		if got := string(resp.Body()); got != c.body {
			t.Errorf("%d: %s, want %s", c.status, got, c.body)
		}
		p, err := adaptertest.Play(ollama.Adapter{}, c.in, resp.Script(wire.Meta{}))
		if err != nil {
			t.Fatal(err)
		}
		if kindOf(p.Failed) != c.want || p.Failed.StatusCode != c.status {
			t.Errorf("%d %s: observed as %+v", c.status, c.typ, p.Failed)
		}
	}
}

// Shows that the line which reports an error inside a stream is read back by
// its words.
func TestRenderStreamError(t *testing.T) {
	for typ, want := range map[string]failure.Kind{"": failure.StreamInterrupted, "rate_limit_error": failure.RateLimit} {
		stream := delta + string(ollama.Adapter{}.RenderStreamError(streamIn, typ, "m")) + final
		if out, failed := parse(true, answer(200, ndjsonType, strings.NewReader(stream)), nil); kindOf(failed) != want || out.Content != "a" {
			t.Errorf("%q: %+v, %+v", typ, failed, out)
		}
	}
}
