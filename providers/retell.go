package providers

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/faults/lie"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/wire"
)

// Retell is the same answer with other content: when it comes, and all that is no
// content, stays. The error is that of change, or says that base is no success.
func (v Vendor) Retell(base wire.Response, change func(*lie.Content) error) (wire.Response, error) {
	out, failed := v.read(base)
	if failed != nil || out.IsError {
		return base, lie.Powerless("the answer is no success")
	}
	if err := v.Retold(&out, change); err != nil {
		return base, err
	}
	return v.inTime(out, base), nil
}

// Recall is an answer from before as one to this request, and whether there is one:
// that of the same place, or the last one of another place, of the address of where
// that is not "". It comes when base would.
func (v Vendor) Recall(elsewhere bool, of string, base *wire.Response) (wire.Response, bool) {
	if v.Earlier == nil {
		return wire.Response{}, false
	}
	out, ok := v.Earlier(elsewhere, of)
	if !ok {
		return wire.Response{}, false
	}
	if base == nil {
		base = &wire.Response{}
	}
	return v.inTime(out, *base), true
}

// inTime renders an answer that comes when another one would.
func (v Vendor) inTime(out Output, base wire.Response) wire.Response {
	out.Latency = base.Wait
	for _, p := range base.Parts {
		out.ChunkDelay = max(out.ChunkDelay, p.Wait)
	}
	return v.Adapter.Render(v.In, out)
}

// Example is an answer with a list, with numbers and with records, in the words of
// every provider.
func (v Vendor) Example() wire.Response {
	const text = `{"items":[{"id":7,"name":"Ann Lee","total":12.5},{"id":8,"name":"Bo Chan","total":20}]}`
	return v.Adapter.Render(v.In, Output{
		Content: text, Body: []byte(text), Structured: []byte(text), Headers: map[string][]string{"Content-Type": {"application/json"}},
		Columns: []Column{{"id", "int8"}, {"name", "text"}, {"total", "numeric"}},
		Rows:    [][]any{{json.Number("7"), "Ann Lee", json.Number("12.5")}, {json.Number("8"), "Bo Chan", json.Number("20")}},
	})
}

// Retold changes what an answer says. Where the error is not nil, out may be changed
// in part.
func (v Vendor) Retold(out *Output, change func(*lie.Content) error) error {
	c, done := v.contentOf(out)
	if err := change(c); err != nil {
		return err
	}
	done()
	return nil
}

// A Fitter is an adapter whose rows have columns of types.
type Fitter interface {
	// Fits says why a value is none of a column, nil where it is one.
	Fits(column Column, value any) error
}

// contentOf is the content of an answer, and what puts it back.
func (v Vendor) contentOf(out *Output) (c *lie.Content, done func()) {
	c = &lie.Content{Arguments: argumentsOf(v.In)}
	switch {
	case len(v.In.Messages) > 0 || v.In.Model != "":
		return c, modelSays(c, out)
	case out.Rows != nil:
		return c, v.rowsSay(c, out)
	case out.Result != nil:
		return c, resultSays(c, out)
	case out.Structured != nil:
		structured := string(out.Structured)
		c.Documents = []*string{&structured, &out.Content}
		return c, func() { out.Structured = []byte(structured) }
	case v.In.Stream && out.Chunks != nil:
		return c, streamSays(c, out)
	case out.Body != nil:
		body := string(out.Body)
		c.Documents = []*string{&body}
		return c, func() { out.Body = []byte(body) }
	case out.Affected != nil:
		n := *out.Affected
		c.Count = &n
		return c, func() { out.Affected = &n }
	}
	return c, modelSays(c, out)
}

// modelSays is the content of an answer in words: its text, and what tools are called
// with.
func modelSays(c *lie.Content, out *Output) func() {
	text := out.Content
	if text == "" {
		text = strings.Join(out.Chunks, "")
	}
	said := text
	calls := slices.Clone(out.ToolCalls)
	if text != "" {
		c.Documents = append(c.Documents, &text)
	}
	for i := range calls {
		c.Documents = append(c.Documents, &calls[i].Arguments)
	}
	if len(calls) > 0 && text == "" {
		c.List = &lie.List{Len: len(calls), Cut: func(n int) { calls = calls[:n] }}
	}
	return func() {
		if text != said {
			out.Content, out.Chunks = text, nil
		}
		if len(calls) == 0 && len(out.ToolCalls) > 0 {
			out.FinishReason = ""
		}
		out.ToolCalls = calls
	}
}

