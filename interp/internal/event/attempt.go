package event

import (
	"maps"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// AttemptStart is the payload of trace.AttemptStart.
type AttemptStart struct {
	*Request
	*Decision
	*Asker
}

// EventType implements trace.Payload.
func (*AttemptStart) EventType() trace.Type { return trace.AttemptStart }

// A Request is what an attempt asks. Attempts that ask the same share it.
type Request struct {
	Provider  string  `attr:"provider" doc:"provider of the target"`
	System    string  `attr:"system" doc:"vendor name by the GenAI conventions, such as openai"`
	Operation string  `attr:"operation" doc:"operation by the GenAI conventions, such as chat"`
	Model     string  `attr:"model,outside" doc:"model that was asked for"`
	Stream    bool    `attr:"stream" doc:"whether a stream was asked for"`
	Method    string  `attr:"method,outside" doc:"HTTP method, or the MCP method such as tools/call"`
	URL       string  `attr:"url,outside" doc:"URL, redacted"`
	Tool      string  `attr:"tool,outside" doc:"name of the MCP tool, resource or prompt"`
	Statement string  `attr:"statement,outside" doc:"SQL statement"`
	Headers   Headers `attr:"headers,outside" doc:"request headers, redacted"`
	Body      string  `attr:"body,outside" doc:"request body, redacted; of a program's, below the content codings gzip and deflate"`
	Encoded   string  `attr:"encoded,outside" doc:"content coding under which the body still is"`
}

// Equal reports whether two requests ask the same.
func (r *Request) Equal(s *Request) bool {
	return r.Provider == s.Provider && r.System == s.System && r.Operation == s.Operation && r.Model == s.Model && r.Stream == s.Stream && r.Method == s.Method &&
		r.URL == s.URL && r.Tool == s.Tool && r.Statement == s.Statement && r.Body == s.Body && r.Encoded == s.Encoded && maps.Equal(r.Headers, s.Headers)
}

// Size is how many bytes the texts of a request have.
func (r *Request) Size() (n int) {
	for name, value := range r.Headers {
		n += len(name) + len(value)
	}
	return n + len(r.URL) + len(r.Statement) + len(r.Body)
}

// A Decision says how a round goes through a gateway.
type Decision struct {
	Gateway    string `attr:"gateway" doc:"gateway that the call goes through"`
	Strategy   string `attr:"strategy" doc:"what ordered its targets: priority, round_robin or least_busy"`
	Candidates Names  `attr:"candidates,always" doc:"targets that can serve the call, in the order in which it tries them"`
}

// An Asker is what is known of the program whose request an attempt is.
type Asker struct {
	Lane           string `attr:"lane,outside" doc:"lane of the endpoint"`
	Connection     int    `attr:"connection" doc:"number of the connection that the request came over, from 1"`
	Reused         bool   `attr:"reused" doc:"whether a request had come over it before"`
	IdempotencyKey string `attr:"idempotency_key,outside" doc:"Idempotency-Key of the request"`
	TraceID        string `attr:"trace_id,outside" doc:"trace id of the request's traceparent"`
	RetryCount     *int   `attr:"retry_count" doc:"X-Stainless-Retry-Count of the request"`
}

// Fault is the payload of trace.Fault.
type Fault struct {
	Case      string `attr:"case" doc:"case of a bench in which it fired"`
	Trial     int    `attr:"trial" doc:"trial of that case"`
	FaultType string `attr:"fault_type" doc:"kind of the fault"`
	Entry     int    `attr:"entry" doc:"1-based entry of the script"`
	File      string `attr:"file" doc:"file of the entry"`
	Line      int    `attr:"line" doc:"line of the entry"`
}

// EventType implements trace.Payload.
func (*Fault) EventType() trace.Type { return trace.Fault }

// AttemptEnd is the payload of trace.AttemptEnd.
type AttemptEnd struct {
	*Failed
	*Served
	StatusCode      int      `attr:"status_code" doc:"HTTP status"`
	Outcome         string   `attr:"outcome" doc:"success, failure or cancelled"`
	By              string   `attr:"by" doc:"what answered: script, cassette or live"`
	Entry           int      `attr:"entry" doc:"1-based entry of the script or interaction of the cassette"`
	FaultType       string   `attr:"fault_type" doc:"kind of the injected fault"`
	FaultPending    bool     `attr:"fault_pending" doc:"whether the attempt ended before the fault had come"`
	Headers         Headers  `attr:"headers,outside" doc:"response headers, redacted"`
	Content         string   `attr:"content,outside" type:"any" doc:"content of the answer"`
	Chunks          []string `attr:"chunks,outside" doc:"content deltas in order"`
	ChunkAt         Instants `attr:"chunk_at_ns" doc:"when each delta arrived"`
	Complete        bool     `attr:"complete" doc:"whether the answer arrived whole"`
	FinishReason    string   `attr:"finish_reason,outside" doc:"why the model stopped"`
	Model           string   `attr:"model,outside" doc:"model that answered"`
	ToolCalls       Calls    `attr:"tool_calls,outside" doc:"tools the model asked for"`
	Usage           Usage    `attr:"usage" type:"object" doc:"prompt_tokens, completion_tokens, total_tokens"`
	CostUSD         float64  `attr:"cost_usd" doc:"cost of the attempt"`
	Reconnected     bool     `attr:"reconnected" doc:"whether the one reconnect took place"`
	Gateway         string   `attr:"gateway" doc:"gateway that the target belongs to"`
	Fallback        bool     `attr:"fallback" doc:"whether the answer came from another target than the first"`
	BreakerFailures int      `attr:"breaker_failures" doc:"failures that the target's breaker counts now"`
}

// EventType implements trace.Payload.
func (*AttemptEnd) EventType() trace.Type { return trace.AttemptEnd }

// Served is how an answer to a program ended.
type Served struct {
	CallNumber int    `attr:"call_number" doc:"call of the endpoint that the attempt belongs to, from 1"`
	EndedBy    string `attr:"ended_by" doc:"server or client"`
	SentBytes  int    `attr:"sent_bytes" doc:"bytes that were sent"`
	// Late is there because a trace does not go back: what others did meanwhile stands
	// before this event.
	Late time.Duration `attr:"late_ns" doc:"how long before this event the last of the answer had been given out"`
}

// Message is the payload of trace.Message.
type Message struct {
	*Failed
	StatusCode      int    `attr:"status_code" doc:"HTTP status"`
	Direction       string `attr:"direction" doc:"sent or received"`
	Method          string `attr:"method,outside" doc:"method of the message"`
	Params          JSON   `attr:"params,outside" doc:"what it says"`
	By              string `attr:"by" doc:"what answered: script, cassette or live"`
	Session         string `attr:"session,outside" doc:"id of the session that it opened"`
	ProtocolVersion string `attr:"protocol_version,outside" doc:"revision that was agreed upon"`
	Server          string `attr:"server,outside" doc:"name by which the server introduced itself"`
	Connection      int    `attr:"connection" doc:"number of the connection that a program's message came over, from 1"`
	Trouble         string `attr:"trouble,outside" doc:"why what a program sent was no request"`
}

// EventType implements trace.Payload.
func (*Message) EventType() trace.Type { return trace.Message }

// Failure is the payload of trace.Failure.
type Failure struct {
	*Failed
	*Decision
	StatusCode int `attr:"status_code" doc:"HTTP status"`
}

// EventType implements trace.Payload.
func (*Failure) EventType() trace.Type { return trace.Failure }
