package incident

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/interp"
	tracelog "github.com/scenario-lang/scenario/trace"
)

// drafted is the scenario file of a trace, as text.
func drafted(t testing.TB, data []byte, o Options) (string, *Draft) {
	t.Helper()
	d, err := Import("trace.json", data, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(recording.Draft(strings.Join(d.Head, "\n"), d.Blocks)), d
}

// ran is what came of the only scenario of a file.
func ran(t testing.TB, text string) *interp.Result {
	t.Helper()
	file, diags := dsl.Parse("draft.scenario.hcl", []byte(text))
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, text)
	}
	suite, diags := interp.Compile(file, interp.Options{})
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, text)
	}
	return interp.Run(suite.Plans[0], interp.RunOptions{})
}

// an attempt is what is compared of one.
type outcome struct {
	step, outcome, kind string
	status              int64
	at, took            int64 // milliseconds
}

func outcomes(events []tracelog.Event) []outcome {
	var list []outcome
	began := map[string]int64{}
	for i := range events {
		e := &events[i]
		key := fmt.Sprint(e.Call, e.Step, e.Attempt)
		switch e.Type {
		case tracelog.AttemptStart:
			began[key] = e.At.Milliseconds()
		case tracelog.AttemptEnd:
			list = append(list, outcome{e.Step, e.Text("outcome"), e.Text("kind"), e.Int("status_code"), began[key], e.At.Milliseconds() - began[key]})
		}
	}
	return list
}

// The trace that OpenTelemetry's own instrumentations of the OpenAI client and of
// fetch made of a program that failed, in Node: two refusals and an answer, a
// request, a stream, and three connections that were reset. See
// conformance/otel/incident, which made it. The draft asks for the same, meets the
// same in the same order and at the same times, and fails with the last of it.
func TestTraceOfNode(t *testing.T) {
	data, err := os.ReadFile("testdata/openai-node.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	text, d := drafted(t, data, Options{})
	got := ran(t, text)
	if got.Verdict != interp.Fail || tracelog.Status(got.Events) != "failed" {
		t.Errorf("verdict %s, run %s", got.Verdict, tracelog.Status(got.Events))
	}
	// The times are those of the spans: see startTimeUnixNano and endTimeUnixNano
	// of the seven requests, less what the program did in between.
	want := []outcome{
		{"chat_gpt_4o_mini", "failure", "rate_limit", 429, 0, 152},
		{"chat_gpt_4o_mini", "failure", "http_status", 503, 1152, 12},
		{"chat_gpt_4o_mini", "success", "", 200, 1272, 1},
		{"get_orders_7", "success", "", 200, 1273, 55},
		{"chat_gpt_4o_mini_2", "success", "", 200, 1328, 16},
		{"chat_gpt_4o_mini_3", "failure", "connection", 0, 1344, 32},
		{"chat_gpt_4o_mini_3", "failure", "connection", 0, 1851, 34},
		{"chat_gpt_4o_mini_3", "failure", "connection", 0, 2679, 35},
	}
	if diff := cmp.Diff(want, outcomes(got.Events), cmp.AllowUnexported(outcome{}), cmp.Comparer(nearMillis)); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{
		`system   = "You are the support of a shop."`, `prompt   = "Where is order 7?"`, `prompt     = "Summarize: Your order is on its way."`,
		`name = "look_up"`, "order = 7", "prompt_tokens     = 21", `content = "Your order is on its way."`, "stream     = true", `retry-after = "1"`,
		"# It ended with: Connection error.",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the draft does not have %s", part)
		}
	}
	for _, note := range []string{"the bodies of answers: get_orders_7", "when the pieces of streams came: chat_gpt_4o_mini_2"} {
		if !slices.Contains(d.Notes, "the spans do not say "+note) {
			t.Errorf("no note about %s in %q", note, d.Notes)
		}
	}
	if strings.Contains(text, "a-token-of-no-use-1") {
		t.Error("the token of the URL is in the draft")
	}
}

// nearMillis takes times for equal that rounding has moved.
func nearMillis(a, b int64) bool { return max(a, b)-min(a, b) <= 3 }

