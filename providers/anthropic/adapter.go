package anthropic

import "github.com/scenario-lang/scenario/providers"

// BaseURL is used where an input gives none.
const BaseURL = "https://api.anthropic.com"

// Adapter is the adapter of the Messages API. The zero value is ready.
type Adapter struct{}

var (
	_ providers.Adapter       = Adapter{}
	_ providers.Labeler       = Adapter{}
	_ providers.StreamErrorer = Adapter{}
	_ providers.Reader        = Adapter{}
)
