package server

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/wire"
)

// relay passes on what a real service answers, as it comes, and reports whether the
// connection can go on. What ends in the middle there ends here in the same way.
func (c *conn) relay(r *request, x *interp.Exchange, service *interp.Relay) (keeps bool) {
	to := &counted{Writer: &paced{c.net, c.server.limits.Stalled}}
	served := wire.Served{By: wire.ByServer}
	resp, err := service.Dial()
	if err == nil {
		served.Status = resp.StatusCode
		if resp.StatusCode >= http.StatusBadRequest {
			resp.Body = readAhead(resp.Body, refusalMax, interp.RefusalFor)
		}
		if service.Refused() {
			x.Sending() // who has the status may ask again from here on
		}
		keeps, err = passOn(to, r, resp)
		resp.Body.Close()
	}
	served.Sent, served.Err = to.n, err
	switch {
	case r.ctx.Err() != nil, to.err != nil && !isTimeout(to.err):
		served.By = wire.ByClient
		c.net.Close()
	case err != nil:
		c.breakOff(service.Script())
	}
	x.Served(served)
	return keeps && served.Err == nil
}

// breakOff ends the connection as the service ended it.
func (c *conn) breakOff(said wire.WireScript) {
	end := wire.EndRST
	if n := len(said.Ops); n > 0 && said.Ops[n-1].End != wire.EndNone {
		end = said.Ops[n-1].End
	}
	if end == wire.EndHang || end == wire.EndTimeout {
		end = wire.EndFIN // the service has been silent for as long as we waited
	}
	// What was written is to arrive before a reset.
	_ = wire.WireScript{Ops: []wire.Op{{Wait: wire.ResetGap, End: end}}}.Serve(c.server.ctx, wire.System(), c.net, wire.ServeOptions{})
}

// A counted writer counts, and keeps its first error.
type counted struct {
	io.Writer
	n   int
	err error
}

// Write implements io.Writer.
func (w *counted) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.n += n
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// passOn writes a response to a client piece by piece.
func passOn(to io.Writer, r *request, resp *http.Response) (keeps bool, err error) {
	h := resp.Header.Clone()
	interp.EndToEnd(h)
	h.Del("Content-Length")
	bare := r.Method == http.MethodHead || resp.StatusCode == http.StatusNoContent || resp.StatusCode == http.StatusNotModified
	keeps = !r.Close
	var body io.WriteCloser = unframed{to}
	switch {
	case resp.ContentLength >= 0 && (!bare || r.Method == http.MethodHead):
		h.Set("Content-Length", strconv.FormatInt(resp.ContentLength, 10))
	case bare:
	case r.ProtoAtLeast(1, 1):
		h.Set("Transfer-Encoding", "chunked")
		body = httputil.NewChunkedWriter(to)
	default:
		keeps = false // its end is that of the connection
	}
	if !keeps {
		h.Set("Connection", "close")
	}
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %03d %s\r\n", resp.StatusCode, http.StatusText(resp.StatusCode))
	_ = h.Write(&head)
	head.WriteString("\r\n")
	if _, err := to.Write(head.Bytes()); err != nil || bare {
		return keeps, err
	}
	if _, err := io.Copy(body, resp.Body); err != nil { // piece by piece: neither side gathers them
		return false, err
	}
	if err := body.Close(); err != nil {
		return false, err
	}
	if _, chunked := body.(unframed); !chunked {
		_, err = io.WriteString(to, "\r\n") // no trailers
	}
	return keeps, err
}

// An unframed body has no frame of its own.
type unframed struct{ io.Writer }

// Close implements io.Closer.
func (unframed) Close() error { return nil }
