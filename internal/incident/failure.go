package incident

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// An ending is how an attempt ended, as the entry of a script: a fault, or "" for
// an answer.
type ending struct {
	fault string
	args  []convert.Attr
	// streamed says that only a stream ends so.
	streamed bool
	// guessed is what was seen, where no fault says exactly that.
	guessed string
	status  int
	// gaveUp says that the caller would not wait longer.
	gaveUp bool
}

// failed reports whether an attempt came to no answer that is a success.
func (a *attempt) failed() bool { return a.ending(overHTTP).fault != "" }

func (e *ending) set(name string, value any) {
	e.args = append(e.args, convert.Attr{Name: name, Value: value})
}

// statusOf is the status of an answer, 0 where none is said.
func statusOf(s *span) int {
	if n := s.number("http.response.status_code", "http.status_code"); n >= 100 && n <= 599 {
		return n
	}
	if n := s.number("error.type"); n >= 400 && n <= 599 {
		return n
	}
	return 0
}

// ending reads how an attempt ended from its span, and from the span of its call
// where that was the end of it.
func (a *attempt) ending(k kind) ending {
	e := ending{status: statusOf(a.span)}
	words := a.span.words()
	broken := a.span.broken()
	if a.also != nil && (e.status < 400 && !broken) {
		// The request went well, and what came of it did not.
		words, broken = a.also.words(), a.also.broken()
	}
	kind := failure.Kind(a.span.text("error.type"))
	switch {
	case e.status >= 400:
		e.refused(a.span)
	case a.cutOff():
		e.fault, e.gaveUp = "timeout", true
	case !broken:
	case a.span.has("scenario.attempt") && slices.Contains(failure.Kinds(), kind):
		e.own(kind, k, a.span, words)
	case k == sql:
		e.database(a.span, words)
	case k == mcp:
		e.tool(a.span, words)
	default:
		e.read(words)
	}
	return e
}

// cutOff reports whether an attempt was ended by whoever waited for it: it came to
// nothing, and at its end something around it had waited too long.
func (a *attempt) cutOff() bool {
	s := a.span
	if state := s.text("scenario.status"); state != "" {
		return state == "cancelled"
	}
	if statusOf(s) != 0 || s.succeeded || s.broken() || s.has("gen_ai.response.model", "gen_ai.response.id", "gen_ai.usage.output_tokens", "gen_ai.output.messages") {
		return false
	}
	for up := s.up; up != nil; up = up.up {
		if late := up.end - s.end; late > int64(20*time.Millisecond) {
			return false
		}
		if up.broken() && slices.ContainsFunc(up.words(), isTimeout) {
			return true
		}
	}
	return false
}

// kept are the fields of an answer's header that decide what a client does.
var kept = pattern.New(`^(retry-after.*|x-ratelimit-.*|x-should-retry|location|etag)$`)

// refused is an answer with a status that is an error.
func (e *ending) refused(s *span) {
	e.fault = convert.StatusFault
	e.set("status_code", e.status)
	if fields := headers(s); len(fields) > 0 {
		e.set("headers", fields)
	}
}

