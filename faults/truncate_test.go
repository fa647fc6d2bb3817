package faults_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/faults/lie"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

func five() *wire.Response {
	resp := openai.Adapter{}.Render(llmStream.in, providers.Output{Chunks: []string{"1", "2", "3", "4", "5"}})
	return &resp
}

// AL4, V56: shows that exactly so many chunks come through, of the answer
// disturbed, of a recorded one whose parts nobody labelled, of the text given
// and of a default one that is always long enough.
func TestTruncateDelivers(t *testing.T) {
	recorded := five()
	for i := range recorded.Parts {
		recorded.Parts[i].Kind = wire.PartBody
	}
	calls := openai.Adapter{}.Render(llmStream.in, providers.Output{ToolCalls: []providers.ToolCall{{Name: "f"}, {Name: "g"}}})
	for _, c := range []struct {
		name string
		args schema.Values
		base *wire.Response
		want []string
	}{
		{"half, rounded up", nil, five(), []string{"1", "2", "3"}},
		{"three of five", schema.Values{"after_chunks": 3, "end": "eof"}, five(), []string{"1", "2", "3"}},
		{"all five, but not the end", schema.Values{"after_chunks": 5}, five(), []string{"1", "2", "3", "4", "5"}},
		{"recorded", schema.Values{"after_chunks": 2}, recorded, []string{"1", "2"}},
		{"by events: the role is one", schema.Values{"after_events": 2}, five(), []string{"1"}},
		{"by bytes", schema.Values{"after_bytes": len(five().Parts[0].Data) + len(five().Parts[1].Data) + 3}, five(), []string{"1"}},
		{"content", schema.Values{"content": "a b c d", "after_chunks": 2.0}, nil, []string{"a ", "b "}},
		{"chunks", schema.Values{"chunks": []string{"ab", "cd"}}, nil, []string{"ab"}},
		{"the default answer", nil, nil, []string{"This ", "answer ", "will ", "not "}},
		{"a longer default answer", schema.Values{"after_chunks": 9}, nil, []string{"This ", "answer ", "will ", "not ", "come ", "to ", "its ", "end. ", "This "}},
		{"tool calls have no chunks", nil, &calls, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := llmStream.strike(c.args)
			s.Base = c.base
			before := ""
			if c.base != nil {
				before = string(c.base.Body())
			}
			p := llmStream.play(t, "stream_truncate", s)
			if p.Failed == nil || !cmp.Equal(p.Chunks, c.want) {
				t.Errorf("%q came through, then %+v; want %q", p.Chunks, p.Failed, c.want)
			}
			if c.base != nil && string(c.base.Body()) != before {
				t.Error("the answer it disturbs was changed")
			}
		})
	}
}

