package incident

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/cassette/convert"
)

// A talk is what a call of a model says, as far as its spans hold it.
type talk struct {
	asked  []message
	answer *message
	reason string // why the model stopped
	// embeds says that no answer was asked for, but numbers of a text.
	embeds bool
}

// A message is one of a conversation.
type message struct {
	role, text string
	calls      []convert.Attr // of tools: the name, and an object with id and arguments
	of         string         // the id of the call whose result it is
	reason     string
}

// around are operations that call models and tools, and no service themselves.
var around = []string{"invoke_agent", "create_agent", "execute_tool", "invoke_workflow", "plan", "retrieval", "fetch_response", "create_memory", "search_memory"}

// isModel reports whether a span is a call of a model, and not that of a
// framework around another which is one.
func isModel(s *span) bool { return speaksOfModel(s) && !modelBelow(s) }

func speaksOfModel(s *span) bool {
	operation := s.text("gen_ai.operation.name")
	if operation != "" {
		return !slices.Contains(around, operation)
	}
	if kind := s.text("openinference.span.kind"); kind != "" {
		return kind == "LLM" || kind == "EMBEDDING"
	}
	return s.has("gen_ai.request.model", "gen_ai.response.model", "llm.model_name", "llm.request.model") &&
		s.has("gen_ai.system", "gen_ai.provider.name", "llm.provider", "llm.system", "llm.request.type")
}

// modelBelow reports whether a span below one, of the same program, is a call of
// a model. Each is asked once.
func modelBelow(s *span) bool {
	const no, yes = 1, 2
	if s.modelBelow == 0 {
		s.modelBelow = no
		if slices.ContainsFunc(s.kids, func(k *span) bool { return k.kind != server && (speaksOfModel(k) || modelBelow(k)) }) {
			s.modelBelow = yes
		}
	}
	return s.modelBelow == yes
}

func modelCall(s *span) *call {
	c := &call{kind: llm, span: s, within: s, attempts: attemptsOf(s)}
	c.talk = talkOf(s)
	key := []string{strings.Join([]string{s.text("gen_ai.operation.name"), c.model(), s.text("scenario.target"), s.text("scenario.turn")}, " ")}
	for _, m := range c.talk.asked {
		key = append(key, m.role, m.text)
	}
	c.key = strings.Join(key, "\x00")
	return c
}

func (c *call) model() string {
	return c.span.text("gen_ai.request.model", "llm.request.model", "llm.model_name", "gen_ai.response.model")
}

// talkOf reads the conversation, in whichever way the span has it: as attributes
// with JSON, as events and log records, one for each message or for all of them,
// or as attributes that count.
func talkOf(s *span) talk {
	t := talk{embeds: s.text("gen_ai.operation.name", "llm.request.type") == "embeddings" || s.text("llm.request.type") == "embedding" || s.text("openinference.span.kind") == "EMBEDDING"}
	t.details(s.attrs)
	for _, e := range s.events {
		t.event(e)
	}
	for _, list := range []struct{ asked, answered, inner string }{
		{"gen_ai.prompt.", "gen_ai.completion.", ""},
		{"llm.input_messages.", "llm.output_messages.", "message."},
	} {
		if len(t.asked) == 0 {
			t.asked = counted(s.attrs, list.asked, list.inner)
		}
		if answers := counted(s.attrs, list.answered, list.inner); t.answer == nil && len(answers) > 0 {
			t.answer = &answers[0]
		}
	}
	if reasons, ok := s.attrs["gen_ai.response.finish_reasons"].([]any); ok && len(reasons) > 0 {
		t.reason, _ = reasons[0].(string)
	} else {
		t.reason = s.text("gen_ai.response.finish_reasons", "llm.response.finish_reason")
	}
	if t.reason == "" && t.answer != nil {
		t.reason = t.answer.reason
	}
	t.reason = strings.Trim(t.reason, `[]"`)
	return t
}

