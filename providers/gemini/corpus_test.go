package gemini_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/gemini"
	"github.com/scenario-lang/scenario/wire"
)

// A tally is what became of the exchanges of one host.
type tally struct {
	files   map[string]bool
	parsed  int
	streams int
	blocked int
	refused map[string]int // why
	others  map[string]int // no model call: which
}

func google(u *url.URL) bool {
	return strings.HasSuffix(u.Host, "googleapis.com") && !strings.Contains(u.Path, "/publishers/anthropic/")
}

func modelCall(u *url.URL) bool {
	return strings.HasSuffix(u.Path, ":generateContent") || strings.HasSuffix(u.Path, ":streamGenerateContent")
}

// what names an exchange that is no model call by the last word of its path.
func what(u *url.URL) string {
	return u.Path[strings.LastIndexAny(u.Path, ":/")+1:]
}

// Shows that every recorded answer of Gemini, of its own API and on Vertex AI,
// is read as what a walk over its untyped JSON finds in it; that no stream is
// taken for whole before the event that ends it; and that files, tokens and
// counts, which are no model calls, are not taken for answers.
func TestRecordedTraffic(t *testing.T) {
	hosts := map[string]*tally{}
	total := 0
	for _, e := range recorded(t, google) {
		h := hosts[e.url.Host]
		if h == nil {
			h = &tally{files: map[string]bool{}, refused: map[string]int{}, others: map[string]int{}}
			hosts[e.url.Host] = h
		}
		h.files[e.file] = true
		played := play(t, e.answer, e.answer.Stream)
		switch {
		case !modelCall(e.url):
			h.others[what(e.url)]++
			if played.Failed == nil || played.Failed.Kind != failure.MalformedResponse {
				t.Errorf("%s: the answer of %s was taken for one of a model", e.file, e.url.Path)
			}
		case played.Failed != nil:
			h.refused[fmt.Sprintf("%s %d", played.Failed.Kind, played.Failed.StatusCode)]++
			t.Errorf("%s: refused: %+v", e.file, played.Failed)
		default:
			h.parsed++
			total++
			if played.Out.Content == "" && played.Out.FinishReason == "MODEL_ARMOR" {
				h.blocked++
			}
			if diff := cmp.Diff(walk(t, e.answer), found(t, played.Out)); diff != "" {
				t.Errorf("%s: %s", e.file, diff)
			}
			if e.answer.Stream {
				h.streams++
				cutEverywhere(t, e)
			}
			renderedAgain(t, e, played.Out)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		h := hosts[name]
		t.Logf("%s: %d files, %d parsed (%d streams, %d blocked prompts), refused %v, no model call %v", name, len(h.files), h.parsed, h.streams, h.blocked, h.refused, h.others)
	}
	if adaptertest.WholeCorpus() && (total < 100 || len(hosts) < 4) {
		t.Errorf("only %d answers of %d hosts were read", total, len(hosts))
	}
}

func play(t *testing.T, answer wire.Response, stream bool) adaptertest.Played {
	t.Helper()
	played, err := adaptertest.Play(gemini.Adapter{}, providers.Input{Model: "m", Stream: stream}, answer.Script(wire.Meta{}))
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// cutEverywhere ends a stream in an orderly way after many of its events before
// the one that ends the answer, and counts the labels of its parts.
func cutEverywhere(t *testing.T, e exchange) {
	t.Helper()
	whole := e.answer.Clone()
	gemini.Adapter{}.Label(&whole)
	played := play(t, whole, true)
	end := slices.IndexFunc(whole.Parts, func(p wire.Part) bool { return p.Kind == wire.PartDone })
	if last := whole.Count(wire.PartDone); last < 1 || whole.Count(wire.PartChunk) > len(played.Chunks) || whole.Count(wire.PartChunk)+last < len(played.Chunks) {
		t.Errorf("%s: %d chunks and %d ends are labelled, %d chunks were read", e.file, whole.Count(wire.PartChunk), last, len(played.Chunks))
	}
	for n := 0; n < end; n += 1 + end/16 {
		if p := play(t, whole.CutEvents(n, wire.EndNone), true); p.Failed == nil || (n > 0 && p.Failed.Kind != failure.StreamIncomplete) {
			t.Errorf("%s: after %d of %d events: %+v", e.file, n, len(whole.Parts), p.Failed)
		}
	}
}

// renderedAgain renders what was read and reads it back. Usage that was not
// reported would be estimated.
func renderedAgain(t *testing.T, e exchange, out providers.Output) {
	t.Helper()
	out.Usage.Set = true
	in := providers.Input{Stream: e.answer.Stream}
	again := play(t, gemini.Adapter{}.Render(in, out), in.Stream)
	if again.Failed != nil {
		t.Fatalf("%s: rendered again: %+v", e.file, again.Failed)
	}
	if diff := cmp.Diff(adaptertest.Summary(out), adaptertest.Summary(again.Out)); diff != "" {
		t.Errorf("%s: rendered again: %s", e.file, diff)
	}
}

// Shows that the address of every recorded call is the one that is asked, from
// the base URL of its host.
func TestRecordedAddresses(t *testing.T) {
	asked := 0
	for _, e := range recorded(t, google) {
		if !modelCall(e.url) {
			continue
		}
		base, model, _ := strings.Cut(e.url.Path, "/models/")
		model, method, _ := strings.Cut(model, ":")
		in := providers.Input{BaseURL: "https://" + e.url.Host + base, Model: model, Stream: method == "streamGenerateContent"}
		req, err := gemini.Adapter{}.Request(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if req.URL.String() != e.url.String() || !strings.EqualFold(req.Method, e.method) {
			t.Errorf("asked %s, recorded %s", req.URL, e.url)
		}
		asked++
	}
	if adaptertest.WholeCorpus() && asked < 100 {
		t.Errorf("only %d addresses were tried", asked)
	}
}

// facts are what a recorded answer says, in terms of neither package.
type facts struct {
	ID, Model, Content, Reasoning, Finish             string
	Calls                                             []string
	Input, Output, Cached, ReasoningTokens, TokensSum int
}

func found(t *testing.T, out providers.Output) facts {
	f := facts{
		ID: out.ID, Model: out.Model, Content: out.Content, Reasoning: out.Reasoning, Finish: out.FinishReason,
		Input: out.Usage.Prompt, Output: out.Usage.Completion, Cached: out.Usage.Cached, ReasoningTokens: out.Usage.Reasoning, TokensSum: out.Usage.Total,
	}
	for _, c := range out.ToolCalls {
		f.Calls = append(f.Calls, strings.Join([]string{c.ID, c.Name, canonical(t, c.Arguments), c.Signature}, " "))
	}
	return f
}

// walk reads a recorded answer as untyped JSON. The total is the vendor's own,
// which the sum of the parts has to be.
func walk(t *testing.T, answer wire.Response) facts {
	t.Helper()
	var f facts
	usage := map[string]any{}
	for _, d := range documents(t, answer) {
		f.ID, f.Model = str(d["responseId"]), str(d["modelVersion"])
		maps.Copy(usage, object(d["usageMetadata"]))
		if r := str(object(d["promptFeedback"])["blockReason"]); r != "" {
			f.Finish = r
		}
		for _, c := range list(d["candidates"]) {
			if r := str(object(c)["finishReason"]); r != "" {
				f.Finish = r
			}
			for _, p := range list(object(object(c)["content"])["parts"]) {
				f.part(t, object(p))
			}
		}
	}
	f.Cached, f.ReasoningTokens = num(usage["cachedContentTokenCount"]), num(usage["thoughtsTokenCount"])
	f.Input = num(usage["promptTokenCount"]) + num(usage["toolUsePromptTokenCount"])
	f.Output = num(usage["candidatesTokenCount"]) + f.ReasoningTokens
	f.TokensSum = num(usage["totalTokenCount"])
	if f.TokensSum != f.Input+f.Output {
		t.Errorf("a total of %d, and parts of %d and %d", f.TokensSum, f.Input, f.Output)
	}
	return f
}

func (f *facts) part(t *testing.T, p map[string]any) {
	t.Helper()
	call := object(p["functionCall"])
	switch {
	case call != nil:
		arguments := "{}"
		if call["args"] != nil {
			arguments = string(jsonOf(t, call["args"]))
		}
		f.Calls = append(f.Calls, strings.Join([]string{str(call["id"]), str(call["name"]), arguments, str(p["thoughtSignature"])}, " "))
	case p["thought"] == true:
		f.Reasoning += str(p["text"])
	default:
		f.Content += str(p["text"])
	}
}
