package stdlib

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"gopkg.in/yaml.v3"
)

// maxYAMLNodes bounds a document with its aliases written out: ten lines of
// aliases of aliases can stand for more values than fit into any memory.
const maxYAMLNodes = 100_000

func yamlDecode(args []cty.Value) (cty.Value, error) {
	v, err := yamlValue(args[0].AsString())
	if err != nil {
		return cty.NilVal, function.NewArgError(0, err)
	}
	return v, nil
}

func yamlValue(text string) (cty.Value, error) {
	document, err := readYAML(text)
	switch {
	case errors.Is(err, io.EOF):
		return cty.NilVal, errors.New("the text has no value")
	case err != nil:
		return cty.NilVal, unreadYAML(text, err)
	case writtenOut(document, map[*yaml.Node]int{}) > maxYAMLNodes:
		return cty.NilVal, fmt.Errorf("stands for more than %d values with its aliases written out", maxYAMLNodes)
	}
	t := yamlTree{anchored: map[*yaml.Node]cty.Value{}}
	return t.value(document.Content[0])
}

// errSecond is a text that goes on after its document.
type errSecond struct{ line int }

func (e errSecond) Error() string {
	return fmt.Sprintf("in line %d of the text: a second document begins, and a text has one", e.line)
}

// readYAML reads a text of one document. What is wrong with it is what the library says,
// io.EOF where it has no document, and errSecond.
func readYAML(text string) (*yaml.Node, error) {
	reader := yaml.NewDecoder(strings.NewReader(text))
	var document, second yaml.Node
	if err := reader.Decode(&document); err != nil {
		return nil, err
	}
	switch err := reader.Decode(&second); {
	case err == nil:
		return nil, errSecond{second.Line}
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return &document, nil
}

// writtenOut counts the nodes of a document with every alias replaced by what
// it stands for, up to a little more than the limit. An alias inside its own
// anchor counts as one; yamlTree refuses it.
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

// A yamlTree makes values of the nodes of one document. A mistake names the line of the
// node and repeats nothing of the text, which may be a secret.
type yamlTree struct {
	// anchored has what aliases stand for, and the zero value while that is being read.
	anchored map[*yaml.Node]cty.Value
}

func mistake(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("in line %d of the text: %s", n.Line, fmt.Sprintf(format, args...))
}

func (t *yamlTree) value(n *yaml.Node) (v cty.Value, err error) {
	if n.Anchor != "" {
		t.anchored[n] = cty.NilVal
		defer func() { t.anchored[n] = v }()
	}
	switch n.Kind {
	case yaml.AliasNode:
		v, read := t.anchored[n.Alias]
		if !read || v == cty.NilVal {
			return cty.NilVal, mistake(n, "the alias stands inside its own definition")
		}
		return v, nil
	case yaml.SequenceNode:
		return t.sequence(n)
	case yaml.MappingNode:
		return t.mapping(n)
	}
	return yamlScalar(n)
}

func (t *yamlTree) sequence(n *yaml.Node) (cty.Value, error) {
	if n.Tag != "!!seq" {
		return cty.NilVal, mistake(n, "a sequence has a tag that is not !!seq, and no value stands for it")
	}
	values := make([]cty.Value, len(n.Content))
	for i, c := range n.Content {
		v, err := t.value(c)
		if err != nil {
			return cty.NilVal, err
		}
		values[i] = v
	}
	return cty.TupleVal(values), nil
}

func (t *yamlTree) mapping(n *yaml.Node) (cty.Value, error) {
	if n.Tag != "!!map" {
		return cty.NilVal, mistake(n, "a mapping has a tag that is not !!map, and no value stands for it")
	}
	values := make(map[string]cty.Value, len(n.Content)/2)
	var merged []cty.Value
	for i := 0; i < len(n.Content); i += 2 {
		k := n.Content[i]
		v, err := t.value(n.Content[i+1])
		if err != nil {
			return cty.NilVal, err
		}
		if k.Kind == yaml.ScalarNode && k.Tag == "!!merge" {
			objects, err := mergedInto(k, v)
			if err != nil {
				return cty.NilVal, err
			}
			merged = append(merged, objects...)
			continue
		}
		key, err := yamlKey(k)
		if err != nil {
			return cty.NilVal, err
		}
		values[key] = v
	}
	for _, object := range merged {
		for k, v := range object.AsValueMap() {
			if _, own := values[k]; !own {
				values[k] = v
			}
		}
	}
	return cty.ObjectVal(values), nil
}

// mergedInto are the mappings that a key << brings, those first that count more
// (yaml.org/type/merge.html).
func mergedInto(k *yaml.Node, v cty.Value) ([]cty.Value, error) {
	objects := []cty.Value{v}
	if v.Type().IsTupleType() {
		objects = v.AsValueSlice()
	}
	for _, object := range objects {
		if !object.Type().IsObjectType() {
			return nil, mistake(k, "only mappings and sequences of them are merged with <<")
		}
	}
	return objects, nil
}

// yamlKey is the text of a key: that of its value, so that 0x10 is "16".
func yamlKey(k *yaml.Node) (string, error) {
	if k.Kind != yaml.ScalarNode {
		return "", mistake(k, "a key is a text, and neither a mapping, a sequence nor an alias")
	}
	v, err := yamlScalar(k)
	if err != nil {
		return "", err
	}
	if v.IsNull() {
		return "", mistake(k, "a key is not null")
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", mistake(k, "a key is a text")
	}
	return text.AsString(), nil
}
