package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// A block is a piece of content: a text, or something that has none or refers
// to one.
type block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	URI      string `json:"uri"`
	Resource *struct {
		URI  string  `json:"uri"`
		Text *string `json:"text"`
	} `json:"resource"`
}

// saying is what a block says in words.
func (b block) saying() string {
	switch {
	case b.Resource != nil && b.Resource.Text != nil:
		return *b.Resource.Text
	case b.Resource != nil:
		return b.Resource.URI
	case b.Text == "":
		return b.URI
	}
	return b.Text
}

// readResult reads what a result says: its texts, joined by line feeds, what is
// meant for programs, and whether it is an error.
func readResult(method string, raw json.RawMessage, out *providers.Output) error {
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return errors.New("it is no object")
	}
	var r struct {
		Content    []block         `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
		Contents   []block         `json:"contents"`
		Messages   []struct {
			Content block `json:"content"`
		} `json:"messages"`
		Tools []listed `json:"tools"`
	}
	if err := providers.DecodeJSON(raw, &r); err != nil {
		return err
	}
	blocks := r.Content
	switch method {
	case methodReadResource:
		blocks = r.Contents
	case methodGetPrompt:
		blocks = nil
		for _, m := range r.Messages {
			blocks = append(blocks, m.Content)
		}
	case methodListTools:
		return listTools(r.Tools, out)
	}
	var texts []string
	for _, b := range blocks {
		if said := b.saying(); said != "" {
			texts = append(texts, said)
		}
	}
	out.Content = strings.Join(texts, "\n")
	if s := withoutNull(r.Structured); s != nil {
		out.Structured = bytes.Clone(s)
	}
	out.IsError = r.IsError && method == methodCallTool
	return nil
}

// A listed tool is one that a server offers.
type listed struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"inputSchema"`
}

// An offered tool is one in the words in which it is offered to a model.
type offered struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// listTools reads a list of tools: its text is their names, and its structured
// content what a step offers to a model.
func listTools(tools []listed, out *providers.Output) error {
	names, offers := make([]string, len(tools)), make([]offered, len(tools))
	for i, t := range tools {
		if t.Name == "" {
			return errors.New("a tool in it has no name")
		}
		if t.Schema == nil {
			t.Schema = json.RawMessage(`{"type":"object"}`)
		}
		names[i], offers[i] = t.Name, offered{t.Name, t.Description, t.Schema}
	}
	data, err := providers.EncodeJSON(offers)
	if err != nil {
		return err
	}
	out.Content, out.Structured = strings.Join(names, "\n"), data
	return nil
}

// payload is the message inside an event or a line.
func payload(part []byte) []byte {
	if event, err := providers.NewEventReader(bytes.NewReader(part)).Next(); err == nil {
		return event.Data
	}
	return bytes.TrimSpace(part)
}
