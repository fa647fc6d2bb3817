package incident

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// An error of an import says where, what and what to do; nothing else comes of a
// file that is not as it must be.
func sound(t *testing.T, name string, data []byte, o Options) *Error {
	t.Helper()
	d, err := Import("trace.json", data, o)
	if err == nil {
		recordingDraft(d)
		return nil
	}
	var e *Error
	if !errors.As(err, &e) || e.Path != "trace.json" || e.Problem == "" || e.Hint == "" {
		t.Fatalf("%s: the error is no help: %#v", name, err)
	}
	return e
}

// A file that was cut says so, at the line of the cut; where the cut is between
// two exports, what is there is imported.
func TestCutFiles(t *testing.T) {
	data, err := os.ReadFile("testdata/openai-node.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	cut := 0
	for n := 0; n < len(data); n += 97 {
		e := sound(t, fmt.Sprint(n), data[:n], Options{})
		if e != nil && strings.Contains(e.Problem, "truncated") {
			if want := 1 + bytes.Count(data[:n], []byte("\n")); e.Line != want {
				t.Errorf("cut after %d bytes: line %d, want %d", n, e.Line, want)
			}
			cut++
		}
	}
	if cut < 200 {
		t.Errorf("only %d of the cuts were noticed", cut)
	}
}

// Whatever stands in the place of any value of a trace is an error that helps, or
// no matter; never a panic.
func TestWrongKinds(t *testing.T) {
	data, err := os.ReadFile("testdata/openai-node.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	refused := 0
	for _, line := range [][]byte{lines[0], lines[len(lines)-1]} {
		for n := 0; ; n += 7 {
			changed := false
			for _, wrong := range []any{nil, "text", 7.5, true, []any{}, map[string]any{}, []any{[]any{}}, "-1", 1e300} {
				var tree any
				if err := json.Unmarshal(line, &tree); err != nil {
					t.Fatal(err)
				}
				left := n
				tree, changed = replaced(tree, &left, wrong)
				mutant, _ := json.Marshal(tree)
				if e := sound(t, fmt.Sprintf("value %d as %v", n, wrong), mutant, Options{}); e != nil {
					refused++
				}
			}
			if !changed {
				break
			}
		}
	}
	if refused < 50 {
		t.Errorf("only %d of the changed files are refused", refused)
	}
}

// replaced is a tree with another value in the place of its nth.
func replaced(tree any, n *int, with any) (any, bool) {
	if *n == 0 {
		return with, true
	}
	*n--
	switch v := tree.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if inner, done := replaced(v[key], n, with); done {
				v[key] = inner
				return v, true
			}
		}
	case []any:
		for i := range v {
			if inner, done := replaced(v[i], n, with); done {
				v[i] = inner
				return v, true
			}
		}
	}
	return tree, false
}

// request is a span of a request as JSON.
func request(trace, id, parent string, at int, more string) string {
	return fmt.Sprintf(`{"traceId":"%s","spanId":"%s","parentSpanId":"%s","name":"GET","kind":3,"startTimeUnixNano":"%d000000","endTimeUnixNano":"%d000000","attributes":[{"key":"http.request.method","value":{"stringValue":"GET"}},{"key":"url.full","value":{"stringValue":"https://a.example/%s"}},{"key":"http.response.status_code","value":{"intValue":"200"}}]%s}`, trace, id, parent, at, at+1, id, more)
}

func export(spans ...string) []byte {
	return []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`)
}

// Spans that name each other as parents, themselves, or a span that is not there
// lose no call, and are told of.
func TestOddParents(t *testing.T) {
	inner := func(id, parent string, at int) string {
		return fmt.Sprintf(`{"traceId":"01","spanId":"%s","parentSpanId":"%s","name":"n","startTimeUnixNano":"%d000000"}`, id, parent, at)
	}
	for name, c := range map[string]struct {
		spans []string
		note  string
	}{
		"itself":     {[]string{inner("a", "a", 1), request("01", "b", "a", 2, "")}, "1 span among its own ancestors"},
		"each other": {[]string{inner("a", "c", 1), request("01", "b", "a", 2, ""), inner("c", "a", 1)}, "1 span among its own ancestors"},
		"missing":    {[]string{inner("a", "00", 1), request("01", "b", "ff", 2, "")}, "1 span without the parent that is named"},
		"again":      {[]string{inner("a", "", 1), request("01", "b", "a", 2, ""), request("01", "b", "a", 2, "")}, "1 span in the file more than once"},
	} {
		d, err := Import("trace.json", export(c.spans...), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Calls != 1 || !strings.Contains(strings.Join(d.Notes, "\n"), c.note) {
			t.Errorf("%s: %d calls, notes %q", name, d.Calls, d.Notes)
		}
	}
}

// A chain of spans that is as long as a trace may be takes no more than a moment,
// and a longer one is refused.
func TestDeepTraces(t *testing.T) {
	for _, n := range []int{spansMax, spansMax + 1} {
		spans := make([]string, n)
		for i := range spans {
			spans[i] = fmt.Sprintf(`{"traceId":"01","spanId":"%x","parentSpanId":"%x","name":"chat","kind":3,"startTimeUnixNano":"%d","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}]}`, i+1, i, i+1)
		}
		e := sound(t, "deep", export(spans...), Options{})
		if refused := e != nil && strings.Contains(e.Problem, "more than 20000 spans"); refused != (n > spansMax) {
			t.Errorf("%d spans: %v", n, e)
		}
	}
}

