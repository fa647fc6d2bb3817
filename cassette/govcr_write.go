package cassette

import (
	"errors"
	"io"
	"slices"

	vcr "github.com/dnaeon/go-vcr/v2/cassette"
	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
)

// WriteVCR1 writes what go-vcr v1 and v2 read. Interactions without an answer are
// left out.
func WriteVCR1(w io.Writer, c *Cassette) error {
	return writeVCR(w, c, func(items []vcr.Interaction, _ []*Interaction) any {
		return struct {
			Version      int               `yaml:"version"`
			Interactions []vcr.Interaction `yaml:"interactions"`
		}{1, items}
	})
}

// A fileV2 is what go-vcr v3 and v4 read.
type fileV2 struct {
	Version      int      `yaml:"version"`
	Interactions []itemV2 `yaml:"interactions"`
}

// WriteVCR2 writes what go-vcr v3 and v4 read. Interactions without an answer are
// left out.
func WriteVCR2(w io.Writer, c *Cassette) error {
	return writeVCR(w, c, func(items []vcr.Interaction, of []*Interaction) any {
		file := fileV2{Version: 2, Interactions: []itemV2{}}
		for i, it := range of {
			item := toV2(it, i)
			item.Request.Body, item.Response.Body = items[i].Request.Body, items[i].Response.Body
			file.Interactions = append(file.Interactions, item)
		}
		return file
	})
}

// writeVCR writes a file of go-vcr's format and reads its bodies back before it
// says so. file makes it of its items in version 1, each with the interaction that
// it is of.
func writeVCR(w io.Writer, c *Cassette, file func([]vcr.Interaction, []*Interaction) any) error {
	var of []*Interaction
	items := []vcr.Interaction{}
	for _, it := range c.Interactions {
		if it.Error == "" {
			of, items = append(of, it), append(items, toV1(it))
		}
	}
	data, err := yaml.Marshal(file(items, of))
	if err == nil && !hasBodies(data, items) {
		data, err = quotedBodies(items, func(bare []vcr.Interaction) any { return file(bare, of) })
		if err == nil && !hasBodies(data, items) {
			err = errors.New("it reads back differently; a request or an answer has text that YAML cannot hold")
		}
	}
	if err != nil {
		return err
	}
	_, err = w.Write(append([]byte("---\n"), data...))
	return err
}

// hasBodies reports whether a file is read back with the bodies of items.
func hasBodies(data []byte, items []vcr.Interaction) bool {
	var back struct {
		Interactions []struct {
			Request, Response struct{ Body string }
		}
	}
	if yaml.Unmarshal(data, &back) != nil || len(back.Interactions) != len(items) {
		return false
	}
	for i, it := range back.Interactions {
		if it.Request.Body != items[i].Request.Body || it.Response.Body != items[i].Response.Body {
			return false
		}
	}
	return true
}

// quotedBodies is a file with its bodies in the style of [quoted], without which
// it is made first.
func quotedBodies(items []vcr.Interaction, file func([]vcr.Interaction) any) ([]byte, error) {
	bare := slices.Clone(items)
	for i := range bare {
		bare[i].Request.Body, bare[i].Response.Body = "", ""
	}
	var doc yaml.Node
	if err := doc.Encode(file(bare)); err != nil {
		return nil, err
	}
	for i, it := range yamlnode.Lookup(&doc, "interactions").Content {
		quoteBody(yamlnode.Lookup(it, "request"), items[i].Request.Body)
		quoteBody(yamlnode.Lookup(it, "response"), items[i].Response.Body)
	}
	return yaml.Marshal(&doc)
}
