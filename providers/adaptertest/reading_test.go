package adaptertest_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/anthropic"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/providers/cohere"
	"github.com/scenario-lang/scenario/providers/gemini"
	plain "github.com/scenario-lang/scenario/providers/http"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/providers/ollama"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/providers/sql"
)

// A reading is an adapter, what it is asked, and what of that stands in another
// form on its wire, or not at all.
type reading struct {
	name    string
	adapter adaptertest.Speaker
	base    string   // the adapter's own
	bases   []string // what an input may name besides
	draw    func(*rand.Rand) providers.Input
	// normal is what can be read of an input: by the vendor's reference, not by
	// the adapter.
	normal func(providers.Input) providers.Input
}

var readings = []reading{
	{"openai", openai.Adapter{}, openai.BaseURL, []string{"http://127.0.0.1:8080/v1/", "https://x.example/openai/deployments/d%2Fe?api-version=1"}, uncounted(adaptertest.Conversation), completionAsked},
	{"openai/responses", openai.Responses{}, openai.BaseURL, []string{"http://127.0.0.1:8080/v1/"}, adaptertest.Conversation, responseAsked},
	{"anthropic", anthropic.Adapter{}, anthropic.BaseURL, []string{"https://api.anthropic.com/v1", "http://127.0.0.1:1/proxy/"}, adaptertest.Conversation, messageAsked},
	{"anthropic on Vertex", anthropic.Adapter{}, anthropic.BaseURL, []string{"https://e.example/v1/projects/p/locations/l/publishers/anthropic"}, adaptertest.Conversation, messageAsked},
	{"anthropic on Bedrock", anthropic.Adapter{}, anthropic.BaseURL, []string{"https://bedrock-runtime.us-east-1.amazonaws.com"}, adaptertest.Conversation, messageAsked},
	{"gemini", gemini.Adapter{}, gemini.BaseURL, []string{"http://127.0.0.1:1", "https://e.example/v1/projects/p/locations/l/publishers/google"}, adaptertest.Conversation, contentAsked},
	{"ollama", ollama.Adapter{}, ollama.BaseURL, []string{"http://127.0.0.1:1/ollama"}, adaptertest.Conversation, chatAsked},
	{"cohere", cohere.Adapter{}, cohere.BaseURL, []string{"http://127.0.0.1:1/cohere"}, adaptertest.Conversation, cohereAsked},
	{"http", plain.Adapter{}, "", nil, adaptertest.Exchange, exchangeAsked},
	{"mcp", mcp.Adapter{}, "", nil, adaptertest.Call, callAsked},
	{"sql", sql.Adapter{}, sql.BaseURL, []string{"postgres://app@db.example/shop"}, adaptertest.Query, func(in providers.Input) providers.Input { return in }},
}

// Shows that a request says all that an input asks: what an adapter writes it
// reads as what was written, and writes it again as the same bytes.
func TestReadBack(t *testing.T) {
	for _, r := range readings {
		t.Run(r.name, func(t *testing.T) {
			for seed := range uint64(1500) {
				random := rand.New(rand.NewPCG(seed, 0))
				in := r.draw(random)
				switch {
				case in.BaseURL != "":
				case strings.Contains(r.name, " on "):
					in.BaseURL = r.bases[0]
				case len(r.bases) > 0:
					in.BaseURL = append([]string{""}, r.bases...)[random.IntN(len(r.bases)+1)]
				}
				want := r.normal(in)
				t.Run(fmt.Sprint(seed), func(t *testing.T) { adaptertest.ReadBack(t, r.adapter, in, want, r.base) })
				if t.Failed() {
					return
				}
			}
		})
	}
}

// uncounted has some streams tell no usage.
func uncounted(draw func(*rand.Rand) providers.Input) func(*rand.Rand) providers.Input {
	return func(r *rand.Rand) providers.Input {
		in := draw(r)
		in.Uncounted = in.Stream && r.IntN(2) == 0
		return in
	}
}

// identified gives calls and results the ids that they lack, and takes away
// what only Gemini has.
func identified(in providers.Input, prefix string) providers.Input {
	ids := providers.CallIDs{Prefix: prefix}
	messages := []providers.Message(nil)
	for _, m := range in.Messages {
		if m.Role == "tool" {
			m.ToolCallID = ids.Answered(m)
		}
		var calls []providers.ToolCall
		for i, id := range ids.Calls(m.ToolCalls) {
			c := m.ToolCalls[i]
			calls = append(calls, providers.ToolCall{ID: id, Name: c.Name, Arguments: c.Arguments})
		}
		m.ToolCalls = calls
		messages = append(messages, m)
	}
	in.Messages = messages
	return in
}

