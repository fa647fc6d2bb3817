package wire

import (
	"bufio"
	"net/http"
	"strings"
)

// overHTTP reports whether a request is for HTTP, and not for a protocol of
// messages, whose requests are envelopes: a URL that says where, a body that
// says what, and the name of the protocol.
func overHTTP(r *http.Request) bool { return r.Proto == "" || strings.HasPrefix(r.Proto, "HTTP/") }

// session answers the request of a protocol of messages. Nothing on the wire is
// HTTP then: the response has neither status nor header, and its body is what
// the server sends, from the first byte of the connection to its end, with the
// waits and the errors of any other body.
func (s WireScript) session(cn *conn, r *http.Request) *http.Response {
	cn.startBody()
	br := readers.Get().(*bufio.Reader)
	br.Reset(cn)
	return &http.Response{
		Header:        http.Header{},
		ContentLength: -1,
		Request:       r,
		Body:          &body{conn: cn, buffer: br, framed: br, broken: s.BodyErr},
	}
}
