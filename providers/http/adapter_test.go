package http_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	adapter "github.com/scenario-lang/scenario/providers/http"
)

var (
	plainIn  = providers.Input{BaseURL: "https://api.example.com"}
	streamIn = providers.Input{BaseURL: "https://api.example.com", Stream: true}
)

// Shows that what the adapter renders it reads back, plain and streamed, and
// that no answer that was cut is a success where the protocol can tell.
func TestAdapter(t *testing.T) {
	header := func(media string) http.Header { return http.Header{"Content-Type": {media}, "X-A": {"1", "2"}} }
	adaptertest.Run(t, adaptertest.Suite{Adapter: adapter.Adapter{}, Replies: []adaptertest.Reply{
		{
			Name: "JSON", In: plainIn,
			Out:  providers.Output{StatusCode: 201, Headers: header("application/json"), Body: []byte(`{"a":"λ 🌈"}`), Latency: time.Second},
			Want: providers.Output{Body: []byte(`{"a":"λ 🌈"}`)},
		},
		{
			Name: "text", In: plainIn, Unmarked: true,
			Out:  providers.Output{Body: []byte("plain\r\n\x00text")},
			Want: providers.Output{Body: []byte("plain\r\n\x00text")},
		},
		{
			Name: "nothing", In: plainIn,
			Out:  providers.Output{StatusCode: 204},
			Want: providers.Output{Body: []byte{}},
		},
		{
			Name: "events", In: streamIn, Unmarked: true,
			Out: providers.Output{Chunks: []string{"one ", "", "t\nwo", " λ"}, Latency: time.Second, ChunkDelay: time.Minute},
			Want: providers.Output{
				Content: "one t\nwo λ", Chunks: []string{"one ", "t\nwo", " λ"},
				Body: []byte("data: one \n\ndata: t\ndata: wo\n\ndata:  λ\n\n"),
			},
		},
		{
			Name: "streamed bytes", In: streamIn, Unmarked: true,
			Out:  providers.Output{Headers: header("application/x-ndjson"), Chunks: []string{"{}\n", "[]\n"}},
			Want: providers.Output{Content: "{}\n[]\n", Chunks: []string{"{}\n", "[]\n"}, Body: []byte("{}\n[]\n")},
		},
		{
			Name: "chunks that nobody streams", In: plainIn, Unmarked: true,
			Out:  providers.Output{Chunks: []string{"a", "b"}},
			Want: providers.Output{Body: []byte("ab")},
		},
	}})
}

// Shows that nothing a server may send makes the adapter panic or hang, or
// pass for a complete answer that is none.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "data: a\n\ndata: b", "HTTP/1.1 204 No Content\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
	} {
		f.Add([]byte(seed), false, "application/json", uint16(3), uint8(1))
		f.Add([]byte(seed), true, "text/event-stream", uint16(3), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, stream bool, media string, cut uint16, end uint8) {
		in := plainIn
		in.Stream = stream
		adaptertest.Arbitrary(t, adapter.Adapter{}, in, data, media, cut, end)
	})
}
