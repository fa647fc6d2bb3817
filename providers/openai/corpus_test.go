package openai_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/wire"
)

// corpus is where recorded traffic lies, "" where there is none.
func corpus(t *testing.T) string {
	dir := os.Getenv("SCENARIO_CORPUS")
	if dir == "" {
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for !exists(filepath.Join(root, "go.mod")) {
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "../shared/data/cassettes")
	}
	if !exists(dir) {
		return ""
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

type recording struct {
	Interactions []struct {
		Request  struct{ URL, Body string }
		Response struct {
			Body    string
			Code    int
			Headers map[string][]string
		}
	}
}

// Shows that the recorded traffic of every host that speaks Chat Completions,
// played on the wire, is read as what a plain walk over the recorded JSON finds
// in it: content, reasoning, tool calls, finish reason and usage.
func TestRecordedTraffic(t *testing.T) {
	dir := corpus(t)
	if dir == "" {
		t.Skip("0 recordings: SCENARIO_CORPUS names no directory")
	}
	hosts, interactions := map[string]int{}, 0
	err := filepath.WalkDir(filepath.Join(dir, "go-vcr"), func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var r recording
		if !strings.Contains(string(data), "/chat/completions") || yaml.Unmarshal(data, &r) != nil {
			return nil
		}
		for i, it := range r.Interactions {
			u, err := url.Parse(it.Request.URL)
			if err != nil || !strings.HasSuffix(u.Path, "/chat/completions") {
				continue
			}
			interactions++
			hosts[u.Host]++
			stream := strings.Contains(it.Request.Body, `"stream":true`)
			played := replay(t, it.Response.Code, it.Response.Headers, it.Response.Body, stream)
			if played.Failed != nil {
				t.Errorf("%s[%d]: failed with %s: %s", path, i, played.Failed.Kind, played.Failed.Message)
				continue
			}
			if diff := cmp.Diff(walk(t, it.Response.Body, stream), found(played.Out)); diff != "" {
				t.Errorf("%s[%d]: %s", path, i, diff)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if interactions < 100 || len(hosts) < 8 {
		t.Errorf("only %d interactions of %d hosts were tried", interactions, len(hosts))
	}
}

// replay lays a recorded answer out with one part per event and plays it.
func replay(t *testing.T, status int, headers map[string][]string, body string, stream bool) adaptertest.Played {
	t.Helper()
	resp := wire.Response{Status: status, Stream: stream, Parts: []wire.Part{{Data: []byte(body)}}}
	if stream {
		resp.Parts = nil
		for event := range strings.SplitAfterSeq(body, "\n\n") {
			resp.Parts = append(resp.Parts, wire.Part{Data: []byte(event)})
		}
	}
	for name, values := range headers {
		resp.Header = append(resp.Header, wire.Field{Name: name, Value: values[0]})
	}
	played, err := adaptertest.Play(openai.Adapter{}, providers.Input{Stream: stream}, resp.Script(wire.Meta{}))
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// facts are what a recorded answer says, in terms of neither package.
type facts struct {
	Content, Reasoning, Finish, Model                  string
	Calls                                              []string
	Prompt, Completion, Total, Cached, ReasoningTokens float64
}

func found(out providers.Output) facts {
	f := facts{
		Content: out.Content, Reasoning: out.Reasoning, Finish: out.FinishReason, Model: out.Model,
		Prompt: float64(out.Usage.Prompt), Completion: float64(out.Usage.Completion), Total: float64(out.Usage.Total),
		Cached: float64(out.Usage.Cached), ReasoningTokens: float64(out.Usage.Reasoning),
	}
	for _, c := range out.ToolCalls {
		f.Calls = append(f.Calls, c.ID+" "+c.Name+" "+c.Arguments)
	}
	return f
}

// walk reads a recorded body as untyped JSON, without the adapter's types.
func walk(t *testing.T, body string, stream bool) facts {
	t.Helper()
	documents := []string{body}
	if stream {
		documents = nil
		for line := range strings.SplitSeq(body, "\n") {
			if data, ok := strings.CutPrefix(line, "data:"); ok && strings.TrimSpace(data) != "[DONE]" {
				documents = append(documents, data)
			}
		}
	}
	var f facts
	parts := map[float64][3]string{}
	last := -1.0
	for _, d := range documents {
		var root map[string]any
		if err := json.Unmarshal([]byte(d), &root); err != nil {
			t.Fatal(err)
		}
		if m := str(root["model"]); f.Model == "" {
			f.Model = m
		}
		f.usage(root["usage"])
		choices, _ := root["choices"].([]any)
		for _, c := range choices {
			choice := c.(map[string]any)
			said, _ := choice["message"].(map[string]any)
			if stream {
				said, _ = choice["delta"].(map[string]any)
			}
			f.Content += str(said["content"])
			f.Reasoning += str(said["reasoning"]) + str(said["reasoning_content"])
			if r := str(choice["finish_reason"]); r != "" {
				f.Finish = r
			}
			list, _ := said["tool_calls"].([]any)
			for n, call := range list {
				call := call.(map[string]any)
				index, ok := call["index"].(float64)
				if !ok {
					index = float64(n)
				}
				function := call["function"].(map[string]any)
				p := parts[index]
				parts[index] = [3]string{p[0] + str(call["id"]), p[1] + str(function["name"]), p[2] + str(function["arguments"])}
				last = max(last, index)
			}
		}
	}
	for i := 0.0; i <= last; i++ {
		f.Calls = append(f.Calls, strings.Join(func(p [3]string) []string { return p[:] }(parts[i]), " "))
	}
	return f
}

func (f *facts) usage(v any) {
	u, ok := v.(map[string]any)
	if !ok {
		return
	}
	prompt, _ := u["prompt_tokens_details"].(map[string]any)
	completion, _ := u["completion_tokens_details"].(map[string]any)
	f.Prompt, f.Completion, f.Total = num(u["prompt_tokens"]), num(u["completion_tokens"]), num(u["total_tokens"])
	f.Cached, f.ReasoningTokens = num(prompt["cached_tokens"]), num(completion["reasoning_tokens"])
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

func num(v any) float64 {
	n, _ := v.(float64)
	return n
}
