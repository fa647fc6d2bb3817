package sql

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// messageMax bounds one message of a server.
const messageMax = 64 << 20

// Parse reads the messages of a session up to the one that says the server is
// ready again. Rows are read by the types of their columns. An error of the
// server is a failure by its SQLSTATE; one whose session was open when a
// deadline passed is a statement that took too long.
func (Adapter) Parse(ctx context.Context, _ providers.Input, resp *http.Response, err error, _ func() time.Time, _ func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	if resp == nil {
		return providers.Output{}, providers.TransportFailure(providers.NoResponse(err))
	}
	defer resp.Body.Close()
	if err != nil {
		return providers.Output{}, providers.TransportFailure(err)
	}
	source := resp.Body.(io.Reader)
	if providers.MediaType(resp.Header) == Recorded {
		source = &replayed{lines: newLines(source)}
	}
	s := &session{source: &watched{Reader: providers.LimitBody(source)}}
	s.frontend = pgproto3.NewFrontend(s.source, io.Discard)
	s.frontend.SetMaxBodyLen(messageMax)
	f := s.read(ctx)
	if f != nil {
		f.Unsent = !s.opened // a client waits for the opening before it asks
	}
	return s.out, f
}

// watched remembers the error of its reader, which tells a broken connection
// from bytes that make no sense.
type watched struct {
	io.Reader
	err error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// session is what was read of one.
type session struct {
	source   *watched
	frontend *pgproto3.Frontend
	out      providers.Output
	types    []dataType
	opened   bool
	// failed is the error that the server reported.
	failed *failure.Failure
}

func (s *session) read(ctx context.Context) *failure.Failure {
	for {
		m, err := s.frontend.Receive()
		if err == nil && ctx.Err() != nil {
			err, s.source.err = context.Cause(ctx), context.Cause(ctx)
		}
		if err != nil {
			return s.broken(err)
		}
		done, f := s.message(m)
		if done || f != nil {
			return f
		}
	}
}

// broken is what the end of the messages comes to: the server's own error where
// it had reported one.
func (s *session) broken(err error) *failure.Failure {
	switch {
	case s.failed != nil:
		return s.failed
	case s.source.err == nil:
		return providers.Malformed("the server's messages cannot be read: %s", err)
	case errors.Is(s.source.err, io.EOF):
		return &failure.Failure{Kind: failure.Connection, Cause: failure.EOF, Message: "the server closed the connection before the statement had ended"}
	}
	f := providers.TransportFailure(s.source.err)
	if f.Kind == failure.Timeout && s.opened {
		f.Kind, f.Message = failure.DBTimeout, "the deadline passed before the statement had ended"
	}
	return f
}

// message takes one message; done says that it was the last.
func (s *session) message(m pgproto3.BackendMessage) (done bool, f *failure.Failure) {
	switch m := m.(type) {
	case *pgproto3.ReadyForQuery:
		if !s.opened {
			s.opened = true
			return false, nil
		}
		s.out.Complete = true
		return true, s.failed
	case *pgproto3.ErrorResponse:
		// It goes on: to the end of the session after a fatal one, else to the
		// message that says the server is ready.
		s.failed = failureOf(m)
	case *pgproto3.RowDescription:
		s.describe(m)
	case *pgproto3.DataRow:
		return false, s.row(m)
	case *pgproto3.CommandComplete:
		s.out.Affected = affected(string(m.CommandTag))
	case *pgproto3.CopyInResponse, *pgproto3.CopyOutResponse, *pgproto3.CopyBothResponse:
		return false, providers.Malformed("the server begins to copy, which this provider does not follow: read and write rows with other statements")
	case *pgproto3.AuthenticationCleartextPassword, *pgproto3.AuthenticationMD5Password, *pgproto3.AuthenticationSASL:
		return false, providers.Malformed("the server asks for a password where the session should be open")
	}
	return false, nil
}

func (s *session) describe(m *pgproto3.RowDescription) {
	s.out.Rows, s.out.Columns, s.types = [][]any{}, []providers.Column{}, nil
	for _, f := range m.Fields {
		t := typeOf(f.DataTypeOID)
		s.types = append(s.types, t)
		s.out.Columns = append(s.out.Columns, providers.Column{Name: string(f.Name), Type: t.name})
	}
}

func (s *session) row(m *pgproto3.DataRow) *failure.Failure {
	if len(m.Values) != len(s.types) {
		return providers.Malformed("a row has %d values, and %d columns were announced", len(m.Values), len(s.types))
	}
	row := make([]any, len(s.types))
	for i, t := range s.types {
		v, err := t.value(m.Values[i])
		if err != nil {
			return providers.Malformed("row %d, column %q: the server sent %s", len(s.out.Rows)+1, s.out.Columns[i].Name, err)
		}
		row[i] = v
	}
	s.out.Rows = append(s.out.Rows, row)
	return nil
}

// affected is the number of rows that a command tag reports, nil for a command
// that reports none.
func affected(tag string) *int {
	fields := strings.Fields(tag)
	if len(fields) < 2 {
		return nil
	}
	n, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil {
		return nil
	}
	return &n
}

// Objects are the rows as objects of their columns; of two columns of one name
// the last is kept.
func Objects(out providers.Output) []any {
	list := make([]any, 0, len(out.Rows))
	for _, row := range out.Rows {
		object := make(map[string]any, len(row))
		for i, v := range row {
			object[out.Columns[i].Name] = v
		}
		list = append(list, object)
	}
	return list
}
