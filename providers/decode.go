package providers

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"unicode/utf8"
)

// DecodeJSON is [json.Unmarshal] for texts that come by the dozen, such as the
// events of a stream: it does not set up a decoder for each. After an error v
// may hold what stands before it.
func DecodeJSON(data []byte, v any) error {
	if len(data) == 0 || len(data) > decodedMax {
		return json.Unmarshal(data, v)
	}
	d := decoders.Get().(*decoder)
	d.source.Reset(data)
	start := d.json.InputOffset()
	err := d.json.Decode(v)
	if d.json.InputOffset()-start == int64(len(data)) {
		decoders.Put(d) // it holds nothing any more
		return err
	}
	// The text is no JSON, or goes on behind its value: at best in white space.
	if !json.Valid(data) {
		return json.Unmarshal(data, new(any))
	}
	return err
}

// decodedMax bounds the memory that a decoder keeps.
const decodedMax = 64 << 10

// A decoder decodes what its source is set to. None leaves DecodeJSON.
type decoder struct {
	source bytes.Reader
	json   *json.Decoder
}

var decoders = sync.Pool{New: func() any {
	d := &decoder{}
	d.json = json.NewDecoder(&d.source)
	return d
}}

var errNotObject = errors.New("it is no JSON object")

// DecodeObject accepts one JSON object and nothing else: null in particular
// would otherwise leave v as it is.
func DecodeObject(data []byte, v any) error {
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] != '{' {
		if !json.Valid(data) {
			return json.Unmarshal(data, new(any))
		}
		return errNotObject
	}
	return DecodeJSON(data, v)
}

// PlainString is the text of a JSON string that stands for itself, as most do:
// one without escapes. data is known to be JSON.
func PlainString(data []byte) (text string, ok bool) {
	if len(data) < 2 || data[0] != '"' || bytes.IndexByte(data, '\\') >= 0 || !utf8.Valid(data) {
		return "", false
	}
	return string(data[1 : len(data)-1]), true
}
