package cassette

import (
	"bytes"
	"encoding/json"
)

// AnswerTo makes the answer one to the request with that body: in JSON-RPC an
// answer names its request, and the one that is played may be called otherwise
// than the one that was recorded. Anything else stays as it is.
func (it *Interaction) AnswerTo(body []byte) {
	recorded, actual := rpcID(it.RequestBody), rpcID(body)
	if recorded == nil || actual == nil || bytes.Equal(recorded, actual) {
		return
	}
	before := len(it.Response.Body())
	for i, p := range it.Response.Parts {
		for _, name := range []string{`"id":`, `"progressToken":`} {
			for _, space := range []string{"", " "} {
				p.Data = replaceValue(p.Data, name+space, recorded, actual)
			}
		}
		it.Response.Parts[i].Data = p.Data
	}
	if it.Response.Length != 0 {
		it.Response.Length += len(it.Response.Body()) - before
	}
}

// rpcID is the id of a request as it is written, nil where there is none.
func rpcID(body []byte) []byte {
	if !bytes.Contains(body, []byte(`"jsonrpc"`)) {
		return nil
	}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &m) != nil || m.Version != "2.0" || bytes.Equal(m.ID, []byte("null")) {
		return nil
	}
	return m.ID
}

// replaceValue replaces the value behind a name where it is the whole value.
func replaceValue(data []byte, name string, from, to []byte) []byte {
	old := append([]byte(name), from...)
	var out []byte
	for {
		i := bytes.Index(data, old)
		if i < 0 {
			return append(out, data...)
		}
		end := i + len(old)
		out = append(out, data[:i+len(name)]...)
		if end == len(data) || bytes.IndexByte([]byte(",} \r\n\t"), data[end]) >= 0 {
			out = append(out, to...)
		} else {
			out = append(out, from...)
		}
		data = data[end:]
	}
}
