package stdlib

import (
	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"gopkg.in/yaml.v3"
)

// maxYAMLNodes bounds a document with its aliases written out: ten lines of
// aliases of aliases can stand for more values than fit into any memory.
const maxYAMLNodes = 100_000

func yamlDecode(args []cty.Value) (cty.Value, error) {
	source := []byte(args[0].AsString())
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		return cty.NilVal, function.NewArgError(0, unreadYAML(string(source), err))
	}
	if writtenOut(&document, map[*yaml.Node]int{}) > maxYAMLNodes {
		return cty.NilVal, function.NewArgErrorf(0, "stands for more than %d values with its aliases written out", maxYAMLNodes)
	}
	v, err := ctyyaml.Standard.Unmarshal(source, cty.DynamicPseudoType)
	if err != nil {
		return cty.NilVal, function.NewArgError(0, err)
	}
	return v, nil
}

// writtenOut counts the nodes of a document with every alias replaced by what
// it stands for, up to a little more than the limit. An alias inside its own
// anchor counts as one; the decoder refuses it.
func writtenOut(n *yaml.Node, sizes map[*yaml.Node]int) int {
	if n == nil {
		return 0
	}
	if size, ok := sizes[n]; ok {
		return size
	}
	sizes[n] = 1
	size := 1 + writtenOut(n.Alias, sizes)
	for _, c := range n.Content {
		size = min(size+writtenOut(c, sizes), maxYAMLNodes+1)
	}
	sizes[n] = size
	return size
}
