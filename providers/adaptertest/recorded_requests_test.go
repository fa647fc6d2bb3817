package adaptertest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
)

// Shows that the requests which the vendors' own libraries have sent are
// claimed and read: the model, what the user said last, whether a stream was
// wanted and how many tools there were are what a walk over the untyped JSON
// finds, and what was read reads as the same once it is written again.
func TestRecordedRequests(t *testing.T) {
	read := map[string]int{}
	for _, path := range adaptertest.CorpusFiles(t, "") {
		c, err := cassette.Load(path)
		if err != nil {
			continue // counted by TestRecordedTraffic
		}
		for _, it := range c.Interactions {
			if d := readRecorded(t, fmt.Sprintf("%s, interaction %d", path, it.Index), it); d != "" {
				read[d]++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(read)) {
		fmt.Fprintf(t.Output(), "%s: %d requests read\n", name, read[name])
	}
	if !adaptertest.WholeCorpus() {
		return
	}
	for name, least := range map[string]int{"Chat Completions": 186, "Responses": 106, "Messages": 84, "generateContent": 100, "Cohere": 3} {
		if read[name] < least {
			t.Errorf("%s: %d requests were read, fewer than %d", name, read[name], least)
		}
	}
}

// readRecorded reads one request and returns the name of its dialect, "" for one
// that asks no model or that the vendor refused.
func readRecorded(t *testing.T, where string, it *cassette.Interaction) string {
	u, err := url.Parse(it.URL)
	if err != nil || it.Method != http.MethodPost || it.Response.Status >= 400 || len(it.RequestBody) == 0 {
		return ""
	}
	e := exchange{method: it.Method, url: u}
	at := slices.IndexFunc(dialects, func(d *dialect) bool { return d.covers(e) })
	d := dialects[at]
	if d.asks == nil || !d.calls(e) {
		return ""
	}
	asks, ok := d.asks(u)
	if !ok {
		return ""
	}
	base, err := url.Parse(asks.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	req := &http.Request{Method: it.Method, URL: u, Host: u.Host, Header: it.RequestHeader}
	below, ok := providers.Below(req, base)
	speaker := d.adapter.(adaptertest.Speaker)
	if !ok || !speaker.Claims(below) {
		t.Errorf("%s: %s is not claimed below %s", where, it.URL, base)
		return ""
	}
	in, err := speaker.Read(below, it.RequestBody)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return ""
	}
	var root map[string]any
	if err := json.Unmarshal(it.RequestBody, &root); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("model %q, stream %t, %d tools, prompt %q", in.Model, in.Stream, len(in.Tools), in.Prompt())
	if want := askedIn(root, u); got != want {
		t.Errorf("%s: read\n%s\nwant\n%s", where, got, want)
	}
	adaptertest.ReadArbitrary(t, speaker, below, it.RequestBody, asks.BaseURL)
	return d.name
}

// askedIn walks a recorded request as untyped JSON, whichever API it is for.
func askedIn(root map[string]any, u *url.URL) string {
	model, stream := str(root["model"]), root["stream"] == true
	if before, method, ok := strings.Cut(u.Path[strings.LastIndex(u.Path, "/")+1:], ":"); ok && strings.Contains(u.Path, "/models/") {
		model, stream = before, strings.HasPrefix(method, "stream")
	} else if rest, ok := strings.CutPrefix(u.Path, "/model/"); ok {
		model, stream = strings.CutSuffix(rest, "/invoke-with-response-stream")
		model = strings.TrimSuffix(model, "/invoke")
	}
	tools := 0
	for _, t := range list(root["tools"]) {
		tool := object(t)
		declared := list(tool["functionDeclarations"])
		kind := str(tool["type"])
		switch {
		case declared != nil:
			tools += len(declared)
		case tool["name"] != nil && root["input"] == nil, kind == "function", kind == "custom":
			tools++
		}
	}
	prompt := ""
	turns := append(append(list(root["messages"]), list(root["contents"])...), list(root["input"])...)
	for _, turn := range slices.Backward(turns) {
		m := object(turn)
		if str(m["role"]) != "user" {
			continue
		}
		parts := append(list(m["content"]), list(m["parts"])...)
		if slices.ContainsFunc(parts, func(p any) bool { return object(p)["type"] == "tool_result" || object(p)["functionResponse"] != nil }) {
			continue
		}
		prompt = str(m["content"])
		for _, p := range parts {
			if kind := str(object(p)["type"]); kind == "" || strings.HasSuffix(kind, "text") {
				prompt += str(object(p)["text"])
			}
		}
		break
	}
	if text := str(root["input"]); text != "" {
		prompt = text
	}
	return fmt.Sprintf("model %q, stream %t, %d tools, prompt %q", model, stream, tools, prompt)
}
