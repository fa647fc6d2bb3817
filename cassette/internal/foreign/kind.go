package foreign

import (
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// OtherFormat recognises the formats of other tools; "" is any other file.
func OtherFormat(root *yaml.Node) string {
	has := func(key string) bool { return yamlnode.Lookup(root, key) != nil }
	switch {
	case has("interactions"):
		return ""
	case has("http_interactions"):
		return "a cassette of VCR for Ruby"
	case IsHAR(root):
		return "a HAR file"
	case IsAIMock(root):
		return "a fixture file of aimock"
	case IsWireMock(root):
		return "a stub mapping of WireMock"
	case has("openapi"):
		return "an OpenAPI description"
	case has("resourceSpans"):
		return "an OTLP trace"
	case IsAgentLoom(root):
		return "a response file of AgentLoom that is no JSON"
	}
	return ""
}

// IsImported reports whether `scenario import` reads a file.
func IsImported(root *yaml.Node) bool {
	return IsHAR(root) || IsAIMock(root) || IsWireMock(root) || yamlnode.Lookup(root, "resourceSpans") != nil
}

// IsHAR recognises an HTTP archive.
func IsHAR(root *yaml.Node) bool {
	return yamlnode.Lookup(yamlnode.Lookup(root, "log"), "entries") != nil
}

// IsAIMock recognises a fixture file of aimock.
func IsAIMock(root *yaml.Node) bool { return yamlnode.Lookup(root, "fixtures") != nil }

// IsWireMock recognises the stub mappings of WireMock: a list, or one alone.
func IsWireMock(root *yaml.Node) bool {
	return yamlnode.Lookup(root, "mappings") != nil || yamlnode.Lookup(root, "request") != nil && yamlnode.Lookup(root, "response") != nil
}

// IsAgentLoom looks for an object of steps: its version, or a step's answer.
func IsAgentLoom(root *yaml.Node) bool {
	if yamlnode.Lookup(root, "_version") != nil {
		return true
	}
	for i := 1; i < len(root.Content); i += 2 {
		turn := root.Content[i]
		if item := yamlnode.FirstItem(turn); item != nil {
			turn = item
		}
		if yamlnode.Lookup(turn, "content") != nil || yamlnode.Lookup(turn, "fault") != nil {
			return true
		}
	}
	return false
}