// For the program itself the same calls are endpoints: one for all that the model
// is asked, with the answers in their order.
func TestEndpointsOfNode(t *testing.T) {
	data, err := os.ReadFile("testdata/openai-node.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	d, err := Import("trace.json", data, Options{Program: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range d.Blocks {
		for _, on := range append(b.Blocks[:len(b.Blocks):len(b.Blocks)], b) {
			name := on.Type + " " + strings.Join(on.Labels, " ")
			for _, e := range on.Blocks {
				if on.Type == "on" {
					name += ", " + strings.Join(append([]string{e.Type}, e.Labels...), " ")
				}
			}
			got = append(got, name)
		}
	}
	want := []string{
		"provider openai openai", "provider http service", "endpoint chat_gpt_4o_mini", "endpoint get_orders_7",
		"on chat_gpt_4o_mini, fault http_error, fault http_error, reply, reply, fault connection_reset, fault connection_reset, fault connection_reset",
		"on get_orders_7, reply", "expect run", "scenario handle question",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// exported is a trace of one span of a model below one of the program.
func exported(t testing.TB, attrs map[string]any, events []any, logs []any) []byte {
	t.Helper()
	span := map[string]any{"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "parentSpanId": "00f067aa0ba902b7", "name": "chat m", "kind": 3, "startTimeUnixNano": "1000000000", "endTimeUnixNano": "3000000000", "attributes": keyed(attrs), "events": events}
	root := map[string]any{"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "00f067aa0ba902b7", "name": "ask", "kind": "SPAN_KIND_SERVER", "startTimeUnixNano": 900000000, "endTimeUnixNano": 3100000000}
	data, err := json.Marshal(map[string]any{
		"resourceSpans": []any{map[string]any{"scopeSpans": []any{map[string]any{"spans": []any{root, span}}}}},
		"resourceLogs":  []any{map[string]any{"scopeLogs": []any{map[string]any{"logRecords": logs}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func keyed(attrs map[string]any) []any {
	list := []any{}
	for key, v := range attrs {
		list = append(list, map[string]any{"key": key, "value": anyValue(v)})
	}
	return list
}

func anyValue(v any) map[string]any {
	switch v := v.(type) {
	case string:
		return map[string]any{"stringValue": v}
	case int:
		return map[string]any{"intValue": fmt.Sprint(v)}
	case bool:
		return map[string]any{"boolValue": v}
	case []any:
		values := []any{}
		for _, item := range v {
			values = append(values, anyValue(item))
		}
		return map[string]any{"arrayValue": map[string]any{"values": values}}
	case map[string]any:
		return map[string]any{"kvlistValue": map[string]any{"values": keyed(v)}}
	}
	panic(v)
}

func named(name string, attrs map[string]any) any {
	return map[string]any{"name": name, "timeUnixNano": "1", "attributes": keyed(attrs)}
}

func logged(name string, body map[string]any) any {
	return map[string]any{"eventName": name, "traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "body": anyValue(body)}
}

// The conversation of a call is found wherever a tool keeps it: in the attributes
// of the newer conventions, as JSON or as values, in their event, in the events
// and log records of the older ones, and in the attributes of OpenLLMetry and
// OpenInference.
func TestConversations(t *testing.T) {
	base := func(more map[string]any) map[string]any {
		m := map[string]any{"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 7}
		for k, v := range more {
			m[k] = v
		}
		return m
	}
	const input = `[{"role":"system","parts":[{"type":"text","content":"Be brief."}]},{"role":"user","parts":[{"type":"text","content":"Weather?"}]}]`
	const output = `[{"role":"assistant","parts":[{"type":"text","content":"Rain."},{"type":"tool_call","id":"c1","name":"umbrella","arguments":{"n":1}}],"finish_reason":"length"}]`
	call := []any{map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": "umbrella", "arguments": `{"n": 1}`}}}
	for name, data := range map[string][]byte{
		"attributes of JSON": exported(t, base(map[string]any{"gen_ai.input.messages": input, "gen_ai.output.messages": output}), nil, nil),
		"instructions apart": exported(t, base(map[string]any{"gen_ai.system_instructions": `[{"type":"text","content":"Be brief."}]`, "gen_ai.input.messages": `[{"role":"user","parts":[{"type":"text","content":"Weather?"}]}]`, "gen_ai.output.messages": output}), nil, nil),
		"attributes of values": exported(t, base(map[string]any{
			"gen_ai.input.messages":  []any{map[string]any{"role": "system", "parts": []any{map[string]any{"type": "text", "content": "Be brief."}}}, map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "content": "Weather?"}}}},
			"gen_ai.output.messages": []any{map[string]any{"role": "assistant", "finish_reason": "length", "parts": []any{map[string]any{"type": "text", "content": "Rain."}, map[string]any{"type": "tool_call", "id": "c1", "name": "umbrella", "arguments": map[string]any{"n": 1}}}}},
		}), nil, nil),
		"one event":     exported(t, base(nil), []any{named("gen_ai.client.inference.operation.details", map[string]any{"gen_ai.input.messages": input, "gen_ai.output.messages": output})}, nil),
		"log records":   exported(t, base(nil), nil, []any{logged("gen_ai.system.message", map[string]any{"content": "Be brief."}), logged("gen_ai.user.message", map[string]any{"content": "Weather?"}), logged("gen_ai.choice", map[string]any{"index": 0, "finish_reason": "length", "message": map[string]any{"content": "Rain.", "tool_calls": call}})}),
		"events":        exported(t, base(nil), []any{named("gen_ai.system.message", map[string]any{"gen_ai.event.content": `{"content":"Be brief."}`}), named("gen_ai.user.message", map[string]any{"content": "Weather?"}), named("gen_ai.choice", map[string]any{"finish_reason": "length", "message": `{"role":"assistant","content":"Rain.","tool_calls":[{"id":"c1","type":"function","function":{"name":"umbrella","arguments":"{\"n\":1}"}}]}`})}, nil),
		"oldest events": exported(t, base(nil), []any{named("gen_ai.content.prompt", map[string]any{"gen_ai.prompt": `[{"role":"system","content":"Be brief."},{"role":"user","content":"Weather?"}]`}), named("gen_ai.content.completion", map[string]any{"gen_ai.completion": `[{"role":"assistant","content":"Rain.","finish_reason":"length","tool_calls":[{"id":"c1","function":{"name":"umbrella","arguments":"{\"n\":1}"}}]}]`})}, nil),
		"OpenLLMetry": exported(t, map[string]any{
			"llm.request.type": "chat", "gen_ai.system": "OpenAI", "gen_ai.request.model": "m", "gen_ai.usage.prompt_tokens": 5, "gen_ai.usage.completion_tokens": 7,
			"gen_ai.prompt.0.role": "system", "gen_ai.prompt.0.content": "Be brief.", "gen_ai.prompt.1.role": "user", "gen_ai.prompt.1.content": "Weather?",
			"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Rain.", "gen_ai.completion.0.finish_reason": "length",
			"gen_ai.completion.0.tool_calls.0.id": "c1", "gen_ai.completion.0.tool_calls.0.name": "umbrella", "gen_ai.completion.0.tool_calls.0.arguments": `{"n": 1}`,
		}, nil, nil),
		"OpenInference": exported(t, map[string]any{
			"openinference.span.kind": "LLM", "llm.model_name": "m", "llm.provider": "openai", "llm.token_count.prompt": 5, "llm.token_count.completion": 7, "llm.response.finish_reason": "length",
			"llm.input_messages.0.message.role": "system", "llm.input_messages.0.message.content": "Be brief.", "llm.input_messages.1.message.role": "user", "llm.input_messages.1.message.contents.0.message_content.text": "Weather?",
			"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Rain.",
			"llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1", "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "umbrella", "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": `{"n":1}`,
		}, nil, nil),
	} {
		text, _ := drafted(t, data, Options{})
		text = text[strings.Index(text, "workflow "):]
		if diff := cmp.Diff(conversation, text); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

const conversation = `workflow "ask" {
  step "llm" "chat_m" {
    provider = provider.openai
    model    = "m"
    system   = "Be brief."
    prompt   = "Weather?"
    tools = [{
      name = "umbrella"
    }]
  }
}

scenario "ask" {
  run = workflow.ask
  on "chat_m" {
    reply {
      content = "Rain."
      tool_calls = [{
        id   = "c1"
        name = "umbrella"
        arguments = {
          n = 1
        }
      }]
      finish_reason = "length"
      usage = {
        prompt_tokens     = 5
        completion_tokens = 7
      }
      latency = "2s"
    }
  }
  expect "run" {
    status = "success"
  }
}
`

// What libraries of many languages call their errors is the fault that they were.
func TestFailuresByTheirNames(t *testing.T) {
	chat := map[string]any{"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m"}
	get := map[string]any{"http.request.method": "GET", "url.full": "https://a.example/x"}
	query := map[string]any{"db.system.name": "postgresql", "db.query.text": "SELECT 1"}
	tool := map[string]any{"mcp.method.name": "tools/call", "gen_ai.tool.name": "search"}
	for _, c := range []struct {
		of    map[string]any
		more  map[string]any
		words [2]string // the type and the message of the exception
		want  string
	}{
		{get, map[string]any{"http.response.status_code": 503}, [2]string{}, `fault "http_error" { status_code = 503`},
		{get, map[string]any{"http.status_code": 404}, [2]string{}, `fault "http_error" { status_code = 404`},
		{get, map[string]any{"error.type": "502"}, [2]string{}, `fault "http_error" { status_code = 502`},
		{get, map[string]any{"http.response.status_code": 429, "http.response.header.retry_after": []any{"7"}}, [2]string{}, `fault "http_error" { status_code = 429 headers = { retry-after = "7" }`},
		{get, map[string]any{"error.type": "ECONNREFUSED"}, [2]string{}, `fault "connection_refused" {`},
		{get, nil, [2]string{"java.net.ConnectException", "Connection refused"}, `fault "connection_refused" {`},
		{get, nil, [2]string{"requests.exceptions.ConnectionError", "Failed to establish a new connection: [Errno 111] Connection refused"}, `fault "connection_refused" {`},
		{get, map[string]any{"error.type": "ENOTFOUND"}, [2]string{}, `fault "dns_error" {`},
		{get, nil, [2]string{"*url.Error", "dial tcp: lookup a.example: no such host"}, `fault "dns_error" {`},
		{get, nil, [2]string{"socket.gaierror", "[Errno -2] Name or service not known"}, `fault "dns_error" {`},
		{get, nil, [2]string{"ssl.SSLCertVerificationError", "certificate verify failed"}, `fault "tls_error" {`},
		{get, nil, [2]string{"*errors.errorString", "x509: certificate signed by unknown authority"}, `fault "tls_error" {`},
		{get, nil, [2]string{"httpx.ReadTimeout", ""}, `fault "timeout" {`},
		{get, map[string]any{"error.type": "UND_ERR_HEADERS_TIMEOUT"}, [2]string{}, `fault "timeout" {`},
		{get, nil, [2]string{"context.deadlineExceededError", "context deadline exceeded"}, `fault "timeout" {`},
		{get, nil, [2]string{"httpx.RemoteProtocolError", "Server disconnected without sending a response."}, `fault "connection_reset" {`},
		{get, nil, [2]string{"Error", "socket hang up"}, `fault "connection_reset" {`},
		{get, nil, [2]string{"*url.Error", "unexpected EOF"}, `fault "connection_reset" {`},
		{get, nil, [2]string{"TeapotError", "short and stout"}, `fault "error" { type = "TeapotError" message = "short and stout"`},
		{chat, nil, [2]string{"openai.RateLimitError", "Error code: 429 - {'error': {'message': 'Rate limit reached'}}"}, `fault "http_error" { status_code = 429`},
		{chat, map[string]any{"error.type": "RateLimitError"}, [2]string{}, `fault "http_error" { status_code = 429`},
		{chat, map[string]any{"error.type": "APIConnectionTimeoutError"}, [2]string{}, `fault "timeout" {`},
		{chat, map[string]any{"error.type": "APIConnectionError"}, [2]string{}, `fault "connection_reset" {`},
		{chat, nil, [2]string{"InternalServerError", "503 upstream connect error"}, `fault "http_error" { status_code = 503`},
		{chat, nil, [2]string{"anthropic.OverloadedError", "Overloaded"}, `fault "http_error" { status_code = 529`},
		{chat, nil, [2]string{"SyntaxError", "Unexpected token < in JSON at position 0"}, `fault "malformed_response" {`},
		{query, map[string]any{"db.response.status_code": "40001"}, [2]string{"PG::Error", "could not serialize access"}, `fault "db_error" { sqlstate = "40001" message = "could not serialize access"`},
		{query, map[string]any{"error.type": "57014"}, [2]string{}, `fault "db_error" { sqlstate = "57014"`},
		{query, nil, [2]string{"Error", "connect ECONNREFUSED 10.0.0.1:5432"}, `fault "connection_refused" {`},
		{tool, map[string]any{"error.type": "tool_error"}, [2]string{"ToolError", "no such city"}, `fault "tool_error" { message = "no such city"`},
		{tool, map[string]any{"rpc.response.status_code": "-32602", "error.type": "-32602"}, [2]string{"McpError", "Invalid params"}, `fault "protocol_error" { code = -32602 message = "Invalid params"`},
	} {
		attrs := map[string]any{}
		for _, m := range []map[string]any{c.of, c.more} {
			for k, v := range m {
				attrs[k] = v
			}
		}
		var events []any
		if c.words[0] != "" {
			events = []any{named("exception", map[string]any{"exception.type": c.words[0], "exception.message": c.words[1]})}
			if attrs["error.type"] == nil {
				attrs["error.type"] = c.words[0]
			}
		}
		text, _ := drafted(t, exported(t, attrs, events, nil), Options{})
		text = strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", " ")), " ")
		if !strings.Contains(text, c.want) || !strings.Contains(text, `after = "2s"`) {
			t.Errorf("%v %q: no %s in\n%s", c.more, c.words, c.want, text)
		}
		if got := ran(t, drafted1(t, exported(t, attrs, events, nil))); tracelog.Status(got.Events) != "failed" {
			t.Errorf("%v %q: the run is %s", c.more, c.words, tracelog.Status(got.Events))
		}
	}
}

func drafted1(t testing.TB, data []byte) string {
	text, _ := drafted(t, data, Options{})
	return text
}

func recordingDraft(d *Draft) []byte { return recording.Draft(strings.Join(d.Head, "\n"), d.Blocks) }
