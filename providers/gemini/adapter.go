package gemini

import "github.com/scenario-lang/scenario/providers"

// BaseURL is used where an input gives none.
const BaseURL = "https://generativelanguage.googleapis.com/v1beta"

// Adapter is the adapter of generateContent. The zero value is ready.
type Adapter struct{}

var (
	_ providers.Adapter = Adapter{}
	_ providers.Labeler = Adapter{}
	_ providers.Reader  = Adapter{}
)
