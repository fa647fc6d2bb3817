package adaptertest_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/wire"
)

// A dialect is what a test knows of one interface without the adapter for it.
type dialect struct {
	name    string
	adapter providers.Adapter
	// covers reports whether an exchange is of this interface or of a service
	// beside it, and calls whether it asks the model.
	covers, calls func(exchange) bool
	// others says what the services beside it do, by a part of their paths.
	others []service
	// lacks says why an answer without an error is no whole one, and what it
	// has to be observed as; "" for a whole one.
	lacks func(answer wire.Response, documents []map[string]any) (failure.Kind, string)
	// walk finds the facts of a whole answer; nil where they are its bytes.
	walk func(answer wire.Response, documents []map[string]any) facts
	// arguments is the form in which arguments of calls are compared; nil for
	// the very text.
	arguments func(string) string
	// asks is the input that asks at an address; ok is false where the adapter
	// does not ask there.
	asks func(u *url.URL) (in providers.Input, ok bool)
	// endSpeaks says that the event which ends a stream may have content.
	endSpeaks bool
}

// A service is no model: what its path has, and what it does. The answers of
// one that is alike could be those of a model.
type service struct {
	path, does string
	alike      bool
}

// facts are what a recorded answer says, in terms of no package.
type facts struct {
	ID, Model, Content, Reasoning, Finish       string
	Calls                                       []string
	Input, Output, Cached, ReasoningTokens, Sum int
}

func (f *facts) call(id, name, arguments, signature string) {
	f.Calls = append(f.Calls, fmt.Sprintf("%q %s %s %q", id, name, arguments, signature))
}

type outcome int

// What can become of an exchange.
const (
	parsed outcome = iota
	refused
	noCall
)

// Reasons that several dialects give.
const (
	brokeOff    = "recorded as it broke off"
	errorInside = "error inside an answer with HTTP 200"
)

// look plays one exchange, and says what became of it and why; "" where there
// is no reason for it.
func (d *dialect) look(e exchange, problem func(string, ...any)) (outcome, string) {
	if e.failed != "" {
		return refused, "recorded failure of the connection"
	}
	played, err := play(d.adapter, e.answer)
	if err != nil {
		problem("%v", err)
		return refused, ""
	}
	if !d.calls(e) {
		return noCall, d.service(e, played, problem)
	}
	if d.walk == nil {
		return bytesOf(e, played, problem)
	}
	documents, kinds, why := d.expected(e)
	switch {
	case why != "" && (played.Failed == nil || !slices.Contains(kinds, played.Failed.Kind)):
		problem("%s: observed as %+v, want one of %v", why, played.Failed, kinds)
		return refused, ""
	case why != "":
		return refused, why
	case played.Failed != nil:
		problem("a whole answer failed with %s: %s", played.Failed.Kind, played.Failed.Message)
		return refused, ""
	}
	if diff := cmp.Diff(d.walk(e.answer, documents), d.found(played.Out)); diff != "" {
		problem("%s", diff)
	}
	d.cutEverywhere(e, problem)
	d.renderedAgain(e, played.Out, problem)
	d.addressed(e, problem)
	return parsed, "read as " + d.name
}

// service says what an exchange is for that asks no model. The answer of a
// known one must not be taken for an answer of the model.
func (d *dialect) service(e exchange, played adaptertest.Played, problem func(string, ...any)) string {
	for _, s := range d.others {
		if strings.Contains(e.url.Path, s.path) {
			if played.Failed == nil && !s.alike {
				problem("%s was taken for an answer", s.does)
			}
			return s.does
		}
	}
	return fmt.Sprintf("%s of an address that asks no model", e.method)
}

// expected is what an answer that is not whole has to be observed as, by its
// status and its JSON, and in words why; the documents and no
// reason for all others.
func (d *dialect) expected(e exchange) ([]map[string]any, []failure.Kind, string) {
	said := fmt.Sprintf("HTTP %d from the service", e.answer.Status)
	switch status := e.answer.Status; {
	case status == 429:
		return nil, []failure.Kind{failure.RateLimit}, said
	case status >= 500:
		return nil, []failure.Kind{failure.HTTPStatus, failure.Overloaded, failure.RateLimit, failure.Timeout}, said
	case status >= 300:
		return nil, []failure.Kind{failure.HTTPStatus}, said
	case e.answer.End != wire.EndNone:
		return nil, []failure.Kind{failure.StreamInterrupted, failure.StreamIncomplete, failure.Connection, failure.Timeout, failure.MalformedResponse}, brokeOff
	}
	documents, err := documents(e.answer)
	if err != nil || len(documents) == 0 {
		return nil, []failure.Kind{failure.MalformedResponse, failure.StreamIncomplete, failure.Connection}, "answer without JSON"
	}
	if slices.ContainsFunc(documents, func(d map[string]any) bool { return d["error"] != nil || d["type"] == "error" }) {
		return nil, []failure.Kind{failure.HTTPStatus, failure.RateLimit, failure.Overloaded, failure.StreamInterrupted}, errorInside
	}
	kind, why := d.lacks(e.answer, documents)
	return documents, []failure.Kind{kind}, why
}