// A file of many traces takes memory for the one that is wanted, and not for all.
func TestManyTraces(t *testing.T) {
	var file bytes.Buffer
	for i := range 20_000 {
		file.Write(export(request(fmt.Sprintf("%032x", i+1), "b", "", i, fmt.Sprintf(`,"status":{"message":"%s"}`, strings.Repeat("x", 500)))))
		file.WriteByte('\n')
	}
	e := sound(t, "many", file.Bytes(), Options{})
	if e == nil || !strings.Contains(e.Problem, "it holds more than 10000 traces") || strings.Count(e.Problem, "\n") != listedMax+1 {
		t.Fatalf("%v", e)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d, err := Import("trace.json", file.Bytes(), Options{Trace: fmt.Sprintf("%032x", 15_000)})
	if err != nil || d.Calls != 1 {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 4<<20 {
		t.Errorf("%d bytes of a file of %d are kept", kept, file.Len())
	}
}

// The trace is chosen by its id or the beginning of it, in either form of ids;
// without one, a file with several lists them, those that failed first.
func TestChoice(t *testing.T) {
	data := export(
		request("0af7651916cd43dd8448eb211c80319c", "a1", "", 1000, ""),
		request("0bf7651916cd43dd8448eb211c80319c", "b1", "", 2000, `,"status":{"code":"STATUS_CODE_ERROR"}`),
		request("0bf7651916cd43dd8448eb211c80319c", "b2", "b1", 2001, ""),
		request("DPdlGRbNQ92ESOshHIAxnA==", "c1", "", 3000, ""),
	)
	e := sound(t, "three", data, Options{})
	const want = `it holds 3 traces, and a scenario is made of one:
  0bf7651916cd43dd8448eb211c80319c  2 spans, 1 failed, "GET", 1970-01-01T00:00:02Z
  0cf7651916cd43dd8448eb211c80319c  1 span, 0 failed, "GET", 1970-01-01T00:00:03Z
  0af7651916cd43dd8448eb211c80319c  1 span, 0 failed, "GET", 1970-01-01T00:00:01Z`
	if e == nil || e.Problem != want {
		t.Errorf("%v", e)
	}
	for id, path := range map[string]string{"0a": "a1", "0BF76519": "b2", "0cf7651916cd43dd8448eb211c80319c": "c1"} {
		d, err := Import("trace.json", data, Options{Trace: id})
		if err != nil {
			t.Errorf("%s: %v", id, err)
		} else if text := string(recordingDraft(d)); !strings.Contains(text, `path     = "/`+path+`"`) {
			t.Errorf("%s: no %s in %s", id, path, text)
		}
	}
	for id, problem := range map[string]string{"0": "it holds 3 traces", "ff": "no trace has the id ff"} {
		if e := sound(t, id, data, Options{Trace: id}); e == nil || !strings.Contains(e.Problem, problem) {
			t.Errorf("%s: %v", id, e)
		}
	}
	for text, problem := range map[string]string{
		`{"resourceSpans":[]}`:  "there are no spans in it",
		`{"resourceSpans":7}`:   "expected resourceSpans as a list, and there is a number",
		`{"resourceSpans":[7]}`: "expected an item of resourceSpans as an object, and there is a number",
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":7}]}]}]}`:   "name is number",
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"x"}]}]}]}`: "none of the 1 span has a traceId and a spanId",
		`{"resourceSpans":[}`: "this is no JSON",
		string(export(`{"traceId":"01","spanId":"02","name":"x"}`)): "none of the 1 span of trace 01 is a call",
	} {
		if e := sound(t, text, []byte(text), Options{}); e == nil || !strings.Contains(e.Problem, problem) {
			t.Errorf("%s: %v", text, e)
		}
	}
}

// Secrets are hidden wherever a span, an event or a log record may hold one: in
// what is written, in the notes, and in the list of traces.
func TestSecretsOfTraces(t *testing.T) {
	secret := func(n int) string { return fmt.Sprintf("sk-proj-%020dT3BlbkFJ%020d", n, n) }
	n := 0
	var planted []string
	plant := func() string {
		n++
		planted = append(planted, secret(n))
		return secret(n)
	}
	chat := func() map[string]any {
		return map[string]any{
			"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": plant(), "gen_ai.response.model": plant(),
			"url.full": "https://u:" + plant() + "@a.example/v1/" + plant() + "/chat/completions?api_key=plain-but-secret-1", "server.address": plant(),
			"http.request.header.authorization": []any{"Bearer " + plant()}, "http.response.header.location": []any{"https://a.example/?token=plain-but-secret-2&x=" + plant()},
			"gen_ai.input.messages":  `[{"role":"user","parts":[{"type":"text","content":"my key is ` + plant() + `"}]}]`,
			"gen_ai.output.messages": `[{"role":"assistant","parts":[{"type":"tool_call","name":"t","arguments":{"password":"plain-but-secret-3","k":"` + plant() + `"}}]}]`,
			"error.type":             plant(), "gen_ai.system_instructions": plant(),
		}
	}
	planted = append(planted, "plain-but-secret")
	failed := named("exception", map[string]any{"exception.type": "TeapotError", "exception.message": "no " + plant()})
	logs := []any{logged("gen_ai.user.message", map[string]any{"content": plant(), "api_key": "plain-but-secret-4"})}
	for _, attrs := range []map[string]any{
		chat(),
		{"http.request.method": "GET", "url.full": "https://a.example/" + plant() + "?q=" + plant() + "&access_token=plain-but-secret-5", "http.response.header.etag": []any{plant()}},
		{"db.system": "postgresql", "db.statement": "SELECT '" + plant() + "'", "db.query.parameter.0": plant()},
		{"mcp.method.name": "tools/call", "gen_ai.tool.name": plant(), "gen_ai.tool.call.arguments": `{"token":"plain-but-secret-6","x":"` + plant() + `"}`, "gen_ai.tool.call.result": `{"content":[{"type":"text","text":"` + plant() + `"}]}`},
	} {
		for _, events := range [][]any{nil, {failed}} {
			for _, program := range []bool{false, true} {
				data := exported(t, attrs, events, logs)
				data = bytes.ReplaceAll(data, []byte(`"name":"ask"`), []byte(`"name":"ask `+plant()+`"`))
				d, err := Import("trace.json", data, Options{Program: program})
				if err != nil {
					t.Fatal(err)
				}
				two := Options{Trace: "0"}
				other := bytes.ReplaceAll(data, []byte("0af7651916cd43dd8448eb211c80319c"), []byte("0bf7651916cd43dd8448eb211c80319c"))
				_, listed := Import("trace.json", append(append(data, '\n'), other...), two)
				for _, text := range []string{string(recordingDraft(d)), strings.Join(d.Notes, "\n"), listed.Error()} {
					for _, s := range planted {
						if strings.Contains(text, s) || strings.Contains(text, strings.ToLower(s[:min(20, len(s))])) {
							t.Errorf("%s is in\n%s", s, text)
						}
					}
				}
			}
		}
	}
}

// Jaeger's and Tempo's own JSON of a trace says what OTLP says.
func TestOtherForms(t *testing.T) {
	want, _ := drafted(t, export(`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"a1","name":"ask"}`, request("0af7651916cd43dd8448eb211c80319c", "a2", "a1", 5, `,"status":{"code":2,"message":"gone"},"events":[{"name":"exception","attributes":[{"key":"exception.type","value":{"stringValue":"ECONNRESET"}}]}]`)), Options{})
	tempo := strings.Replace(string(export(`{"traceId":"CvdlGRbNQ92ESOshHIAxnA==","spanId":"a1","name":"ask"}`, request("CvdlGRbNQ92ESOshHIAxnA==", "a2", "a1", 5, `,"status":{"code":"STATUS_CODE_ERROR","message":"gone"},"events":[{"name":"exception","attributes":[{"key":"exception.type","value":{"stringValue":"ECONNRESET"}}]}]`))), "resourceSpans", "batches", 1)
	jaeger := `{"data":[{"traceID":"0af7651916cd43dd8448eb211c80319c","spans":[
		{"traceID":"0af7651916cd43dd8448eb211c80319c","spanID":"a1","operationName":"ask","processID":"p1","startTime":0,"duration":0},
		{"traceID":"0af7651916cd43dd8448eb211c80319c","spanID":"a2","operationName":"GET","references":[{"refType":"CHILD_OF","spanID":"a1"}],"startTime":5000,"duration":1000,"processID":"p1",
		"tags":[{"key":"span.kind","type":"string","value":"client"},{"key":"error","type":"bool","value":true},{"key":"otel.status_description","value":"gone"},{"key":"http.request.method","value":"GET"},{"key":"url.full","value":"https://a.example/a2"},{"key":"http.response.status_code","type":"int64","value":200}],
		"logs":[{"timestamp":5500,"fields":[{"key":"event","value":"exception"},{"key":"exception.type","value":"ECONNRESET"}]}]}],
		"processes":{"p1":{"serviceName":""}}}]}`
	for name, data := range map[string]string{"Tempo": tempo, "Tempo, in an object": `{"trace":` + tempo + `}`, "Jaeger": jaeger, "a list": "[" + tempo + "]", "a byte order mark": "\ufeff" + tempo} {
		if !Is([]byte(data)) {
			t.Errorf("%s is not recognised", name)
		}
		if got, _ := drafted(t, []byte(data), Options{}); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	for _, other := range []string{`{"log":{"entries":[]}}`, `{"data":[{"id":1}]}`, `{"trace":"x"}`, "", "[]", "x", `{"a":`} {
		if Is([]byte(other)) {
			t.Errorf("%s is taken for a trace", other)
		}
	}
}

func FuzzImport(f *testing.F) {
	data, err := os.ReadFile("testdata/openai-node.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range bytes.Split(data, []byte("\n")) {
		f.Add(line, false)
	}
	f.Add(export(request("01", "02", "", 1, "")), true)
	f.Fuzz(func(t *testing.T, data []byte, program bool) {
		Is(data)
		if d, err := Import("trace.json", data, Options{Program: program}); err == nil {
			recordingDraft(d)
		}
	})
}

// What a trace takes grows with its size, however many messages, parts and texts one call has: four times as many
// allocate about four times as much.
func TestManyPartsAreLinear(t *testing.T) {
	const (
		newer = `{"role":"user","parts":[%s]}`
		part  = `{"type":"text","content":"x%d"}`
		older = `{"role":"user","content":[%s]}`
		text  = `{"type":"text","text":"x%d"}`
	)
	list := func(form string, n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(form, i)
		}
		return strings.Join(all, ",")
	}
	for name, attrs := range map[string]func(n int) map[string]string{
		"messages": func(n int) map[string]string {
			return map[string]string{"gen_ai.input.messages": "[" + list(`{"role":"user","parts":[{"type":"text","content":"%d"}]}`, n) + "]"}
		},
		"parts": func(n int) map[string]string {
			return map[string]string{"gen_ai.input.messages": "[" + fmt.Sprintf(newer, list(part, n)) + "]"}
		},
		"texts": func(n int) map[string]string {
			return map[string]string{"gen_ai.input.messages": "[" + fmt.Sprintf(older, list(text, n)) + "]"}
		},
		"attributes": func(n int) map[string]string {
			all := map[string]string{}
			for i := range n {
				all[fmt.Sprintf("llm.input_messages.0.message.contents.%d.message_content.text", i)] = "text"
			}
			return all
		},
	} {
		effort := func(n int) uint64 {
			type value struct {
				Text string `json:"stringValue"`
			}
			type attr struct {
				Key   string `json:"key"`
				Value value  `json:"value"`
			}
			said := []attr{{"gen_ai.operation.name", value{"chat"}}, {"gen_ai.request.model", value{"m"}}}
			for key, text := range attrs(n) {
				said = append(said, attr{key, value{text}})
			}
			span := map[string]any{
				"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "0000000000000001", "name": "chat", "kind": 3,
				"startTimeUnixNano": "1764000000000001000", "endTimeUnixNano": "1764000000000001500", "attributes": said,
			}
			data, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{"scopeSpans": []any{map[string]any{"spans": []any{span}}}}}})
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			sound(t, name, data, Options{})
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		effort(10)
		if few, many := effort(2_000), effort(8_000); 2*many > 9*few {
			t.Errorf("%s: 2,000 take %d bytes, and 8,000 take %d", name, few, many)
		}
	}
}
