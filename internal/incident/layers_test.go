package incident

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp"
	tracelog "github.com/scenario-lang/scenario/trace"
)

// A layer makes the spans of a program that asks a model rounds times and waits pause
// milliseconds in between, through a library that tries three times by itself, 500 and
// 1,000 ms apart. Every request takes 100 ms and is answered with 503 but the last,
// which is that of the given number. wrap is the name of the span around each round,
// "" for none; also are calls that it makes there besides.
func layers(t testing.TB, rounds, last int, pause int64, wrap string, also bool) []byte {
	t.Helper()
	const trace = "0af7651916cd43dd8448eb211c80319c"
	var spans []any
	id := 1
	add := func(parent string, kind int, name string, start, end int64, failed bool, attrs map[string]any) (string, map[string]any) {
		id++
		span := map[string]any{"traceId": trace, "spanId": fmt.Sprintf("%016x", id), "parentSpanId": parent, "name": name, "kind": kind, "startTimeUnixNano": fmt.Sprint((start + 1000) * 1e6), "endTimeUnixNano": fmt.Sprint((end + 1000) * 1e6), "attributes": keyed(attrs)}
		if failed {
			span["status"] = map[string]any{"code": 2}
		}
		spans = append(spans, span)
		return span["spanId"].(string), span
	}
	root, rootSpan := add("", 2, "answer", 0, 0, last == 0, nil)
	at, n := int64(0), 0
	for round := 1; round <= rounds; round++ {
		parent := root
		var around map[string]any
		if wrap != "" {
			parent, around = add(root, 1, strings.ReplaceAll(wrap, "N", fmt.Sprint(round)), at, 0, false, nil)
		}
		if also {
			add(parent, 3, "GET", at, at, false, map[string]any{"http.request.method": "GET", "url.full": fmt.Sprintf("https://shop.example/%d", round), "http.response.status_code": 200})
		}
		chat, chatSpan := add(parent, 3, "chat m", at, 0, true, map[string]any{"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m"})
		for i, wait := range []int64{0, 500, 1000} {
			at += wait
			n++
			status := 503
			if n == last {
				status = 200
			}
			add(chat, 3, "POST", at, at+100, status != 200, map[string]any{"http.request.method": "POST", "url.full": "https://api.openai.com/v1/chat/completions", "http.request.resend_count": i, "http.response.status_code": status})
			at += 100
			if n == last {
				delete(chatSpan, "status")
				break
			}
		}
		for _, s := range []map[string]any{chatSpan, around} {
			if s != nil {
				s["endTimeUnixNano"] = fmt.Sprint((at + 1000) * 1e6)
			}
		}
		if n == last {
			break
		}
		at += pause
	}
	rootSpan["endTimeUnixNano"] = fmt.Sprint((at + 1000) * 1e6)
	data, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{"scopeSpans": []any{map[string]any{"spans": spans}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A library that tries again below a program that tries again is drafted as two
// layers, whether or not the program has a span for each of its own: every attempt is
// met at the time at which the trace has it, and the run ends as the program did.
func TestLayersOfRetries(t *testing.T) {
	// The times of the attempts, from the waits above: three of 100 ms each.
	round := func(at int64) []int64 { return []int64{at, at + 600, at + 1700} }
	for _, c := range []struct {
		name, wrap   string
		rounds, last int
		pause        int64
		want         []int64
	}{
		{"a span for each, given up", "attempt N", 3, 0, 10_000, append(append(round(0), round(11_800)...), round(23_600)...)},
		{"a span for each, answered", "attempt N", 3, 5, 10_000, append(round(0), 11_800, 12_400)},
		{"spans of one name", "ask the model", 2, 4, 5_000, append(round(0), 6_800)},
		{"side by side, given up", "", 2, 0, 10_000, append(round(0), round(11_800)...)},
		{"side by side, answered", "", 3, 7, 4_000, append(append(round(0), round(5_800)...), 11_600)},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _ := drafted(t, layers(t, c.rounds, c.last, c.pause, c.wrap, false), Options{})
			if strings.Contains(text, "fallback") || !strings.Contains(text, `step "workflow" "chat_m"`) {
				t.Errorf("no two layers:\n%s", text)
			}
			r := ran(t, text)
			var got []int64
			for _, o := range outcomes(r.Events) {
				got = append(got, o.at)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("attempts at other times: %s\n%s", diff, text)
			}
			if want := map[bool]interp.Verdict{true: interp.Fail, false: interp.Pass}[c.last == 0]; r.Verdict != want {
				t.Errorf("%s, want %s; run %s\n%s", r.Verdict, want, tracelog.Status(r.Events), text)
			}
		})
	}
}

// What is not done for the same again is no layer: a program that goes another way
// after a failure, and one that does more in each round than ask the model.
func TestNoLayersOfRetries(t *testing.T) {
	for name, data := range map[string][]byte{
		"another call besides": layers(t, 2, 4, 5_000, "attempt N", true),
		"another name":         []byte(strings.Replace(string(layers(t, 2, 4, 5_000, "attempt N", false)), "attempt 2", "the cheaper way", 1)),
	} {
		if text, _ := drafted(t, data, Options{}); strings.Contains(text, `step "workflow"`) {
			t.Errorf("%s: two layers\n%s", name, text)
		}
	}
}
