package cassette

import (
	"bytes"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/foreign"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// Our own top-level and interaction keys.
const (
	keyOwn = "x-scenario"
	keyEnd = "x-scenario-end"
)

// refuseOthers names a file of another tool that is not read here.
func refuseOthers(root *yaml.Node) error {
	name := foreign.OtherFormat(root)
	if name == "" {
		return nil
	}
	if foreign.IsImported(root) {
		return flaw.New(root.Line, "`scenario import` makes a cassette or scenarios of it", "this is %s, not a cassette", name)
	}
	return flaw.New(root.Line, "read are files of go-vcr, vcrpy and AgentLoom; write its answers as `reply` entries, or as a file of go-vcr by hand", "this is %s, not a cassette", name)
}

// isVCRPy tells vcrpy from go-vcr, which both write version 1.
func isVCRPy(item *yaml.Node) bool {
	status := yamlnode.Child(yamlnode.Child(item, "response"), "status")
	return yamlnode.Child(yamlnode.Child(item, "request"), "uri") != nil || yamlnode.Child(status, "code") != nil
}

// isOwn reports whether any key of ours stands anywhere in the file, so that
// one of which a part is lost does not pass for a foreign one.
func isOwn(root *yaml.Node) bool {
	if key, _ := yamlnode.Entry(root, keyOwn); key != nil {
		return true
	}
	if key, _ := yamlnode.Entry(root, keyEnd); key != nil {
		return true
	}
	items := yamlnode.Lookup(root, "interactions")
	if items == nil {
		return false
	}
	for _, item := range items.Content {
		if key, _ := yamlnode.Entry(item, keyOwn); key != nil {
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
