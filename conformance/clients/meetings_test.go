package clients

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/faults"
)

// A meeting is one thing that a client meets: what the service does each time it
// is asked. It is a row of the table.
type meeting struct {
	// name is also that of the provider.
	name string
	// title is how the page calls it.
	title string
	// entry is the one entry of the script.
	entry  string
	stream bool
	// long is left to the bubble, as it takes minutes.
	long bool
}

// answer is what a service says where nothing disturbs it, and whole what it comes
// to in one piece.
const (
	answer = `reply { content = "Rayleigh scattering." }`
	chunks = `reply { chunks = ["Rayleigh ", "scatter", "ing", "."] }`
	whole  = "Rayleigh scattering."
)

// fault is an entry that is played whenever it is asked for.
func fault(kind string, args ...string) string {
	return fmt.Sprintf("fault %q {\n      times = \"*\"\n      %s\n    }", kind, strings.Join(args, "\n      "))
}

func status(code int, args ...string) string {
	return fault("http_error", slices.Concat([]string{fmt.Sprintf("status_code = %d", code)}, args)...)
}

func header(name, value string) string {
	return fmt.Sprintf("headers = { %q = %q }", name, value)
}

// overHTTP are what clients of language models meet.
func overHTTP() []meeting {
	list := []meeting{
		{name: "ok", title: "a whole answer", entry: answer},
		{name: "refused", title: "`connection_refused`", entry: fault("connection_refused")},
		{name: "dns", title: "`dns_error`", entry: fault("dns_error")},
		{name: "tls", title: "`tls_error`", entry: fault("tls_error")},
		{name: "reset", title: "`connection_reset`", entry: fault("connection_reset")},
		{name: "reset_body", title: "`connection_reset`, `after_bytes = 40`", entry: fault("connection_reset", "after_bytes = 40", answer)},
		{name: "garbage", title: "`garbage`", entry: fault("garbage")},
		{name: "hang", title: "`hang`", entry: fault("hang")},
		{name: "timeout", title: "`timeout`", entry: fault("timeout")},
		{name: "timeout_after", title: "`timeout`, `after = \"200ms\"`", entry: fault("timeout", `after = "200ms"`)},
		{name: "late", title: "`delay`, `by = \"100ms\"`", entry: fault("delay", `by = "100ms"`, answer)},
		{name: "error", title: "`error`", entry: fault("error")},
		{name: "longer", title: "`content_length_mismatch`", entry: fault("content_length_mismatch", answer)},
		{name: "shorter", title: "`content_length_mismatch`, `by = -50`", entry: fault("content_length_mismatch", "by = -50", answer)},
		{name: "not_json", title: "`malformed_response`", entry: fault("malformed_response")},
		{name: "empty", title: "`empty_response`", entry: fault("empty_response")},
		{name: "html", title: "`wrong_content_type`", entry: fault("wrong_content_type")},
		{name: "as_text", title: "`wrong_content_type`, a good answer as `text/plain`", entry: fault("wrong_content_type", `content_type = "text/plain"`, answer)},
		{name: "gzip", title: "`bad_gzip`", entry: fault("bad_gzip", answer)},
		{name: "partial", title: "`partial_response`", entry: fault("partial_response")},
		{name: "error_200", title: "`error_in_200`", entry: fault("error_in_200")},
		{name: "redirects", title: "`redirect_loop`", entry: fault("redirect_loop")},
	}
	for _, code := range []int{400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529} {
		list = append(list, meeting{name: fmt.Sprint("s", code), title: fmt.Sprintf("`http_error`, %d", code), entry: status(code)})
	}
	for _, h := range []struct {
		name, field, value, title string
		code                      int
		long                      bool
	}{
		{"retry_2", "Retry-After", "2", "`Retry-After: 2`", 429, false},
		{"retry_fraction", "Retry-After", "0.1", "`Retry-After: 0.1`", 429, false},
		{"retry_ms", "Retry-After-Ms", "100", "`Retry-After-Ms: 100`", 429, false},
		{"retry_negative", "Retry-After", "-5", "`Retry-After: -5`", 429, false},
		{"retry_word", "Retry-After", "soon", "`Retry-After: soon`", 429, false},
		{"retry_90", "Retry-After", "90", "`Retry-After: 90`", 429, true},
		{"retry_600", "Retry-After", "600", "`Retry-After: 600`", 429, true},
		{"never_500", "X-Should-Retry", "false", "`X-Should-Retry: false`", 500, false},
		{"again_400", "X-Should-Retry", "true", "`X-Should-Retry: true`", 400, false},
	} {
		list = append(list, meeting{name: h.name, title: fmt.Sprintf("`http_error`, %d with %s", h.code, h.title), entry: status(h.code, header(h.field, h.value)), long: h.long})
	}
	list = append(list, meeting{name: "html_502", title: "`http_error`, 502 with a page", entry: status(502, `headers = { "Content-Type" = "text/html" }`, `body = "<html>bad gateway</html>"`)})
	for _, s := range []meeting{
		{name: "stream", title: "a whole stream", entry: chunks},
		{name: "stream_reset", title: "`stream_truncate`", entry: fault("stream_truncate", "after_chunks = 2", chunks)},
		{name: "stream_eof", title: "`stream_truncate`, `end = \"eof\"`", entry: fault("stream_truncate", "after_chunks = 2", `end = "eof"`, chunks)},
		{name: "stream_clean", title: "`stream_truncate`, `end = \"clean\"`", entry: fault("stream_truncate", "after_chunks = 2", `end = "clean"`, chunks)},
		{name: "stream_stall", title: "`stream_truncate`, `end = \"stall\"`", entry: fault("stream_truncate", "after_chunks = 2", `end = "stall"`, chunks)},
		{name: "stream_slow", title: "`slow_stream`, 3 s in all", entry: fault("slow_stream", `chunk_delay = "1s"`, chunks)},
		{name: "stream_frame", title: "`malformed_response`, `where = \"frame\"`", entry: fault("malformed_response", `where = "frame"`, "frame = 3", chunks)},
		{name: "stream_error", title: "`stream_error_event`", entry: fault("stream_error_event", "after_chunks = 2", chunks)},
		{name: "stream_503", title: "`http_error`, 503", entry: status(503)},
	} {
		s.stream = true
		list = append(list, s)
	}
	return list
}

