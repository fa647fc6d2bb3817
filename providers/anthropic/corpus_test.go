package anthropic_test

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
	"github.com/scenario-lang/scenario/providers/anthropic"
	"github.com/scenario-lang/scenario/wire"
)

// A tally is what became of the exchanges of one host.
type tally struct {
	files   map[string]bool
	parsed  int
	streams int
	refused map[string]int // why
	others  map[string]int // no model call: which
}

func claude(u *url.URL) bool {
	return u.Host == "api.anthropic.com" || strings.Contains(u.Path, "/publishers/anthropic/") || strings.HasPrefix(u.Host, "bedrock-runtime.")
}

func modelCall(u *url.URL) bool {
	for _, end := range []string{"/v1/messages", ":rawPredict", ":streamRawPredict", "/invoke", "/invoke-with-response-stream"} {
		if strings.HasSuffix(u.Path, end) {
			return true
		}
	}
	return false
}

// Shows that every recorded answer of Claude, at Anthropic, on Vertex AI and on
// Bedrock, is read as what a walk over its untyped JSON finds in it; that no
// stream is taken for whole after any event but its last; and that the answers
// which are refused are an error and Bedrock's binary streams, each for what it
// is.
func TestRecordedTraffic(t *testing.T) {
	hosts := map[string]*tally{}
	for _, e := range recorded(t, claude) {
		h := hosts[e.url.Host]
		if h == nil {
			h = &tally{files: map[string]bool{}, refused: map[string]int{}, others: map[string]int{}}
			hosts[e.url.Host] = h
		}
		h.files[e.file] = true
		played := play(t, e.answer, e.answer.Stream)
		switch {
		case played.Failed != nil:
			why := fmt.Sprintf("%s %d: %s", played.Failed.Kind, played.Failed.StatusCode, played.Failed.Message)
			if !modelCall(e.url) && e.answer.Status == 200 {
				h.others[e.url.Path]++
				continue
			}
			h.refused[why[:min(len(why), 110)]]++
			refusedRightly(t, e, played.Failed)
		case !modelCall(e.url):
			t.Errorf("%s: the answer of %s was taken for a message", e.file, e.url.Path)
		default:
			h.parsed++
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
		t.Logf("%s: %d files, %d parsed (%d streams), refused %v, no model call %v", name, len(h.files), h.parsed, h.streams, h.refused, h.others)
	}
	for name, want := range map[string]int{"api.anthropic.com": 72, "us-east5-aiplatform.googleapis.com": 7, "bedrock-runtime.us-east-1.amazonaws.com": 5} {
		if adaptertest.WholeCorpus() && (hosts[name] == nil || hosts[name].parsed < want) {
			t.Errorf("%s: fewer than %d answers were read", name, want)
		}
	}
}

func refusedRightly(t *testing.T, e exchange, f *failure.Failure) {
	t.Helper()
	switch {
	case strings.HasSuffix(e.url.Path, "/invoke-with-response-stream"):
		if f.Kind != failure.MalformedResponse || !strings.Contains(f.Message, "binary") {
			t.Errorf("%s: %+v", e.file, f)
		}
	case e.answer.Status == 404:
		if f.Kind != failure.HTTPStatus || f.StatusCode != 404 || !strings.Contains(f.Message, "not_found_error: ") {
			t.Errorf("%s: %+v", e.file, f)
		}
	default:
		t.Errorf("%s: refused: %+v", e.file, f)
	}
}

func play(t *testing.T, answer wire.Response, stream bool) adaptertest.Played {
	t.Helper()
	played, err := adaptertest.Play(anthropic.Adapter{}, providers.Input{Stream: stream}, answer.Script(wire.Meta{}))
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// cutEverywhere ends a stream in an orderly way after many of its events, and
// counts the labels of its parts.
func cutEverywhere(t *testing.T, e exchange) {
	t.Helper()
	whole := e.answer.Clone()
	anthropic.Adapter{}.Label(&whole)
	played := play(t, whole, true)
	if whole.Count(wire.PartChunk) != len(played.Chunks) || whole.Count(wire.PartDone) != 1 {
		t.Errorf("%s: %d chunks and %d ends are labelled, %d chunks were read", e.file, whole.Count(wire.PartChunk), whole.Count(wire.PartDone), len(played.Chunks))
	}
	end := slices.IndexFunc(whole.Parts, func(p wire.Part) bool { return p.Kind == wire.PartDone })
	for n := 0; n < end; n += 1 + end/16 {
		if p := play(t, whole.CutEvents(n, wire.EndNone), true); p.Failed == nil || (n > 0 && p.Failed.Kind != failure.StreamIncomplete) {
			t.Errorf("%s: after %d of %d events: %+v", e.file, n, len(whole.Parts), p.Failed)
		}
	}
}

// renderedAgain renders what was read and reads it back.
func renderedAgain(t *testing.T, e exchange, out providers.Output) {
	t.Helper()
	in := providers.Input{Stream: e.answer.Stream}
	again := play(t, anthropic.Adapter{}.Render(in, out), in.Stream)
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
	for _, e := range recorded(t, claude) {
		path := e.url.EscapedPath()
		in := providers.Input{BaseURL: "https://" + e.url.Host, Stream: strings.HasSuffix(path, ":streamRawPredict")}
		switch {
		case !modelCall(e.url) || strings.HasSuffix(path, "/invoke-with-response-stream"):
			continue
		case strings.Contains(path, "/publishers/anthropic/models/"):
			base, model, _ := strings.Cut(path, "/models/")
			in.BaseURL += base
			in.Model, _, _ = strings.Cut(model, ":")
		case strings.HasSuffix(path, "/invoke"):
			model, err := url.PathUnescape(strings.TrimSuffix(strings.TrimPrefix(path, "/model/"), "/invoke"))
			if err != nil {
				t.Fatal(err)
			}
			in.Model = model
		}
		req, err := anthropic.Adapter{}.Request(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		u := *e.url
		u.RawQuery = ""
		if req.URL.String() != u.String() || !strings.EqualFold(req.Method, e.method) {
			t.Errorf("asked %s, recorded %s", req.URL, e.url)
		}
		asked++
	}
	if adaptertest.WholeCorpus() && asked < 84 {
		t.Errorf("only %d addresses were tried", asked)
	}
}

// facts are what a recorded answer says, in terms of neither package.
type facts struct {
	ID, Model, Content, Reasoning, Finish       string
	Calls                                       []string
	Input, Output, Cached, ReasoningTokens, Sum int
}

func found(t *testing.T, out providers.Output) facts {
	f := facts{
		ID: out.ID, Model: out.Model, Content: out.Content, Reasoning: out.Reasoning, Finish: out.FinishReason,
		Input: out.Usage.Prompt, Output: out.Usage.Completion, Cached: out.Usage.Cached, ReasoningTokens: out.Usage.Reasoning, Sum: out.Usage.Total,
	}
	for _, c := range out.ToolCalls {
		f.Calls = append(f.Calls, c.ID+" "+c.Name+" "+canonical(t, c.Arguments))
	}
	return f
}

// walk reads a recorded answer as untyped JSON.
func walk(t *testing.T, answer wire.Response) facts {
	t.Helper()
	var f facts
	usage := map[string]any{}
	blocks := map[int]map[string]any{}
	last := -1
	for _, d := range documents(t, answer) {
		switch str(d["type"]) {
		case "message":
			f.ID, f.Model, f.Finish = str(d["id"]), str(d["model"]), str(d["stop_reason"])
			maps.Copy(usage, object(d["usage"]))
			for i, b := range list(d["content"]) {
				blocks[i], last = object(b), i
				blocks[i]["json"] = string(jsonOf(t, blocks[i]["input"]))
			}
		case "message_start":
			m := object(d["message"])
			f.ID, f.Model = str(m["id"]), str(m["model"])
			maps.Copy(usage, object(m["usage"]))
		case "content_block_start":
			last = max(last, num(d["index"]))
			blocks[num(d["index"])] = object(d["content_block"])
		case "content_block_delta":
			b, delta := blocks[num(d["index"])], object(d["delta"])
			b["text"] = str(b["text"]) + str(delta["text"])
			b["thinking"] = str(b["thinking"]) + str(delta["thinking"])
			b["json"] = str(b["json"]) + str(delta["partial_json"])
		case "message_delta":
			f.Finish = str(object(d["delta"])["stop_reason"])
			maps.Copy(usage, object(d["usage"]))
		}
	}
	for i := range last + 1 {
		b := blocks[i]
		switch str(b["type"]) {
		case "text":
			f.Content += str(b["text"])
		case "thinking":
			f.Reasoning += str(b["thinking"])
		case "tool_use":
			arguments := str(b["json"])
			if arguments == "" {
				arguments = "{}"
			}
			f.Calls = append(f.Calls, str(b["id"])+" "+str(b["name"])+" "+canonical(t, arguments))
		}
	}
	f.Cached = num(usage["cache_read_input_tokens"])
	f.Input = num(usage["input_tokens"]) + num(usage["cache_creation_input_tokens"]) + f.Cached
	f.Output = num(usage["output_tokens"])
	f.ReasoningTokens = num(object(usage["output_tokens_details"])["thinking_tokens"])
	f.Sum = f.Input + f.Output
	return f
}
