package providers

import (
	"bytes"
	"encoding/json"
)

// EncodeJSON encodes v with fields in the order of their struct and keys of
// maps sorted, without escaping for HTML and without a final line feed, so that
// equal values give equal bytes.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
