package mutate

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// An edit is one change of a text. It leaves all lines where they are, but for those
// that it adds.
type edit struct {
	// what says what is changed, such as "max_retries 3 → 4", and rng is its place.
	what string
	rng  hcl.Range
	// keeps is the attribute that is changed, "" for a whole block.
	keeps string
	text  []byte
	// part says that it changes a part of a call that is left out as a whole, too.
	part bool
	// places are the calls that it leaves out, of one that leaves out several.
	places []hcl.Range
}

// blanked is a text without what stands in a range: spaces are in its place.
func blanked(src []byte, rng hcl.Range) []byte {
	out := bytes.Clone(src)
	for i := rng.Start.Byte; i < rng.End.Byte; i++ {
		if out[i] != '\n' && out[i] != '\r' {
			out[i] = ' '
		}
	}
	return out
}

// replaced is a text with another one in the place of a range. What was longer
// leaves spaces and line breaks behind.
func replaced(src []byte, rng hcl.Range, with string) []byte {
	old := src[rng.Start.Byte:rng.End.Byte]
	if rest := len(old) - len(with); rest > 0 && !bytes.ContainsRune(old, '\n') {
		with += strings.Repeat(" ", rest)
	}
	with += strings.Repeat("\n", max(0, bytes.Count(old, []byte("\n"))-strings.Count(with, "\n")))
	return spliced(src, rng.Start.Byte, rng.End.Byte, with)
}

func spliced(src []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(src)+len(with))
	out = append(out, src[:from]...)
	out = append(out, with...)
	return append(out, src[to:]...)
}

// inserted is a text with attributes more in a block, on lines of their own.
func inserted(src []byte, b *dsl.Block, attributes string) []byte {
	opening := b.DefRange.End.Byte
	opening += bytes.IndexByte(src[opening:], '{') + 1
	closing := b.End.Start.Byte
	if bytes.IndexByte(src[opening:closing], '\n') >= 0 {
		return spliced(src, opening, opening, "\n"+attributes)
	}
	// A replacement in the block may have moved its end.
	closing = opening + bytes.IndexByte(src[opening:], '\n')
	closing = opening + bytes.LastIndexByte(src[opening:closing], '}')
	return spliced(src, opening, closing, "\n"+attributes+"\n"+string(src[opening:closing])+"\n")
}