// details reads the attributes of the newer conventions, on a span or an event.
func (t *talk) details(attrs map[string]any) {
	if text := plain(structured(attrs["gen_ai.system_instructions"])); text != "" {
		t.asked = append(t.asked, message{role: "system", text: text})
	}
	for _, v := range items(structured(attrs["gen_ai.input.messages"])) {
		t.asked = append(t.asked, messageOf(v, "user"))
	}
	if out := items(structured(attrs["gen_ai.output.messages"])); len(out) > 0 {
		m := messageOf(out[0], "assistant")
		t.answer = &m
	}
}

// event reads an event, or a log record, of any of the conventions.
func (t *talk) event(e event) {
	content := e.body
	if content == nil {
		content = structured(e.attrs["gen_ai.event.content"])
	}
	if content == nil {
		content = object(e.attrs)
	}
	role, isMessage := strings.CutSuffix(strings.TrimPrefix(e.name, "gen_ai."), ".message")
	switch {
	case e.name == "gen_ai.client.inference.operation.details":
		t.details(e.attrs)
	case e.name == "gen_ai.choice" && t.answer == nil:
		inner := get(content, "message")
		if inner == nil {
			inner = content
		}
		m := messageOf(structured(inner), "assistant")
		if m.reason == "" {
			m.reason, _ = get(content, "finish_reason").(string)
		}
		t.answer = &m
	case strings.HasPrefix(e.name, "gen_ai.") && isMessage:
		t.asked = append(t.asked, messageOf(content, role))
	case e.name == "gen_ai.content.prompt":
		for _, v := range items(structured(e.attrs["gen_ai.prompt"])) {
			t.asked = append(t.asked, messageOf(v, "user"))
		}
	case e.name == "gen_ai.content.completion":
		if out := items(structured(e.attrs["gen_ai.completion"])); len(out) > 0 && t.answer == nil {
			m := messageOf(out[0], "assistant")
			t.answer = &m
		}
	}
}

// messageOf reads a message in any of the forms that vendors have for it.
func messageOf(v any, role string) message {
	m := message{role: role}
	if text, ok := v.(string); ok {
		m.text = text
		return m
	}
	if r, ok := get(v, "role").(string); ok && r != "" {
		m.role = r
	}
	m.of, _ = get(v, "tool_call_id").(string)
	if id, ok := get(v, "id").(string); ok && m.role == "tool" && m.of == "" {
		m.of = id
	}
	m.reason, _ = get(v, "finish_reason").(string)
	texts := []string{plain(get(v, "content"))}
	for _, part := range items(get(v, "parts")) {
		texts = m.part(part, texts)
	}
	m.text = strings.Join(texts, "")
	for _, c := range items(structured(get(v, "tool_calls"))) {
		m.tool(c)
	}
	return m
}

// part reads a part of a message of the newer conventions, and returns the texts of the message with it.
func (m *message) part(p any, texts []string) []string {
	switch get(p, "type") {
	case "text":
		text, _ := get(p, "content").(string)
		return append(texts, text)
	case "tool_call":
		m.tool(p)
	case "tool_call_response":
		m.of, _ = get(p, "id").(string)
		for _, name := range []string{"response", "result"} {
			if text := plain(get(p, name)); text != "" {
				texts = []string{text}
			}
		}
	}
	return texts
}

// tool reads a call of a tool.
func (m *message) tool(c any) {
	of := c
	if f := get(c, "function"); f != nil {
		of = f
	}
	name, _ := get(of, "name").(string)
	if name == "" {
		return
	}
	call := []convert.Attr{}
	if id, ok := get(c, "id").(string); ok && id != "" {
		call = append(call, convert.Attr{Name: "id", Value: id})
	}
	arguments := structured(get(of, "arguments"))
	if arguments == nil {
		arguments = []convert.Attr{}
	}
	m.calls = append(m.calls, convert.Attr{Name: name, Value: append(call, convert.Attr{Name: "name", Value: name}, convert.Attr{Name: "arguments", Value: arguments})})
}

