package spelling

import (
	"fmt"
	"slices"
	"strings"
)

// typeNames are words that other languages declare types with.
var typeNames = strings.Fields("string number bool any list map object int float boolean")

// IsType reports whether a name is one with which other languages declare a type.
func IsType(name string) bool { return slices.Contains(typeNames, name) }

// literals are words for values that other languages write otherwise.
var literals = map[string]string{
	"nil": "null", "none": "null", "null": "null", "undefined": "null",
	"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false",
}

// LiteralFor says how a value is written that another language calls by a name, "" for a
// name that is none of those. A bare none may be meant as Python's None or as the word.
func LiteralFor(name string) string {
	if name == "none" {
		return ` A string is written in quotes: "none". For no value leave the attribute out, or write null.`
	}
	if literal := literals[strings.ToLower(name)]; literal != "" {
		return fmt.Sprintf(" Did you mean %s?", literal)
	}
	return ""
}
