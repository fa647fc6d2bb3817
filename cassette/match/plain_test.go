package match

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Two forms of one request, which a vendor answers alike: each rule of the normal
// form, and what is next to it, which is answered otherwise.
var forms = []struct {
	rule         string
	one, another string
	otherwise    []string
}{
	{
		"Thoughts of earlier turns are left out.",
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning":"x","reasoning_content":"x","reasoning_details":[{"text":"x"}]},{"role":"user","content":"c"}]}`,
		[]string{
			`{"messages":[{"role":"user","content":"a","reasoning":"x"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`,
			`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b x"},{"role":"user","content":"c"}]}`,
			`{"messages":[{"role":"user","content":"a"},{"role":"assistant"},{"role":"user","content":"c"}]}`,
		},
	},
	{
		"So are those of Anthropic, which are blocks.",
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"s"},{"type":"text","text":"b"}]},{"role":"user","content":"c"}]}`,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"d"},{"type":"text","text":"b"}]},{"role":"user","content":[{"type":"text","text":"c"}]}]}`,
		[]string{`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"text","text":"b"}]},{"role":"user","content":"c"}]}`},
	},
	{
		"Cohere, v2/chat: a content is a text or a list of blocks, and not to stream is the default.",
		`{"model":"command-r7b-12-2024","messages":[{"role":"system","content":"s"},{"role":"user","content":"a"}],"stream":false}`,
		`{"model":"command-r7b-12-2024","messages":[{"role":"system","content":[{"type":"text","text":"s"}]},{"role":"user","content":[{"type":"text","text":"a"}]}],"temperature":0.3}`,
		[]string{
			`{"model":"command-r7b-12-2024","messages":[{"role":"system","content":"s"},{"role":"user","content":"b"}]}`,
			`{"model":"command-r7b-12-2024","messages":[{"role":"system","content":"s"},{"role":"user","content":"a"}],"stream":true}`,
			`{"model":"command-a-03-2025","messages":[{"role":"system","content":"s"},{"role":"user","content":"a"}]}`,
		},
	},
	{
		"And they may be left out.",
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"s"},{"type":"text","text":"b"}]},{"role":"user","content":"c"}]}`,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`,
		nil,
	},
	{
		"In a loop of tools Anthropic refuses a request without them, and so that is no equal one.",
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"s"},{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1"}]}]}`,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"xy","signature":"z"},{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1"}]}]}`,
		[]string{`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1"}]}]}`},
	},
	{
		"Mistral's and Cohere's thoughts, which are blocks without a signature, need not be sent.",
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}]},{"type":"text","text":"b"}]},{"role":"user","content":"c"}]}`,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`,
		nil,
	},
	{
		"Instructions are a system message before the others.",
		`{"instructions":"be kind","input":"a"}`,
		`{"input":[{"role":"system","content":"be kind"},{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}]}`,
		[]string{
			`{"input":[{"role":"user","content":"be kind"},{"role":"user","content":"a"}]}`,
			`{"input":[{"role":"user","content":"a"},{"role":"system","content":"be kind"}]}`,
			`{"instructions":"be unkind","input":"a"}`, `{"input":"a"}`,
		},
	},
	{
		"A developer message is a system message.",
		`{"messages":[{"role":"developer","content":"s"},{"role":"user","content":"a"}]}`,
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"a"}]}`,
		[]string{`{"messages":[{"role":"user","content":"s"},{"role":"user","content":"a"}]}`},
	},
	{
		"Instructions that are empty are none.",
		`{"instructions":"","input":"a"}`, `{"input":"a"}`,
		[]string{`{"instructions":"x","input":"a"}`},
	},
	{
		"So is an empty system.",
		`{"system":"","messages":[{"role":"user","content":"a"}]}`, `{"messages":[{"role":"system","content":" "},{"role":"user","content":"a"}]}`,
		[]string{`{"system":"x","messages":[{"role":"user","content":"a"}]}`, `{"messages":[{"role":"user","content":""},{"role":"user","content":"a"}]}`},
	},
	{
		"is_error is false where it is absent.",
		`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1","is_error":false}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"1"}]}]}]}`,
		[]string{`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1","is_error":true}]}]}`},
	},
	{
		"The member of Gemini's result has any name that says that it is one.",
		`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]}]}`,
		`{"contents":[{"role":"model","parts":[{"function_call":{"id":"x","name":"f"}}]},{"role":"function","parts":[{"functionResponse":{"id":"x","name":"f","response":{"return_value":"1"}}}]}]}`,
		[]string{
			`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"error":"1"}}}]}]}`,
			`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"celsius":"1"}}}]}]}`,
			`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"1","output":"2"}}}]}]}`,
			`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]}]}`,
		},
	},
	{
		"Gemini's thoughts are left out, and signatures of earlier turns.",
		`{"contents":[{"parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"x","thought":true},{"text":"b","thoughtSignature":"s"}]},{"parts":[{"text":"c"}]}]}`,
		`{"contents":[{"role":"user","parts":{"text":"a"}},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"c"}]}]}`,
		[]string{`{"contents":[{"parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"x"},{"text":"b"}]},{"parts":[{"text":"c"}]}]}`},
	},
	{
		"The signature of a call in a loop has to be sent, whatever it is.",
		`{"contents":[{"parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"f"},"thoughtSignature":"s"}]},{"parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]}]}`,
		`{"contents":[{"parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"f"},"thought_signature":"t"}]},{"parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]}]}`,
		[]string{`{"contents":[{"parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]}]}`},
	},
	{
		"That of a call in an earlier turn need not be.",
		`{"contents":[{"parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"f"},"thoughtSignature":"s"}]},{"parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]},{"role":"model","parts":[{"text":"b"}]},{"parts":[{"text":"c"}]}]}`,
		`{"contents":[{"parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]},{"role":"model","parts":[{"text":"b"}]},{"parts":[{"text":"c"}]}]}`,
		nil,
	},
	{
		"A call needs no empty message before it, and what names items in an answer is not read in a request.",
		`{"input":[{"role":"user","content":"a"},{"type":"message","role":"assistant","content":""},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"function_call","id":"fc_1","status":"completed","call_id":"c","name":"f","arguments":"{\"x\": 1}"},{"type":"function_call_output","call_id":"c","output":"1"}]}`,
		`{"input":[{"role":"user","content":"a"},{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":1}"},{"type":"function_call_output","call_id":"d","output":"1"}]}`,
		[]string{
			`{"input":[{"role":"user","content":"a"},{"role":"assistant","content":"wait"},{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":1}"},{"type":"function_call_output","call_id":"d","output":"1"}]}`,
			`{"input":[{"role":"user","content":"a"},{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":2}"},{"type":"function_call_output","call_id":"d","output":"1"}]}`,
			`{"input":[{"role":"user","content":"a"},{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":1}"},{"type":"function_call_output","call_id":"e","output":"1"}]}`,
			`{"input":[{"role":"user","content":"a"},{"type":"item_reference","id":"rs_1"},{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":1}"},{"type":"function_call_output","call_id":"d","output":"1"}]}`,
		},
	},
	{
		"An id ties a result to its call, and is no more.",
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","index":0,"function":{"name":"f","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"x"},{"role":"tool","tool_call_id":"2","content":"y"}]}`,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"p","function":{"name":"f","arguments":"{ }"}},{"id":"q","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"p","content":"x"},{"role":"tool","tool_call_id":"q","content":"y"}]}`,
		[]string{`{"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"2","content":"x"},{"role":"tool","tool_call_id":"1","content":"y"}]}`},
	},
	{
		"What the service keeps of a conversation is part of it.",
		`{"previous_response_id":"r","input":"a"}`, `{"previous_response_id":"r","input":[{"role":"user","content":"a"}]}`,
		[]string{`{"previous_response_id":"s","input":"a"}`, `{"input":"a"}`, `{"conversation":"r","input":"a"}`},
	},
}

