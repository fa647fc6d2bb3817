package ollama

import "github.com/scenario-lang/scenario/providers"

// BaseURL is used where an input gives none: a server on the same machine.
const BaseURL = "http://127.0.0.1:11434"

// Adapter is the adapter of POST /api/chat. The zero value is ready.
//
// The finish reason is the server's done_reason: "stop", also where tools are
// called, or "length". It counts the tokens of prompt and answer alone, so
// usage has neither cached nor reasoning tokens.
type Adapter struct{}

var (
	_ providers.Adapter       = Adapter{}
	_ providers.Labeler       = Adapter{}
	_ providers.StreamErrorer = Adapter{}
	_ providers.Reader        = Adapter{}
)