// counted reads messages of which every part is an attribute of its own:
// gen_ai.prompt.0.role, gen_ai.prompt.0.content, …
func counted(attrs map[string]any, prefix, inner string) []message {
	var list []message
	for i := 0; ; i++ {
		at := prefix + itoa(i) + "." + inner
		m := message{role: textIn(attrs, at+"role"), text: textIn(attrs, at+"content"), of: textIn(attrs, at+"tool_call_id"), reason: textIn(attrs, at+"finish_reason")}
		var parts []string
		for n := 0; m.text == ""; n++ {
			part := textIn(attrs, at+"contents."+itoa(n)+".message_content.text")
			if part == "" {
				break
			}
			parts = append(parts, part)
		}
		m.text += strings.Join(parts, "")
		for n := 0; ; n++ {
			tool := at + "tool_calls." + itoa(n) + "."
			name := textIn(attrs, tool+"name", tool+"tool_call.function.name")
			if name == "" {
				break
			}
			m.tool([]convert.Attr{{Name: "id", Value: textIn(attrs, tool+"id", tool+"tool_call.id")}, {Name: "name", Value: name}, {Name: "arguments", Value: textIn(attrs, tool+"arguments", tool+"tool_call.function.arguments")}})
		}
		if m.role == "" && m.text == "" && len(m.calls) == 0 {
			return list
		}
		list = append(list, m)
	}
}

// endings are the words for why a model stopped that mean that all is well, and
// what replies call the others.
var endings = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"stop": "", "end_turn": "", "stop_sequence": "", "STOP": "", "complete": "", "completed": "", "tool_calls": "", "tool_call": "", "tool_use": "", "function_call": "",
		"max_tokens": "length", "MAX_TOKENS": "length", "max_output_tokens": "length", "SAFETY": "content_filter",
	}
})

// reply is the answer as the attributes of a reply.
func (c *call) reply(a *attempt) (attrs []convert.Attr, silent []string) {
	set := func(name string, value any) { attrs = append(attrs, convert.Attr{Name: name, Value: value}) }
	m := c.talk.answer
	switch {
	case m == nil || m.text == "" && len(m.calls) == 0:
		set("content", "…")
		silent = append(silent, "what the model answered")
	case m.text != "":
		set("content", m.text)
	}
	if m != nil && len(m.calls) > 0 {
		calls := make([]any, len(m.calls))
		for i, one := range m.calls {
			calls[i] = one.Value
		}
		set("tool_calls", calls)
	}
	if word, known := endings()[c.talk.reason]; !known && c.talk.reason != "" {
		set("finish_reason", c.talk.reason)
	} else if word != "" {
		set("finish_reason", word)
	}
	in, out := c.lastSpan().number("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"), c.lastSpan().number("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
	if in >= 0 && out >= 0 {
		set("usage", []convert.Attr{{Name: "prompt_tokens", Value: in}, {Name: "completion_tokens", Value: out}})
	}
	if model := c.lastSpan().text("gen_ai.response.model"); model != "" && model != c.model() {
		set("model", model)
	}
	return attrs, silent
}

// streams reports whether a stream was asked for.
func (c *call) streams() bool {
	if c.span.text("gen_ai.request.stream", "gen_ai.request.is_stream", "gen_ai.is_streaming", "llm.is_streaming", "llm.request.stream") == "true" || c.span.has("gen_ai.response.time_to_first_chunk") {
		return true
	}
	for _, a := range c.attempts {
		if strings.HasPrefix(a.span.text("http.response.header.content-type", "http.response.header.content_type"), "text/event-stream") || a.ending(c.kind).streamed {
			return true
		}
	}
	return false
}

// first is when the first piece of a stream was there, counted from the request;
// 0 where that is not said.
func (c *call) first() time.Duration {
	seconds := decimal(c.span.text("gen_ai.response.time_to_first_chunk", "gen_ai.server.time_to_first_token"))
	return round(time.Duration(min(max(seconds, 0), 1e6) * float64(time.Second)))
}
