package cassette

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
	"gopkg.in/yaml.v3"
)

// No file makes Parse panic, and what it accepts can be written in our format
// and is read back equal.
func FuzzParse(f *testing.F) {
	f.Add([]byte(v1))
	f.Add(written(f, streamed("a"), recorded("b", 1, `{}`, `{}`)))
	f.Add([]byte("version: 2\ninteractions: []\n"))
	f.Add([]byte(pySample))
	f.Add([]byte("interactions: [{request: {uri: 'http://a', method: get, headers: &h {}, body: !!python/object/new:_io.BytesIO {state: [!!binary QQ==]}}, response: {status_code: 200, content: a, headers: *h}}]\nversion: 1\n"))
	f.Add([]byte(`{"_version": 2, "a": [{"content": "x", "tool_calls": [{"arguments": {"a": [1.5]}}]}], "b": {"fault": {"type": "http_error", "headers": {}}}}`))
	f.Add([]byte("version: 1\ninteractions: [{request: &a {body: *a}}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("a.yaml", data)
		if err != nil {
			var e *LoadError
			if c != nil || !errors.As(err, &e) || e.Problem == "" {
				t.Fatalf("%v, %#v", c, err)
			}
			return
		}
		var out bytes.Buffer
		if err := Write(&out, c); err != nil {
			return // a name or form that YAML cannot hold
		}
		back, err := Parse("a.yaml", out.Bytes())
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, out.Bytes())
		}
		if d := sameItems(c.Interactions, back.Interactions); d != "" {
			t.Fatal(d)
		}
	})
}

// What any value becomes as Python's json.dumps writes it is JSON, but for
// the three words for numbers that Python has and JSON has not, and is in ASCII
// and of one line.
func FuzzPyJSON(f *testing.F) {
	f.Add([]byte("{a: [1, 0x1F, 1_0.5e+3, .inf, yes, ~, 1e5], ? 1.0 : \"\\u2028\"}"))
	f.Add([]byte("&a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var doc yaml.Node
		if yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 || checkPython(doc.Content[0]) != nil {
			return
		}
		e := pyEncoder{max: 1 << 16}
		if e.encode(doc.Content[0]) != nil {
			return
		}
		if bytes.ContainsFunc(e.out, func(c rune) bool { return c < ' ' || c > '~' }) {
			t.Fatalf("%q", e.out)
		}
		if !json.Valid(e.out) && !bytes.Contains(e.out, []byte("Infinity")) && !bytes.Contains(e.out, []byte("NaN")) {
			t.Fatalf("%q became %s", data, e.out)
		}
	})
}

// The parts of any body are the body, for every content type and every way in
// which it may have arrived.
func FuzzShape(f *testing.F) {
	f.Add("text/event-stream", []byte("data: 1\r\n\r\n: x\n\n"), 5)
	f.Add("application/vnd.amazon.eventstream", []byte("\x00\x00\x00\x10............"), 1)
	f.Add("application/x-ndjson", []byte("{}\n{}"), 0)
	f.Fuzz(func(t *testing.T, contentType string, body []byte, size int) {
		var chunks []Chunk
		for left := len(body); size > 0 && left > 0; left -= min(left, size) {
			chunks = append(chunks, Chunk{At: time.Duration(len(chunks)), Len: min(left, size)})
		}
		if text := chunkFlaw(chunks, len(body)); text != "" {
			t.Fatal(text)
		}
		var r wire.Response
		shape(&r, contentType, body, chunks, time.Second)
		if !bytes.Equal(r.Body(), body) {
			t.Fatalf("%q became %q", body, r.Body())
		}
		total := r.Wait
		for _, p := range r.Parts {
			if p.Wait < 0 || len(p.Data) == 0 {
				t.Fatalf("part %+v", p)
			}
			total += p.Wait
		}
		if len(chunks) > 0 && total != chunks[len(chunks)-1].At {
			t.Fatalf("it takes %v, not %v", total, chunks[len(chunks)-1].At)
		}
		cutFlaw(&r)
	})
}

// Two requests have one key exactly when nothing differs, and a body has the
// key of every re-encoding of it.
func FuzzKey(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.50,"x"]}`), []byte(`{"a":[1,2.5,"y"]}`))
	f.Add([]byte(`{"messages":[{"content":" a\r\n"}],"tools":[{"name":"f"}]}`), []byte(`x`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, profile := range Profiles() {
			m := Match{Profile: profile}
			x, y := request(string(a)), request(string(b))
			if equal := m.Key(x) == m.Key(y); equal != (len(m.Diff(x, y)) == 0) {
				t.Fatalf("%s: equal %v, differences %v", profile, equal, m.Diff(x, y))
			}
			d := json.NewDecoder(bytes.NewReader(a))
			d.UseNumber()
			var v any
			if d.Decode(&v) != nil || d.More() {
				continue
			}
			again, err := json.Marshal(v)
			if err == nil && len(again) > 0 && again[0] == '{' && m.Key(request(string(again))) != m.Key(x) {
				t.Fatalf("%s: %s and %s differ", profile, a, again)
			}
		}
	})
}

// Canonical numbers are equal exactly when the values are.
func FuzzCanonicalNumber(f *testing.F) {
	f.Add("1.0", "10e-1")
	f.Add("-0", "0e9")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !json.Valid([]byte(a)) || !json.Valid([]byte(b)) || len(a) > 30 || len(b) > 30 {
			return
		}
		x, err1 := json.Number(a).Float64()
		y, err2 := json.Number(b).Float64()
		p, ok1 := new(big.Rat).SetString(a)
		q, ok2 := new(big.Rat).SetString(b)
		if err1 != nil || err2 != nil || !ok1 || !ok2 {
			return
		}
		if equal := canonicalNumber(a) == canonicalNumber(b); equal != (p.Cmp(q) == 0) {
			t.Fatalf("%s and %s: %v (%v, %v)", a, b, equal, x, y)
		}
	})
}
