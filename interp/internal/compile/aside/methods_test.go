package aside

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/mcp"
)

// Shows that the methods of MCP that are no attempts are those which its server answers beside
// calls, and that each of the others that clients send is a call.
func TestMethodsAreThoseOfTheServer(t *testing.T) {
	for _, method := range mcp.Methods() {
		_, beside := mcp.Adapter{}.SessionReply(providers.Input{RPC: providers.RPC{Method: method, ID: "1"}}, nil)
		if slices.Contains(sessions, method) && !beside || slices.Contains(calls, method) && beside {
			t.Errorf("%s: answered beside calls: %t", method, beside)
		}
		if !slices.Contains(slices.Concat(sessions, calls, fromServers), method) {
			t.Errorf("%s is of neither kind", method)
		}
	}
}

// fromServers are the methods that servers send.
var fromServers = []string{
	"sampling/createMessage", "elicitation/create", "roots/list", "notifications/message", "notifications/resources/updated",
	"notifications/resources/list_changed", "notifications/tools/list_changed", "notifications/prompts/list_changed",
}
