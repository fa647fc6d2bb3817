package cassette

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// Our own top-level and interaction keys.
const (
	keyOwn = "x-scenario"
	keyEnd = "x-scenario-end"
)

// refuseOthers names a file of another tool that is not read here.
func refuseOthers(root *yaml.Node) error {
	name := otherFormat(root)
	if name == "" {
		return nil
	}
	hint := "`scenario import` makes a cassette or scenarios of it"
	for _, f := range importers {
		if f.is(root) && f.name != importAgentLoom.name {
			return flaw(root.Line, hint, "this is %s, not a cassette", name)
		}
	}
	return flaw(root.Line, "read are files of go-vcr, vcrpy and AgentLoom; write its answers as `reply` entries, or as a file of go-vcr by hand", "this is %s, not a cassette", name)
}

// otherFormat recognises the formats of other tools; "" is any other file.
func otherFormat(root *yaml.Node) string {
	has := func(key string) bool { return lookup(root, key) != nil }
	switch {
	case has("interactions"):
		return ""
	case has("http_interactions"):
		return "a cassette of VCR for Ruby"
	case lookup(lookup(root, "log"), "entries") != nil:
		return "a HAR file"
	case has("fixtures"):
		return "a fixture file of aimock"
	case has("mappings"), has("request") && has("response"):
		return "a stub mapping of WireMock"
	case has("openapi"):
		return "an OpenAPI description"
	case has("resourceSpans"):
		return "an OTLP trace"
	case isAgentLoom(root):
		return "a response file of AgentLoom that is no JSON"
	}
	return ""
}

// isVCRPy tells vcrpy from go-vcr, which both write version 1.
func isVCRPy(item *yaml.Node) bool {
	status := child(child(item, "response"), "status")
	return child(child(item, "request"), "uri") != nil || child(status, "code") != nil
}

// isAgentLoom looks for an object of steps: its version, or a step's answer.
func isAgentLoom(root *yaml.Node) bool {
	if lookup(root, "_version") != nil {
		return true
	}
	for i := 1; i < len(root.Content); i += 2 {
		turn := root.Content[i]
		if item := firstItem(turn); item != nil {
			turn = item
		}
		if lookup(turn, "content") != nil || lookup(turn, "fault") != nil {
			return true
		}
	}
	return false
}

func firstItem(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil
	}
	return n.Content[0]
}

// isOwn reports whether any key of ours stands anywhere in the file, so that
// one of which a part is lost does not pass for a foreign one.
func isOwn(root *yaml.Node) bool {
	if key, _ := entry(root, keyOwn); key != nil {
		return true
	}
	if key, _ := entry(root, keyEnd); key != nil {
		return true
	}
	items := lookup(root, "interactions")
	if items == nil {
		return false
	}
	for _, item := range items.Content {
		if key, _ := entry(item, keyOwn); key != nil {
			return true
		}
	}
	return false
}

// looksOwn is isOwn for a file that YAML cannot read. At the first column the
// header can only be a key.
func looksOwn(data []byte) bool {
	return bytes.HasPrefix(data, []byte(keyOwn+":")) || bytes.Contains(data, []byte("\n"+keyOwn+":"))
}
