package actor

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Protocol is how actors answer on the wire: HTTP with an object of JSON, which
// holds a value, an error, or neither, where what is asked has nothing against
// the work. A warning may stand beside either. It is the [faults.Vendor] of
// faults that strike actors.
type Protocol struct{}

// answer is the body of an answer.
type answer struct {
	Value   json.RawMessage `json:"value,omitempty"`
	Error   *answerError    `json:"error,omitempty"`
	Warning string          `json:"warning,omitempty"`
}

type answerError struct {
	Kind     string `json:"kind"`
	Message  string `json:"message"`
	SQLState string `json:"sqlstate,omitempty"`
}

func (a answer) response(status int) wire.Response {
	body, _ := json.Marshal(a)
	return wire.Response{
		Status: status, Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}},
		Parts: []wire.Part{{Data: body}},
	}
}

// Value is the answer with a value that is given as JSON.
func (Protocol) Value(value []byte) wire.Response {
	return answer{Value: value}.response(http.StatusOK)
}

// Typed is an error answer of a kind of failure.
func (Protocol) Typed(kind, message, sqlstate string) wire.Response {
	return answer{Error: &answerError{kind, message, sqlstate}}.response(http.StatusOK)
}

// Note is an answer that lets the work go on; warning may be empty.
func (Protocol) Note(warning string) wire.Response {
	return answer{Warning: warning}.response(http.StatusOK)
}

// Error is an error answer by status.
func (Protocol) Error(status int, _, message string) wire.Response {
	return answer{Error: &answerError{Kind: string(failure.StatusKind(status)), Message: message}}.response(status)
}

// Reply is an answer of a text.
func (p Protocol) Reply(content string, chunks []string, _ string, _ int) wire.Response {
	if chunks != nil {
		content = strings.Join(chunks, "")
	}
	value, _ := json.Marshal(content)
	return p.Value(value)
}

// Again says that no answer of an actor has a finish reason.
func (Protocol) Again(wire.Response, string, int) (wire.Response, bool) {
	return wire.Response{}, false
}

// Whole is an answer of a text.
func (p Protocol) Whole(content string) wire.Response { return p.Reply(content, nil, "", 0) }

// StreamError is nothing: actors do not stream.
func (Protocol) StreamError(string, string) []byte { return nil }

// WrongType is a content type that no actor answers with.
func (Protocol) WrongType() string { return "text/html" }

// Label has nothing to say of an answer in one piece.
func (Protocol) Label(*wire.Response) {}

// request is how a target is asked. Nobody reads it but scripts that go by the
// host.
func request(host, path string) *http.Request {
	req, err := http.NewRequest(http.MethodPost, "http://"+host+".actor/"+path, nil)
	if err != nil { // a name that is no host
		req, _ = http.NewRequest(http.MethodPost, "http://actor/", nil)
	}
	return req
}

// answerMax bounds what is read of an answer.
const answerMax = 16 << 20

// said is what an answer comes to: a value, or neither that nor a failure where
// the work may go on.
type said struct {
	value   cty.Value // NilVal for none
	warning string
	// unsent says that the connection ended before anything was sent on it.
	unsent bool
}

// parse reads an answer or the error of a round trip.
func parse(resp *http.Response, err error) (said, *failure.Failure) {
	if err != nil {
		f := providers.TransportFailure(err)
		return said{unsent: f.Kind == failure.Connection && f.Cause == failure.EOF}, f
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, answerMax))
	if err != nil {
		return said{}, providers.TransportFailure(err)
	}
	var a answer
	problem := json.Unmarshal(body, &a)
	if resp.StatusCode >= http.StatusBadRequest {
		return said{}, statusFailure(resp, a)
	}
	if problem != nil {
		return said{}, &failure.Failure{Kind: failure.MalformedResponse, Message: "the answer is not what an actor answers: " + problem.Error()}
	}
	if a.Error != nil {
		return said{}, errorFailure(a.Error)
	}
	s := said{warning: a.Warning}
	if a.Value != nil {
		s.value, err = decode(a.Value)
		if err != nil {
			return said{}, &failure.Failure{Kind: failure.MalformedResponse, Message: "the answer is not what an actor answers: " + err.Error()}
		}
	}
	return s, nil
}

func statusFailure(resp *http.Response, a answer) *failure.Failure {
	f := &failure.Failure{Kind: failure.StatusKind(resp.StatusCode), StatusCode: resp.StatusCode, Message: fmt.Sprintf("the actor answered with status %d", resp.StatusCode)}
	if a.Error != nil && a.Error.Message != "" {
		f.Message += ": " + a.Error.Message
	}
	f.RetryAfter, f.HasRetryAfter = failure.RetryAfter(resp.Header, time.Time{})
	return f
}

// errorFailure is what an error answer says; one of a kind that does not exist
// is an exception of that name.
func errorFailure(e *answerError) *failure.Failure {
	if kind := failure.Kind(e.Kind); slices.Contains(failure.Kinds(), kind) {
		return &failure.Failure{Kind: kind, Message: e.Message, SQLState: e.SQLState}
	}
	return &failure.Failure{Kind: failure.Exception, Type: e.Kind, Message: e.Message}
}

func decode(raw []byte) (cty.Value, error) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return cty.NilVal, err
	}
	return dsl.CtyValue(v), nil
}