// found are the facts as an adapter found them.
func (d *dialect) found(out providers.Output) facts {
	f := facts{
		ID: out.ID, Model: out.Model, Content: out.Content, Reasoning: out.Reasoning, Finish: out.FinishReason,
		Input: out.Usage.Prompt, Output: out.Usage.Completion, Cached: out.Usage.Cached, ReasoningTokens: out.Usage.Reasoning, Sum: out.Usage.Total,
	}
	for _, c := range out.ToolCalls {
		arguments := c.Arguments
		if d.arguments != nil {
			arguments = d.arguments(arguments)
		}
		f.call(c.ID, c.Name, arguments, c.Signature)
	}
	return f
}

// cutEverywhere ends a stream in an orderly way after many of its events before
// the one that ends the answer, and counts the labels of its parts.
func (d *dialect) cutEverywhere(e exchange, problem func(string, ...any)) {
	if !e.answer.Stream {
		return
	}
	whole := e.answer.Clone()
	providers.Vendor{Adapter: d.adapter}.Label(&whole)
	played, err := play(d.adapter, whole)
	chunks, ends, least := whole.Count(wire.PartChunk), whole.Count(wire.PartDone), 0
	if d.endSpeaks {
		least = ends
	}
	if err != nil || ends < 1 || (ends > 1 && !d.endSpeaks) || chunks > len(played.Chunks) || chunks+least < len(played.Chunks) {
		problem("%d chunks and %d ends are labelled, %d chunks were read", chunks, ends, len(played.Chunks))
	}
	end := slices.IndexFunc(whole.Parts, func(p wire.Part) bool { return p.Kind == wire.PartDone })
	for n := 0; n <= end; n += max(1, min(1+end/16, end-n)) {
		cut, err := play(d.adapter, whole.CutEvents(n, wire.EndNone))
		if err != nil || cut.Failed == nil || (n > 0 && cut.Failed.Kind != failure.StreamIncomplete) {
			problem("after %d of %d events: %+v, %v", n, len(whole.Parts), cut.Failed, err)
		}
	}
}

// renderedAgain renders what was read and reads it back. Usage that was not
// reported would be estimated.
func (d *dialect) renderedAgain(e exchange, out providers.Output, problem func(string, ...any)) {
	out.Usage.Set = true
	answer := d.adapter.Render(providers.Input{Stream: e.answer.Stream}, out)
	again, err := play(d.adapter, answer)
	if err != nil || again.Failed != nil {
		problem("rendered again: %+v, %v", again.Failed, err)
		return
	}
	for i, c := range out.ToolCalls {
		if c.ID == "" && i < len(again.Out.ToolCalls) { // one was made up
			again.Out.ToolCalls[i].ID = ""
		}
	}
	if diff := cmp.Diff(adaptertest.Summary(out), adaptertest.Summary(again.Out)); diff != "" {
		problem("rendered again: %s", diff)
	}
}

// addressed asks for the same, and compares the address and the method. What a
// gateway wants in the query beside it is its own.
func (d *dialect) addressed(e exchange, problem func(string, ...any)) {
	in, ok := d.asks(e.url)
	if !ok {
		return
	}
	req, err := d.adapter.Request(context.Background(), in)
	if err != nil {
		problem("%v", err)
		return
	}
	want := *e.url
	if req.URL.RawQuery == "" {
		want.RawQuery = ""
	}
	if req.URL.String() != want.String() || !strings.EqualFold(req.Method, e.method) {
		problem("asked %s %s, recorded %s %s", req.Method, req.URL, e.method, e.url)
	}
}

// documents are the JSON objects of an answer, one or that of every event.
func documents(answer wire.Response) ([]map[string]any, error) {
	texts := []string{string(answer.Body())}
	if fromAmazon(answer) {
		texts = amazonTexts(answer.Body())
	} else if answer.Stream {
		texts = nil
		for line := range strings.Lines(string(answer.Body())) {
			data, ok := strings.CutPrefix(line, "data:")
			if ok && strings.TrimSpace(data) != "[DONE]" {
				texts = append(texts, data)
			}
		}
	}
	var list []map[string]any
	for _, text := range texts {
		var root map[string]any
		if err := json.Unmarshal([]byte(text), &root); err != nil {
			return nil, err
		}
		list = append(list, root)
	}
	return list, nil
}

// fromAmazon reports whether an answer streams in Amazon's encoding.
func fromAmazon(answer wire.Response) bool {
	return slices.ContainsFunc(answer.Header, func(f wire.Field) bool {
		return strings.EqualFold(f.Name, "content-type") && strings.HasPrefix(f.Value, "application/vnd.amazon.eventstream")
	})
}

// amazonTexts are the events in the messages of such a stream: a message says how
// long it is and how long its header is, in its first eight bytes, and what follows
// the header and precedes the last four is JSON with the event in Base64.
func amazonTexts(body []byte) (texts []string) {
	for len(body) >= 16 {
		total, header := binary.BigEndian.Uint32(body), binary.BigEndian.Uint32(body[4:])
		if int(total) > len(body) || header+16 > total {
			break
		}
		var chunk struct{ Bytes []byte }
		if json.Unmarshal(body[12+header:total-4], &chunk) == nil && chunk.Bytes != nil {
			texts = append(texts, string(chunk.Bytes))
		}
		body = body[total:]
	}
	return texts
}

// canonical is a JSON text by value, so that its spaces and the order of its
// keys do not count; what is none is left as it is.
func canonical(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return jsonOf(v)
}

func jsonOf(v any) string {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

func num(v any) int {
	n, _ := v.(float64)
	return int(n)
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
