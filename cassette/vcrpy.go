package cassette

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// The keys of vcrpy. Version 4 and 5 wrote answers of httpx with status_code,
// content and http_version in place of status and body; pydantic-ai stores JSON
// bodies decoded, as parsed_body; aiohttp's answers have a url.
var (
	pyRequestKeys  = []string{"body", "headers", "method", "parsed_body", "uri"}
	pyResponseKeys = []string{"body", "content", "headers", "http_version", "parsed_body", "status", "status_code", "url"}
)

// parseVCRPy reads a cassette of vcrpy. It has no timing: every answer comes at
// once.
func parseVCRPy(root *yaml.Node, data []byte) (*Cassette, error) {
	if err := checkPython(root); err != nil {
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
		it, err := r.interaction(target(node), i+1)
		if err != nil {
			return nil, err
		}
		if text := cutFlaw(&it.Response); text != "" {
			return nil, flaw(it.Line, hintRestore, "interaction %d: %s", it.Index, text)
		}
		c.Interactions = append(c.Interactions, it)
	}
	key, _ := entry(root, "version")
	if c.Whole = root.Style&yaml.FlowStyle != 0 || key == root.Content[len(root.Content)-2]; !c.Whole {
		c.warnEnd(data)
	}
	return c, nil
}

// pyVersion also proves the usual file whole, as vcrpy writes the version last.
func pyVersion(root *yaml.Node) error {
	_, node := entry(root, "version")
	switch {
	case isNull(node):
		return flaw(root.Line, hintRestore, "the key \"version\" is missing; vcrpy writes it last, so the file seems cut")
	case node.Value != "1":
		return flaw(node.Line, "vcrpy writes version 1; scenario knows no other", "version %s of vcrpy is unknown", quote(shorten(node.Value)))
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
	request, response := child(node, "request"), child(node, "response")
	switch {
	case request == nil || request.Kind != yaml.MappingNode:
		return nil, flaw(node.Line, hintInspect, "%s has no request; the file seems cut", where)
	case response == nil || response.Kind != yaml.MappingNode:
		return nil, flaw(node.Line, hintInspect, "%s has no response; the file seems cut", where)
	}
	r.cassette.warnKeys(node, where, "request", "response", "recorded_at")
	r.cassette.warnKeys(request, "the request of "+where, pyRequestKeys...)
	r.cassette.warnKeys(response, "the response of "+where, pyResponseKeys...)
	if err := r.request(it, request); err != nil {
		return nil, in(where, err)
	}
	if err := r.response(it, response); err != nil {
		return nil, in(where, err)
	}
	if it.Response.Status < 100 || it.Response.Status > 999 {
		return nil, flaw(it.Line, hintInspect, "%s: %d is no status code", where, it.Response.Status)
	}
	return it, it.checkWire()
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
	it.Method = strings.ToUpper(pyString(child(n, "method")))
	it.URL = pyString(child(n, "uri"))
	it.RequestHeader = canonical(h)
	for _, name := range hopByHop {
		it.RequestHeader.Del(name)
	}
	it.RequestBody, err = r.body(n, child(n, "body"))
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
	body := child(n, "body")
	if httpx := child(n, "content"); body == nil {
		body = httpx
	} else if body.Kind == yaml.MappingNode {
		if body = child(body, "string"); body == nil {
			return flaw(n.Line, hintInspect, "the body of the response has no string; the file seems cut")
		}
	}
	data, err := r.body(n, body)
	if err != nil {
		return err
	}
	it.Protocol = pyString(child(n, "http_version"))
	it.answer(code, message, h, string(data))
	return nil
}

// body returns the bytes of a half: those of parsed_body, where it has one, as
// the serializer that wrote it makes them again.
func (r *pyReader) body(half, body *yaml.Node) ([]byte, error) {
	parsed := child(half, "parsed_body")
	if parsed == nil && body == nil {
		return nil, flaw(half.Line, hintInspect, "there is no body; the file seems cut")
	}
	if parsed != nil && body != nil {
		r.cassette.warn("line %d: there is a body beside the parsed_body, which is played", body.Line)
	}
	var data []byte
	var err error
	if parsed != nil && !isNull(parsed) {
		data, err = r.json(parsed)
	} else if body != nil {
		data, err = r.pyBytes(body)
	}
	if r.left -= len(data); r.left < 0 && err == nil {
		err = flaw(half.Line, hintInspect, "the aliases in the file stand for far more text than it has itself")
	}
	return data, err
}

func (r *pyReader) json(n *yaml.Node) ([]byte, error) {
	e := pyEncoder{max: r.left}
	err := e.encode(n)
	return e.out, err
}

// pyHeader reads names with a value or a list of them. Python 2 wrote the
// values with tags.
func pyHeader(half *yaml.Node) (http.Header, error) {
	n := child(half, "headers")
	if n == nil || isNull(n) {
		return nil, flaw(half.Line, hintInspect, "there are no headers; the file seems cut")
	}
	if n.Kind != yaml.MappingNode {
		return nil, flaw(n.Line, hintInspect, "the headers are %s and not a mapping", kindName(n))
	}
	h := http.Header{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, values := pyString(target(n.Content[i])), target(n.Content[i+1])
		list := []*yaml.Node{values}
		if values.Kind == yaml.SequenceNode {
			list = values.Content
		}
		for _, v := range list {
			value, ok := pyScalar(target(v))
			if !ok {
				return nil, flaw(v.Line, hintInspect, "the header %s has a value that is no text", quote(shorten(name)))
			}
			h[name] = append(h[name], string(value))
		}
	}
	return h, nil
}

func pyStatus(n *yaml.Node) (code int, message string, err error) {
	status := child(n, "status")
	node := child(n, "status_code")
	if status != nil {
		node, message = child(status, "code"), pyString(child(status, "message"))
	}
	if node == nil {
		return 0, "", flaw(n.Line, hintInspect, "the response has no status; the file seems cut")
	}
	if code, err = strconv.Atoi(node.Value); err != nil {
		return 0, "", flaw(node.Line, hintInspect, "the status code is %s", quote(shorten(node.Value)))
	}
	if strings.ContainsAny(message, "\r\n\x00") {
		return 0, "", flaw(node.Line, hintInspect, "the message of the status has a line break")
	}
	return code, message, nil
}
