package cohere

import "github.com/scenario-lang/scenario/providers"

// BaseURL is used where an input gives none.
const BaseURL = "https://api.cohere.com"

// Adapter is the adapter of POST /v2/chat. The zero value is ready.
//
// The finish reason is the vendor's, such as COMPLETE, MAX_TOKENS or TOOL_CALL. What
// a model plans before it calls tools counts as content. Answers do not name their
// model.
type Adapter struct{}

var (
	_ providers.Adapter       = Adapter{}
	_ providers.Labeler       = Adapter{}
	_ providers.StreamErrorer = Adapter{}
	_ providers.Reader        = Adapter{}
)