// each changes every message.
func each(in providers.Input, change func(*providers.Message)) providers.Input {
	messages := []providers.Message(nil)
	for _, m := range in.Messages {
		calls := []providers.ToolCall(nil)
		m.ToolCalls = append(calls, m.ToolCalls...)
		change(&m)
		messages = append(messages, m)
	}
	in.Messages = messages
	return in
}

func unnamed(m *providers.Message) { m.Name = "" }

// asObject is arguments as an API has them that sends an object: what is none is
// a string, nothing an empty one.
func asObject(m *providers.Message) {
	for i, c := range m.ToolCalls {
		var b bytes.Buffer
		text := strings.TrimSpace(c.Arguments)
		switch {
		case text == "":
			m.ToolCalls[i].Arguments = "{}"
		case strings.HasPrefix(text, "{") && json.Compact(&b, []byte(text)) == nil:
			m.ToolCalls[i].Arguments = b.String()
		}
	}
}

// systemFirst has one message of the system, before all others.
func systemFirst(in providers.Input, empty bool) providers.Input {
	var texts []string
	var rest []providers.Message
	for _, m := range in.Messages {
		if m.Role == "system" || m.Role == "developer" {
			texts = append(texts, m.Content)
		} else {
			rest = append(rest, m)
		}
	}
	if text := strings.Join(texts, "\n\n"); text != "" || empty && texts != nil {
		rest = append([]providers.Message{{Role: "system", Content: text}}, rest...)
	}
	in.Messages = rest
	return in
}

// schemaOf is the schema of a format in OpenAI's shape, nil for none.
func schemaOf(format any) any {
	f, _ := format.(map[string]any)
	nested, _ := f["json_schema"].(map[string]any)
	return nested["schema"]
}

func completionAsked(in providers.Input) providers.Input {
	return each(identified(in, "call_"), unnamed)
}

func responseAsked(in providers.Input) providers.Input {
	in = each(identified(in, "call_"), unnamed)
	var joined []providers.Message
	for _, m := range in.Messages {
		// The items of a turn that says nothing are calls alone, which nothing
		// tells from those of the turn before.
		if n := len(joined) - 1; n >= 0 && m.Role == "assistant" && joined[n].Role == "assistant" && m.Content == "" && m.ToolCalls != nil {
			joined[n].ToolCalls = append(joined[n].ToolCalls, m.ToolCalls...)
			continue
		}
		joined = append(joined, m)
	}
	in.Messages = joined
	if schema := schemaOf(in.ResponseFormat); schema != nil {
		in.ResponseFormat = map[string]any{"type": "json_schema", "name": "answer", "strict": true, "schema": schema}
	}
	return in
}

func messageAsked(in providers.Input) providers.Input {
	in = systemFirst(each(each(identified(in, "toolu_"), unnamed), asObject), false)
	if in.MaxTokens == nil {
		in.MaxTokens = new(4096)
	}
	if schema := schemaOf(in.ResponseFormat); schema != nil {
		in.ResponseFormat = map[string]any{"type": "json_schema", "schema": schema}
	}
	tools := []providers.Tool(nil)
	for _, t := range in.Tools {
		if t.Schema == nil {
			t.Schema = map[string]any{"type": "object"}
		}
		tools = append(tools, t)
	}
	in.Tools = tools
	return in
}

func contentAsked(in providers.Input) providers.Input {
	names := map[string]string{}
	in = each(in, func(m *providers.Message) {
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Name
		}
		if m.Role == "tool" {
			m.Name = cmp.Or(m.Name, names[m.ToolCallID], m.ToolCallID)
		}
	})
	in = systemFirst(each(in, asObject), true)
	switch format, _ := in.ResponseFormat.(map[string]any); {
	case schemaOf(in.ResponseFormat) != nil:
		in.ResponseFormat = map[string]any{"responseMimeType": "application/json", "responseJsonSchema": schemaOf(in.ResponseFormat)}
	case format["type"] == "json_object":
		in.ResponseFormat = map[string]any{"responseMimeType": "application/json"}
	}
	return in
}