// headers are the fields of an answer that a client may act on, and that were
// captured.
func headers(s *span) []convert.Attr {
	const prefix = "http.response.header."
	var names []string
	for key := range s.attrs {
		if name, ok := strings.CutPrefix(key, prefix); ok && kept().MatchString(strings.ReplaceAll(name, "_", "-")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var fields []convert.Attr
	for _, name := range names {
		if text := s.text(prefix + name); text != "" {
			fields = append(fields, convert.Attr{Name: strings.ReplaceAll(name, "_", "-"), Value: text})
		}
	}
	return fields
}

// own is a failure that this tool itself observed and exported.
func (e *ending) own(kind failure.Kind, k kind, s *span, words []string) {
	switch kind {
	case failure.Timeout, failure.DBTimeout:
		e.fault, e.gaveUp = "timeout", true
	case failure.MalformedResponse:
		e.fault = "malformed_response"
	case failure.StreamInterrupted, failure.StreamIncomplete:
		e.cut(kind == failure.StreamIncomplete)
	case failure.PoolTimeout:
		e.fault = "pool_exhausted"
	case failure.SessionExpired:
		e.fault = "session_expired"
	case failure.ToolError:
		e.fault = "tool_error"
		e.message(words)
	case failure.ToolNotFound:
		e.fault = "protocol_error"
		e.set("code", -32602)
		e.message(words)
	case failure.ProtocolError:
		e.fault = "protocol_error"
		if k != mcp {
			e.fault = "redirect_loop"
		}
	case failure.DBError:
		e.database(s, words)
	case failure.HTTPStatus, failure.RateLimit, failure.Overloaded:
		e.fault = "error_in_200" // with no status of an error
		if kind != failure.HTTPStatus {
			e.set("type", string(kind)+"_error")
		}
	case failure.Connection:
		e.fault = faultOf(words, "connection_reset")
	default:
		e.exception(words)
	}
}

// cut is a stream that ended before its end.
func (e *ending) cut(clean bool) {
	e.fault, e.streamed = convert.CutFault, true
	if clean {
		e.set("end", "clean")
	}
}

// written is what drivers write after the message of a database.
var written = pattern.New(` \(SQLSTATE [0-9A-Z]{5}\)$`)

// message keeps the last thing that was said, if it is a sentence.
func (e *ending) message(words []string) {
	if len(words) > 1 {
		e.set("message", strings.TrimSpace(written().ReplaceAllString(words[len(words)-1], "")))
	}
}

// exception is a failure that no byte on a connection brings about.
func (e *ending) exception(words []string) {
	e.fault = "error"
	if len(words) > 0 {
		e.set("type", words[0])
		e.message(words)
	}
	e.guessed = strings.Join(words, ": ")
	if e.guessed == "" {
		e.guessed = "a failure without a word"
	}
}

// A sign is what types and messages of errors have in common, in the words of
// many languages and libraries, and the fault that brings them about.
type sign struct {
	fault  string
	status int
	words  func() *regexp.Regexp
}

// signs are tried in order. The types of the vendors' libraries come first, as
// they say most.
var signs = []sign{
	{status: 429, words: pattern.New(`RateLimit|rate.?limit|Too Many Requests|ResourceExhausted`)},
	{status: 401, words: pattern.New(`AuthenticationError|Unauthorized|Unauthenticated`)},
	{status: 403, words: pattern.New(`PermissionDenied|Forbidden`)},
	{status: 404, words: pattern.New(`NotFoundError|Not Found`)},
	{status: 409, words: pattern.New(`ConflictError`)},
	{status: 422, words: pattern.New(`UnprocessableEntity`)},
	{status: 400, words: pattern.New(`BadRequest|InvalidArgument`)},
	{status: 529, words: pattern.New(`[Oo]verloaded`)},
	{status: 503, words: pattern.New(`ServiceUnavailable|Service Unavailable`)},
	{status: 502, words: pattern.New(`Bad Gateway`)},
	{status: 504, words: pattern.New(`Gateway Time-?out`)},
	{status: 500, words: pattern.New(`InternalServerError|Internal Server Error`)},
	{fault: "timeout", words: pattern.New(`(?i)time.?d?.?out|deadline|ETIMEDOUT|AbortError|cancel`)},
	{fault: "connection_refused", words: pattern.New(`(?i)refused`)},
	{fault: "dns_error", words: pattern.New(`(?i)ENOTFOUND|EAI_AGAIN|getaddrinfo|gaierror|no such host|UnknownHost|name resolution|resolve host|\bdns\b`)},
	{fault: "tls_error", words: pattern.New(`(?i)certificate|\btls\b|\bssl|CERT_|x509|handshake`)},
	{fault: "connection_reset", words: pattern.New(`(?i)reset|EPIPE|broken.?pipe|hang ?up|UND_ERR_SOCKET|disconnected|RemoteProtocol|ProtocolError|ConnectionError|connection error|ConnectError|terminated|premature|prematurely|\bEOF\b|connection.*clos|closed.*connection`)},
	{fault: "malformed_response", words: pattern.New(`(?i)JSON|SyntaxError|unexpected token|unmarshal|parse`)},
}

// leading is a status at the beginning of a message: "429 Rate limit reached".
var leading = pattern.New(`^(?:HTTP )?([45]\d\d)\b|(?i)(?:status|error) ?code:? ?([45]\d\d)\b`)

// read guesses the fault from what the error was called. Lines with a cause, such
// as an errno, say more than the class of a library around it, so that signs are
// tried over all words.
func (e *ending) read(words []string) {
	for _, w := range words {
		if m := leading().FindStringSubmatch(w); m != nil {
			e.status, _ = strconv.Atoi(m[1] + m[2])
			e.fault = convert.StatusFault
			e.set("status_code", e.status)
			return
		}
	}
	for _, s := range signs {
		if !slices.ContainsFunc(words, s.words().MatchString) {
			continue
		}
		if s.fault == "" {
			e.status, e.fault = s.status, convert.StatusFault
			e.set("status_code", e.status)
			return
		}
		e.fault, e.gaveUp = s.fault, s.fault == "timeout"
		return
	}
	e.exception(words)
}

// faultOf is the fault that errors of a connection speak of.
func faultOf(words []string, otherwise string) string {
	for _, s := range signs {
		if strings.HasPrefix(s.fault, "connection_") || s.fault == "dns_error" || s.fault == "tls_error" {
			if slices.ContainsFunc(words, s.words().MatchString) {
				return s.fault
			}
		}
	}
	return otherwise
}

var sqlState = pattern.New(`\b([0-9A-Z]{5})\b`)

// database is an error of a database, or of the way to it.
func (e *ending) database(s *span, words []string) {
	state := s.text("db.response.status_code", "db.postgresql.sqlstate", "db.sqlstate")
	for _, event := range s.events {
		if state == "" && event.name == "failure" {
			state = textIn(event.attrs, "sqlstate")
		}
	}
	if kind := s.text("error.type"); state == "" && sqlState().FindString(kind) == kind && strings.ContainsAny(kind, "0123456789") {
		state = kind
	}
	if sqlState().FindString(state) == state && state != "" {
		e.fault = "db_error"
		e.set("sqlstate", state)
		e.message(words)
		return
	}
	if e.read(words); e.fault == convert.StatusFault || e.fault == "error" || e.fault == "malformed_response" {
		e.fault, e.args = "db_error", nil
		e.message(words)
		e.guessed = strings.Join(words, ": ")
	}
}

// tool is an error of an MCP server.
func (e *ending) tool(s *span, words []string) {
	code, err := strconv.Atoi(s.text("rpc.response.status_code", "rpc.jsonrpc.error_code", "jsonrpc.error.code", "error.type"))
	switch {
	case err == nil && code < 0:
		e.fault = "protocol_error"
		e.set("code", code)
		e.message(words)
	case s.text("error.type") == "tool_error":
		e.fault = "tool_error"
		e.message(words)
	default:
		if e.read(words); e.fault == "error" {
			e.fault, e.args = "tool_error", nil
			e.message(words)
			e.guessed = strings.Join(words, ": ")
		}
	}
}
