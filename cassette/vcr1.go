package cassette

import (
	"net/http"
	"strconv"
	"time"

	vcr "github.com/dnaeon/go-vcr/v2/cassette"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"github.com/scenario-lang/scenario/wire"
	"gopkg.in/yaml.v3"
)

// itemV1 is one interaction of go-vcr's format version 1 with our keys beside
// it, which go-vcr does not see.
type itemV1 struct {
	vcr.Interaction `yaml:",inline"`
	Own             *itemKeys `yaml:"x-scenario,omitempty"`
}

// layout is what one format has: its keys, those without which nothing can be
// replayed, so that a missing one proves damage, and those that may be absent.
type layout struct {
	format            string
	item              []string
	request, response []string
	optional          []string
	decode            func(*yaml.Node) (*Interaction, error)
}

var layoutV1 = layout{
	format:   "go-vcr 1",
	item:     []string{"request", "response", keyOwn},
	request:  []string{"body", "url", "method"},
	response: []string{"body", "status", "code"},
	optional: []string{"form", "headers", "duration"},
	decode: func(n *yaml.Node) (*Interaction, error) {
		var item itemV1
		if err := n.Decode(&item); err != nil {
			return nil, err
		}
		return answerV1(&item.Interaction), nil
	},
}

// fromV1 turns go-vcr's types into ours, but for the answer.
func fromV1(v *vcr.Interaction) *Interaction {
	return &Interaction{
		Method:        v.Request.Method,
		URL:           v.Request.URL,
		RequestHeader: httptext.CanonicalHeader(v.Request.Headers),
		RequestBody:   []byte(v.Request.Body),
		Form:          v.Request.Form,
		Duration:      v.Response.Duration,
	}
}

// answerV1 is fromV1 with the answer.
func answerV1(v *vcr.Interaction) *Interaction {
	it := fromV1(v)
	it.SetAnswer(v.Response.Code, v.Response.Status, v.Response.Headers, v.Response.Body)
	return it
}

// SetAnswer sets the response from what a file says of it. Duration, Chunks and
// the response's End are set before.
func (it *Interaction) SetAnswer(code int, status string, h http.Header, body string) {
	r := &it.Response
	r.Status, r.Reason = code, httptext.Reason(code, status)
	r.Header = httptext.ReplayFields(h, []byte(body))
	switch n, _ := strconv.Atoi(h.Get("Content-Length")); {
	case it.Method == http.MethodHead:
		r.Length = max(n, 0) // there is no body that could contradict
	case r.End != wire.EndNone && n > len(body):
		r.Length = n // the rest was announced and did not come
	}
	shape(r, httptext.FieldValue(r.Header, "Content-Type"), []byte(body), it.Chunks, max(it.Duration, 0))
}

// toV1 is the reverse of fromV1. A transport error becomes a response that
// go-vcr can read, with the status 0 that no server sends.
func toV1(it *Interaction) vcr.Interaction {
	v := vcr.Interaction{
		Request: vcr.Request{
			Body:    string(it.RequestBody),
			Form:    it.Form,
			Headers: it.RequestHeader,
			URL:     it.URL,
			Method:  it.Method,
		},
		Response: vcr.Response{Headers: http.Header{}, Duration: it.Duration},
	}
	if it.Error == "" {
		v.Response.Body = string(it.Response.Body())
		v.Response.Headers = httptext.Header(it.Response.Header)
		if it.Response.Length > 0 && (it.Method == http.MethodHead || it.Response.End != wire.EndNone) {
			v.Response.Headers.Set("Content-Length", strconv.Itoa(it.Response.Length))
		}
		v.Response.Code = httptext.StatusCode(it.Response.Status)
		v.Response.Status = httptext.StatusLine(v.Response.Code, it.Response.Reason)
	}
	return v
}

// ToVCR returns the interactions as go-vcr's own type, for a recorder of
// go-vcr in replay mode. What version 1 cannot say (steps, timing of chunks,
// cuts, transport errors) is lost.
func (c *Cassette) ToVCR() *vcr.Cassette {
	v := vcr.New(c.Path)
	for _, it := range c.Interactions {
		item := toV1(it.Clone())
		v.AddInteraction(&item)
	}
	return v
}

// emptyDuration drops the duration "" of the first go-vcr, which wrote it as
// text and took an empty one for none.
func emptyDuration(item *yaml.Node) {
	d := yamlnode.Lookup(yamlnode.Lookup(item, "response"), "duration")
	if d != nil && d.Kind == yaml.ScalarNode && d.Value == "" && !yamlnode.IsNull(d) {
		d.Value = time.Duration(0).String()
	}
}