func asked(body string) Request {
	return Request{Method: "POST", URL: "https://a/v1/chat/completions", Body: []byte(body)}
}

// Forms that a vendor answers alike are equal under semantic, and what it answers
// otherwise is not; strict tells all of them apart.
func TestForms(t *testing.T) {
	m := Match{Profile: Semantic}
	for _, f := range forms {
		if d := m.Diff(asked(f.one), asked(f.another)); len(d) > 0 {
			t.Errorf("%s %v", f.rule, d)
		}
		if len((Match{}).Diff(asked(f.one), asked(f.another))) == 0 {
			t.Errorf("%s The two forms are one.", f.rule)
		}
		for _, other := range f.otherwise {
			for _, form := range []string{f.one, f.another} {
				if m.Key(asked(form)) == m.Key(asked(other)) {
					t.Errorf("%s But equal are\n%s\n%s", f.rule, form, other)
				}
			}
		}
	}
}

// Whether a service streams without being asked depends on where it is asked.
func TestStreamsByDefault(t *testing.T) {
	const said = `"messages":[{"role":"user","content":"a"}]`
	for path, same := range map[string]bool{"/api/chat": false, "/api/generate": false, "/v1/chat/completions": true} {
		one, another := asked(`{`+said+`,"stream":false}`), asked(`{`+said+`}`)
		one.URL, another.URL = "http://a"+path, "http://a"+path
		if m := (Match{Profile: Semantic}); m.Key(one) == m.Key(another) != same {
			t.Errorf("%s: equal %v", path, !same)
		}
	}
}

