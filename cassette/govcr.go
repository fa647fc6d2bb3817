package cassette

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"github.com/scenario-lang/scenario/internal/edits"
	"gopkg.in/yaml.v3"
)

// parseForeign reads a file of go-vcr, version 1 or 2.
func parseForeign(root *yaml.Node, data []byte) (*Cassette, error) {
	l, err := foreignLayout(root)
	if err != nil {
		return nil, err
	}
	items, err := itemNodes(root)
	if err != nil {
		return nil, err
	}
	c := &Cassette{Format: l.format, Interactions: make([]*Interaction, 0, len(items))}
	c.warnKeys(root, "the file", "version", "interactions")
	for i, node := range items {
		emptyDuration(node)
		it, err := l.interaction(node, i+1)
		if err != nil {
			return nil, err
		}
		if isSidecarText(it.RequestBody) || isSidecarText(it.Response.Body()) {
			return nil, flaw.New(it.Line, flaw.Restore, "interaction %d: a body of it stands beside the file, and where is no longer known: go-vcr drops those keys when it writes", it.Index)
		}
		if text := httptext.CutFlaw(&it.Response); text != "" {
			return nil, flaw.New(it.Line, flaw.Restore, "interaction %d: %s", it.Index, text)
		}
		c.warnItem(l, node, it.Index)
		c.warnID(node, i)
		c.Interactions = append(c.Interactions, it)
	}
	if err := endFlaw(root, items, data); err != nil {
		return nil, err
	}
	c.warnEnd(data)
	return c, nil
}

func foreignLayout(root *yaml.Node) (*layout, error) {
	node := yamlnode.Lookup(root, "version")
	if node == nil {
		return nil, flaw.New(root.Line, flaw.Inspect, "the key \"version\" is missing; a cassette of go-vcr begins with it")
	}
	var version int
	if err := node.Decode(&version); err != nil {
		version = -1
	}
	switch version {
	case 1:
		return &layoutV1, nil
	case 2:
		return &layoutV2, nil
	}
	return nil, flaw.New(node.Line, "versions 1 and 2 of go-vcr are known", "version %s is unknown", strconv.Quote(node.Value))
}

// itemNodes returns the nodes of the interactions.
func itemNodes(root *yaml.Node) ([]*yaml.Node, error) {
	items := yamlnode.Lookup(root, "interactions")
	if err := mistypedKey(root, "interactions", "the file", []string{"version", keyOwn, keyEnd}); items == nil && err != nil {
		return nil, err
	}
	if items == nil {
		return nil, flaw.New(root.Line, flaw.Inspect, "the key \"interactions\" is missing")
	}
	if items.Kind != yaml.SequenceNode {
		return nil, flaw.New(items.Line, flaw.Inspect, "\"interactions\" must be a list; it is %s", yamlnode.KindName(items))
	}
	return items.Content, nil
}

// interaction reads one item after proving that nothing of it is missing.
func (l *layout) interaction(node *yaml.Node, index int) (*Interaction, error) {
	if err := l.check(node, index); err != nil {
		return nil, err
	}
	it, err := l.decode(node)
	if err != nil {
		e := flaw.New(yamlnode.ErrorLine(err), flaw.Inspect, "interaction %d: %s", index, yamlnode.ErrorText(err))
		e.Err = err
		return nil, e
	}
	it.Index, it.Line = index, node.Line
	if it.Response.Status < 100 || it.Response.Status > 999 {
		return nil, flaw.New(node.Line, flaw.Inspect, "interaction %d: %d is no status code", index, it.Response.Status)
	}
	return it, it.CheckWire()
}

// check proves that every key is there without which an interaction cannot be
// replayed: a file that was cut between two lines is valid YAML. What is written
// by hand may leave out the others; see [endFlaw] for where that shows a cut.
func (l *layout) check(node *yaml.Node, index int) error {
	where := fmt.Sprintf("interaction %d", index)
	if node.Kind != yaml.MappingNode {
		return flaw.New(node.Line, flaw.Inspect, "interaction %d is %s; the file seems cut", index, yamlnode.KindName(node))
	}
	for _, half := range []struct {
		name string
		keys []string
	}{{"request", l.request}, {"response", l.response}} {
		n := yamlnode.Lookup(node, half.name)
		if err := mistypedKey(node, half.name, where, l.item); n == nil && err != nil {
			return err
		}
		if yamlnode.IsNull(n) || n.Kind != yaml.MappingNode {
			return flaw.New(node.Line, flaw.Inspect, "interaction %d has no %s; the file seems cut", index, half.name)
		}
		for _, key := range half.keys {
			if yamlnode.Lookup(n, key) == nil {
				if err := mistypedKey(n, key, "the "+half.name+" of "+where, slices.Concat(l.optional, half.keys)); err != nil {
					return err
				}
			}
			if yamlnode.IsNull(yamlnode.Lookup(n, key)) {
				return flaw.New(n.Line, flaw.Inspect, "interaction %d: the %s has no %s; the file seems cut", index, half.name, key)
			}
		}
	}
	return nil
}

// mistypedKey is the flaw of a mapping that lacks a key because it has another one which
// was probably meant to be it, nil where it has none. known are the keys that it may have,
// and where says what it is.
func mistypedKey(n *yaml.Node, key, where string, known []string) error {
	for _, given := range yamlnode.UnknownKeys(yamlnode.Target(n), known) {
		if edits.Between(flaw.Shorten(given.Value), key) <= max(1, len(key)/3) {
			return flaw.New(given.Line, "rename the key to "+key, "%s has the unknown key %s, did you mean %s?", where, strconv.Quote(flaw.Shorten(given.Value)), strconv.Quote(key))
		}
	}
	return nil
}

// CheckWire refuses what cannot be put on a wire.
func (it *Interaction) CheckWire() error {
	text := ""
	switch {
	case it.Method == "":
		text = "the request has no method"
	case it.URL == "":
		text = "the request has no url"
	case it.Duration < 0:
		text = fmt.Sprintf("the duration %s is negative", it.Duration)
	default:
		text = httptext.HeaderFlaw(httptext.Header(it.Response.Header))
	}
	if text == "" {
		return nil
	}
	return flaw.New(it.Line, flaw.Inspect, "interaction %d: %s", it.Index, text)
}

func (c *Cassette) warn(format string, args ...any) {
	c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
}

// warnKeys reports the keys of a mapping that are read by nobody.
func (c *Cassette) warnKeys(n *yaml.Node, where string, known ...string) {
	c.Warnings = append(c.Warnings, yamlnode.KeyWarnings(n, where, known...)...)
}

func (c *Cassette) warnItem(l *layout, node *yaml.Node, index int) {
	where := fmt.Sprintf("interaction %d", index)
	c.warnKeys(node, where, l.item...)
	c.warnKeys(yamlnode.Lookup(node, "request"), "the request of "+where, slices.Concat(l.optional, l.request)...)
	c.warnKeys(yamlnode.Lookup(node, "response"), "the response of "+where, slices.Concat(l.optional, l.response)...)
}

// warnID reports a gap in the ids, which go-vcr counts from 0 in version 2.
func (c *Cassette) warnID(node *yaml.Node, i int) {
	if id := yamlnode.Lookup(node, "id"); id != nil && id.Value != strconv.Itoa(i) {
		c.warn("line %d: interaction %d has the id %s and not %d; others may have been removed before it", id.Line, i+1, strconv.Quote(flaw.Shorten(id.Value)), i)
	}
}
