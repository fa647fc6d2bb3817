package cassette

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/python"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// The keys of vcrpy. Version 4 and 5 wrote answers of httpx with status_code,
// content and http_version in place of status and body; pydantic-ai stores JSON
// bodies decoded, as parsed_body; aiohttp's answers have a url.
var (
	pyItemKeys     = []string{"request", "response", "recorded_at"}
	pyRequestKeys  = []string{"body", "headers", "method", "parsed_body", "uri"}
	pyResponseKeys = []string{"body", "content", "headers", "http_version", "parsed_body", "status", "status_code", "url"}
)

// parseVCRPy reads a cassette of vcrpy. It has no timing: every answer comes at
// once.
func parseVCRPy(root *yaml.Node, data []byte) (*Cassette, error) {
	if err := python.Check(root); err != nil {
		return nil, err
	}
	if err := pyVersion(root); err != nil {
		return nil, err
	}
	items, err := itemNodes(root)
	if err != nil {
		return nil, err
	}
	c := &Cassette{Format: "vcrpy 1", Interactions: make([]*Interaction, 0, len(items))}
	c.warnKeys(root, "the file", "version", "interactions")
	r := pyReader{cassette: c, left: 16*len(data) + 1<<20}
	for i, node := range items {
		it, err := r.interaction(yamlnode.Target(node), i+1)
		if err != nil {
			return nil, err
		}
		if text := httptext.CutFlaw(&it.Response); text != "" {
			return nil, flaw.New(it.Line, flaw.Restore, "interaction %d: %s", it.Index, text)
		}
		c.Interactions = append(c.Interactions, it)
	}
	key, _ := yamlnode.Entry(root, "version")
	if c.Whole = root.Style&yaml.FlowStyle != 0 || key == root.Content[len(root.Content)-2]; !c.Whole {
		c.warnEnd(data)
	}
	return c, nil
}

// pyVersion also proves the usual file whole, as vcrpy writes the version last.
func pyVersion(root *yaml.Node) error {
	_, node := yamlnode.Entry(root, "version")
	switch {
	case yamlnode.IsNull(node):
		return flaw.New(root.Line, flaw.Restore+"; where nothing is missing, end the file with the line version: 1", "the key \"version\" is missing; vcrpy writes it last, so the file seems cut")
	case node.Value != "1":
		return flaw.New(node.Line, "vcrpy writes version 1; scenario knows no other", "version %s of vcrpy is unknown", strconv.Quote(flaw.Shorten(node.Value)))
	}
	return nil
}

// A pyReader reads the interactions of one file.
type pyReader struct {
	cassette *Cassette
	left     int // bytes that decoded bodies may still have
}

func (r *pyReader) interaction(node *yaml.Node, index int) (*Interaction, error) {
	it := &Interaction{Index: index, Line: node.Line}
	where := fmt.Sprintf("interaction %d", index)
	request, response := yamlnode.Child(node, "request"), yamlnode.Child(node, "response")
	if err := mistypedKey(node, "request", where, pyItemKeys); request == nil && err != nil {
		return nil, err
	}
	if err := mistypedKey(node, "response", where, pyItemKeys); response == nil && err != nil {
		return nil, err
	}
	switch {
	case request == nil || request.Kind != yaml.MappingNode:
		return nil, flaw.New(node.Line, flaw.Inspect, "%s has no request; the file seems cut", where)
	case response == nil || response.Kind != yaml.MappingNode:
		return nil, flaw.New(node.Line, flaw.Inspect, "%s has no response; the file seems cut", where)
	}
	r.cassette.warnKeys(node, where, pyItemKeys...)
	r.cassette.warnKeys(request, "the request of "+where, pyRequestKeys...)
	r.cassette.warnKeys(response, "the response of "+where, pyResponseKeys...)
	if err := r.request(it, request); err != nil {
		return nil, in(where, err)
	}
	if err := r.response(it, response); err != nil {
		return nil, in(where, err)
	}
	if it.Response.Status < 100 || it.Response.Status > 999 {
		return nil, flaw.New(it.Line, flaw.Inspect, "%s: %d is no status code", where, it.Response.Status)
	}
	return it, it.CheckWire()
}

// in says in which interaction a flaw is.
func in(where string, err error) error {
	if e, ok := err.(*LoadError); ok {
		e.Problem = where + ": " + e.Problem
	}
	return err
}

func (r *pyReader) request(it *Interaction, n *yaml.Node) error {
	h, err := pyHeader(n)
	if err != nil {
		return err
	}
	it.Method = strings.ToUpper(python.String(yamlnode.Child(n, "method")))
	it.URL = python.String(yamlnode.Child(n, "uri"))
	it.RequestHeader = httptext.CanonicalHeader(h)
	for _, name := range httptext.HopByHop {
		it.RequestHeader.Del(name)
	}
	it.RequestBody, err = r.body(n, yamlnode.Child(n, "body"))
	return err
}

