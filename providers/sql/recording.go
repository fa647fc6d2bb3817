package sql

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/wire"
)

// openLine is the first line of a recording whose session was opened.
const openLine = `{"type":"ReadyForQuery","status":"I"}` + "\n"

var errCopies = errors.New("the statement copies rows, which this provider does not follow: read and write them with other statements")

// A Recording writes the messages of a live session as the lines that
// [Adapter.Parse] and cassettes read.
type Recording struct {
	// Refused says that the server gave no session.
	Refused bool
	// Next returns the next message; it is asked until it fails.
	Next func() (pgproto3.BackendMessage, error)

	begun bool
	rest  bytes.Buffer
	err   error
}

// Read returns as much as one message brings.
func (r *Recording) Read(p []byte) (int, error) {
	for r.rest.Len() == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.more()
	}
	return r.rest.Read(p)
}

func (r *Recording) more() {
	if !r.begun && !r.Refused {
		r.begun = true
		r.rest.WriteString(openLine)
		return
	}
	m, err := r.Next()
	if err != nil {
		r.err = err
		return
	}
	switch m.(type) {
	case *pgproto3.CopyInResponse, *pgproto3.CopyOutResponse, *pgproto3.CopyBothResponse:
		r.err = errCopies
		return
	}
	line, ok, err := Line(m)
	if r.err = err; ok {
		r.rest.Write(append(line, '\n'))
	}
	if _, ready := m.(*pgproto3.ReadyForQuery); ready && err == nil {
		r.err = io.EOF
	}
}

// Restore is the answer of a recording as the server's messages, each with the
// wait before it.
func (Adapter) Restore(resp wire.Response) (wire.Response, error) {
	out := restoring{Response: wire.Response{Opening: []byte{}, Wait: resp.Wait, End: resp.End}}
	if media := mediaOf(resp); media != Recorded {
		return out.Response, fmt.Errorf("the recorded answer is of type %q, and not one of a database (%s)", media, Recorded)
	}
	var rest []byte
	for _, p := range resp.Parts {
		out.wait += p.Wait
		rest = append(rest, p.Data...)
		for {
			text, after, whole := bytes.Cut(rest, []byte("\n"))
			if !whole {
				break
			}
			rest = after
			if err := out.take(text); err != nil {
				return out.Response, fmt.Errorf("the recorded answer has %w", err)
			}
		}
	}
	if out.End == wire.EndHang && out.wait > 0 {
		out.Parts = append(out.Parts, wire.Part{Wait: out.wait})
	}
	return out.Response, nil
}

func mediaOf(resp wire.Response) string {
	for _, f := range resp.Header {
		if strings.EqualFold(f.Name, "Content-Type") {
			return f.Value
		}
	}
	return ""
}

// restoring is an answer that is put together line by line.
type restoring struct {
	wire.Response
	wait  time.Duration
	begun bool
}

func (r *restoring) take(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	p, err := part(text)
	if err != nil {
		return err
	}
	first := !r.begun
	r.begun = true
	if first && p.Kind == wire.PartDone {
		r.Opening = Adapter{}.Opening()
		return nil
	}
	p.Wait, r.wait = r.wait, 0
	r.Parts = append(r.Parts, p)
	return nil
}