// overMCP are what clients of the Model Context Protocol meet. A stream is an answer
// behind a report of progress.
func overMCP() []meeting {
	const told = `reply {
      content  = "Rayleigh scattering."
      progress = [{ progress = 1, total = 2 }]
    }`
	list := []meeting{
		{name: "ok", title: "a whole answer", entry: answer},
		{name: "refused", title: "`connection_refused`", entry: fault("connection_refused")},
		{name: "dns", title: "`dns_error`", entry: fault("dns_error")},
		{name: "tls", title: "`tls_error`", entry: fault("tls_error")},
		{name: "reset", title: "`connection_reset`", entry: fault("connection_reset")},
		{name: "reset_body", title: "`connection_reset`, `after_bytes = 40`", entry: fault("connection_reset", "after_bytes = 40", answer)},
		{name: "garbage", title: "`garbage`", entry: fault("garbage")},
		{name: "hang", title: "`hang`", entry: fault("hang")},
		{name: "timeout", title: "`timeout`", entry: fault("timeout")},
		{name: "late", title: "`delay`, `by = \"100ms\"`", entry: fault("delay", `by = "100ms"`, answer)},
		{name: "error", title: "`error`", entry: fault("error")},
		{name: "longer", title: "`content_length_mismatch`", entry: fault("content_length_mismatch", answer)},
		{name: "not_json", title: "`malformed_response`", entry: fault("malformed_response")},
		{name: "empty", title: "`empty_response`", entry: fault("empty_response")},
		{name: "html", title: "`wrong_content_type`", entry: fault("wrong_content_type")},
		{name: "gzip", title: "`bad_gzip`", entry: fault("bad_gzip", answer)},
		{name: "redirects", title: "`redirect_loop`", entry: fault("redirect_loop")},
		{name: "s429", title: "`http_error`, 429", entry: status(429)},
		{name: "s503", title: "`http_error`, 503", entry: status(503)},
		{name: "tool_error", title: "`tool_error`", entry: fault("tool_error")},
		{name: "protocol_error", title: "`protocol_error`", entry: fault("protocol_error")},
		{name: "session", title: "`session_expired`", entry: fault("session_expired")},
		{name: "stale", title: "`stale_client`", entry: fault("stale_client")},
		{name: "id", title: "`id_mismatch`", entry: fault("id_mismatch")},
	}
	for _, s := range []meeting{
		{name: "stream", title: "a report of progress, then the answer", entry: told},
		{name: "stream_reset", title: "`stream_truncate` behind the report", entry: fault("stream_truncate", "after_events = 1", told)},
		{name: "stream_clean", title: "`stream_truncate` behind the report, `end = \"clean\"`", entry: fault("stream_truncate", "after_events = 1", `end = "clean"`, told)},
		{name: "stream_stall", title: "`stream_truncate` behind the report, `end = \"stall\"`", entry: fault("stream_truncate", "after_events = 1", `end = "stall"`, told)},
		{name: "stream_slow", title: "`slow_stream`, 60 bytes a second", entry: fault("slow_stream", "bytes_per_second = 60", told)},
	} {
		s.stream = true
		list = append(list, s)
	}
	return list
}