// rowsSay is what a statement returned.
func (v Vendor) rowsSay(c *lie.Content, out *Output) func() {
	t := &lie.Table{Columns: make([]lie.Column, len(out.Columns)), Rows: make([][]any, len(out.Rows))}
	for i, column := range out.Columns {
		t.Columns[i] = lie.Column(column)
	}
	for i := range out.Rows {
		t.Rows[i] = slices.Clone(out.Rows[i])
	}
	t.Fits = func(int, any) error { return nil }
	if f, ok := v.Adapter.(Fitter); ok {
		t.Fits = func(column int, value any) error { return f.Fits(out.Columns[column], value) }
	}
	c.Table = t
	c.List = &lie.List{Len: len(t.Rows), Cut: func(n int) { t.Rows = t.Rows[:n] }}
	return func() {
		if out.Affected != nil && *out.Affected == len(out.Rows) {
			n := len(t.Rows)
			out.Affected = &n
		}
		out.Rows = t.Rows
	}
}

// resultSays is the content of a tool's result: what of it is meant for programs, and
// its texts.
func resultSays(c *lie.Content, out *Output) func() {
	doc := string(out.Result)
	spans, err := lie.Scan(doc)
	if err != nil {
		return func() {}
	}
	type piece struct {
		span   lie.Span
		text   string
		quoted bool
	}
	var pieces []*piece
	for _, s := range spans {
		switch {
		case slices.Equal(s.Path, []string{"structuredContent"}) && s.Kind == '{':
			pieces = append(pieces, &piece{span: s, text: doc[s.Start:s.End]})
		case slices.Equal(s.Path, []string{"content", "", "text"}) && s.Kind == '"':
			pieces = append(pieces, &piece{span: s, text: s.Text(doc), quoted: true})
		}
	}
	for _, p := range pieces {
		c.Documents = append(c.Documents, &p.text)
	}
	return func() {
		var edits []lie.Edit
		for _, p := range pieces {
			if with := p.text; p.quoted && with != p.span.Text(doc) {
				edits = append(edits, lie.Edit{Start: p.span.Start, End: p.span.End, With: lie.Quoted(with)})
			} else if !p.quoted {
				edits = append(edits, lie.Edit{Start: p.span.Start, End: p.span.End, With: with})
			}
		}
		out.Result = []byte(lie.Splice(doc, edits))
	}
}

// streamSays is what a stream of pieces says.
func streamSays(c *lie.Content, out *Output) func() {
	chunks := slices.Clone(out.Chunks)
	for i := range chunks {
		c.Documents = append(c.Documents, &chunks[i])
	}
	c.List = &lie.List{Len: len(chunks), Cut: func(n int) { chunks = chunks[:n] }}
	return func() { out.Chunks, out.Body = chunks, nil }
}

// literal is a number or a string in a statement.
var literal = pattern.New(`'((?:[^']|'')*)'|\b\d+(?:\.\d+)?\b`)

// argumentsOf are the strings and numbers of a request, each once, in a fixed order.
func argumentsOf(in Input) []string {
	var list []string
	add := func(text string) {
		if text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	addAll := func(v any) {
		data, err := EncodeJSON([]any{v})
		if err != nil {
			return
		}
		spans, err := lie.Scan(string(data))
		if err != nil {
			return
		}
		for i := range spans {
			if s := &spans[i]; s.Kind == '"' || s.Kind == '0' {
				add(s.Text(string(data)))
			}
		}
	}
	switch {
	case in.Statement != "":
		for _, v := range in.Args {
			addAll(v)
		}
		for _, m := range literal().FindAllStringSubmatch(in.Statement, -1) {
			text := m[0]
			if strings.HasPrefix(text, "'") {
				text = strings.ReplaceAll(m[1], "''", "'")
			}
			add(text)
		}
	case in.RPC.Method != "":
		if params, ok := in.RPC.Params.(map[string]any); ok {
			addAll(params["arguments"])
		}
	default:
		address := in.Path
		if in.URL != "" {
			_, address, _ = strings.Cut(in.URL, "://")
			_, address, _ = strings.Cut(address, "/")
		}
		path, query, _ := strings.Cut(address, "?")
		for segment := range strings.SplitSeq(path, "/") {
			if plain, err := url.PathUnescape(segment); err == nil {
				add(plain)
			}
		}
		given, _ := url.ParseQuery(query)
		for _, name := range slices.Sorted(maps.Keys(given)) {
			add(given.Get(name))
		}
		for _, name := range slices.Sorted(maps.Keys(in.Query)) {
			add(in.Query[name])
		}
		if in.HasJSON {
			addAll(in.JSON)
		} else if json.Valid(in.Body) {
			addAll(json.RawMessage(in.Body))
		}
	}
	return list
}
