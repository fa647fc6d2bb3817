package secrets

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// documentsMost is how many documents of a file of YAML are read.
const documentsMost = 50

// deepest is how deep such a document is looked into.
const deepest = 200

// documents adds what stands under the names of credentials in YAML, however it is written there: "? api_key", a tag, a
// block, a list. What is no YAML adds nothing.
func documents(text string, add func(secret string)) {
	defer func() { _ = recover() }() // the library panics for some input
	read := yaml.NewDecoder(strings.NewReader(text))
	for range documentsMost {
		var root yaml.Node
		if read.Decode(&root) != nil {
			return
		}
		node(&root, "", 0, add)
	}
}

// node adds what a node holds that stands under a name, "" for none. An object has names of its own.
func node(n *yaml.Node, name string, depth int, add func(secret string)) {
	if depth > deepest {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			node(n.Content[i+1], n.Content[i].Value, depth+1, add)
		}
	case yaml.SequenceNode, yaml.DocumentNode:
		for _, item := range n.Content {
			node(item, name, depth+1, add)
		}
	case yaml.ScalarNode:
		if tells(name) {
			s := scan{name: name, add: add}
			s.take(n.Value)
			if len(n.Value) >= shortestWord && redact.IsSecretName(name) && isBare(n.Value) && !strings.Contains(n.Value, "://") {
				add(n.Value)
			}
		}
	}
}

// lines adds what lines of settings have without a sign, "db.password VALUE", and what goes on in the lines below one
// that ends with a backslash.
func lines(text string, add func(secret string)) {
	name, value := "", ""
	var pieces []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name == "" {
			if fields := strings.Fields(line); len(fields) == 2 && !strings.HasSuffix(fields[1], `\`) && !strings.ContainsAny(fields[0], ":=\"'") && looksSecret(fields[1]) && under(fields[0], fields[1]) {
				add(fields[1])
			}
			at := strings.IndexAny(line, ":=")
			if at <= 0 || !strings.HasSuffix(line, `\`) || !tells(strings.TrimSpace(line[:at])) {
				continue
			}
			name, line = strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+1:])
		}
		piece, more := strings.CutSuffix(line, `\`)
		value, pieces = value+piece, append(pieces, piece)
		if more && len(pieces) < 100 {
			continue
		}
		for _, p := range append(pieces, value) {
			if looksSecret(p) && under(name, p) {
				add(p)
			}
		}
		name, value, pieces = "", "", nil
	}
}