func (r *pyReader) response(it *Interaction, n *yaml.Node) error {
	h, err := pyHeader(n)
	if err != nil {
		return err
	}
	code, message, err := pyStatus(n)
	if err != nil {
		return err
	}
	body := yamlnode.Child(n, "body")
	if httpx := yamlnode.Child(n, "content"); body == nil {
		body = httpx
	} else if body.Kind == yaml.MappingNode {
		if body = yamlnode.Child(body, "string"); body == nil {
			return flaw.New(n.Line, flaw.Inspect, "the body of the response has no string; the file seems cut")
		}
	}
	data, err := r.body(n, body)
	if err != nil {
		return err
	}
	it.Protocol = python.String(yamlnode.Child(n, "http_version"))
	it.SetAnswer(code, message, h, string(data))
	return nil
}

// body returns the bytes of a half: those of parsed_body, where it has one, as
// the serializer that wrote it makes them again.
func (r *pyReader) body(half, body *yaml.Node) ([]byte, error) {
	parsed := yamlnode.Child(half, "parsed_body")
	if parsed == nil && body == nil {
		return nil, flaw.New(half.Line, flaw.Inspect, "there is no body; the file seems cut")
	}
	if parsed != nil && body != nil {
		r.cassette.warn("line %d: there is a body beside the parsed_body, which is played", body.Line)
	}
	var data []byte
	var err error
	if parsed != nil && !yamlnode.IsNull(parsed) {
		data, err = r.json(parsed)
	} else if body != nil {
		data, err = r.pyBytes(body)
	}
	if r.left -= len(data); r.left < 0 && err == nil {
		err = flaw.New(half.Line, flaw.Inspect, "the aliases in the file stand for far more text than it has itself")
	}
	return data, err
}

func (r *pyReader) json(n *yaml.Node) ([]byte, error) {
	e := python.Encoder{Max: r.left}
	err := e.Encode(n)
	return e.Out, err
}

// pyHeader reads names with a value or a list of them. Python 2 wrote the
// values with tags.
func pyHeader(half *yaml.Node) (http.Header, error) {
	n := yamlnode.Child(half, "headers")
	if n == nil || yamlnode.IsNull(n) {
		return nil, flaw.New(half.Line, flaw.Inspect, "there are no headers; the file seems cut")
	}
	if n.Kind != yaml.MappingNode {
		return nil, flaw.New(n.Line, flaw.Inspect, "the headers are %s and not a mapping", yamlnode.KindName(n))
	}
	h := http.Header{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, values := python.String(yamlnode.Target(n.Content[i])), yamlnode.Target(n.Content[i+1])
		list := []*yaml.Node{values}
		if values.Kind == yaml.SequenceNode {
			list = values.Content
		}
		for _, v := range list {
			value, ok := python.Scalar(yamlnode.Target(v))
			if !ok {
				return nil, flaw.New(v.Line, flaw.Inspect, "the header %s has a value that is not a string", strconv.Quote(flaw.Shorten(name)))
			}
			h[name] = append(h[name], string(value))
		}
	}
	return h, nil
}

func pyStatus(n *yaml.Node) (code int, message string, err error) {
	status := yamlnode.Child(n, "status")
	node := yamlnode.Child(n, "status_code")
	if s := yamlnode.Target(status); s != nil && s.Kind == yaml.ScalarNode && !yamlnode.IsNull(s) && node == nil {
		number, reason, _ := strings.Cut(s.Value, " ")
		hint := "write status: {code: 200, message: OK}"
		if _, err := strconv.Atoi(number); err == nil && !strings.ContainsAny(reason, "{}[],:#'\"\\\n") {
			hint = fmt.Sprintf("write status: {code: %s, message: %s}", number, cmp.Or(reason, "null"))
		}
		return 0, "", flaw.New(s.Line, hint, "the status is the text %s; vcrpy writes a code and a message", strconv.Quote(flaw.Shorten(s.Value)))
	}
	if status != nil {
		node, message = yamlnode.Child(status, "code"), python.String(yamlnode.Child(status, "message"))
	}
	if node == nil {
		return 0, "", flaw.New(n.Line, flaw.Inspect, "the response has no status; the file seems cut")
	}
	if code, err = strconv.Atoi(node.Value); err != nil {
		return 0, "", flaw.New(node.Line, flaw.Inspect, "the status code is %s", strconv.Quote(flaw.Shorten(node.Value)))
	}
	if strings.ContainsAny(message, "\r\n\x00") {
		return 0, "", flaw.New(node.Line, flaw.Inspect, "the message of the status has a line break")
	}
	return code, message, nil
}
