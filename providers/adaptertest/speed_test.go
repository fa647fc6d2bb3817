package adaptertest_test

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/wire"
)

// models are the adapters of language models by their names.
func models() map[string]providers.Adapter {
	list := map[string]providers.Adapter{}
	for _, k := range catalog.Kinds() {
		if k.Family != "llm" {
			continue
		}
		list[k.Name] = k.Adapter
		for api, a := range k.APIs {
			list[k.Name+"/"+api] = a
		}
	}
	return list
}

// said is an answer with all that an adapter has to carry over.
func said() providers.Output {
	return providers.Output{
		Content:   strings.Repeat("The parcel is on its way. ", 8),
		Reasoning: "The customer asks for a parcel.",
		ToolCalls: []providers.ToolCall{{ID: "call_1", Name: "track", Arguments: `{"parcel": "A-17"}`}},
	}
}

func answered(r wire.Response) *http.Response {
	body := r.Body()
	resp := &http.Response{
		StatusCode: r.Status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	for _, f := range r.Header {
		resp.Header.Add(f.Name, f.Value)
	}
	return resp
}

// BenchmarkAdapters is the cost of one call in each direction: the request, what
// is read of it, a reply as bytes, and the answer read from them, in one piece
// and streamed.
func BenchmarkAdapters(b *testing.B) {
	never := func() time.Time { return time.Time{} }
	sink := func(providers.Chunk) error { return nil }
	list := models()
	for _, name := range slices.Sorted(maps.Keys(list)) {
		a := list[name]
		for _, stream := range []bool{false, true} {
			in := providers.Input{
				Model: "m", Stream: stream, APIKey: "k", BaseURL: "https://api.example.com/v1",
				Messages: []providers.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "Where is my parcel?"}},
				Tools:    []providers.Tool{{Name: "track", Description: "tracks a parcel"}},
			}
			form := "/whole"
			if stream {
				form = "/stream"
			}
			b.Run(name+form+"/request", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := a.Request(context.Background(), in); err != nil {
						b.Fatal(err)
					}
				}
			})
			req, body, err := adaptertest.Written(a, in, in.BaseURL)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+form+"/read", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := a.(adaptertest.Speaker).Read(req, body); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(name+form+"/render", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					a.Render(in, said())
				}
			})
			rendered := a.Render(in, said())
			b.Run(name+form+"/parse", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, failed := a.Parse(context.Background(), in, answered(rendered), nil, never, sink); failed != nil {
						b.Fatal(failed)
					}
				}
			})
			if l, ok := a.(providers.Labeler); ok && stream {
				b.Run(name+form+"/label", func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						l.Label(&rendered)
					}
				})
			}
		}
	}
}
