package mcp

import "github.com/scenario-lang/scenario/providers"

// The methods that are spoken.
const (
	methodHello    = "initialize"
	methodReady    = "notifications/initialized"
	methodCancel   = "notifications/cancelled"
	methodProgress = "notifications/progress"
	methodPing     = "ping"
	// methodDiscover begins a session without a handshake, in revisions later than
	// those that are spoken.
	methodDiscover = "server/discover"

	methodCallTool     = "tools/call"
	methodReadResource = "resources/read"
	methodGetPrompt    = "prompts/get"
	methodListTools    = "tools/list"
)

// CallTool is the message that calls a tool. Arguments are an object, or nil
// for none.
func CallTool(name string, arguments any) providers.RPC {
	if arguments == nil {
		arguments = map[string]any{}
	}
	return providers.RPC{Method: methodCallTool, Params: map[string]any{"name": name, "arguments": arguments}}
}

// ReadResource is the message that reads a resource.
func ReadResource(uri string) providers.RPC {
	return providers.RPC{Method: methodReadResource, Params: map[string]any{"uri": uri}}
}

// GetPrompt is the message that fetches a prompt. Arguments are an object of
// strings, or nil for none.
func GetPrompt(name string, arguments any) providers.RPC {
	params := map[string]any{"name": name}
	if arguments != nil {
		params["arguments"] = arguments
	}
	return providers.RPC{Method: methodGetPrompt, Params: params}
}

// ListTools is the message that asks what tools there are; of a long list the
// page at the cursor.
func ListTools(cursor string) providers.RPC {
	rpc := providers.RPC{Method: methodListTools}
	if cursor != "" {
		rpc.Params = map[string]any{"cursor": cursor}
	}
	return rpc
}

// Repeatable reports whether a message may be sent twice: everything but the
// call of a tool, which may have had an effect.
func Repeatable(method string) bool { return method != methodCallTool }

// Versions are the revisions of the protocol that are spoken, the newest first.
func Versions() []string { return []string{"2025-11-25", "2025-06-18", "2025-03-26"} }

// versionHeaders is the first revision whose requests name it in a header.
const versionHeaders = "2025-06-18"

// Methods lists the methods of the protocol, those that no step uses included.
func Methods() []string {
	return []string{
		methodHello, methodDiscover, methodPing, methodCallTool, methodListTools, methodGetPrompt, "prompts/list", "resources/list", "resources/templates/list", "resources/read",
		"resources/subscribe", "resources/unsubscribe", "completion/complete", "logging/setLevel", "sampling/createMessage", "elicitation/create", "roots/list",
		methodReady, methodCancel, methodProgress, "notifications/message", "notifications/resources/updated", "notifications/resources/list_changed",
		"notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/roots/list_changed",
	}
}

// Families are what the names of the protocol's own methods begin with, but for
// notifications, to which a server may add some.
func Families() []string {
	return []string{"prompts", "resources", "tools", "completion", "logging", "sampling", "elicitation", "roots"}
}
