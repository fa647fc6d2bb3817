package sql

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// serverVersion is what the sessions of a script claim to be.
const serverVersion = "17.0"

// opening is how the server opens a session that it grants without a password.
var opening = encode(
	&pgproto3.AuthenticationOk{},
	&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"},
	&pgproto3.ParameterStatus{Name: "DateStyle", Value: "ISO, MDY"},
	&pgproto3.ParameterStatus{Name: "integer_datetimes", Value: "on"},
	&pgproto3.ParameterStatus{Name: "server_encoding", Value: "UTF8"},
	&pgproto3.ParameterStatus{Name: "server_version", Value: serverVersion},
	&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"},
	&pgproto3.ParameterStatus{Name: "TimeZone", Value: "UTC"},
	&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{0, 0, 0, 1}},
	&pgproto3.ReadyForQuery{TxStatus: 'I'},
)

// encode writes messages one behind the other. All of ours have a size that the
// protocol allows.
func encode(messages ...pgproto3.BackendMessage) []byte {
	var b []byte
	for _, m := range messages {
		b, _ = m.Encode(b)
	}
	return b
}

// Opening is what a server says before it is asked: that the session is open.
func (Adapter) Opening() []byte { return append([]byte{}, opening...) }

// Render is the answer to a statement that succeeds, one part for each message.
// Content, where there are no rows, is one row of one column of that name.
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	if out.Rows == nil && (out.Content != "" || out.Chunks != nil) {
		out = contentRow(out)
	}
	parts := []wire.Part{event(&pgproto3.ParseComplete{}), event(&pgproto3.BindComplete{})}
	if out.Rows == nil {
		parts = append(parts, event(&pgproto3.NoData{}))
	} else {
		parts = append(parts, event(description(out.Columns)))
	}
	for _, row := range out.Rows {
		values, _ := rowTexts(out.Columns, row)
		parts = append(parts, wire.Part{Data: encode(&pgproto3.DataRow{Values: values}), Kind: wire.PartChunk})
	}
	tag := &pgproto3.CommandComplete{CommandTag: []byte(tagOf(in.Statement, out))}
	parts = append(parts, event(tag), wire.Part{Data: encode(&pgproto3.ReadyForQuery{TxStatus: 'I'}), Kind: wire.PartDone})
	return wire.Response{Opening: Adapter{}.Opening(), Wait: out.Latency, Parts: parts}
}

func event(m pgproto3.BackendMessage) wire.Part {
	return wire.Part{Data: encode(m), Kind: wire.PartEvent}
}

func contentRow(out providers.Output) providers.Output {
	text := out.Content
	if out.Chunks != nil {
		text = strings.Join(out.Chunks, "")
	}
	out.Columns, out.Rows = []providers.Column{{Name: "content", Type: "text"}}, [][]any{{text}}
	return out
}

func description(columns []providers.Column) *pgproto3.RowDescription {
	d := &pgproto3.RowDescription{}
	for _, c := range columns {
		t, _ := typeNamed(c.Type)
		d.Fields = append(d.Fields, pgproto3.FieldDescription{Name: []byte(c.Name), DataTypeOID: t.oid, DataTypeSize: t.size, TypeModifier: -1})
	}
	return d
}

func rowTexts(columns []providers.Column, row []any) ([][]byte, error) {
	values := make([][]byte, len(columns))
	for i, c := range columns {
		t, known := typeNamed(c.Type)
		if !known {
			return nil, fmt.Errorf("column %q is of type %q, which this provider does not know", c.Name, c.Type)
		}
		var err error
		if values[i], err = t.text(row[i]); err != nil {
			return nil, fmt.Errorf("column %q of type %s: %w", c.Name, t.name, err)
		}
	}
	return values, nil
}

// Sendable reports what of an answer no server could send.
func Sendable(out providers.Output) error {
	for n, row := range out.Rows {
		if _, err := rowTexts(out.Columns, row); err != nil {
			return fmt.Errorf("row %d, %w", n+1, err)
		}
	}
	return nil
}

// TypeOf names the type that a value without a declared one is sent as.
func TypeOf(v any) string { return typeOf(guess(v)).name }

// KnownType returns the name under which a type is known, "" where it is not.
func KnownType(name string) string {
	t, _ := typeNamed(name)
	return t.name
}

// RenderError is the error of a server that failed within itself.
func (a Adapter) RenderError(in providers.Input, status int, _, message string) wire.Response {
	if message == "" {
		message = strings.ToLower(http.StatusText(status))
	}
	return a.RenderTyped(in, string(failure.DBError), message, internalError)
}

// RenderTyped is the error answer that a kind of failure has at a server.
func (Adapter) RenderTyped(_ providers.Input, kind, message, state string) wire.Response {
	switch {
	case kind == string(failure.PoolTimeout):
		state = tooManyConnections
	case state == "":
		state = internalError
	}
	e := &pgproto3.ErrorResponse{Severity: "ERROR", Code: state, Message: message}
	resp := wire.Response{Opening: Adapter{}.Opening()}
	switch {
	case refuses(state):
		resp.Opening = []byte{}
	case inParse(state):
	default:
		resp.Parts = []wire.Part{event(&pgproto3.ParseComplete{}), event(&pgproto3.BindComplete{}), event(&pgproto3.NoData{})}
	}
	if ends(state) {
		e.Severity, resp.End = "FATAL", wire.EndFIN
	}
	e.SeverityUnlocalized = e.Severity
	resp.Parts = append(resp.Parts, event(e))
	if resp.End == wire.EndNone {
		resp.Parts = append(resp.Parts, wire.Part{Data: encode(&pgproto3.ReadyForQuery{TxStatus: 'I'}), Kind: wire.PartDone})
	}
	return resp
}

// RenderNote is the answer of a statement that has nothing to tell.
func (a Adapter) RenderNote(in providers.Input, _ string) wire.Response {
	return a.Render(in, providers.Output{})
}
