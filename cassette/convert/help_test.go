package convert

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/wire"
)

// recorded is an interaction with a JSON answer.
func recorded(step string, attempt int, body, answer string) *cassette.Interaction {
	return &cassette.Interaction{
		Step: step, Attempt: attempt, Target: "main", Round: attempt,
		Method: "POST", URL: "https://api.example.com/v1/chat/completions",
		RequestHeader: http.Header{"Content-Type": {"application/json"}},
		RequestBody:   []byte(body),
		Response: wire.Response{
			Status: 200, Wait: time.Second,
			Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}},
			Parts:  []wire.Part{{Data: []byte(answer)}},
		},
		Duration: time.Second,
	}
}

// streamed is an interaction with three events and the end marker, 100 ms
// apart from 500 ms on.
func streamed(step string) *cassette.Interaction {
	it := recorded(step, 1, `{"stream":true}`, "")
	r := &it.Response
	r.Header[0].Value, r.Stream, r.Wait, r.Parts = "text/event-stream", true, 500*time.Millisecond, nil
	for i, text := range []string{"data: {\"a\":1}\n\n", ": note\n\n", "event: x\r\ndata: 2\r\n\r\n", "data: [DONE]\n\n"} {
		p := wire.Part{Data: []byte(text), Kind: wire.PartEvent, Wait: 100 * time.Millisecond}
		if i == 0 {
			p.Wait = 0
		}
		if i == 3 {
			p.Kind = wire.PartDone
		}
		r.Parts = append(r.Parts, p)
		it.Chunks = append(it.Chunks, cassette.Chunk{At: time.Duration(5+i) * 100 * time.Millisecond, Len: len(text)})
	}
	it.Duration = 800 * time.Millisecond
	return it
}

func parsed(t testing.TB, data []byte) *cassette.Cassette {
	t.Helper()
	c, err := cassette.Parse("test.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sameItems compares interactions but for where they stand in a file.
func sameItems(a, b []*cassette.Interaction) string {
	quick := cmp.FilterValues(func(a, b []byte) bool { return len(a)+len(b) > 0 }, cmp.Comparer(bytes.Equal))
	return cmp.Diff(a, b, quick, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(cassette.Interaction{}, "Index", "Line", "Key"))
}