// Shows that arguments which cannot be meant are refused with the values that
// contradict each other.
func TestRefuses(t *testing.T) {
	type args = schema.Values
	refused := openai.Adapter{}.RenderError(llm.in, 500, "", "")
	for _, c := range []struct {
		kind   string
		client client
		args   args
		base   *wire.Response
		want   string
	}{
		{"stream_truncate", llmStream, args{"after_chunks": 6}, five(), "after_chunks is 6, but the answer has 5 chunks"},
		{"stream_truncate", llmStream, args{"after_events": 9}, five(), "after_events is 9, but the answer has 9 events"},
		{"stream_truncate", llmStream, args{"after_bytes": 1 << 20}, five(), "nothing would be cut"},
		{"stream_truncate", llmStream, args{"after_chunks": 1_000_000_000}, nil, "nothing would be cut"},
		{"stream_truncate", llmStream, args{"after_chunks": -1}, nil, "after_chunks is -1"},
		{"stream_truncate", llmStream, args{"after_chunks": 1, "after_bytes": 1}, nil, "after_chunks and after_bytes exclude each other"},
		{"stream_truncate", llmStream, args{"content": "a", "chunks": []string{"a"}}, nil, "content and chunks exclude"},
		{"stream_truncate", llmStream, args{"content": "a"}, five(), "keep one"},
		{"stream_truncate", llmStream, args{"end": "soft"}, nil, `end is "soft"`},
		{"stream_truncate", llm, nil, nil, "set stream = true"},
		{"stream_truncate", webStream, args{"chunks": []string{"a"}, "after_chunks": 1, "end": "clean"}, nil, "nothing would be cut"},
		{"connection_reset", llmStream, args{"after_bytes": 1 << 20}, five(), "nothing would be cut"},
		{"connection_reset", llm, args{"after_bytes": 1 << 30}, nil, "between 0 and"},
		{"connection_reset", llm, args{"after_bytes": -1}, nil, "between 0 and"},
		{"malformed_response", llmStream, args{"where": "frame", "frame": 10}, five(), "frame is 10, but the stream has the events 1 to 9"},
		{"malformed_response", llm, args{"where": "frame"}, nil, "needs a stream"},
		{"malformed_response", llm, args{"where": "head"}, nil, `where is "head"`},
		{"malformed_response", llm, args{"raw": "a", "raw_base64": "YQ=="}, nil, "raw and raw_base64 exclude"},
		{"malformed_response", llm, args{"raw_base64": "*"}, nil, "not standard base64"},
		{"db_error", web, args{"sqlstate": "2350"}, nil, "five digits and capital letters"},
		{"http_error", llm, args{"status_code": 42}, nil, "status_code is 42"},
		{"http_error", llm, args{"body": "a", "json": 1.0}, nil, "body and json exclude"},
		{"http_error", llm, args{"json": func() {}}, nil, "cannot be written as JSON"},
		{"slow_stream", llm, nil, nil, "set stream = true"},
		{"slow_stream", llmStream, args{"chunk_delay": time.Second, "bytes_per_second": 1}, nil, "chunk_delay and bytes_per_second exclude"},
		{"slow_stream", llmStream, args{"chunk_delay": -time.Second}, nil, "chunk_delay is -1s"},
		{"slow_stream", llmStream, args{"bytes_per_second": 0}, nil, "bytes_per_second is 0"},
		{"content_length_mismatch", llm, args{"by": 0}, nil, "by is 0"},
		{"content_length_mismatch", llm, args{"by": 1 << 30}, nil, "it is between"},
		{"content_length_mismatch", web, nil, &wire.Response{Status: 204}, "status 204 has no body"},
		{"content_length_mismatch", web, args{"by": -3}, &wire.Response{Parts: []wire.Part{{Data: []byte("abc")}}}, "the answer has 3 bytes"},
		{"bad_gzip", web, nil, &wire.Response{Status: 304}, "status 304 has no body"},
		{"stream_error_event", llm, nil, nil, "set stream = true"},
		{"stream_error_event", llmStream, args{"after_chunks": 6}, five(), "after_chunks is 6, but the answer has 5 chunks"},
		{"stream_error_event", llmStream, args{"after_chunks": -1}, five(), "after_chunks is -1"},
		{"partial_response", llm, nil, &refused, "no success"},
		{"partial_response", llm, args{"usage": map[string]any{"completion_tokens": -1}}, nil, "is -1"},
		{"partial_response", llm, args{"usage": map[string]any{"total_tokens": 1}}, nil, "completion_tokens alone"},
	} {
		s := c.client.strike(c.args)
		s.Base = c.base
		_, err := faults.Lookup(c.kind).Script(s)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: got %v, want %q", c.kind, c.args, err, c.want)
		}
	}
}

// Shows that a fault leaves the answer it disturbs as it was, kinds of its
// parts included, because others may still hold it.
func TestBaseIsLeftAlone(t *testing.T) {
	for _, k := range forProviders() {
		base := five()
		for i := range base.Parts {
			base.Parts[i].Kind = wire.PartBody
		}
		before := base.Clone()
		s := llmStream.strike(schema.Values{"where": "frame", "after_bytes": 9, "frame": 2})
		s.Base = base
		if _, err := k.Script(s); err != nil && !lie.IsPowerless(err) {
			t.Errorf("%s: %v", k.Name, err)
		}
		if diff := cmp.Diff(before, *base); diff != "" {
			t.Errorf("%s: %s", k.Name, diff)
		}
	}
}
