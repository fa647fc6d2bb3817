package convert

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/foreign"
	"github.com/scenario-lang/scenario/cassette/redact"
	"gopkg.in/yaml.v3"
)

// importHAR reads HTTP archives of version 1.2, which browsers and proxies
// save. They are recordings and become a cassette.
var importHAR = importer{
	name: "har",
	is:   foreign.IsHAR,
	read: readHAR, items: []string{"log", "entries"},
}

func readHAR(r *importReader, root *yaml.Node) error {
	file := r.object(root, "the file")
	log := file.child("log")
	file.end()
	log.skip("version", "creator", "browser", "comment")
	log.leave("pages are no exchanges", "pages")
	c := &cassette.Cassette{Format: "scenario 1", Own: true, Whole: true, Interactions: []*cassette.Interaction{}}
	for _, n := range log.list("entries") {
		it := readHAREntry(r.object(n, "an entry"))
		if r.err != nil {
			return r.err
		}
		if it.Response.Status == http.StatusSwitchingProtocols || strings.HasPrefix(it.URL, "ws") {
			r.note(n, "the opening of a web socket", "is left out: its messages are no answer to a request")
			continue
		}
		it.Index, it.Line = len(c.Interactions)+1, n.Line
		if err := it.CheckWire(); err != nil {
			return err
		}
		c.Interactions = append(c.Interactions, it)
	}
	log.end()
	r.out.Cassette = c
	return nil
}

func readHAREntry(o *object) *cassette.Interaction {
	it := &cassette.Interaction{Duration: o.millis("time")}
	begun := harWait(o.child("timings"))
	o.skip("startedDateTime", "pageref", "comment", "connection", "serverIPAddress")
	o.leave("a replay has no cache", "cache")
	// Programs add keys of their own, which begin with an underscore.
	for i := 0; i+1 < len(o.node.Content); i += 2 {
		if key := o.node.Content[i].Value; strings.HasPrefix(key, "_") && key != "_webSocketMessages" {
			o.skip(key)
		}
	}
	o.leave("messages of a web socket are no answer to a request", "_webSocketMessages")
	red := o.r.options.Redactor
	harRequest(it, red, o.child("request"))
	harResponse(it, red, o.child("response"), begun)
	o.end()
	return it
}

// harWait is the time until the first byte of the answer. A part that did not
// apply is -1.
func harWait(o *object) time.Duration {
	var sum time.Duration
	for _, key := range []string{"blocked", "dns", "connect", "send", "wait"} {
		sum += o.millis(key)
	}
	o.skip("ssl", "receive", "comment") // ssl is a part of connect
	for i := 0; i+1 < len(o.node.Content); i += 2 {
		if key := o.node.Content[i].Value; strings.HasPrefix(key, "_") {
			o.skip(key)
		}
	}
	o.end()
	return sum
}

func harRequest(it *cassette.Interaction, red *redact.Redactor, o *object) {
	h := harHeader(o)
	body := harPost(o.child("postData"))
	// The query is a part of the url, and the cookies stand in the header.
	o.skip("httpVersion", "queryString", "cookies", "headersSize", "bodySize", "comment")
	hidden := red.Request(redact.Request{Method: o.text("method"), URL: o.text("url"), Header: h, Body: []byte(body)})
	it.Method, it.URL, it.RequestBody = hidden.Method, hidden.URL, hidden.Body
	it.RequestHeader = cassette.KeptRequestHeader(red, h)
	o.end()
}

func harHeader(o *object) http.Header {
	h := http.Header{}
	for _, n := range o.list("headers") {
		field := o.r.object(n, "a header field")
		name, value := field.text("name"), field.text("value")
		field.skip("comment")
		field.end()
		if !strings.HasPrefix(name, ":") { // HTTP/2 has the request line among the fields
			h.Add(name, value)
		}
	}
	return h
}

// harPost is the body of a request. Some programs write only the fields of a
// form.
func harPost(o *object) string {
	body := o.text("text")
	fields := url.Values{}
	for _, n := range o.list("params") {
		p := o.r.object(n, "a parameter of postData")
		fields.Add(p.text("name"), p.text("value"))
		p.leave("a file that was sent is not in the archive", "fileName", "contentType")
		p.skip("comment")
		p.end()
	}
	if body == "" {
		body = fields.Encode()
	}
	if o.text("encoding") == "base64" {
		if plain, err := base64.StdEncoding.DecodeString(body); err == nil {
			body = string(plain)
		}
	}
	o.skip("mimeType", "comment")
	o.end()
	return body
}

func harResponse(it *cassette.Interaction, red *redact.Redactor, o *object, begun time.Duration) {
	h := harHeader(o)
	status, text, version := o.whole("status"), o.text("statusText"), o.text("httpVersion")
	body := harContent(o.child("content"), h)
	failed := o.text("_error")
	o.skip("cookies", "redirectURL", "headersSize", "bodySize", "comment", "_transferSize", "_fetchedViaServiceWorker")
	o.end()
	if status == 0 {
		it.Error, it.ErrorText = harError(failed)
		it.ErrorText = red.Text(it.ErrorText)
		return
	}
	if strings.HasPrefix(version, "HTTP/") {
		it.Protocol = version
	}
	kept := cassette.KeptResponseHeader(red, h)
	shown := red.Stored(kept, body)
	it.Duration = max(it.Duration, begun)
	if shown != "" {
		it.Chunks = []cassette.Chunk{{At: begun}, {At: it.Duration, Len: len(shown)}}
	}
	it.SetAnswer(status, text, kept, shown)
}

// harContent is the decoded body of an answer; the archive says what its bytes
// were before.
func harContent(o *object, h http.Header) string {
	n := o.get("text")
	body := o.text("text")
	if o.text("encoding") == "base64" {
		plain, err := base64.StdEncoding.DecodeString(body)
		if err != nil && o.r.err == nil {
			o.r.err = flaw.New(n.Line, "save the archive again", "the text of a content is not Base64: %v", err)
		}
		body = string(plain)
	}
	if mime := o.text("mimeType"); mime != "" && h.Get("Content-Type") == "" {
		h.Set("Content-Type", mime)
	}
	if o.number("size") > 0 && n == nil {
		o.r.note(o.node, "the body of an answer", "is missing: save the archive with content")
	}
	o.skip("size", "compression", "comment")
	o.end()
	return body
}

// harErrors are the words of browsers for calls that got no answer, and ours.
var harErrors = []struct{ part, name string }{
	{"REFUSED", "refused"},
	{"NAME_NOT_RESOLVED", "dns"},
	{"TIMED_OUT", "timeout"},
	{"RESET", "reset"},
	{"EMPTY_RESPONSE", "eof"},
	{"CONNECTION_CLOSED", "eof"},
	{"UNREACHABLE", "unreachable"},
	{"ABORTED", "cancelled"},
}

// harError names what came in the place of an answer. An archive without a
// word says nothing but that there was none.
func harError(text string) (name, words string) {
	for _, e := range harErrors {
		if strings.Contains(strings.ToUpper(text), e.part) {
			return e.name, ""
		}
	}
	if text == "" {
		return "eof", ""
	}
	return "other", text
}
