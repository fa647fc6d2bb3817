package python

import (
	"bytes"
	"encoding/json"
	"testing"

	"gopkg.in/yaml.v3"
)

// What any value becomes as Python's json.dumps writes it is JSON, but for
// the three words for numbers that Python has and JSON has not, and is in ASCII
// and of one line.
func FuzzPyJSON(f *testing.F) {
	f.Add([]byte("{a: [1, 0x1F, 1_0.5e+3, .inf, yes, ~, 1e5], ? 1.0 : \"\\u2028\"}"))
	f.Add([]byte("&a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var doc yaml.Node
		if yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 || Check(doc.Content[0]) != nil {
			return
		}
		e := Encoder{Max: 1 << 16}
		if e.Encode(doc.Content[0]) != nil {
			return
		}
		if bytes.ContainsFunc(e.Out, func(c rune) bool { return c < ' ' || c > '~' }) {
			t.Fatalf("%q", e.Out)
		}
		if !json.Valid(e.Out) && !bytes.Contains(e.Out, []byte("Infinity")) && !bytes.Contains(e.Out, []byte("NaN")) {
			t.Fatalf("%q became %s", data, e.Out)
		}
	})
}
