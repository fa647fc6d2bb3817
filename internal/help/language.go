package help

import _ "embed"

//go:embed language.txt
var languagePage string

// Language is all of the language on one page, which docs/agents.md has too.
func Language() string { return languagePage }
