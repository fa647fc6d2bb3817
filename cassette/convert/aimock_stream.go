package convert

import (
	"time"
	"unicode/utf16"
)

// mockChunk is how many characters of a text one event has, unless given.
const mockChunk = 20

// timing says how the answer of a fixture is streamed: in what pieces, how
// fast, and where it breaks off.
func (m *mockReader) timing(o *object, step *DraftStep, e *Entry) {
	if o.has("streamingProfile") || o.has("recordedTimings") {
		m.r.note(o.node, "the times of single chunks", "become one mean")
	}
	profile, recorded := o.child("streamingProfile"), o.child("recordedTimings")
	delay, first := o.millis("latency"), o.millis("latency")
	if profile.has("ttft") {
		first = profile.millis("ttft")
	}
	if tps := profile.number("tps"); tps > 0 {
		delay = time.Duration(float64(time.Second) / tps).Round(time.Millisecond)
	}
	if recorded.has("ttftMs") {
		first = recorded.millis("ttftMs")
	}
	if list := recorded.list("interChunkDelaysMs"); len(list) > 0 {
		delay = ((recorded.millis("totalDurationMs") - first) / time.Duration(len(list))).Round(time.Millisecond)
	}
	profile.leave("times are exact", "jitter")
	recorded.skip("totalDurationMs")
	profile.end()
	recorded.end()
	o.leave("give chunk_delay another value", "replaySpeed")
	o.leave("comments between events are not written", "openRouterProcessing")
	if e.Fault != "" {
		o.leave("an error is no stream", "chunkSize", "truncateAfterChunks", "disconnectAfterMs")
		return
	}
	streamed := o.has("chunkSize") || o.has("truncateAfterChunks") || o.has("disconnectAfterMs") || delay > 0
	if streamed {
		step.stream()
		m.chunked(o, e)
	}
	if first > 0 {
		e.Reply = append(e.Reply, Attr{"latency", wait(first)})
	}
	if delay > 0 && streamed {
		e.Reply = append(e.Reply, Attr{"chunk_delay", wait(delay)})
	}
	m.broken(o, e, delay)
}

// chunked splits the text as the events had it.
func (m *mockReader) chunked(o *object, e *Entry) {
	size := mockChunk
	if o.has("chunkSize") {
		size = max(1, o.whole("chunkSize"))
	}
	for i, a := range e.Reply {
		if a.Name != "content" || a.Value == "" {
			continue
		}
		var chunks []any
		for _, c := range pieces(a.Value.(string), size) {
			chunks = append(chunks, c)
		}
		e.Reply[i] = Attr{"chunks", chunks}
		e.chunks = len(chunks)
	}
}

// pieces splits a text after so many UTF-16 units, as JavaScript counts, but
// never within a character.
func pieces(text string, size int) []string {
	var list []string
	units, start := 0, 0
	for i, r := range text {
		n := max(1, utf16.RuneLen(r))
		if units > 0 && units+n > size {
			list = append(list, text[start:i])
			units, start = 0, i
		}
		units += n
	}
	return append(list, text[start:])
}

// broken is a stream that does not come to its end. aimock counts events, of
// which the first carries no text.
func (m *mockReader) broken(o *object, e *Entry, delay time.Duration) {
	through := -1
	if o.has("truncateAfterChunks") {
		through = o.whole("truncateAfterChunks") - 1
	}
	if o.has("disconnectAfterMs") {
		after := o.millis("disconnectAfterMs")
		n := e.chunks
		if delay > 0 {
			n = min(n, int(after/delay)-1)
		}
		if through < 0 || n < through {
			through = n
		}
		if n < 1 {
			e.Fault, e.Args, e.Reply = "connection_reset", []Attr{{"after", wait(after)}}, nil
			e.Fails, e.Again, e.Refused = e.judge()
			return
		}
		m.r.note(o.get("disconnectAfterMs"), "disconnectAfterMs", "becomes the number of chunks that come through by then")
	}
	if through < 0 && !o.has("truncateAfterChunks") {
		return
	}
	if through >= e.chunks {
		m.r.note(o.node, "a stream that breaks off after its last chunk", "is imported as a whole one")
		return
	}
	e.Fault = "stream_truncate"
	e.Args = []Attr{{"after_chunks", max(0, through)}, {"end", "reset"}}
	e.Fails, e.Again, e.Refused = e.judge()
}
