package dial

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/providers/sql"
)

// cancelWait bounds how long a server may take to hear that a statement which
// nobody waits for any more should end.
const cancelWait = 2 * time.Second

// dialDatabase opens a session, with whatever proof of who asks the server
// wants, and sends one statement. The answer is the server's messages in the
// form in which they are recorded.
func dialDatabase(req *http.Request) (*http.Response, error) {
	asked, err := sql.ReadStatement(req.Body)
	if err != nil {
		return nil, err
	}
	req.Body.Close()
	messages, err := asked.Messages()
	if err != nil {
		return nil, err
	}
	conn, err := connect(req)
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		return answered(req, io.NopCloser(refusal(refused))), nil
	}
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		conn.Frontend.Send(m)
	}
	if err := conn.Frontend.Flush(); err != nil {
		conn.Conn.Close()
		return nil, err
	}
	return answered(req, newDatabaseBody(req.Context(), conn)), nil
}

// connect opens a session whose texts are those that the adapter reads.
func connect(req *http.Request) (*pgconn.HijackedConn, error) {
	to := req.Header.Get(sql.Dialled)
	if to == "" {
		to = req.URL.String()
	}
	config, err := pgconn.ParseConfig(to)
	if err != nil {
		return nil, errors.New("the connection string cannot be read: it is a URL, postgres://user:password@host:5432/database, or pairs such as host=… user=…")
	}
	for name, value := range map[string]string{"client_encoding": "UTF8", "datestyle": "ISO", "bytea_output": "hex"} {
		config.RuntimeParams[name] = value
	}
	conn, err := pgconn.ConnectConfig(req.Context(), config)
	if err != nil {
		return nil, err
	}
	return conn.Hijack()
}

func answered(req *http.Request, body io.ReadCloser) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {sql.Recorded}}, Body: body, ContentLength: -1, Request: req,
	}
}

// refusal is the answer of a server that gives no session.
func refusal(e *pgconn.PgError) io.Reader {
	m := &pgproto3.ErrorResponse{
		Severity: e.Severity, SeverityUnlocalized: e.SeverityUnlocalized, Code: e.Code, Message: e.Message, Detail: e.Detail, Hint: e.Hint,
	}
	told := false
	return &sql.Recording{Refused: true, Next: func() (pgproto3.BackendMessage, error) {
		if told {
			return nil, io.ErrUnexpectedEOF // as a server ends the connection then
		}
		told = true
		return m, nil
	}}
}

// databaseBody is what a server answers, until it is ready again.
type databaseBody struct {
	*sql.Recording
	conn *pgconn.HijackedConn
	ctx  context.Context
	// stop lets go of the context, whose end ends a read.
	stop func() bool
	done bool
}

func newDatabaseBody(ctx context.Context, conn *pgconn.HijackedConn) *databaseBody {
	b := &databaseBody{conn: conn, ctx: ctx}
	b.stop = context.AfterFunc(ctx, func() { _ = conn.Conn.SetDeadline(time.Unix(1, 0)) })
	b.Recording = &sql.Recording{Next: b.next}
	return b
}

func (b *databaseBody) next() (pgproto3.BackendMessage, error) {
	m, err := b.conn.Frontend.Receive()
	switch {
	case err != nil && b.ctx.Err() != nil:
		return nil, context.Cause(b.ctx)
	case err != nil:
		b.done = true
		return nil, err
	}
	if _, ready := m.(*pgproto3.ReadyForQuery); ready {
		b.done = true
	}
	return m, nil
}

// Close ends the session. A statement that is under way is cancelled: a server
// does not see by itself that its client has gone.
func (b *databaseBody) Close() error {
	b.stop()
	if b.done {
		b.conn.Frontend.Send(&pgproto3.Terminate{})
		_ = b.conn.Frontend.Flush()
		return b.conn.Conn.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), cancelWait)
	defer cancel()
	if conn, err := pgconn.Construct(b.conn); err == nil {
		_ = conn.CancelRequest(ctx)
	}
	err := b.conn.Conn.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
