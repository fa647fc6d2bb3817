package providers

import (
	"bytes"
	"encoding/json"
	"sync"
)

// EncodeJSON encodes v with fields in the order of their struct and keys of
// maps sorted, without escaping for HTML and without a final line feed, so that
// equal values give equal bytes.
func EncodeJSON(v any) ([]byte, error) { return AppendJSON(nil, v) }

// AppendJSON appends what [EncodeJSON] returns; after an error it returns dst.
func AppendJSON(dst []byte, v any) ([]byte, error) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.written.Reset()
	if err := e.json.Encode(v); err != nil {
		return dst, err
	}
	return append(dst, bytes.TrimSuffix(e.written.Bytes(), []byte("\n"))...), nil
}

// An encoder is a buffer with the encoder that writes to it, made once for
// many values. None leaves AppendJSON.
type encoder struct {
	written bytes.Buffer
	json    *json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.written)
	e.json.SetEscapeHTML(false)
	return e
}}