func chatAsked(in providers.Input) providers.Input {
	in = each(identified(in, "call_"), asObject)
	switch format, _ := in.ResponseFormat.(map[string]any); {
	case schemaOf(in.ResponseFormat) != nil:
		in.ResponseFormat = schemaOf(in.ResponseFormat)
	case format["type"] == "json_object":
		in.ResponseFormat = "json"
	}
	return in
}

func cohereAsked(in providers.Input) providers.Input {
	in = each(identified(in, "call_"), unnamed)
	if schema := schemaOf(in.ResponseFormat); schema != nil {
		in.ResponseFormat = map[string]any{"type": "json_object", "json_schema": schema}
	}
	return in
}

func exchangeAsked(in providers.Input) providers.Input {
	base, _ := url.Parse(in.BaseURL)
	path, query, _ := strings.Cut(in.Path, "?")
	want := providers.Input{
		Method: strings.ToUpper(cmp.Or(in.Method, "GET")),
		Body:   in.Body,
	}
	if path != "" {
		want.Path = (&url.URL{Path: "/"}).JoinPath(path).EscapedPath()
	} else if strings.HasSuffix(base.Path, "/") {
		want.Path = "/"
	}
	for _, text := range []string{base.RawQuery, query} {
		values, _ := url.ParseQuery(text)
		for name := range values {
			set(&want.Query, name, values.Get(name))
		}
	}
	for name, value := range in.Query {
		set(&want.Query, name, value)
	}
	if in.HasJSON {
		want.Body, _ = providers.EncodeJSON(in.JSON)
		set(&want.Headers, "Content-Type", "application/json")
	}
	if len(want.Body) == 0 {
		want.Body = nil
	}
	for name, value := range in.Headers {
		set(&want.Headers, http.CanonicalHeaderKey(name), value)
	}
	object := map[string]any{}
	asks := json.Unmarshal(want.Body, &object) == nil && object["stream"] == true
	want.Stream = want.Headers["Accept"] == "text/event-stream" || asks && want.Headers["Content-Type"] == "application/json"
	return want
}

func set(m *map[string]string, name, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[name] = value
}

func callAsked(in providers.Input) providers.Input {
	if in.Session.Version < "2025-06-18" { // the first that is named in a header
		in.Session.Version = ""
	}
	if params, ok := in.RPC.Params.(map[string]any); ok && len(params) == 0 && in.Stream {
		in.RPC.Params = nil
	}
	return in
}

// Shows that every adapter of the catalogue reads requests, and is held to what
// it writes.
func TestEveryAdapterReads(t *testing.T) {
	tried := map[providers.Adapter]bool{}
	for _, r := range readings {
		tried[r.adapter] = true
	}
	for _, k := range catalog.Kinds() {
		speakers := []providers.Adapter{k.Adapter}
		for _, a := range k.APIs {
			speakers = append(speakers, a)
		}
		for _, a := range speakers {
			if _, ok := a.(providers.Reader); !ok {
				t.Errorf("%s: %T reads no requests of programs: give it the methods of providers.Reader", k.Name, a)
			}
			if !tried[a] {
				t.Errorf("%s: no line of readings holds what %T reads to what it writes", k.Name, a)
			}
		}
	}
}

// claimsAll are the readings whose interface has any request of HTTP, whatever
// its method and its path.
var claimsAll = []string{"http"}

// Shows that an adapter claims the requests that it wrote and no others, but for
// those that claim all.
func TestClaims(t *testing.T) {
	for _, r := range readings {
		for _, other := range readings {
			if slices.Contains(claimsAll, r.name) && other.name == "mcp" {
				continue // a POST to the base itself may be either's
			}
			want := other.adapter == r.adapter || slices.Contains(claimsAll, other.name)
			for seed := range uint64(20) {
				in := r.draw(rand.New(rand.NewPCG(seed, 1)))
				if in.BaseURL == "" && len(r.bases) > 0 {
					in.BaseURL = r.bases[0]
				}
				req, _, err := adaptertest.Written(r.adapter, in, r.base)
				if err != nil {
					t.Fatal(err)
				}
				if got := other.adapter.Claims(req); got != want {
					t.Errorf("%s claims %s %s of %s: %t, want %t; by its Claims an adapter tells the requests of its interface from others, unless claimsAll has it", other.name, req.Method, req.URL, r.name, got, want)
					break
				}
			}
		}
	}
}
