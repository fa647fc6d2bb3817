package recording

import (
	"fmt"

	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/dsl"
)

// valuesMax bounds the blocks, attributes and values of a draft: laying out a file
// takes some hundred times the memory of its bytes.
const valuesMax = 100_000

// TooLarge says why blocks become no scenario file, "" where they do: [Draft] would take
// long, and nobody could read what it makes. Of the blocks nothing is computed but
// their sizes.
func TooLarge(blocks []*convert.Block) string {
	var s size
	s.blocks(blocks, 1)
	switch {
	case s.bytes > dsl.MaxFileSize:
		return fmt.Sprintf("the scenario file would be larger than %d MiB", dsl.MaxFileSize>>20)
	case s.values > valuesMax:
		return "the scenario file would have more than 100,000 values"
	case s.deepest > dsl.MaxNesting:
		return fmt.Sprintf("the scenario file would have values that are nested more than %d levels deep", dsl.MaxNesting)
	}
	return ""
}

// A size is what blocks come to at least.
type size struct{ bytes, values, deepest int }

// full reports whether it is too much already, so that the rest does not matter.
func (s *size) full() bool {
	return s.bytes > dsl.MaxFileSize || s.values > valuesMax || s.deepest > dsl.MaxNesting
}

func (s *size) blocks(list []*convert.Block, depth int) {
	for _, b := range list {
		s.values++
		s.bytes += len(b.Type)
		for _, text := range b.Labels {
			s.bytes += len(text)
		}
		for _, text := range b.Notes {
			s.bytes += len(text)
		}
		s.attrs(b.Attrs, depth)
		s.blocks(b.Blocks, depth+1)
	}
}

func (s *size) attrs(list []convert.Attr, depth int) {
	for _, a := range list {
		s.bytes += len(a.Name)
		s.value(a.Value, depth)
	}
}

func (s *size) value(v any, depth int) {
	s.values++
	s.deepest = max(s.deepest, depth)
	if s.full() {
		return
	}
	switch v := v.(type) {
	case string:
		s.bytes += len(v)
	case convert.Expr:
		s.bytes += len(v)
	case []any:
		for _, item := range v {
			s.value(item, depth+1)
		}
	case []convert.Attr:
		s.attrs(v, depth+1)
	}
}