// A normal form is its own: of what was made of a request, the same is made. The
// requests are those of the table, the recorded ones and such as nobody sends.
func TestNormalFormIsItsOwn(t *testing.T) {
	for _, f := range forms {
		for _, body := range append([]string{f.one, f.another}, f.otherwise...) {
			normalTwice(t, body)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		data, err := json.Marshal(arbitraryBody(r))
		if err != nil {
			t.Fatal(err)
		}
		normalTwice(t, string(data))
	}
}

func normalTwice(t *testing.T, body string) {
	t.Helper()
	tree, _ := parseJSON([]byte(body))
	object, _ := tree.(map[string]any)
	once := map[string]any{}
	for _, f := range modelFields(object, "/v1/chat/completions") {
		once[strings.TrimPrefix(f.name, "body.")] = f.value
	}
	if !asksModel(once, "/v1/chat/completions") {
		return // nothing is said in it, and so it is compared as it is
	}
	want := string(appendCanonical(nil, once))
	twice := map[string]any{}
	for _, f := range modelFields(once, "/v1/chat/completions") {
		twice[strings.TrimPrefix(f.name, "body.")] = f.value
	}
	if got := string(appendCanonical(nil, twice)); got != want {
		t.Fatalf("%s\n%s", body, cmp.Diff(want, got))
	}
}

// arbitraryBody is a request of the words that the rules look for, in places where
// they may and may not be.
func arbitraryBody(r *rand.Rand) any {
	body := map[string]any{}
	for range 1 + r.IntN(3) {
		name := pick(r, "messages", "input", "contents", "system", "instructions", "systemInstruction", "system_instruction", "prompt", "conversation")
		body[name] = arbitraryValue(r, 5)
	}
	return body
}

func arbitraryValue(r *rand.Rand, depth int) any {
	n := r.IntN(10)
	switch {
	case n < 2 || depth == 0:
		return pick(r, "", " ", "a", " b ", "user", "assistant", "system", "developer", "function", "tool", "{}", `{"b":1, "a":2}`, "text", "tool_use", "tool_result", "thinking", "reasoning", "message", "function_call", "function_call_output")
	case n == 2:
		return []any{nil, true, false, r.IntN(3)}[r.IntN(4)]
	case n < 6:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = arbitraryValue(r, depth-1)
		}
		return list
	}
	object := map[string]any{}
	for range r.IntN(5) {
		name := pick(r, "role", "type", "content", "text", "parts", "id", "call_id", "tool_call_id", "tool_use_id", "tool_calls", "function", "arguments", "name", "functionCall", "functionResponse", "function_call", "response", "result", "output", "thought", "thoughtSignature", "signature", "data", "reasoning", "is_error", "status", "summary", "cache_control", "input")
		object[name] = arbitraryValue(r, depth-1)
	}
	return object
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }
