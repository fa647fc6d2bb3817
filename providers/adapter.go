package providers

import (
	"context"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/wire"
)

// An Adapter speaks one provider's protocol over HTTP. It holds no state and
// is safe for concurrent use.
type Adapter interface {
	// Request builds the request of one attempt. The error is about the input
	// (a bad URL, JSON that cannot be encoded), never about the network.
	Request(ctx context.Context, in Input) (*http.Request, error)
	// Render lays a reply out in the provider's own wire format. The input
	// tells what was asked (stream or not, model); missing fields of the reply
	// get deterministic values.
	Render(in Input, out Output) wire.Response
	// RenderError is the provider's own error shape for a status, or for an
	// error reported inside a 200 where status is 200. An empty typ or message
	// gets the one that the provider uses for that status.
	RenderError(in Input, status int, typ, message string) wire.Response
	// Parse reads what came back: resp, or err where the transport failed. It
	// calls sink once per delta of content as it arrives; an error from sink
	// stops reading and is returned inside the failure's kind Cancelled. A
	// failure is classified by kind here, once; its mode is given by the
	// caller's taxonomy. Output holds what was read before a failure. now is
	// read for a Retry-After that is a date. Parse closes the body.
	Parse(ctx context.Context, in Input, resp *http.Response, err error, now func() time.Time, sink func(Chunk) error) (Output, *failure.Failure)
}

// An Input is what one attempt asks for. The first group is for the providers
// of language models, the second for http, the third for mcp.
type Input struct {
	Model       string
	Messages    []Message
	Tools       []Tool
	Temperature *float64
	MaxTokens   *int
	Stream      bool
	// Uncounted says that a stream is to tell no usage: the vendor tells it where
	// it is asked to, and a request that was read did not.
	Uncounted bool
	// ResponseFormat is passed on as it is, nil where the step gives none.
	ResponseFormat any
	// Previous is the id of the answer from which a request that was read goes
	// on, whose conversation the vendor keeps. No request is written with one.
	Previous string
	// Background says that a request that was read asked for an answer in the
	// background, or for how far one is: that it is not there yet is no failure. No
	// request is written with it.
	Background bool

	Method string
	// Path is joined to BaseURL; URL, where set, replaces both.
	Path, URL string
	Query     map[string]string
	Body      []byte
	// JSON is encoded as the body when HasJSON is set.
	JSON    any
	HasJSON bool
	// Statement is that of a sql step, Args its arguments: nil, bools, numbers,
	// strings, and values that are sent as JSON.
	Statement string
	Args      []any

	// Expect tells which statuses are a success; nil means 200 to 399.
	Expect func(status int) bool
	// ReadsErrors says that a result which calls itself an error is an answer, and
	// no failure.
	ReadsErrors bool

	RPC     RPC
	Session Session
	// Pipe says that the server is a process whose standard input and output
	// carry the messages.
	Pipe bool
	// OnMessage, where not nil, is called with every message that comes before the
	// answer. An error from it stops reading, as one from sink does.
	OnMessage func(Incoming) error

	// BaseURL is the provider's own when empty. APIKey is empty on a replay.
	BaseURL string
	APIKey  string
	// Headers are added to the request, the provider's and the step's.
	Headers map[string]string
}

// A Message is one turn of a conversation.
type Message struct {
	Role       string // system, user, assistant, tool
	Content    string
	ToolCalls  []ToolCall // of an assistant
	Thoughts   []Thought  // of an assistant
	ToolCallID string     // of a tool's answer
	Name       string     // of a tool's answer
	// WithResults says of a text in the user's role that it was read beside the
	// results of tools, in one message.
	WithResults bool
}

// A Tool is offered to the model. Schema is its JSON Schema.
type Tool struct {
	Name, Description string
	Schema            any
}

// A ToolCall is one call that a model asked for.
type ToolCall struct {
	ID   string
	Name string
	// Arguments is the JSON text that the model wrote, valid or not.
	Arguments string
	// Signature is what some vendors want back with the call in the next turn,
	// unread; "" at all others.
	Signature string
}

// An Output is what one attempt answered, or what an inline reply says.
type Output struct {
	Content      string
	Chunks       []string // the deltas of a stream, in order
	Reasoning    string
	Thoughts     []Thought // what of the reasoning goes back with a next turn
	FinishReason string
	ToolCalls    []ToolCall
	Usage        Usage
	Model        string
	ID           string

	StatusCode int
	Headers    http.Header
	Body       []byte
	// Spelling has the names of header fields as a reply wrote them, by those in Headers, where they are others.
	Spelling map[string]string

	// Result is the whole result of an RPC as JSON, and Structured what of it is
	// meant for programs; nil where there is none. IsError is the server's own
	// word for a result that is an error.
	Result, Structured []byte
	IsError            bool
	Progress           []Progress
	Session            Session

	// Columns and Rows are what a statement returned, Rows nil where it returns
	// none. A value is nil, a bool, a json.Number, a string, or what a JSON
	// document holds. Affected is the number of rows that the server reports.
	Columns  []Column
	Rows     [][]any
	Affected *int

	// CostUSD is given by a reply; no provider reports it.
	CostUSD float64
	// Complete says that the answer ended as the protocol demands.
	Complete bool

	// Latency (before the answer) and ChunkDelay (before every chunk after the
	// first) are of an inline reply only.
	Latency    time.Duration
	ChunkDelay time.Duration
}

// A Column is one of a statement's rows; Type is the name that the server's
// catalogue has for its type.
type Column struct{ Name, Type string }

// Usage counts tokens. Set tells a reported zero from an absent report.
type Usage struct {
	Set        bool
	Prompt     int
	Completion int
	Total      int
	Cached     int
	Reasoning  int
}

// A Chunk is one delta of a stream's content.
type Chunk struct {
	Content string
}
