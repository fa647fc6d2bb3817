package mcp

import (
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// clientName is how this client introduces itself.
const clientName = "scenario"

type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type hello struct {
	Version      string         `json:"protocolVersion"`
	Capabilities map[string]any `json:"capabilities"`
	Client       implementation `json:"clientInfo"`
}

// Hello asks for the revision that the input names. A client of this kind
// offers nothing to the server: no sampling, no roots, no elicitation.
func (Adapter) Hello(in providers.Input) providers.Input {
	version := in.Session.Version
	if version == "" {
		version = Versions()[0]
	}
	in = withMessage(in, providers.RPC{ID: in.RPC.ID, Method: methodHello, Params: hello{version, map[string]any{}, implementation{clientName, "1"}}})
	in.Session = providers.Session{Version: version}
	return in
}

// Ready ends the handshake.
func (Adapter) Ready(in providers.Input) providers.Input {
	return withMessage(in, providers.RPC{Method: methodReady})
}

// Cancel takes back the request of in.
func (Adapter) Cancel(in providers.Input) providers.Input {
	return withMessage(in, providers.RPC{Method: methodCancel, Params: map[string]any{"requestId": in.RPC.ID, "reason": "nobody waits for the answer any longer"}})
}

// Answer says to a ping that the client is there, and to any other request that
// it is not known: nothing else was offered.
func (Adapter) Answer(in providers.Input, to providers.Incoming) providers.Input {
	a := answer{Version: rpcVersion, ID: to.ID, Result: map[string]any{}}
	if to.Method != methodPing {
		a.Result, a.Error = nil, &rpcError{Code: codeNoMethod, Message: "Method not found: " + to.Method}
	}
	raw, err := providers.EncodeJSON(a)
	if err != nil { // an id that is no JSON cannot have been read
		raw = []byte("{}")
	}
	return withMessage(in, providers.RPC{Method: to.Method, Raw: raw})
}

// beside is an exchange of the same session that is not the call itself.
func withMessage(in providers.Input, rpc providers.RPC) providers.Input {
	in.RPC, in.Stream, in.OnMessage = rpc, false, nil
	return in
}

// sessionOf makes the id of a scripted session from that of the request that
// opens it.
func sessionOf(id string) string {
	_, n, _ := strings.Cut(id, "/")
	return "session-" + n
}
