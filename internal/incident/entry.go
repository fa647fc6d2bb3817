package incident

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/convert"
)

// entries are the script of a call: an entry for each of its attempts.
func (d *drafter) entries(c *call, program bool) []*convert.Block {
	var out []*convert.Block
	for i, a := range c.attempts {
		if e := a.ending(c.kind); e.fault != "" {
			out = append(out, d.fault(c, a, e, program))
			continue
		}
		out = append(out, d.reply(c, a, i == len(c.attempts)-1))
	}
	return out
}

func (d *drafter) fault(c *call, a *attempt, e ending, program bool) *convert.Block {
	if e.guessed != "" {
		d.unsaid(fmt.Sprintf("what brought about %q", short(e.guessed)), c.name)
	}
	if program && e.fault == "error" {
		// No byte on a connection brings an exception about.
		e.fault, e.args = "connection_reset", nil
	}
	b := &convert.Block{Type: "fault", Labels: []string{e.fault}, Attrs: e.args}
	took := a.span.lasted()
	if took > 0 && !(e.gaveUp && (program || c.limit() > 0)) {
		set(b, "after", took.String())
	}
	if e.fault == convert.StatusFault {
		d.headers(c, a, e)
	}
	if e.fault == convert.CutFault {
		d.unsaid("how much of a stream came", c.name)
	}
	return b
}

// headers notes an answer whose header may have said when to come again.
func (d *drafter) headers(c *call, a *attempt, e ending) {
	captured := false
	for key := range a.span.attrs {
		captured = captured || strings.HasPrefix(key, "http.response.header.")
	}
	if (e.status == 429 || e.status == 503) && !captured {
		d.unsaid("the header of answers, such as Retry-After", c.name)
	}
}

func (d *drafter) reply(c *call, a *attempt, last bool) *convert.Block {
	b := &convert.Block{Type: "reply"}
	switch c.kind {
	case llm:
		attrs, silent := c.reply(a)
		b.Attrs = attrs
		for _, what := range silent {
			d.unsaid(what, c.name)
		}
	case overHTTP:
		if status := statusOf(a.span); status != 0 && status != 200 {
			set(b, "status_code", status)
		}
		if fields := headers(a.span); len(fields) > 0 {
			set(b, "headers", fields)
		}
		d.unsaid("the bodies of answers", c.name)
	case mcp:
		d.result(c, b)
	case sql:
		set(b, "rows", []any{})
		if n := c.span.number("db.response.returned_rows"); n > 0 {
			d.unsaid(fmt.Sprintf("the rows of answers, %d of them", n), c.name)
		} else {
			d.unsaid("the rows of answers", c.name)
		}
	}
	d.latency(c, a, b)
	return b
}

// result is what a tool answered, where that was captured.
func (d *drafter) result(c *call, b *convert.Block) {
	switch v := structured(c.span.attrs["gen_ai.tool.call.result"]).(type) {
	case nil:
		set(b, "content", "…")
		d.unsaid("what tools answered", c.name)
	case string:
		set(b, "content", v)
	default:
		if text := plain(get(v, "content")); text != "" {
			set(b, "content", text)
			return
		}
		set(b, "structured", v)
	}
}

func (d *drafter) latency(c *call, a *attempt, b *convert.Block) {
	took := a.span.lasted()
	if a.also != nil && c.streams() {
		took = max(took, a.also.lasted()-time.Duration(a.span.start-a.also.start))
	}
	if first := c.first(); first > 0 {
		took = min(took, first)
	}
	if took > 0 {
		set(b, "latency", round(took).String())
	}
	if c.streams() {
		d.unsaid("when the pieces of streams came", c.name)
	}
}

// request are the attributes of the step that makes the call.
func (d *drafter) request(c *call, step *convert.Block) {
	set(step, "provider", convert.Ref("provider."+c.provider.name))
	switch c.kind {
	case llm:
		d.ask(c, step)
	case overHTTP:
		d.send(c, step)
	case mcp:
		d.use(c, step)
	case sql:
		statement := c.span.text("db.query.text", "db.statement")
		if statement == "" {
			statement = "SELECT 1"
			d.unsaid("the statement", c.name)
		}
		set(step, "query", statement)
		if strings.Contains(statement, "$1") {
			d.arguments(c, step)
		}
	}
	if c.streams() && c.kind != sql {
		set(step, "stream", true)
	}
}

