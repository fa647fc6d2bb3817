package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// A message is any message of JSON-RPC 2.0, as it is read.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *rpcError       `json:"error"`
}

type rpcError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Codes of errors (JSON-RPC 2.0 §5.1). codeServer is the first of those that
// are left to servers.
const (
	codeInternal      = -32603
	codeInvalidParams = -32602
	codeNoMethod      = -32601
	codeServer        = -32000
)

// request, notification and answer are what is written. Keys are in the order
// of the fields, and of maps sorted, so that equal messages are equal bytes.
type request struct {
	Version string `json:"jsonrpc"`
	ID      string `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

const rpcVersion = "2.0"

// read takes one message apart. What is no message is malformed.
func read(data []byte) (message, *failure.Failure) {
	var m message
	if err := providers.DecodeJSON(data, &m); err != nil {
		return m, providers.Malformed("the answer is no JSON-RPC message: %s", providers.Excerpt(data))
	}
	if m.Version != rpcVersion {
		return m, providers.Malformed("the answer is no JSON-RPC 2.0 message, because its jsonrpc is %q: %s", m.Version, providers.Excerpt(data))
	}
	m.ID = withoutNull(m.ID)
	m.Result = withoutNull(m.Result)
	if m.Method == "" && m.Result == nil && m.Error == nil {
		return m, providers.Malformed("the answer is a JSON-RPC message without a method, a result and an error: %s", providers.Excerpt(data))
	}
	return m, nil
}

func withoutNull(raw json.RawMessage) json.RawMessage {
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	return raw
}

// answers reports whether a message answers a request, and not another one. An
// error without an id is about what was sent last.
func (m message) answers(rpc providers.RPC) *failure.Failure {
	var got string
	id := rpc.ID
	switch {
	case m.ID == nil && m.Error != nil:
		return nil
	case rpc.RawID != nil && bytes.Equal(m.ID, rpc.RawID):
		return nil
	case providers.DecodeJSON(m.ID, &got) == nil && got == id:
		return nil
	}
	return &failure.Failure{
		Kind:    failure.ProtocolError,
		Message: fmt.Sprintf("the answer is for the request %s, and %q was sent", shown(m.ID), id),
	}
}

func shown(id json.RawMessage) string {
	if id == nil {
		return "without an id"
	}
	return string(id[:min(len(id), 80)])
}
