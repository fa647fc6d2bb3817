package exchange

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"net/http"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// answeredMax is how much of an answer is looked through for credentials, as a token stands in a
// short one; memberMax how long a member with its name is at most that comes in several pieces; and
// pieceMax how long a piece is at most that is looked at only where a value ends in it: of many small
// ones each would have all before it looked at again.
const (
	answeredMax = 256 << 10
	memberMax   = 4 << 10
	pieceMax    = 64
)

// OnSecret has f told of the credentials in what real services answer, in the place of what the
// plan hides with. It is called beside the tasks of the run, without a lock that these have.
func (s *Sources) OnSecret(f func(values []string)) { s.onSecret = f }

// listen tells of the credentials in an answer: of those in its head now, and of those in its
// body before that is handed on, so that whoever makes use of one finds it known. There is no
// answer where there was an error.
func (d *dial) listen(resp *http.Response) {
	if d.onSecret == nil || resp == nil {
		return
	}
	d.onSecret(headCredentials(resp.Header))
	resp.Body = &answeredBody{ReadCloser: resp.Body, onSecret: d.onSecret, kind: resp.Header.Get("Content-Type")}
}

// headCredentials are those in the head of an answer.
func headCredentials(head http.Header) []string {
	if _, has := head["Mcp-Session-Id"]; has { // of a session that is made anew when it is played
		head = maps.Clone(head)
		delete(head, "Mcp-Session-Id")
	}
	return redact.AddressCredentials(redact.FieldCredentials(nil, head), head.Get("Location"))
}

// Answered are the bytes that a script answers with, as far as they are looked through for credentials.
func Answered(s wire.WireScript) (text []byte) {
	for _, op := range s.Ops {
		text = append(text, op.Data[:min(len(op.Data), answeredMax-len(text))]...)
	}
	return text
}

// Credentials are those in what a script answers with: a response over HTTP, or a message of JSON as a server over a
// pipe writes it.
func Credentials(answered []byte) []string {
	if !bytes.HasPrefix(answered, []byte("HTTP/")) {
		return redact.BodyCredentials(nil, "", answered)
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answered)), nil)
	if err != nil {
		return nil // no client reads it either
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, answeredMax)) // of one that breaks off, what there is
	return redact.BodyCredentials(headCredentials(resp.Header), resp.Header.Get("Content-Type"), body)
}

// An answeredBody tells of the credentials in what is read of it.
type answeredBody struct {
	io.ReadCloser
	onSecret func(values []string)
	kind     string // the content type
	size     int    // of what was read
	before   []byte // the end of that
}

func (b *answeredBody) Read(p []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(p)
	if n == 0 && err == nil || b.size >= answeredMax {
		return n, err
	}
	b.size += n
	text := append(b.before, p[:n]...)
	if err != nil || n > pieceMax || bytes.ContainsAny(p[:n], `"&`) { // where a value may end
		b.onSecret(redact.BodyCredentials(nil, b.kind, text))
	}
	b.before = append(b.before[:0], text[max(0, len(text)-memberMax):]...)
	return n, err
}
