package openai_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/wire"
)

// A program that asks for a response in the background, and then for how far it is,
// gets answers that are not there yet and one that is
// (https://platform.openai.com/docs/guides/background): the same answer is a failure
// for whoever did not ask for that.
func TestBackground(t *testing.T) {
	asked := func(method, url, body string) providers.Input {
		t.Helper()
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if !(openai.Responses{}).Claims(r) {
			t.Fatalf("%s %s is not claimed", method, url)
		}
		in, err := openai.Responses{}.Read(r, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	begun := asked("POST", "/responses", `{"model":"m","input":"Why?","background":true}`)
	fetched := asked("GET", "/responses/resp_1", "")
	waited := asked("POST", "/responses", `{"model":"m","input":"Why?"}`)
	if !begun.Background || !fetched.Background || waited.Background {
		t.Errorf("%+v, %+v, %+v", begun, fetched, waited)
	}
	if in := asked("GET", "/responses/resp_1?stream=true&starting_after=42", ""); !in.Stream {
		t.Errorf("%+v", in)
	}
	for _, status := range []string{"queued", "in_progress"} {
		for in, want := range map[*providers.Input]failure.Kind{&begun: "", &fetched: "", &waited: failure.ProtocolError} {
			answer := openai.Responses{}.Render(*in, providers.Output{FinishReason: status})
			if !strings.Contains(string(answer.Body()), `"status":"`+status+`"`) {
				t.Errorf("%s: %s", status, answer.Body())
			}
			played, err := adaptertest.Play(openai.Responses{}, *in, answer.Script(wire.Meta{}))
			kind := failure.Kind("")
			if played.Failed != nil {
				kind = played.Failed.Kind
			}
			if err != nil || kind != want || want == "" && played.Out.FinishReason != status {
				t.Errorf("%s, in the background %v: %v, %v, %q", status, in.Background, err, played.Failed, played.Out.FinishReason)
			}
		}
	}
	answer := openai.Responses{}.Render(fetched, providers.Output{Content: "Scattering."})
	if played, err := adaptertest.Play(openai.Responses{}, fetched, answer.Script(wire.Meta{})); err != nil || played.Failed != nil || played.Out.Content != "Scattering." {
		t.Errorf("%v, %+v", err, played)
	}
}
