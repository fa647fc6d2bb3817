package mcp

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

var _ providers.SessionServer = Adapter{}

// lists are the members of lists, by the methods that ask for them, with the
// methods that use what they list.
var lists = map[string]struct{ member, used string }{
	methodListTools: {"tools", methodCallTool}, "prompts/list": {"prompts", methodGetPrompt}, "resources/list": {"resources", methodReadResource},
	"resources/templates/list": {"resourceTemplates", ""},
}

// SessionReply answers the handshake, what comes before it, pings, notifications, answers to the server, and
// lists of what the scenario has.
func (a Adapter) SessionReply(in providers.Input, offers []providers.Offer) (providers.SessionReply, bool) {
	b := providers.SessionReply{What: in.RPC.Method, Field: "method", Word: in.RPC.Method}
	list, lists := lists[in.RPC.Method]
	switch {
	case in.Method == http.MethodGet: // no messages but those that answer
		b.Response, b.What = wire.Response{Status: http.StatusMethodNotAllowed, Header: []wire.Field{{Name: "Allow", Value: "POST, DELETE"}}}, in.Method
	case in.Method != "":
		b.Response, b.What = wire.Response{Status: http.StatusOK}, in.Method
	case in.RPC.Raw != nil:
		b.Response, b.What = a.Render(in, providers.Output{}), "answer"
	case strings.HasPrefix(in.RPC.Method, "notifications/"), in.RPC.ID == "":
		b.Response = wire.Response{Status: http.StatusAccepted}
	case in.RPC.Method == methodHello:
		in.Stream = false
		b.Response = a.Render(in, providers.Output{})
	case in.RPC.Method == methodDiscover: // its client goes on with the handshake
		in.Stream = false
		b.Response = a.RenderTyped(in, "", "Method not found: "+methodDiscover, strconv.Itoa(codeNoMethod))
	case in.RPC.Method == methodPing, in.RPC.Method == "logging/setLevel":
		in.Stream = false
		b.Response = a.Render(in, providers.Output{Result: []byte("{}")})
	case lists:
		in.Stream = false
		b.Response = a.Render(in, providers.Output{Result: listing(list.member, list.used, offers)})
	default:
		return b, false
	}
	return b, true
}

// listing is the result of a list of what a method uses.
func listing(member, used string, offers []providers.Offer) []byte {
	items := []any{}
	for _, o := range offers {
		switch {
		case o.Method != used:
		case used == methodCallTool:
			items = append(items, map[string]any{"name": o.Name, "inputSchema": map[string]any{"type": "object"}})
		case used == methodReadResource:
			items = append(items, map[string]any{"name": o.Name, "uri": o.Name})
		default:
			items = append(items, map[string]any{"name": o.Name})
		}
	}
	data, err := providers.EncodeJSON(map[string]any{member: items})
	if err != nil { // of strings
		data = []byte("{}")
	}
	return data
}

// Gate implements providers.SessionServer.
func (a Adapter) Gate(in providers.Input, message string) wire.Response {
	in.Stream = false
	if in.RPC.ID == "" && in.RPC.RawID == nil {
		return a.unaddressed(in, message)
	}
	return a.RenderTyped(in, "", "scenario: "+message, "")
}

// unaddressed is an error that answers no request.
func (Adapter) unaddressed(in providers.Input, message string) wire.Response {
	data, err := providers.EncodeJSON(answer{Version: rpcVersion, Error: &rpcError{Code: codeInternal, Message: "scenario: " + message}})
	if err != nil {
		data = []byte("{}")
	}
	return framed(in, nil, providers.Output{}, []wire.Part{{Kind: wire.PartDone, Data: data}})
}
