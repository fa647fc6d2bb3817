package openai

import "github.com/scenario-lang/scenario/providers"

// BaseURL is used where an input gives none.
const BaseURL = "https://api.openai.com/v1"

// Adapter is the adapter of Chat Completions. The zero value is ready.
type Adapter struct{}

var (
	_ providers.Adapter = Adapter{}
	_ providers.Reader  = Adapter{}
)
