package providers

import "encoding/json"

// An RPC is one message to a provider that speaks JSON-RPC.
type RPC struct {
	// ID names a request in its session. A message without one is a
	// notification, which is not answered.
	ID string
	// RawID, where not nil, is the id as another client wrote it, which need not
	// be a text: answers to it carry it.
	RawID  json.RawMessage
	Method string
	// Params are encoded as JSON; nil for none.
	Params any
	// Raw, where not nil, is the whole message: an answer to a request of the
	// server.
	Raw []byte
}

// Subject is the tool, prompt or resource that a call is about, "" for others.
func (r RPC) Subject() string {
	params, _ := r.Params.(map[string]any)
	for _, key := range []string{"name", "uri"} {
		if name, ok := params[key].(string); ok {
			return name
		}
	}
	return ""
}

// A Session is what a handshake agreed upon. Before it Version is the one that
// the client will ask for, and the rest is empty.
type Session struct {
	ID, Version, Server string
}

// A Progress is one report of a call that is under way. Total is 0 where the
// server does not know it.
type Progress struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"`
	Message  string  `json:"message,omitempty"`
}

// An Incoming is a message that came before the answer: a notification, or with
// an ID a request of the server.
type Incoming struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
}

// A Sessioner is an adapter whose provider serves calls inside a session. Every
// message is an exchange of its own, which the same Request, Render and Parse
// serve; these methods say what to send.
type Sessioner interface {
	Adapter
	// Hello and Ready are the two messages that open a session. What is read of
	// the answer to the first has the session in its output; the second is sent
	// in that session and not answered.
	Hello(in Input) Input
	Ready(in Input) Input
	// Answer is what is sent back to a request of the server.
	Answer(in Input, to Incoming) Input
	// Cancel tells the server that nobody waits any longer for the answer to in.
	Cancel(in Input) Input
}
