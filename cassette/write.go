package cassette

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/instant"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/wire"
	"gopkg.in/yaml.v3"
)

// Write writes the cassette in our format, whatever its own was. A plain
// go-vcr v2 recorder replays the result. It writes what it is given: redaction
// is the recorder's work.
// All bodies stand in it, the large ones too.
func Write(w io.Writer, c *Cassette) error { return writeWith(w, c, nil) }

// writeWith is Write with a folder for the bodies that stand beside the file.
func writeWith(w io.Writer, c *Cassette, bodies *bodyFolder) error {
	s := summed{w: w, sum: sha256.New()}
	if err := writeHead(&s, c); err != nil {
		return err
	}
	for i, it := range c.Interactions {
		data, err := encodeItem(it, bodies)
		if err != nil {
			return fmt.Errorf("cassette: interaction %d: %w", i+1, err)
		}
		if _, err := s.Write(data); err != nil {
			return err
		}
	}
	return writeEnd(w, len(c.Interactions), hex.EncodeToString(s.sum.Sum(nil)))
}

// summed passes bytes on and sums them.
type summed struct {
	w   io.Writer
	sum hash.Hash
}

func (s *summed) Write(p []byte) (int, error) {
	s.sum.Write(p)
	return s.w.Write(p)
}

// writeHead writes everything before the first interaction. Interactions stand
// at the first column, so that a file grows by appending one.
func writeHead(w io.Writer, c *Cassette) error {
	head := struct {
		Version int       `yaml:"version"`
		Own     ownHeader `yaml:"x-scenario,flow"`
	}{1, ownHeader{Format: formatOwn, Provider: c.Provider, RecordedAt: c.RecordedAt}}
	data, err := yaml.Marshal(head)
	if err != nil {
		return fmt.Errorf("cassette: %w", err)
	}
	list := "interactions:\n"
	if len(c.Interactions) == 0 {
		list = "interactions: []\n"
	}
	_, err = io.WriteString(w, "---\n"+string(data)+list)
	return err
}

func writeEnd(w io.Writer, count int, sum string) error {
	data, err := yaml.Marshal(struct {
		End ownEnd `yaml:"x-scenario-end,flow"`
	}{ownEnd{Count: count, SHA256: sum}})
	if err != nil {
		return fmt.Errorf("cassette: %w", err)
	}
	_, err = w.Write(data)
	return err
}

// encodeItem returns one interaction as an item of a list at the first column.
// What it returns was read back and is equal: the YAML library's choice of
// style is not trusted with recorded bytes.
func encodeItem(it *Interaction, bodies *bodyFolder) ([]byte, error) {
	item, err := ownItem(it, bodies)
	if err != nil {
		return nil, err
	}
	data, err := yaml.Marshal([]itemV1{item})
	if err != nil || readsBack(data, item.Own.SHA256) {
		return data, err
	}
	data, err = quoted(item)
	if err != nil || readsBack(data, item.Own.SHA256) {
		return data, err
	}
	return nil, errors.New("it reads back differently; its request or answer has text that YAML cannot hold")
}

func readsBack(data []byte, sum string) bool {
	var back []itemV1
	return yaml.Unmarshal(data, &back) == nil && len(back) == 1 && back[0].Own != nil && back[0].sum() == sum
}

// quoted encodes an item with its bodies in the one style that keeps all white
// space, which is harder to read. The library's own choice loses some: a body
// that is a single line break becomes empty.
func quoted(item itemV1) ([]byte, error) {
	request, response := item.Request.Body, item.Response.Body
	item.Request.Body, item.Response.Body = "", ""
	var list yaml.Node
	if err := list.Encode([]itemV1{item}); err != nil {
		return nil, err
	}
	quoteBody(yamlnode.Lookup(list.Content[0], "request"), request)
	quoteBody(yamlnode.Lookup(list.Content[0], "response"), response)
	return yaml.Marshal(&list)
}

// quoteBody sets the body of a request or response; one that is no UTF-8
// becomes base64 by the library.
func quoteBody(n *yaml.Node, body string) {
	b := yamlnode.Lookup(n, "body")
	b.SetString(body)
	if b.Tag == "!!str" {
		b.Style = yaml.DoubleQuotedStyle
	}
}

// ownItem refuses what our reader would refuse.
func ownItem(it *Interaction, bodies *bodyFolder) (itemV1, error) {
	item := itemV1{Interaction: toV1(it), Own: &itemKeys{
		Scenario: it.Scenario, Step: it.Step, Target: it.Target, Lane: it.Lane,
		Attempt: it.Attempt, Round: it.Round,
		Key:      match.Match{Profile: match.Strict}.Key(it.Request()),
		Protocol: it.Protocol, Error: it.Error, Text: it.ErrorText, Type: it.ErrorType, Chunks: it.Chunks,
	}}
	if speaksOfInstants(it.Response.Header) {
		item.Own.At = it.RecordedAt
	}
	if it.Error == "" {
		item.Own.End = wordOf(it.Response.End)
		item.Own.Trailers = httptext.Header(it.Response.Trailer)
	}
	if text := item.flaw(); text != "" {
		return item, errors.New(text)
	}
	if err := it.CheckWire(); err != nil {
		return item, err
	}
	if err := item.storeBodies(bodies); err != nil {
		return item, err
	}
	item.Own.SHA256 = item.sum()
	return item, nil
}

// speaksOfInstants reports whether a field of an answer says an instant, so that
// it matters when the exchange was.
func speaksOfInstants(fields []wire.Field) bool {
	return slices.ContainsFunc(fields, func(f wire.Field) bool {
		_, ok := instant.Shift(f.Value, 0)
		return ok && instant.In(f.Name)
	})
}