// overSQL are what clients of a database meet.
func overSQL() []meeting {
	const rows = `reply { rows = [{ why = "Rayleigh scattering." }] }`
	return []meeting{
		{name: "ok", title: "a whole answer", entry: rows},
		{name: "refused", title: "`connection_refused`", entry: fault("connection_refused")},
		{name: "dns", title: "`dns_error`", entry: fault("dns_error")},
		{name: "tls", title: "`tls_error`", entry: fault("tls_error")},
		{name: "down", title: "`db_down`", entry: fault("db_down")},
		{name: "pool", title: "`pool_exhausted`", entry: fault("pool_exhausted")},
		{name: "db_error", title: "`db_error`", entry: fault("db_error")},
		{name: "unique", title: "`db_error`, `sqlstate = \"23505\"`", entry: fault("db_error", `sqlstate = "23505"`)},
		{name: "deadlock", title: "`db_error`, `sqlstate = \"40P01\"`", entry: fault("db_error", `sqlstate = "40P01"`)},
		{name: "shutdown", title: "`db_error`, `sqlstate = \"57P01\"`", entry: fault("db_error", `sqlstate = "57P01"`)},
		{name: "slow", title: "`db_slow`", entry: fault("db_slow", rows)},
		{name: "slow_enough", title: "`db_slow`, `after = \"200ms\"`", entry: fault("db_slow", `after = "200ms"`, rows)},
		{name: "late", title: "`delay`, `by = \"100ms\"`", entry: fault("delay", `by = "100ms"`, rows)},
		{name: "hang", title: "`hang`", entry: fault("hang")},
		{name: "timeout", title: "`timeout`", entry: fault("timeout")},
		{name: "reset", title: "`connection_reset`", entry: fault("connection_reset")},
		{name: "reset_rows", title: "`connection_reset`, `after_bytes = 40`", entry: fault("connection_reset", "after_bytes = 40", rows)},
		{name: "not_messages", title: "`malformed_response`", entry: fault("malformed_response")},
		{name: "error", title: "`error`", entry: fault("error")},
	}
}

// Shows that every kind of fault that a service can have which programs ask is met,
// by the clients of each of its protocols. One that lies is a whole answer to all of
// them.
func TestEveryFaultIsMet(t *testing.T) {
	for _, p := range []struct {
		words []string
		met   []meeting
	}{
		{[]string{"http", "stream", "llm", "llm stream"}, overHTTP()},
		{[]string{"mcp", "mcp http", "mcp tool", "stream"}, overMCP()},
		{[]string{"sql"}, overSQL()},
	} {
		for _, k := range faults.Kinds() {
			fits := slices.ContainsFunc(k.For, func(where string) bool { return slices.Contains(p.words, where) })
			met := slices.ContainsFunc(p.met, func(m meeting) bool { return strings.HasPrefix(m.entry, fmt.Sprintf("fault %q ", k.Name)) })
			if fits && !met && !k.Lies {
				t.Errorf("no client that meets %q meets %s", p.words, k.Name)
			}
		}
	}
}
