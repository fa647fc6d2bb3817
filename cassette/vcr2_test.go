package cassette

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/wire"
)

// v2 is what go-vcr v3 and v4 write, with everything that version 1 has not.
var v2 = `---
version: 2
interactions:
- id: 0
  request:
    proto: HTTP/1.1
    proto_major: 1
    proto_minor: 1
    content_length: 99
    host: ""
    body: '{"contents":[]}'
    form:
      alt:
      - sse
    headers:
      User-Agent:
      - one
      - two
    url: https://api.example.com/v1/models/m:stream?alt=sse
    method: POST
  response:
    proto: HTTP/2.0
    proto_major: 2
    proto_minor: 0
    transfer_encoding:
    - chunked
    trailer: {}
    content_length: -1
    uncompressed: true
    body: !!binary ` + base64.StdEncoding.EncodeToString([]byte(amazon("one")+amazon("two"))) + `
    headers:
      Content-Type:
      - application/vnd.amazon.eventstream
    status: 200 OK
    code: 200
    duration: 1.133625875s
`

// amazon is a message of the binary event stream with the lengths right and the
// sums, which nobody here reads, left out.
func amazon(payload string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(16+len(payload)))
	return string(append(append(b, make([]byte, 8)...), payload+"\x00\x00\x00\x00"...))
}

// A file of go-vcr v3 or v4 loads as version 2: its lengths are recomputed, its
// protocol and form kept, and a binary stream is one part for each message.
func TestParseV2(t *testing.T) {
	c := parsed(t, []byte(v2))
	it := c.Interactions[0]
	want := wire.Response{
		Status: 200, Wait: 1133625875 * time.Nanosecond, Stream: true,
		Header: []wire.Field{{Name: "Content-Type", Value: "application/vnd.amazon.eventstream"}},
		Parts: []wire.Part{
			{Data: []byte(amazon("one")), Kind: wire.PartEvent},
			{Data: []byte(amazon("two")), Kind: wire.PartEvent},
		},
	}
	if d := cmp.Diff(want, it.Response); d != "" {
		t.Error(d)
	}
	if c.Format != "go-vcr 2" || c.Whole || it.Protocol != "HTTP/2.0" || !cmp.Equal(it.Form, url.Values{"alt": {"sse"}}) {
		t.Errorf("%s, whole %v, %s, form %v", c.Format, c.Whole, it.Protocol, it.Form)
	}
	if got := it.RequestHeader["User-Agent"]; !cmp.Equal(got, []string{"one", "two"}) {
		t.Errorf("user agents %q", got)
	}
	if len(c.Warnings) != 1 {
		t.Errorf("warnings %q", c.Warnings)
	}
	if d := sameItems(c.Interactions, parsed(t, written(t, c.Interactions...)).Interactions); d != "" {
		t.Error(d)
	}
}

// A gap in the ids, which an interaction leaves that was removed by hand, is
// reported.
func TestParseV2IDs(t *testing.T) {
	c := parsed(t, []byte(strings.Replace(v2, "id: 0", "id: 3", 1)))
	if want := `line 4: interaction 1 has the id "3" and not 0`; len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0], want) {
		t.Errorf("%q", c.Warnings)
	}
}

// A file of version 2 that is cut anywhere is refused, or it still has every
// byte of the answer.
func TestEveryCutOfV2(t *testing.T) {
	body := string(parsed(t, []byte(v2)).Interactions[0].Response.Body())
	for n := range len(v2) {
		c, err := Parse("", []byte(v2[:n]))
		if err == nil && len(c.Interactions) > 0 && string(c.Interactions[0].Response.Body()) != body {
			t.Errorf("cut at %d: the body is %q", n, c.Interactions[0].Response.Body())
		}
	}
}

// What was converted to version 2 is the same when it is read again, trailers
// included, which version 1 has no place for.
func TestV2ThereAndBack(t *testing.T) {
	it := streamed("a")
	it.Response.Trailer = []wire.Field{{Name: "X-Sum", Value: "7"}}
	var b bytes.Buffer
	if err := WriteVCR2(&b, &Cassette{Interactions: []*Interaction{it, recorded("b", 1, "{}", "{}")}}); err != nil {
		t.Fatal(err)
	}
	c := parsed(t, b.Bytes())
	if len(c.Interactions) != 2 || c.Format != "go-vcr 2" {
		t.Fatalf("%s with %d interactions", c.Format, len(c.Interactions))
	}
	got := c.Interactions[0]
	if d := cmp.Diff(it.Response.Trailer, got.Response.Trailer); d != "" || !bytes.Equal(got.Response.Body(), it.Response.Body()) {
		t.Errorf("%s%s", d, got.Response.Body())
	}
}
