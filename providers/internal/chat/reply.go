package chat

import (
	"cmp"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// DefaultModel is the model of a reply where neither it nor the request names
// one.
const DefaultModel = "scenario"

// Filled gives the fields that a reply lacks their values, the same for equal
// replies: the model, an estimated usage, and for a stream of content without
// chunks one for each word. The finish reason is left to the adapter, and so is
// the id of an interface that has one.
func Filled(in providers.Input, out providers.Output) providers.Output {
	switch {
	case out.Chunks != nil:
		out.Content = strings.Join(out.Chunks, "")
	case in.Stream:
		out.Chunks = providers.SplitWords(out.Content)
	}
	out.Model = cmp.Or(out.Model, in.Model, DefaultModel)
	if !out.Usage.Set {
		out.Usage = providers.EstimateUsage(in, out)
	}
	return out
}

// Whole is a response in one piece.
func Whole(status int, media string, wait time.Duration, body any) wire.Response {
	return wire.Response{
		Status: status,
		Header: []wire.Field{{Name: "Content-Type", Value: media}},
		Wait:   wait,
		Parts:  []wire.Part{{Data: Encode(body)}},
	}
}

// Streamed is a response in parts.
func Streamed(media string, wait time.Duration, parts []wire.Part) wire.Response {
	return wire.Response{
		Status: 200,
		Header: []wire.Field{{Name: "Content-Type", Value: media}},
		Wait:   wait,
		Parts:  parts,
		Stream: true,
	}
}

// Deltas calls add for every delta of a reply's content, which adds one event
// with it. The reply's delay comes before every one but the first; a delta
// without text is none.
func Deltas(events *providers.Events, out providers.Output, add func(text string)) {
	begun := false
	for _, text := range out.Chunks {
		if text == "" {
			continue
		}
		add(text)
		if begun {
			events.Parts[len(events.Parts)-1].Wait = out.ChunkDelay
		}
		begun = true
	}
}

// Encode encodes an adapter's own objects, which hold nothing that JSON cannot
// say: null where one does.
func Encode(v any) []byte { return Append(nil, v) }

// Append appends what [Encode] returns.
func Append(dst []byte, v any) []byte {
	data, err := providers.AppendJSON(dst, v)
	if err != nil {
		return append(dst, "null"...)
	}
	return data
}