// arguments are those of a statement, where they were captured.
func (d *drafter) arguments(c *call, step *convert.Block) {
	var args []any
	for n := 0; ; n++ {
		text := c.span.text("db.query.parameter."+itoa(n), "db.operation.parameter."+itoa(n), "db.query.parameter."+itoa(n+1))
		if text == "" {
			break
		}
		args = append(args, text)
	}
	if args == nil {
		for n := 1; strings.Contains(c.span.text("db.query.text", "db.statement"), "$"+itoa(n)); n++ {
			args = append(args, "…")
		}
		d.unsaid("the arguments of statements", c.name)
	}
	set(step, "args", args)
}

func (d *drafter) ask(c *call, step *convert.Block) {
	model := c.model()
	if model == "" {
		model = "…"
		d.unsaid("the model", c.name)
	}
	set(step, "model", model)
	asked := slices.DeleteFunc(slices.Clone(c.talk.asked), func(m message) bool { return m.text == "" && len(m.calls) == 0 })
	if len(asked) > 0 && (asked[0].role == "system" || asked[0].role == "developer") {
		set(step, "system", asked[0].text)
		asked = asked[1:]
	}
	switch {
	case len(asked) == 0:
		set(step, "prompt", "…")
		d.unsaid("what the model was asked", c.name)
	case len(asked) == 1 && asked[0].role == "user":
		set(step, "prompt", asked[0].text)
	default:
		d.conversation(c, asked, step)
	}
	if text := c.span.text("gen_ai.request.temperature"); text != "" {
		set(step, "temperature", convert.Number(text))
	}
	if n := c.span.number("gen_ai.request.max_tokens"); n > 0 {
		set(step, "max_tokens", n)
	}
	d.offer(c, step)
	if c.talk.embeds {
		d.unsaid("a step for embeddings: a step of a conversation stands for them", c.name)
	}
}

// conversation are several messages. Calls of tools in earlier turns have no place
// in it.
func (d *drafter) conversation(c *call, asked []message, step *convert.Block) {
	var list []any
	for _, m := range asked {
		if len(m.calls) > 0 && m.text == "" {
			d.unsaid("calls of tools in earlier turns, which messages have no place for", c.name)
			continue
		}
		role := m.role
		if role == "tool" || role == "function" {
			role = "user" // a result needs its call
		}
		list = append(list, []convert.Attr{{Name: "role", Value: role}, {Name: "content", Value: m.text}})
	}
	set(step, "messages", list)
}

// offer names the tools that the model called, or those that were offered.
func (d *drafter) offer(c *call, step *convert.Block) {
	var tools []any
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
			tools = append(tools, []convert.Attr{{Name: "name", Value: name}})
		}
	}
	for _, t := range items(structured(c.span.attrs["gen_ai.tool.definitions"])) {
		name, _ := get(t, "name").(string)
		if f := get(t, "function"); f != nil && name == "" {
			name, _ = get(f, "name").(string)
		}
		add(name)
	}
	if c.talk.answer != nil {
		for _, one := range c.talk.answer.calls {
			add(one.Name)
		}
	}
	if tools != nil {
		set(step, "tools", tools)
	}
}

func (d *drafter) send(c *call, step *convert.Block) {
	at := c.attempts[0].span
	u := address(at)
	if u.Path == "" {
		u.Path = "/"
	}
	method := at.text("http.request.method", "http.method")
	if method != "GET" {
		set(step, "method", method)
	}
	set(step, "path", u.Path)
	var query []convert.Attr
	values := u.Query()
	for _, name := range sortedKeys(values) {
		query = append(query, convert.Attr{Name: name, Value: values.Get(name)})
	}
	if query != nil {
		set(step, "query", query)
	}
	if method == "POST" || method == "PUT" || method == "PATCH" {
		d.unsaid("the bodies of requests", c.name)
	}
}

func (d *drafter) use(c *call, step *convert.Block) {
	s := c.span
	switch s.text("mcp.method.name") {
	case "resources/read":
		set(step, "resource", d.named(c, "the resource", "mcp.resource.uri"))
		return
	case "prompts/get":
		set(step, "prompt", d.named(c, "the prompt", "gen_ai.prompt.name"))
	default:
		set(step, "tool", d.named(c, "the tool", "gen_ai.tool.name", "mcp.tool.name"))
	}
	if v, ok := structured(s.attrs["gen_ai.tool.call.arguments"]).([]convert.Attr); ok {
		set(step, "arguments", v)
		return
	}
	d.unsaid("the arguments of tools", c.name)
}

// named is what a call names, or what stands for it.
func (d *drafter) named(c *call, what string, keys ...string) string {
	if name := c.span.text(keys...); name != "" {
		return name
	}
	d.unsaid(what, c.name)
	return "…"
}

func short(text string) string {
	const most = 100
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
